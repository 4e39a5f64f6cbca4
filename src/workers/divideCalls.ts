import { knowsCoins } from '../chain/chainState.ts';
import type { NodeRpc } from '../rpc/createNodeRpc.ts';
import { findStatelessMethod } from '../rpc/createRpc.ts';
import { answerBody, callIn, type HttpAnswer } from '../rpc/envelope.ts';
import type { CurveWork } from '../rpc/foresight.ts';
import { findMethod } from '../rpc/registry.ts';
import type { MayCall } from '../server/serveOptions.ts';
import type { Asked } from '../server/server.ts';
import type { Stateless } from './jobs.ts';
import type { WorkerPool } from './workerPool.ts';

/** Answers the body of an HTTP request, at once or once worker threads have done their part. */
type AnswerBody = (body: string, asked: Asked) => HttpAnswer | Promise<HttpAnswer>;

/** Texts beyond this many characters may take long whatever they ask for. */
const SHORT = 4096;
const METHOD = /"method"\s*:\s*"([a-z]+)"/g;
/** Fewer signatures than this are made sooner than they are sent to other threads. */
const MANY_OPERATIONS = 4;

/**
 * Divides calls between this thread, which has the node, and worker threads, which get costly calls that need no node,
 * and the costly part of others.
 *
 * - `pool`: without it, all calls are answered here
 */
export function divideCalls(rpc: NodeRpc, pool: WorkerPool | undefined, mayCall: MayCall): AnswerBody {
  const answerHere = (body: string, { user, wallet }: Asked): HttpAnswer =>
    answerBody(rpc, body, { wallet, mayCall: (method) => mayCall(user, method) });
  if (!pool) return answerHere;
  const answerThere = async (body: string, asked: Asked): Promise<HttpAnswer> => {
    const given = await pool.answerBody(body, asked, knowsChain(rpc));
    return validAnswer(given, rpc) ?? answerHere(body, asked);
  };
  return (body, asked) => {
    const names = methodsNamedIn(body);
    if (seemsCostly(body, names)) return answerThere(body, asked);
    const work = names.every((name) => mayCall(asked.user, name))
      ? workIn(body, { rpc, pool, wallet: asked.wallet })
      : undefined;
    if (!work) return answerHere(body, asked);
    return pool.doWork(work).then((done) => rpc.withWorkDone(done, () => answerHere(body, asked)));
  };
}

/** Guesses the methods of a request from its text, which costs less than parsing it. */
const methodsNamedIn = (text: string): readonly string[] =>
  [...text.slice(0, SHORT).matchAll(METHOD)].map(([, name = '']) => name);

/** Tells whether a worker thread should try to answer. */
function seemsCostly(body: string, names: readonly string[]): boolean {
  if (body.length <= SHORT) return names.some((name) => findStatelessMethod(name)?.isCostly);
  return names.every((name) => findMethod(name)?.needs === 'nothing');
}

/**
 * Finds the costly part of a call that needs the node.
 *
 * - `wallet`: the wallet that the request is for; by default that of its member `wallet`
 * @returns `undefined` if the call is quickly made
 */
export function workIn(
  text: string,
  { rpc, pool, wallet }: { readonly rpc: NodeRpc; readonly pool: WorkerPool; readonly wallet?: string | undefined },
): CurveWork | undefined {
  const pays = (name: string): boolean => {
    const rehearsal = name as 'signatures' | 'scripts';
    return rehearsal === 'scripts' || (rehearsal === 'signatures' && pool.helpsToSign);
  };
  if (!methodsNamedIn(text).some(pays)) return undefined;
  const call = callIn(text);
  const work = call && rpc.foresee(call.method, call.params, wallet ?? call.wallet);
  return work && (work.operations.length >= MANY_OPERATIONS || work.ranges.length > 0) ? work : undefined;
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
