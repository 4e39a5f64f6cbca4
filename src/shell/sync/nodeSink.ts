import {
  type Call,
  type Caller,
  callAll,
  callOne,
  expectHash,
  expectHeight,
  expectResult,
  fetchMempool,
  garbage,
  hashesAt,
} from './nodeClient.ts';
import { type Sink, SyncFault } from './sourceAndSink.ts';

/** Not a valid serialization. */
export const RPC_DESERIALIZATION_ERROR = -22;
/** Inputs are missing or spent. */
export const RPC_VERIFY_ERROR = -25;
const RPC_VERIFY_REJECTED = -26;
/** The transaction is unknown. */
const RPC_INVALID_ADDRESS_OR_KEY = -5;
/** The transaction is already mined. */
export const RPC_VERIFY_ALREADY_IN_CHAIN = -27;
const REFUSALS: ReadonlySet<number> = new Set([
  RPC_DESERIALIZATION_ERROR,
  RPC_VERIFY_ERROR,
  RPC_VERIFY_REJECTED,
  RPC_VERIFY_ALREADY_IN_CHAIN,
]);

/** For our own node, in this process or behind `serve`. */
export function nodeSink(caller: Caller): Sink {
  const callMethod = async (method: string, ...params: string[]): Promise<unknown> => {
    const call: Call = { method, params };
    return expectResult(caller, call, await callOne(caller, call));
  };
  return {
    name: caller.name,
    tip: async () => {
      const calls: Call[] = [
        { method: 'getblockcount', params: [] },
        { method: 'getbestblockhash', params: [] },
      ];
      const replies = await callAll(caller, calls);
      const [height, hash] = calls.map((call, i) => replies[i] && expectResult(caller, call, replies[i]));
      const [ofHeight, ofHash] = calls;
      if (!ofHeight || !ofHash) throw garbage(caller, 'getblockcount');
      return { height: expectHeight(caller, ofHeight, height), hash: expectHash(caller, ofHash, hash) };
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
      await callMethod('invalidateblock', hash);
    },
    reconsider: async (hash) => {
      await callMethod('reconsiderblock', hash);
    },
    mempool: () => fetchMempool(caller),
    drop: async (txid) => {
      const call: Call = { method: 'droptransaction', params: [txid] };
      const reply = await callOne(caller, call);
      if (reply.kind === 'error' && reply.code === RPC_INVALID_ADDRESS_OR_KEY) return false;
      expectResult(caller, call, reply);
      return true;
    },
    send: async (hex) => {
      // The source has accepted the fee: any fee rate will do.
      const reply = await callOne(caller, { method: 'sendrawtransaction', params: [hex, 0] });
      if (reply.kind === 'result') return { kind: 'taken' };
      const { code, message } = reply;
      if (REFUSALS.has(code)) return { kind: 'refused', code, reason: message };
      throw new SyncFault(`${caller.name} refuses sendrawtransaction: ${message} (error code ${code})`);
    },
  };
}
