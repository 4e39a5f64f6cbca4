import workerpool from 'workerpool';
import { resolveContext } from '../../answers/dialect/dialect.ts';
import type { DialectName } from '../../answers/dialect/dialectNames.ts';
import { answerBody, answerText } from '../../answers/envelope.ts';
import { RPC_INTERNAL_ERROR, RPC_OUT_OF_MEMORY } from '../../answers/method/errorCodes.ts';
import { RpcError } from '../../core/errors.ts';
import type { Network } from '../../core/network/networks.ts';
import { createWhitelist } from '../server/serveOptions.ts';
import { WORKER_MARK } from '../terminal/io.ts';
import type { JobSettings, Jobs } from './jobs.ts';

/** Copied to each thread. */
export interface WorkerSettings extends Pick<JobSettings, 'bytesPerSigOp'> {
  readonly network: Network;
  readonly dialect: DialectName;
  /** As in `--arithmetic`. */
  readonly arithmetic: string | undefined;
  readonly whitelist?: readonly string[];
}

type Later<F> = F extends (...args: infer A) => infer R ? (...args: A) => Promise<R> : never;

/** A request that ends its thread gets an error for its answer; the other lines of its group are repeated. */
export interface WorkerPool {
  readonly answerLines: Later<Jobs['answerLines']>;
  readonly answerBody: Later<Jobs['answerBody']>;
  /** Ends all threads at once, and starts no others. */
  readonly close: () => Promise<void>;
}

/** Starts a thread when a job finds all others busy, up to `size`. */
export function openWorkerPool(program: string, size: number, settings: WorkerSettings): WorkerPool {
  const { run, close } = openThreads(program, size, settings);
  const { network, dialect } = settings;
  const context = resolveContext({ network, dialect });
  const mayCall = createWhitelist(settings.whitelist ?? []);
  const failing = (error: unknown) => ({
    context,
    callJson: () => {
      throw lostError(error);
    },
  });
  const answerLines: WorkerPool['answerLines'] = async (lines, knowsChain) => {
    try {
      return await run('answerLines', lines, knowsChain);
    } catch (error) {
      if (lines.length > 1) {
        const each = await Promise.all(lines.map((line) => answerLines([line], knowsChain)));
        return each.flat();
      }
      return lines.map((line) => ({
        answer: answerText(failing(error), line, { readsWallet: true }),
        assumesNoChain: false,
      }));
    }
  };
  return {
    answerLines,
    answerBody: async (body, caller, knowsChain) => {
      try {
        return await run('answerBody', body, caller, knowsChain);
      } catch (error) {
        return {
          answer: answerBody(failing(error), body, { mayCall: (method) => mayCall(caller.user, method) }),
          assumesNoChain: false,
        };
      }
    },
    close,
  };
}

interface Threads extends Pick<WorkerPool, 'close'> {
  /** Rejects when the thread of a job ends. */
  readonly run: <Name extends keyof Jobs>(
    name: Name,
    ...args: Parameters<Jobs[Name]>
  ) => Promise<ReturnType<Jobs[Name]>>;
}

function openThreads(program: string, size: number, settings: WorkerSettings): Threads {
  const pool = workerpool.pool(program, {
    workerType: 'thread',
    maxWorkers: size,
    workerThreadOpts: { argv: [WORKER_MARK], workerData: settings },
  });
  let isClosed = false;
  return {
    run: async (name, ...args) => {
      // A job never resolves after `close`: what follows it must not run.
      const never = new Promise<never>(() => undefined);
      // workerpool would start new threads, which keep the process alive.
      if (isClosed) return await never;
      try {
        return (await pool.exec(name, args)) as ReturnType<Jobs[typeof name]>;
      } catch (error) {
        if (isClosed) return await never;
        // After a thread has ended without an error, workerpool starts a waiting job only when another is added.
        pool.exec('idle').catch(() => undefined);
        throw error;
      }
    },
    close: async () => {
      isClosed = true;
      await pool.terminate(true);
    },
  };
}

function lostError(error: unknown): RpcError {
  const cause = error instanceof Error ? error.cause : undefined;
  const isOutOfMemory = cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY';
  return isOutOfMemory
    ? new RpcError(RPC_OUT_OF_MEMORY, 'Out of memory: this call needs more than a worker thread has', { cause })
    : new RpcError(RPC_INTERNAL_ERROR, 'Internal error: the worker thread of this call has ended', { cause });
}
