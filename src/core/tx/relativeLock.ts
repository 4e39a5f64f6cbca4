import type { Transaction, TxIn } from './types.ts';

/** Set in a sequence without a relative lock. @see BIP68 */
export const SEQUENCE_LOCKTIME_DISABLE_FLAG = 0x8000_0000;
/** Set in a sequence that counts time instead of blocks. @see BIP68 */
export const SEQUENCE_LOCKTIME_TYPE_FLAG = 0x0040_0000;
/** The bits of a sequence that hold the length of the lock. @see BIP68 */
export const SEQUENCE_LOCKTIME_MASK = 0x0000_ffff;

/** The unit of relative locks that count time. @see BIP68; Bitcoin Core `SEQUENCE_LOCKTIME_GRANULARITY` */
const SECONDS_PER_UNIT = 512;

/** The age that a coin must have before an input can spend it: in blocks, or in units of 512 seconds. @see BIP68 */
export interface RelativeLock {
  readonly kind: 'blocks' | 'time';
  readonly value: number;
}

/** Returns the relative lock of an input; `undefined` if its version or sequence disables BIP68. */
export function relativeLockOf({ version }: Transaction, { sequence }: TxIn): RelativeLock | undefined {
  const isDisabled = version < 2 || (sequence & SEQUENCE_LOCKTIME_DISABLE_FLAG) !== 0;
  return isDisabled ? undefined : parseRelativeLock(sequence);
}

/** Reads the lock from the bits of a sequence, or of the number that OP_CHECKSEQUENCEVERIFY takes. */
export const parseRelativeLock = (sequence: number): RelativeLock => ({
  kind: (sequence & SEQUENCE_LOCKTIME_TYPE_FLAG) === 0 ? 'blocks' : 'time',
  value: sequence & SEQUENCE_LOCKTIME_MASK,
});

/** Converts a lock that counts time to seconds. */
export const secondsOf = ({ value }: RelativeLock): number => value * SECONDS_PER_UNIT;
