import type { NodeRpc } from '../rpc/createNodeRpc.ts';
import { answerBody, type HttpAnswer } from '../rpc/envelope.ts';
import { findMethod } from '../rpc/registry.ts';
import { findStatelessMethod } from '../rpc/statelessMethods.ts';
import type { MayCall } from '../server/serveOptions.ts';
import type { Asked } from '../server/server.ts';
import type { WorkerPool } from './workerPool.ts';

/** Answers the body of an HTTP request, at once or once a worker thread has. */
export type Answerer = (body: string, asked: Asked) => HttpAnswer | Promise<HttpAnswer>;

/** Bodies beyond this many characters may take long whatever they ask for. */
const SHORT = 4096;
const METHOD = /"method"\s*:\s*"([a-z]+)"/g;

/**
 * Divides calls between this thread, which has the node, and worker threads, which get calls that are costly and need no
 * node.
 *
 * - `rpc`: answers all other calls
 * - `pool`: without it, all calls are answered here
 */
export function createAnswerer(
  rpc: Pick<NodeRpc, 'node' | 'context' | 'callJson'>,
  pool: WorkerPool | undefined,
  mayCall: MayCall,
): Answerer {
  const answerHere = (body: string, { user, wallet }: Asked): HttpAnswer =>
    answerBody(rpc, body, { wallet, mayCall: (method) => mayCall(user, method) });
  if (!pool) return answerHere;
  return (body, asked) => {
    if (!seemsCostly(body)) return answerHere(body, asked);
    return pool
      .answerBody(body, asked, knowsChain(rpc))
      .then((given) => (given && !(given.assumesNoChain && knowsChain(rpc)) ? given.answer : answerHere(body, asked)));
  };
}

/** Guesses from the text, which costs less than parsing it, whether a worker thread should try to answer. */
function seemsCostly(body: string): boolean {
  const names = [...body.slice(0, SHORT).matchAll(METHOD)].map(([, name = '']) => name);
  if (body.length <= SHORT) return names.some((name) => findStatelessMethod(name)?.isCostly);
  return names.every((name) => findMethod(name)?.needs === 'nothing');
}

/** Tells whether the node knows any coin, which it may have to add to transactions and PSBTs. */
export const knowsChain = ({ node: { chain } }: Pick<NodeRpc, 'node'>): boolean =>
  chain.coins.size > 0 || chain.mempool.size > 0;
