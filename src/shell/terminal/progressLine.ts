import type { Io } from './io.ts';

export const INTERVAL_MS = 250;
export const ERASE_LINE = '\r\u001b[K';

export interface Progress {
  readonly watch: (input: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;
  readonly count: (requests: number) => void;
  readonly end: () => void;
}

/** Stays silent unless standard error is a terminal. */
export function startProgress(io: Io): Progress {
  const start = io.now();
  let lastShown = start;
  let bytes = 0;
  let requests = 0;
  const show = (): void => {
    const seconds = Math.max(io.now() - start, 1) / 1000;
    const share = io.stdinSize ? `${Math.floor((100 * bytes) / io.stdinSize)} %, ` : '';
    const rate = Math.round(requests / seconds).toLocaleString('en');
    io.writeError(`${ERASE_LINE}${share}${requests.toLocaleString('en')} requests, ${rate} a second`);
  };
  return {
    watch: async function* watch(input) {
      for await (const chunk of input) {
        bytes += chunk.length;
        yield chunk;
      }
    },
    count: (more) => {
      requests += more;
      if (!io.isWatched || io.now() - lastShown < INTERVAL_MS) return;
      lastShown = io.now();
      show();
    },
    end: () => {
      if (!io.isWatched) return;
      show();
      io.writeError('\n');
    },
  };
}

/** Shows nothing unless signing takes a while. */
export function startSigningProgress(io: Io): {
  readonly show: (done: number, inputs: number) => void;
  readonly end: () => void;
} {
  let lastShown = io.now();
  let isShowing = false;
  return {
    show: (done, inputs) => {
      if (!io.isWatched || io.now() - lastShown < INTERVAL_MS) return;
      lastShown = io.now();
      isShowing = true;
      io.writeError(`${ERASE_LINE}${done.toLocaleString('en')} of ${inputs.toLocaleString('en')} inputs`);
    },
    end: () => {
      if (isShowing) io.writeError(ERASE_LINE);
      isShowing = false;
    },
  };
}
