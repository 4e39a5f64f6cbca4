import { RPC_INVALID_ADDRESS_OR_KEY } from '../../answers/method/errorCodes.ts';
import { isHex } from '../../core/bytes/hex.ts';
import { parseHeaderHashes } from '../../node/chain/block.ts';
import {
  type Call,
  type Caller,
  callResult,
  createPieces,
  expectHash,
  expectHeight,
  expectResult,
  fetchMempool,
  garbage,
  hashesAt,
  type Reply,
} from './nodeClient.ts';
import { type Source, SyncFault } from './sourceAndSink.ts';

export function nodeSource(caller: Caller): Source {
  const inPieces = createPieces(caller);
  return {
    name: caller.name,
    tip: async () => {
      const call: Call = { method: 'getblockchaininfo', params: [] };
      const info = await callResult(caller, call);
      if (typeof info !== 'object' || info === null || !('blocks' in info && 'bestblockhash' in info)) {
        throw garbage(caller, call.method);
      }
      return {
        height: expectHeight(caller, call, info.blocks),
        hash: expectHash(caller, call, info.bestblockhash),
        isCatchingUp: 'initialblockdownload' in info && info.initialblockdownload === true,
      };
    },
    hashesAt: (heights) => hashesAt(caller, heights),
    blocks: async function* blocks(hashes) {
      const calls = hashes.map((hash): Call => ({ method: 'getblock', params: [hash, 0] }));
      let at = 0;
      for await (const replies of inPieces(calls)) {
        yield replies.map((reply, i) => expectBlock(caller, hashes[at + i] ?? '', reply));
        at += replies.length;
      }
    },
    mempool: () => fetchMempool(caller),
    transactions: async function* transactions(txids) {
      const calls = txids.map((txid): Call => ({ method: 'getrawtransaction', params: [txid] }));
      for await (const replies of inPieces(calls)) yield replies.map((reply) => expectTransaction(caller, reply));
    },
  };
}

function expectBlock(caller: Caller, hash: string, reply: Reply): string {
  if (reply.kind === 'error' && /pruned/.test(reply.message)) {
    throw new SyncFault(`${caller.name} is pruned: it no longer has block ${hash}`);
  }
  const hex = expectResult(caller, { method: 'getblock', params: [] }, reply);
  if (typeof hex !== 'string' || parseHeaderHashes(hex)?.hash !== hash) {
    throw new SyncFault(`${caller.name} sent a block other than ${hash}`);
  }
  return hex;
}

function expectTransaction(caller: Caller, reply: Reply): string | undefined {
  const call: Call = { method: 'getrawtransaction', params: [] };
  // The transaction was mined or replaced after the mempool was listed.
  if (reply.kind === 'error' && reply.code === RPC_INVALID_ADDRESS_OR_KEY) return undefined;
  const hex = expectResult(caller, call, reply);
  if (typeof hex !== 'string' || !isHex(hex)) throw garbage(caller, call.method);
  return hex;
}
