import type { Tip } from './sourceAndSink.ts';

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
