import type { Transaction, TxIn } from '../tx/types.ts';

/** Set in a sequence, or in what a script asks of one: no relative lock time. @see BIP68 */
export const SEQUENCE_LOCKTIME_DISABLE_FLAG = 0x8000_0000;
/** Units of 512 seconds instead of blocks. */
const SEQUENCE_LOCKTIME_TYPE_FLAG = 0x0040_0000;
const SEQUENCE_LOCKTIME_MASK = 0x0000_ffff;
const SEQUENCE_FINAL = 0xffff_ffff;
/** Lock times from here on are UNIX times, below are heights. */
const LOCKTIME_THRESHOLD = 500_000_000;

/**
 * Whether a transaction cannot be mined before the height or time that a script asks for.
 *
 * - `locktime`: 0 to 2^39 - 1
 *
 * @see BIP65; Bitcoin Core `CheckLockTime`
 */
export function meetsLockTime(tx: Transaction, input: TxIn, locktime: number): boolean {
  const isSameKind = tx.locktime < LOCKTIME_THRESHOLD === locktime < LOCKTIME_THRESHOLD;
  return isSameKind && locktime <= tx.locktime && input.sequence !== SEQUENCE_FINAL;
}

/**
 * Whether an input cannot be spent before its coin has the age that a script asks for.
 *
 * - `sequence`: 0 to 2^39 - 1, of which BIP68's bits count
 *
 * @see BIP112; Bitcoin Core `CheckSequence`
 */
export function meetsSequence(tx: Transaction, input: TxIn, sequence: number): boolean {
  if (tx.version < 2 || (input.sequence & SEQUENCE_LOCKTIME_DISABLE_FLAG) !== 0) return false;
  const has = relativeLock(input.sequence);
  const wants = relativeLock(sequence);
  return has.isTime === wants.isTime && wants.value <= has.value;
}

const relativeLock = (sequence: number): { isTime: boolean; value: number } => ({
  isTime: (sequence & SEQUENCE_LOCKTIME_TYPE_FLAG) !== 0,
  value: sequence & SEQUENCE_LOCKTIME_MASK,
});
