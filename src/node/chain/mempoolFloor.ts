/** The fee rate that a mempool asks for since it was full. @see Bitcoin Core `CTxMemPool::GetMinFee` */
export interface MempoolFloor {
  /** In satoshi per 1000 virtual bytes, with fractions. */
  rate: number;
  /** UNIX time of the last block, or when the rate last fell. */
  time: number;
  /** Falls with time once a block has come since the rate rose. */
  isFalling: boolean;
}

/** The part of a chain that the floor needs. */
interface Floored {
  readonly floor: MempoolFloor;
  /** UNIX time. */
  readonly now: number;
  /** `usage` of memory, in bytes. */
  readonly poolTotals: { readonly usage: number };
}

/** Raises the floor to the rate of the transactions that had to leave, with the increment. @see Bitcoin Core `trackPackageRemoved` */
export function raiseFloor({ floor }: Floored, rate: number): void {
  if (rate <= floor.rate) return;
  floor.rate = rate;
  floor.isFalling = false;
}

/** Lets the floor fall from a block on. */
export function loosenFloor({ floor, now }: Floored): void {
  floor.time = now;
  floor.isFalling = true;
}

interface FloorTerms {
  /** UNIX time. */
  readonly now: number;
  /** The most memory, in bytes. */
  readonly most: number;
  /** In satoshi per 1000 virtual bytes. */
  readonly increment: number;
}

/** In seconds. @see Bitcoin Core `ROLLING_FEE_HALFLIFE` */
const HALF_LIFE = 12 * 60 * 60;
/** In seconds, within which the rate is not computed again. */
const PAUSE = 10;

/** Returns the rate in satoshi per 1000 virtual bytes, 0 for none. Remembers how far it has fallen. */
export function floorRate({ floor, poolTotals: { usage } }: Floored, { now, most, increment }: FloorTerms): number {
  if (!floor.isFalling || floor.rate === 0) return Math.round(floor.rate);
  if (now > floor.time + PAUSE) {
    const parts = usage < Math.floor(most / 4) ? 4 : usage < Math.floor(most / 2) ? 2 : 1;
    floor.rate /= 2 ** ((now - floor.time) / (HALF_LIFE / parts));
    floor.time = now;
    if (floor.rate < increment / 2) {
      floor.rate = 0;
      return 0;
    }
  }
  return Math.max(Math.round(floor.rate), increment);
}
