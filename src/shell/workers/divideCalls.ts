import { findStatelessMethod } from '../../answers/createRpc.ts';
import { answerRequest, calledMethods, type HttpAnswer } from '../../answers/envelope.ts';
import type { JsonValue } from '../../answers/json/jsonValue.ts';
import { parseJson } from '../../answers/json/parseJson.ts';
import type { RpcError } from '../../core/errors.ts';
import { knowsCoins } from '../../node/chain/chainState.ts';
import type { NodeRpc } from '../../node/createNodeRpc.ts';
import type { MayCall } from '../server/serveOptions.ts';
import type { Asked } from '../server/server.ts';
import type { WaitFor } from '../server/waiting.ts';
import type { Stateless } from './jobs.ts';
import type { WorkerPool } from './workerPool.ts';

type AnswerBody = (body: string, caller: Asked) => HttpAnswer | Promise<HttpAnswer>;

/** Answers here what needs the node, and all else in the pool. */
export function divideCalls(
  rpc: NodeRpc,
  pool: WorkerPool | undefined,
  { mayCall, waitFor }: { readonly mayCall: MayCall; readonly waitFor: WaitFor },
): AnswerBody {
  const answerHere = (request: JsonValue | undefined, { user, wallet }: Asked, fault?: RpcError): HttpAnswer =>
    answerRequest(fault ? failing(rpc, fault) : rpc, request, { wallet, mayCall: (method) => mayCall(user, method) });
  return (body, caller) => {
    const request = parseJson(body);
    const waiting = waitFor(request);
    if (waiting) return waiting.then((fault) => answerHere(request, caller, fault));
    if (!pool || needsNode(request)) return answerHere(request, caller);
    return pool
      .answerBody(body, caller, knowsChain(rpc))
      .then((answer) => validAnswer(answer, rpc) ?? answerHere(request, caller));
  };
}

const failing = ({ context }: NodeRpc, fault: RpcError): Pick<NodeRpc, 'context' | 'callJson'> => ({
  context,
  callJson: () => {
    throw fault;
  },
});

/** Returns true also for a request without calls, which takes no work. */
function needsNode(request: JsonValue | undefined): boolean {
  const methods = calledMethods(request);
  return methods.length === 0 || !methods.every(findStatelessMethod);
}

/** Drops an answer if a call of any process on the same store has since made a chain known. */
export function validAnswer<A>(stateless: Stateless<A> | undefined, rpc: Pick<NodeRpc, 'node'>): A | undefined {
  return stateless && !(stateless.assumesNoChain && mayKnowChain(rpc)) ? stateless.answer : undefined;
}

/** Tells whether the node has coins, which calls may add to transactions and PSBTs. */
export const knowsChain = ({ node }: Pick<NodeRpc, 'node'>): boolean => knowsCoins(node.chain);

/** Reads the store anew. If that fails, the node must answer with the error. */
function mayKnowChain(rpc: Pick<NodeRpc, 'node'>): boolean {
  try {
    return knowsChain(rpc) || rpc.node.inCall(() => knowsChain(rpc));
  } catch {
    return true;
  }
}
