import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { NumberedRequest, PostgresLimits, PostgresWorkerData, Reply, Request } from './postgresMessages.ts';

export interface WorkerBridge {
  /** Waits for the reply; `undefined` if none comes in time. */
  readonly ask: (request: Request, milliseconds: number) => Reply | undefined;
  /** Requests are handled in order. */
  readonly tell: (request: Request) => void;
  readonly end: () => void;
}

/** A file that runs as a thread of the store if it is started with these arguments. */
export interface WorkerProgram {
  readonly path: string;
  readonly argv: readonly string[];
}

/**
 * Starts the thread, which does not keep the process alive. synckit would need a module file, but the released
 * program is a single file.
 */
export function startWorkerBridge(program: WorkerProgram, url: string, limits: PostgresLimits): WorkerBridge {
  const signal = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const { port1: port, port2 } = new MessageChannel();
  const data: PostgresWorkerData = { port: port2, url, limits, signal };
  const worker = new Worker(program.path, { argv: [...program.argv], workerData: data, transferList: [port2] });
  worker.unref();
  worker.on('error', () => undefined);
  let last = 0;
  return {
    ask: (request, milliseconds) => {
      last += 1;
      port.postMessage({ id: last, request } satisfies NumberedRequest);
      const end = performance.now() + milliseconds;
      for (;;) {
        const count = Atomics.load(signal, 0);
        const reply: Reply | undefined = receiveMessageOnPort(port)?.message;
        if (reply?.id === last) return reply;
        const remaining = end - performance.now();
        if (remaining <= 0) return undefined;
        if (!reply) Atomics.wait(signal, 0, count, remaining);
      }
    },
    tell: (request) => port.postMessage({ id: 0, request } satisfies NumberedRequest),
    end: () => {
      port.close();
      void worker.terminate();
    },
  };
}
