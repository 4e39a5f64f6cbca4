import { once } from 'node:events';
import { calledMethods } from '../../answers/envelope.ts';
import type { NodeRpc } from '../../node/createNodeRpc.ts';
import type { Credential } from '../server/auth.ts';
import type { IsAllowed } from '../server/clients.ts';
import type { Cookie } from '../server/cookie.ts';
import type { Endpoint } from '../server/endpoints.ts';
import { listen } from '../server/listen.ts';
import { createRest } from '../server/rest.ts';
import type { MayCall } from '../server/serveOptions.ts';
import { createRpcServer } from '../server/server.ts';
import { createWaiting, type WaitFor } from '../server/waiting.ts';
import { createWorkQueue, processorTime } from '../server/workQueue.ts';
import type { Io } from '../terminal/io.ts';
import { divideCalls } from '../workers/divideCalls.ts';
import type { WorkerPool } from '../workers/workerPool.ts';

interface AnswerSettings {
  readonly endpoints: readonly Endpoint[];
  readonly isAllowed: IsAllowed;
  readonly mayCall: MayCall;
  readonly credentials: readonly Credential[];
  /** Its file is written once the server listens, and removed at the end. */
  readonly cookie: Cookie | undefined;
  /** How many calls may wait. */
  readonly depth: number;
  /** How many calls run at once elsewhere. */
  readonly workers: number;
  /** In milliseconds. */
  readonly timeout: number;
  /** Answers REST requests, too. */
  readonly rest?: boolean;
}

interface AnswerEvents {
  readonly io: Io;
  readonly stopping: AbortController;
  readonly onReady: (places: readonly string[]) => void;
  readonly onStopping: () => void;
  /** Called for each call that has arrived, with its method. */
  readonly onCall?: (method: string) => void;
}

/** Answers JSON-RPC requests over HTTP until `stopping` is aborted, or the program is interrupted. */
export async function answerCalls(
  { rpc, pool }: { readonly rpc: NodeRpc; readonly pool: WorkerPool | undefined },
  { endpoints, isAllowed, mayCall, credentials, cookie, depth, workers, timeout, rest = false }: AnswerSettings,
  { io, stopping, onReady, onStopping, onCall }: AnswerEvents,
): Promise<void> {
  const waiting = createWaiting(rpc, stopping.signal, io.now);
  const waitFor: WaitFor = (request) => {
    if (onCall) for (const method of calledMethods(request)) onCall(method);
    return waiting(request);
  };
  const { isPublic, answerPublic } = rest ? createRest(rpc) : {};
  const server = createRpcServer({
    rules: { generation: rpc.context.dialect.generation, credentials, isAllowed, isPublic },
    answerPublic,
    queue: createWorkQueue({ depth, threads: workers, processorTime, nextTurn: setImmediate }),
    stopping: stopping.signal,
    timeout,
    answer: divideCalls(rpc, pool, { mayCall, waitFor }),
  });
  const ignoreRequests = io.onStopRequest(() => {
    // A second signal no longer waits for slow clients.
    if (stopping.signal.aborted) server.cutOff();
    stopping.abort();
  });
  try {
    const places = await listen(server.open, endpoints);
    await cookie?.write();
    onReady(places);
    if (!stopping.signal.aborted) await once(stopping.signal, 'abort');
    onStopping();
  } finally {
    stopping.abort();
    await server.stop();
    ignoreRequests();
    await cookie?.remove();
  }
}

/** Milliseconds between checks of `walletpassphrase`. */
const LOCK_INTERVAL = 1000;

/** Locks wallets whose time is over also between calls. @returns a function that ends this */
export function lockInTime({ lockExpired }: Pick<NodeRpc, 'lockExpired'>): () => void {
  const locking = setInterval(lockExpired, LOCK_INTERVAL).unref();
  return () => clearInterval(locking);
}
