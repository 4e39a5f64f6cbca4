import { LOCKTIME_THRESHOLD, SEQUENCE_FINAL } from '../tx/absoluteLock.ts';
import { parseRelativeLock, relativeLockOf } from '../tx/relativeLock.ts';
import type { Transaction, TxIn } from '../tx/types.ts';

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
