import { setTimeout as sleep } from 'node:timers/promises';
import { findMember, type JsonValue } from '../../answers/json/jsonValue.ts';
import { readParams } from '../../answers/method/readParams.ts';
import { RpcError } from '../../core/errors.ts';
import type { NodeRpc } from '../../node/createNodeRpc.ts';
import { waits as blockWaits } from '../../node/methods/blockchain/waitForBlock.ts';
import { templateWaits } from '../../node/methods/mining/templateRequest.ts';
import { type News, readNews, type Wait } from '../../node/methods/waiting.ts';
import { findMethod } from '../../node/registry.ts';

/** In milliseconds. */
const INTERVAL = 50;

/**
 * Holds a call that waits, and resolves with the error to answer if the server stops first. Returns nothing for a call
 * that does not wait.
 */
export type WaitFor = (request: JsonValue | undefined) => Promise<RpcError | undefined> | undefined;

const waits = { ...blockWaits, ...templateWaits };

/** Holds each call that waits until what it waits for is there, or its timeout is over. Batches do not wait. */
export function createWaiting(rpc: NodeRpc, stopping: AbortSignal, now: () => number): WaitFor {
  const hold = async ({ isOver, timeout, whenStopped }: Wait): Promise<RpcError | undefined> => {
    const start = now();
    const end = timeout === 0 ? Number.POSITIVE_INFINITY : start + timeout;
    while (!isOver(newsOf(rpc), now() - start) && now() < end && !stopping.aborted)
      await sleep(Math.min(INTERVAL, end - now()), undefined, { signal: stopping }).catch(() => undefined);
    return stopping.aborted ? whenStopped : undefined;
  };
  return (request) => {
    const wait = findWait(request, rpc);
    return wait && hold(wait);
  };
}

const newsOf = ({ node }: NodeRpc): News => node.inCall(() => readNews(node));

/** Returns nothing for a call that fails: its answer says why. */
function findWait(request: JsonValue | undefined, rpc: NodeRpc): Wait | undefined {
  if (request?.type !== 'object') return undefined;
  const name = findMember(request.members, 'method');
  if (name?.type !== 'string' || !Object.hasOwn(waits, name.value)) return undefined;
  const method = findMethod(name.value);
  if (!method) return undefined;
  try {
    const params = findMember(request.members, 'params') ?? { type: 'array', items: [] };
    const { dialect, network } = rpc.context;
    const args = readParams(method, params, rpc.context) as never;
    return waits[name.value as keyof typeof waits](args, { before: newsOf(rpc), dialect, network });
  } catch (error) {
    if (error instanceof RpcError) return undefined;
    throw error;
  }
}
