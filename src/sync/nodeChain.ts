import { type Call, type Caller, callAll, callOne, garbage, resultOf } from './nodeClient.ts';

const RPC_INVALID_PARAMETER = -8;
const HASH = /^[0-9a-f]{64}$/;

/** Returns a result that must be the hash of a block or transaction. @throws SyncFault for any other result */
export function hashOf(caller: Caller, { method }: Call, value: unknown): string {
  if (typeof value === 'string' && HASH.test(value)) return value;
  throw garbage(caller, method);
}

/** Returns a result that must be a height. @throws SyncFault for any other result */
export function heightOf(caller: Caller, { method }: Call, value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw garbage(caller, method);
}

/** Fetches the hashes of a node's active chain at these heights; `undefined` above its tip. @throws SyncFault */
export async function hashesAt(caller: Caller, heights: readonly number[]): Promise<readonly (string | undefined)[]> {
  if (heights.length === 0) return [];
  const calls = heights.map((height): Call => ({ method: 'getblockhash', params: [height] }));
  const replies = await callAll(caller, calls);
  return calls.map((call, i) => {
    const reply = replies[i];
    if (reply?.kind === 'error' && reply.code === RPC_INVALID_PARAMETER) return undefined;
    return hashOf(caller, call, reply && resultOf(caller, call, reply));
  });
}

/** Fetches the txids of a node's mempool. @throws SyncFault */
export async function mempoolOf(caller: Caller): Promise<readonly string[]> {
  const call: Call = { method: 'getrawmempool', params: [] };
  const result = resultOf(caller, call, await callOne(caller, call));
  if (!Array.isArray(result)) throw garbage(caller, call.method);
  return result.map((txid: unknown) => hashOf(caller, call, txid));
}
