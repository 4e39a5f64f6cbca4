import {
  RPC_DESERIALIZATION_ERROR,
  RPC_INVALID_ADDRESS_OR_KEY,
  RPC_VERIFY_ALREADY_IN_CHAIN,
  RPC_VERIFY_ERROR,
  RPC_VERIFY_REJECTED,
} from '../../answers/method/errorCodes.ts';
import {
  type Call,
  type Caller,
  callAll,
  callOne,
  callResult,
  expectHash,
  expectHeight,
  expectResult,
  fetchMempool,
  garbage,
  hashesAt,
} from './nodeClient.ts';
import type { Sink } from './sourceAndSink.ts';

const REFUSALS: ReadonlySet<number> = new Set([
  RPC_DESERIALIZATION_ERROR,
  RPC_VERIFY_ERROR,
  RPC_VERIFY_REJECTED,
  RPC_VERIFY_ALREADY_IN_CHAIN,
]);

/** For our own node, in this process or behind `serve`. */
export function nodeSink(caller: Caller): Sink {
  return {
    name: caller.name,
    tip: async () => {
      const count: Call = { method: 'getblockcount', params: [] };
      const best: Call = { method: 'getbestblockhash', params: [] };
      const [height, hash] = await callAll(caller, [count, best]);
      return {
        height: expectHeight(caller, count, expectResult(caller, count, height)),
        hash: expectHash(caller, best, expectResult(caller, best, hash)),
      };
    },
    hashesAt: (heights) => hashesAt(caller, heights),
    submitBlock: async (hex) => {
      const call: Call = { method: 'submitblock', params: [hex] };
      const reply = await callOne(caller, call);
      if (reply.kind === 'error' && reply.code === RPC_DESERIALIZATION_ERROR) return undefined;
      const result = expectResult(caller, call, reply);
      if (result === null || typeof result === 'string') return result;
      throw garbage(caller, call.method);
    },
    invalidate: async (hash) => {
      await callResult(caller, { method: 'invalidateblock', params: [hash] });
    },
    reconsider: async (hash) => {
      await callResult(caller, { method: 'reconsiderblock', params: [hash] });
    },
    mempool: () => fetchMempool(caller),
    drop: async (txid) => {
      const call: Call = { method: 'droptransaction', params: [txid] };
      const reply = await callOne(caller, call);
      // The transaction is unknown.
      if (reply.kind === 'error' && reply.code === RPC_INVALID_ADDRESS_OR_KEY) return false;
      expectResult(caller, call, reply);
      return true;
    },
    send: async (hex) => {
      // The source has accepted the fee: any fee rate will do.
      const call: Call = { method: 'sendrawtransaction', params: [hex, 0] };
      const reply = await callOne(caller, call);
      if (reply.kind === 'error' && REFUSALS.has(reply.code)) {
        return { kind: 'refused', code: reply.code, reason: reply.message };
      }
      expectResult(caller, call, reply);
      return { kind: 'taken' };
    },
  };
}
