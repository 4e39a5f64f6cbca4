import { LOCKTIME_THRESHOLD, SEQUENCE_FINAL } from '../tx/absoluteLock.ts';
import { parseRelativeLock, relativeLockOf } from '../tx/relativeLock.ts';
import type { Transaction, TxIn } from '../tx/types.ts';

/**
 * Tells whether a transaction's lock time ensures that it is not mined before the height or time a script requires.
 *
 * - `locktime`: the script's operand, 0 to 2^39 - 1
 *
 * @see BIP65; Bitcoin Core `CheckLockTime`
 */
export function meetsLockTime(tx: Transaction, input: TxIn, locktime: number): boolean {
  const isSameKind = tx.locktime < LOCKTIME_THRESHOLD === locktime < LOCKTIME_THRESHOLD;
  return isSameKind && locktime <= tx.locktime && input.sequence !== SEQUENCE_FINAL;
}

/**
 * Tells whether an input's sequence ensures that its coin is not spent before the age a script requires.
 *
 * - `sequence`: the script's operand, 0 to 2^39 - 1, of which only BIP68's bits count
 *
 * @see BIP112; Bitcoin Core `CheckSequence`
 */
export function meetsSequence(tx: Transaction, input: TxIn, sequence: number): boolean {
  const has = relativeLockOf(tx, input);
  const wants = parseRelativeLock(sequence);
  return has !== undefined && has.kind === wants.kind && wants.value <= has.value;
}
