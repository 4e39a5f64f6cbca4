import { LOCKTIME_THRESHOLD, SEQUENCE_FINAL } from '../tx/locktime.ts';
import type { Transaction, TxIn } from '../tx/types.ts';

/** Set in a sequence, or in what a script asks of one: no relative lock time. @see BIP68 */
export const SEQUENCE_LOCKTIME_DISABLE_FLAG = 0x8000_0000;
/** Units of 512 seconds instead of blocks. */
const SEQUENCE_LOCKTIME_TYPE_FLAG = 0x0040_0000;
const SEQUENCE_LOCKTIME_MASK = 0x0000_ffff;

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
  const has = relativeLockOf(tx, input);
  const wants = parseRelativeLock(sequence);
  return has !== undefined && has.kind === wants.kind && wants.value <= has.value;
}

/** The age that a coin must have before it can be spent: in blocks, or in units of 512 seconds. @see BIP68 */
export interface RelativeLock {
  readonly kind: 'blocks' | 'time';
  readonly value: number;
}

/** How old the coin of an input must be; `undefined` where BIP68 does not count. */
export function relativeLockOf({ version }: Transaction, { sequence }: TxIn): RelativeLock | undefined {
  const isDisabled = version < 2 || (sequence & SEQUENCE_LOCKTIME_DISABLE_FLAG) !== 0;
  return isDisabled ? undefined : parseRelativeLock(sequence);
}

const parseRelativeLock = (sequence: number): RelativeLock => ({
  kind: (sequence & SEQUENCE_LOCKTIME_TYPE_FLAG) === 0 ? 'blocks' : 'time',
  value: sequence & SEQUENCE_LOCKTIME_MASK,
});
