/** In milliseconds. */
const TURN = 50;

/** The promise resolves once worker threads are done. */
type Work = () => Promise<void> | undefined;

export interface WorkQueue {
  /** Returns false if the queue is full. */
  readonly accept: (work: Work) => boolean;
}

/**
 * Runs work at once until a turn of the event loop has taken `TURN`, then in the next turn, to serve other clients.
 *
 * - `depth`: calls that may wait, for this thread or for a worker thread
 * - `workers`: calls that worker threads run at once
 */
export function createWorkQueue({
  depth,
  workers,
  now,
  nextTurn,
}: {
  readonly depth: number;
  readonly workers: number;
  readonly now: () => number;
  readonly nextTurn: (callback: () => void) => void;
}): WorkQueue {
  const waiting: Work[] = [];
  /** Calls that worker threads have, or will get. */
  let elsewhere = 0;
  let turnStart: number | undefined;
  const hasTime = (): boolean => {
    if (turnStart === undefined) startTurn();
    return now() - (turnStart ?? 0) < TURN;
  };
  const startTurn = (): void => {
    turnStart = now();
    nextTurn(() => {
      turnStart = undefined;
      while (waiting.length > 0 && hasTime()) waiting.shift()?.();
    });
  };
  const start = async (work: Work): Promise<void> => {
    const rest = work();
    if (!rest) return;
    elsewhere += 1;
    try {
      await rest;
    } finally {
      elsewhere -= 1;
    }
  };
  return {
    accept: (work) => {
      if (waiting.length + elsewhere >= depth + workers) return false;
      if (waiting.length === 0 && hasTime()) {
        void start(work);
        return true;
      }
      if (waiting.length >= depth) return false;
      waiting.push(() => start(work));
      return true;
    },
  };
}
