import { inTurn } from './campaign.ts';

/** A count of answers or cases that a test compared. */
interface Count {
  readonly subject: string;
  readonly passed: number;
  readonly total: number;
  /** The divergences that are kept on purpose. */
  readonly kept?: number;
  /** What another share of the campaign plays, and `npm run test:all`. */
  readonly left?: number;
  readonly note?: string;
}

/** Prints a count. */
export function report({ subject, passed, total, kept = 0, left = 0, note }: Count): void {
  const parts = [
    `${passed} / ${total}`,
    ...(kept > 0 ? [`${kept} differ on purpose`] : []),
    ...(note ? [note] : []),
    ...(left > 0 ? [`${left} left out`] : []),
  ];
  console.log(`${subject}: ${parts.join(', ')}`);
}

/** Prints what a run plays of a list that commits take in turn, and what it leaves out. */
export function reportTurn<T extends string>(subject: string, all: readonly T[]): readonly T[] {
  const taken = inTurn(all);
  const left = all.filter((each) => !taken.includes(each));
  if (left.length > 0) console.log(`${subject}: ${taken.join(', ')}, ${left.length} left out: ${left.join(', ')}`);
  return taken;
}
