import type { Io } from '../terminal/io.ts';
import { ERASE_LINE, INTERVAL_MS } from '../terminal/progress.ts';
import type { Tip } from './sourceAndSink.ts';
import type { Watch } from './syncChain.ts';

/** Counts the blocks fed, and shows the count in a line on a terminal. */
export interface SyncProgress {
  readonly onBlock: Watch['onBlock'];
  /** Returns the number of blocks fed so far. */
  readonly blocks: () => number;
  /** Prints a message to standard error, above the progress line if there is one. */
  readonly say: (text: string) => void;
  /** Erases the progress line. */
  readonly end: () => void;
}

/** Starts counting. Shows the line only if standard error is a terminal. */
export function startSyncProgress(io: Io): SyncProgress {
  const start = io.now();
  let shown = start;
  let isShowing = false;
  let blocks = 0;
  let bytes = 0;
  const erase = (): void => {
    if (isShowing) io.writeError(ERASE_LINE);
    isShowing = false;
  };
  return {
    onBlock: ({ height, of, size }) => {
      blocks += 1;
      bytes += size;
      if (!io.isWatched || io.now() - shown < INTERVAL_MS) return;
      shown = io.now();
      isShowing = true;
      const seconds = Math.max(shown - start, 1) / 1000;
      const place =
        height === undefined || of === undefined
          ? `${count(blocks)} blocks`
          : `block ${count(height)} of ${count(of)} (${Math.floor((100 * height) / of)} %)`;
      const rates = `${count(Math.round(blocks / seconds))} a second, ${(bytes / 1e6 / seconds).toFixed(1)} MB/s`;
      io.writeError(`${ERASE_LINE}${place}, ${rates}`);
    },
    blocks: () => blocks,
    say: (text) => {
      erase();
      io.writeError(`${text}\n`);
    },
    end: erase,
  };
}

const count = (number: number): string => number.toLocaleString('en');

/** The result of a sync, in numbers. */
export interface Tally {
  readonly blocks: number;
  readonly transactions: number;
  /** Number of transactions that the destination refused, by reason. */
  readonly refused: ReadonlyMap<string, number>;
  /** Number of transactions dropped from our mempool because they have left the source's. */
  readonly dropped: number;
}

/** Formats a number with its noun: `120 blocks`, `1 block`. */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** Formats the summary line. `verb`: `fed` or `wrote`. */
export function closingLine(
  verb: string,
  { blocks, transactions, refused, dropped }: Tally,
  { height, hash }: Tip,
): string {
  const done = `${verb} ${counted(blocks, 'block')} and ${counted(transactions, 'transaction')}`;
  const reasons = [...refused].map(([reason, count]) => `${reason}: ${count}`).join(', ');
  const total = [...refused.values()].reduce((sum, count) => sum + count, 0);
  return [
    done,
    `at block ${height} ${hash}`,
    ...(total > 0 ? [`${counted(total, 'transaction')} refused (${reasons})`] : []),
    ...(dropped > 0 ? [`${counted(dropped, 'transaction')} dropped`] : []),
  ].join('; ');
}
