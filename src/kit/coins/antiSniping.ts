import { type RandomBytes, randomBelow } from './randomNumbers.ts';

/** UNIX time. */
interface Tip {
  readonly height: number;
  readonly time: number;
}

/** In seconds. */
const MAX_TIP_AGE = 8 * 60 * 60;

/**
 * Returns a locktime that only the next block satisfies, so that replacing the last one gains miners nothing; sometimes
 * an earlier one, for the privacy of delayed transactions. Returns 0 without a recent block.
 * @see Bitcoin Core `DiscourageFeeSniping`
 */
export function antiSnipingLocktime({ height, time }: Tip, now: number, random: RandomBytes): number {
  if (time < now - MAX_TIP_AGE) return 0;
  const back = randomBelow(random, 10) === 0 ? randomBelow(random, 100) : 0;
  return Math.max(0, height - back);
}
