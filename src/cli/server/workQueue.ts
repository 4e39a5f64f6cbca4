/** How long calls may keep others from being accepted, in milliseconds. */
const TURN = 50;

/** Runs calls one after the other, and keeps a few waiting. */
export interface WorkQueue {
  /** Runs the work now or later. @returns `false` where too much waits already */
  readonly accept: (work: () => void) => boolean;
}

/**
 * Makes a queue. Work runs at once until a turn of the event loop has taken 50 ms; then it waits for the next turn, so
 * that other clients are heard in between.
 *
 * - `depth`: how many may wait
 * - `now`: milliseconds
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
