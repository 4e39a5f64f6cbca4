import type { Tip } from './sides.ts';

/** What was done, and what was not. */
export interface Tally {
  readonly blocks: number;
  readonly transactions: number;
  /** How many transactions were not taken, by reason. */
  readonly refused: ReadonlyMap<string, number>;
  /** How many transactions of ours were dropped, since the node has dropped them. */
  readonly dropped: number;
}

/** `120 blocks`, `1 block`. */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** One line that says what was done. `verb`: `fed` or `wrote`. */
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
    ...(total > 0 ? [`${counted(total, 'transaction')} not taken (${reasons})`] : []),
    ...(dropped > 0 ? [`${counted(dropped, 'transaction')} dropped`] : []),
  ].join('; ');
}
