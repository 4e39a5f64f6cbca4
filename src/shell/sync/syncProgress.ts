import type { Io } from '../terminal/io.ts';
import { ERASE_LINE, INTERVAL_MS } from '../terminal/progressLine.ts';
import type { Tip } from './sourceAndSink.ts';
import type { Watch } from './syncChain.ts';

/** Counts the blocks fed, and shows the count on a terminal. */
export interface SyncProgress {
  readonly onBlock: Watch['onBlock'];
  /** `fetched`: those of which more than the header was. */
  readonly counts: () => { readonly blocks: number; readonly fetched: number };
  /** Prints above the progress line. */
  readonly say: (text: string) => void;
  readonly end: () => void;
}

/** Shows the line only if standard error is a terminal. */
export function startSyncProgress(io: Io): SyncProgress {
  const start = io.now();
  let shownAt = start;
  let isShowing = false;
  let [blocks, fetched, bytes] = [0, 0, 0];
  const erase = (): void => {
    if (isShowing) io.writeError(ERASE_LINE);
    isShowing = false;
  };
  return {
    onBlock: ({ height, of, size }) => {
      blocks += 1;
      bytes += size;
      if (size > 0) fetched += 1;
      if (!io.isWatched || io.now() - shownAt < INTERVAL_MS) return;
      shownAt = io.now();
      isShowing = true;
      const seconds = Math.max(shownAt - start, 1) / 1000;
      const rate = blocks / seconds;
      const rates = `${count(Math.round(rate))} a second, ${(bytes / 1e6 / seconds).toFixed(1)} MB/s`;
      const isOpen = height === undefined || of === undefined;
      const line = isOpen
        ? `${count(blocks)} blocks, ${rates}`
        : `block ${count(height)} of ${count(of)} (${Math.floor((100 * height) / of)} %), ${rates}, ${timeLeft((of - height) / rate)} left`;
      io.writeError(`${ERASE_LINE}${line}`);
    },
    counts: () => ({ blocks, fetched }),
    say: (text) => {
      erase();
      io.writeError(`${text}\n`);
    },
    end: erase,
  };
}

/** Formats `45 s`, `12 min`, `3 h 20 min`. */
function timeLeft(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const count = (number: number): string => number.toLocaleString('en');

export interface Tally {
  readonly blocks: number;
  /** Blocks of which more than the header was fetched. */
  readonly fetched: number;
  readonly transactions: number;
  readonly refused: ReadonlyMap<string, number>;
  /** Left the source's mempool. */
  readonly dropped: number;
}

/** Formats `120 blocks`, `1 block`. */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** `verb`: `fed` or `wrote`. */
export function closingLine(
  verb: string,
  { blocks, fetched, transactions, refused, dropped }: Tally,
  { height, hash }: Tip,
): string {
  const whole = fetched < blocks ? ` (${count(fetched)} whole, the others by header)` : '';
  const done = `${verb} ${counted(blocks, 'block')}${whole} and ${counted(transactions, 'transaction')}`;
  const reasons = [...refused].map(([reason, count]) => `${reason}: ${count}`).join(', ');
  const total = [...refused.values()].reduce((sum, count) => sum + count, 0);
  return [
    done,
    `at block ${height} ${hash}`,
    ...(total > 0 ? [`${counted(total, 'transaction')} refused (${reasons})`] : []),
    ...(dropped > 0 ? [`${counted(dropped, 'transaction')} dropped`] : []),
  ].join('; ');
}
