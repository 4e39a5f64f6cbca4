import { findStatelessMethod } from '../../answers/createRpc.ts';
import { answerRequest, calledMethods, type HttpAnswer } from '../../answers/envelope.ts';
import type { JsonValue } from '../../answers/json/jsonValue.ts';
import { parseJson } from '../../answers/json/parseJson.ts';
import { knowsCoins } from '../../node/chain/chainState.ts';
import type { NodeRpc } from '../../node/createNodeRpc.ts';
import type { MayCall } from '../server/serveOptions.ts';
import type { Asked } from '../server/server.ts';
import type { Stateless } from './jobs.ts';
import type { WorkerPool } from './workerPool.ts';

/** Answers the body of an HTTP request, at once or once a worker thread has answered. */
type AnswerBody = (body: string, asked: Asked) => HttpAnswer | Promise<HttpAnswer>;

/**
 * Divides requests between this thread, which has the node, and worker threads, which get those that need no node.
 *
 * - `pool`: without it, all requests are answered here
 */
export function divideCalls(rpc: NodeRpc, pool: WorkerPool | undefined, mayCall: MayCall): AnswerBody {
  const answerHere = (request: JsonValue | undefined, { user, wallet }: Asked): HttpAnswer =>
    answerRequest(rpc, request, { wallet, mayCall: (method) => mayCall(user, method) });
  return (body, asked) => {
    const request = parseJson(body);
    if (!pool || needsNode(request)) return answerHere(request, asked);
    return pool
      .answerBody(body, asked, knowsChain(rpc))
      .then((answer) => validAnswer(answer, rpc) ?? answerHere(request, asked));
  };
}

/** Tells whether only this thread can answer a request, or can do so without any work. */
function needsNode(request: JsonValue | undefined): boolean {
  const methods = calledMethods(request);
  return methods.length === 0 || !methods.every(findStatelessMethod);
}

/**
 * Returns the answer of a worker thread, unless it is void now that other calls, of this process or of others on the same
 * store, have made a chain known.
 */
export function validAnswer<A>(given: Stateless<A> | undefined, rpc: Pick<NodeRpc, 'node'>): A | undefined {
  return given && !(given.assumesNoChain && mayKnowChain(rpc)) ? given.answer : undefined;
}

/** Tells whether the node knew any coin at its last call, which it may have to add to transactions and PSBTs. */
export const knowsChain = ({ node }: Pick<NodeRpc, 'node'>): boolean => knowsCoins(node.chain);

/** Reads the store anew; if that fails, the node must answer, which says why. */
function mayKnowChain(rpc: Pick<NodeRpc, 'node'>): boolean {
  try {
    return knowsChain(rpc) || rpc.node.inCall(() => knowsChain(rpc));
  } catch {
    return true;
  }
}
