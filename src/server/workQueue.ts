/** How long calls may run before the event loop gets its next turn, in milliseconds. */
const TURN = 50;

/** Runs calls one after another, and lets a limited number wait. */
export interface WorkQueue {
  /** Runs the work now or later. @returns false if the queue is full */
  readonly accept: (work: () => void) => boolean;
}

/**
 * Creates a queue. Work runs at once until a turn of the event loop has taken 50 ms; then it waits for the next turn, so
 * that other clients are served in between.
 *
 * - `depth`: how many calls may wait
 * - `now`: returns the time in milliseconds
 * - `nextTurn`: calls back in the next turn of the event loop
 */
export function createWorkQueue({
  depth,
  now,
  nextTurn,
}: {
  readonly depth: number;
  readonly now: () => number;
  readonly nextTurn: (callback: () => void) => void;
}): WorkQueue {
  const waiting: (() => void)[] = [];
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
  return {
    accept: (work) => {
      if (waiting.length === 0 && hasTime()) {
        work();
        return true;
      }
      if (waiting.length >= depth) return false;
      waiting.push(work);
      return true;
    },
  };
}
