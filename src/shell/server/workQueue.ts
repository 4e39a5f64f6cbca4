/** In milliseconds of processor time. */
const TURN = 50;

/** The promise resolves once worker threads are done. */
type Work = () => Promise<void> | undefined;

export interface WorkQueue {
  /** Returns false if the queue is full. */
  readonly accept: (work: Work) => boolean;
}

/**
 * Runs work at once until the calls of a turn of the event loop have taken `TURN` longer than reading their requests;
 * then, and in the next turn, requests wait for the end of the turn, as others may.
 *
 * A node reads requests while it answers others; this thread does one after the other. So it counts as waiting what would
 * wait in a node: calls that take longer than reading requests pile up, quicker ones do not, and a request that is read
 * in the turn after a long call came while that ran. It counts the time of the processor: no call takes longer because
 * another process has it.
 *
 * - `depth`: calls that may wait, for this thread or for a worker thread
 * - `threads`: calls that a node runs at once, one of which may hold up all others
 */
export function createWorkQueue({
  depth,
  threads,
  processorTime,
  nextTurn,
}: {
  readonly depth: number;
  readonly threads: number;
  readonly processorTime: () => number;
  readonly nextTurn: (callback: () => void) => void;
}): WorkQueue {
  const waiting: Work[] = [];
  /** Calls that worker threads have, or will get. */
  let elsewhere = 0;
  /** By which the calls of this turn took longer than reading since. */
  let owed = 0;
  let lastEnd = 0;
  /** The turn before had a long call. */
  let isLate = false;
  let hasTurn = false;
  const most = depth + Math.max(threads, 1);
  const isBusy = (): boolean => waiting.length > 0 || isLate || owed >= TURN;
  const countReading = (): void => {
    const time = processorTime();
    owed = Math.max(0, owed - (time - lastEnd));
    lastEnd = time;
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
  const run = (work: Work): void => {
    const before = processorTime();
    void start(work);
    lastEnd = processorTime();
    owed += lastEnd - before;
  };
  const endTurn = (): void => {
    hasTurn = false;
    isLate = owed >= TURN;
    owed = 0;
    while (owed < TURN) {
      const next = waiting.shift();
      if (!next) break;
      run(next);
    }
    if (isBusy()) awaitTurn();
  };
  const awaitTurn = (): void => {
    if (hasTurn) return;
    hasTurn = true;
    nextTurn(endTurn);
  };
  return {
    accept: (work) => {
      countReading();
      if (waiting.length + elsewhere + Number(isBusy()) >= most) return false;
      if (isBusy()) waiting.push(work);
      else run(work);
      awaitTurn();
      return true;
    },
  };
}

/** Returns the time that processors have given to this process, in milliseconds. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
