import type { Transaction } from './types.ts';

/** Lock times below are heights, the others UNIX times. @see BIP65; Core `LOCKTIME_THRESHOLD` */
export const LOCKTIME_THRESHOLD = 500_000_000;

/** The sequence of an input that ignores the lock time. @see Core `CTxIn::SEQUENCE_FINAL` */
export const SEQUENCE_FINAL = 0xffff_ffff;

/** The last height or UNIX time at which a block cannot hold the transaction; `none` without an effect. */
export type AbsoluteLock = { readonly kind: 'none' } | EffectiveLock;

export interface EffectiveLock {
  readonly kind: 'height' | 'time';
  readonly value: number;
}

export function getAbsoluteLock({ locktime, inputs }: Pick<Transaction, 'locktime' | 'inputs'>): AbsoluteLock {
  if (locktime === 0 || inputs.every(({ sequence }) => sequence === SEQUENCE_FINAL)) return { kind: 'none' };
  return { kind: locktime < LOCKTIME_THRESHOLD ? 'height' : 'time', value: locktime };
}

/**
 * Tells whether a block at `height` may hold the transaction. `time` is the median time past of the block before it, in
 * UNIX seconds (BIP113).
 * @see Core `IsFinalTx`
 */
export function isFinalTransaction(tx: Transaction, height: number, time: number): boolean {
  const lock = getAbsoluteLock(tx);
  return lock.kind === 'none' || lock.value < (lock.kind === 'height' ? height : time);
}
