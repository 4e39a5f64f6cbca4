import type { MethodName, PageSession, Progress, RequestMessage, ResponseMessage } from '../protocol.ts';

interface CallOptions {
  /** Buffers that move to the worker instead of being copied. */
  readonly transfer?: readonly Transferable[];
  readonly onProgress?: (progress: Progress) => void;
}

export interface Client {
  /** Rejects with a sentence for the user, or with `STOPPED`. */
  readonly call: <Name extends MethodName>(
    method: Name,
    args: Parameters<PageSession[Name]>,
    options?: CallOptions,
  ) => Promise<ReturnType<PageSession[Name]>>;
  /** Lets the session overwrite its secrets, then replaces its worker. */
  readonly wipe: () => void;
}

/** Rejects pending calls after `wipe`. */
export const STOPPED: Error = new Error('The worker was stopped');

/** A worker that died at the start is not restarted. */
export type Crash = 'at-start' | 'later';

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: Error) => void;
  readonly onProgress: CallOptions['onProgress'];
}

interface Calls {
  readonly add: (call: Waiting) => number;
  readonly answer: (message: ResponseMessage) => void;
  readonly rejectAll: (reason: Error) => void;
}

function createCalls(): Calls {
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  return {
    add: (call) => {
      lastId += 1;
      waiting.set(lastId, call);
      return lastId;
    },
    answer: (message) => {
      const call = waiting.get(message.id);
      if (!call) return;
      if ('progress' in message) {
        call.onProgress?.(message.progress);
        return;
      }
      waiting.delete(message.id);
      if ('error' in message) call.reject(new Error(message.error));
      else call.resolve(message.result);
    },
    rejectAll: (reason) => {
      const calls = [...waiting.values()];
      waiting.clear();
      for (const { reject } of calls) reject(reason);
    },
  };
}

/** Milliseconds for a session to overwrite its secrets. */
const WIPE_TIME = 500;

/** Calls `onCrash` once all calls are rejected; a new worker runs then, unless the failed one never answered. */
export function createClient(script: Blob, crashText: string, onCrash: (crash: Crash) => void): Client {
  const calls = createCalls();
  let hasAnswered = false;
  let worker = start();

  function start(): Worker {
    const url = URL.createObjectURL(script);
    const started = new Worker(url);
    started.addEventListener('message', () => URL.revokeObjectURL(url), { once: true });
    started.addEventListener('message', ({ data }: MessageEvent<ResponseMessage>) => {
      hasAnswered = true;
      calls.answer(data);
    });
    const fail = (event: Event): void => {
      event.preventDefault();
      if (started === worker) crash();
    };
    started.addEventListener('error', fail);
    started.addEventListener('messageerror', fail);
    return started;
  }

  function crash(): void {
    worker.terminate();
    if (hasAnswered) worker = start();
    calls.rejectAll(new Error(crashText));
    onCrash(hasAnswered ? 'later' : 'at-start');
  }

  return {
    call: (method, args, { transfer = [], onProgress } = {}) =>
      new Promise((resolve, reject) => {
        const id = calls.add({ resolve: resolve as Waiting['resolve'], reject, onProgress });
        worker.postMessage({ id, method, args }, [...transfer]);
      }),
    wipe: () => {
      endGently(worker);
      calls.rejectAll(STOPPED);
      worker = start();
    },
  };
}

function endGently(worker: Worker): void {
  const request: RequestMessage = { id: 0, method: 'wipe', args: [] };
  worker.addEventListener('message', ({ data }: MessageEvent<ResponseMessage>) => data.id === 0 && worker.terminate());
  worker.postMessage(request);
  setTimeout(() => worker.terminate(), WIPE_TIME);
}
