import { setTimeout as sleep } from 'node:timers/promises';
import { findMember, type JsonValue } from '../../answers/json/jsonValue.ts';
import { readParams } from '../../answers/method/params.ts';
import { RpcError } from '../../core/errors.ts';
import type { NodeRpc } from '../../node/createNodeRpc.ts';
import { tipJson, type Wait, waits } from '../../node/methods/blockchain/waitForBlock.ts';
import { findMethod } from '../../node/registry.ts';

/** In milliseconds. */
const INTERVAL = 50;

/** Waits for what a call waits for; returns nothing for one that does not wait. */
export type WaitFor = (request: JsonValue | undefined) => Promise<void> | undefined;

/** Holds each call that waits for a block until the block is there, or its timeout is over. Batches do not wait. */
export function createWaiting(rpc: NodeRpc, stopping: AbortSignal, now: () => number): WaitFor {
  const hold = async ({ isOver, timeout }: Wait): Promise<void> => {
    const end = timeout === 0 ? Number.POSITIVE_INFINITY : now() + timeout;
    while (!isOver(readTip(rpc)) && now() < end && !stopping.aborted)
      await sleep(Math.min(INTERVAL, end - now()), undefined, { signal: stopping }).catch(() => undefined);
  };
  return (request) => {
    const wait = findWait(request, rpc);
    return wait && hold(wait);
  };
}

const readTip = ({ node }: NodeRpc) => node.inCall(() => tipJson(node));

/** Returns nothing for a call that fails: its answer says why. */
function findWait(request: JsonValue | undefined, rpc: NodeRpc): Wait | undefined {
  if (request?.type !== 'object') return undefined;
  const name = findMember(request.members, 'method');
  if (name?.type !== 'string' || !Object.hasOwn(waits, name.value)) return undefined;
  const method = findMethod(name.value);
  if (!method) return undefined;
  try {
    const params = findMember(request.members, 'params') ?? { type: 'array', items: [] };
    const { dialect } = rpc.context;
    const args = readParams(method, params, dialect) as never;
    return waits[name.value as keyof typeof waits](args, { tip: readTip(rpc), dialect });
  } catch (error) {
    if (error instanceof RpcError) return undefined;
    throw error;
  }
}
