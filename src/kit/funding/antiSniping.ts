import { type RandomBytes, randomBelow } from './randomNumbers.ts';

/** The last block: its height, and its UNIX time. */
interface Tip {
  readonly height: number;
  readonly time: number;
}

/** The age in seconds beyond which the chain seems to lag behind. */
const MAX_TIP_AGE = 8 * 60 * 60;

/**
 * Returns a locktime that only the next block satisfies, so that miners gain nothing by replacing the last one; now and
 * then an earlier one, as late transactions have, too. Without a recent block, returns 0.
 *
 * - `now`: UNIX time
 *
 * @see Bitcoin Core `DiscourageFeeSniping`
 */
export function antiSnipingLocktime({ height, time }: Tip, now: number, random: RandomBytes): number {
  if (time < now - MAX_TIP_AGE) return 0;
  const back = randomBelow(random, 10) === 0 ? randomBelow(random, 100) : 0;
  return Math.max(0, height - back);
}
