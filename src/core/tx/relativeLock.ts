import type { Transaction, TxIn } from './types.ts';

/** The bits of a sequence. @see BIP68 */
export const SEQUENCE_LOCKTIME_DISABLE_FLAG = 0x8000_0000;
export const SEQUENCE_LOCKTIME_TYPE_FLAG = 0x0040_0000;
export const SEQUENCE_LOCKTIME_MASK = 0x0000_ffff;

const SECONDS_PER_UNIT = 512;

/** The age that a coin must have to be spent: in blocks, or in units of 512 seconds. */
export interface RelativeLock {
  readonly kind: 'blocks' | 'time';
  readonly value: number;
}

export function getRelativeLock({ version }: Transaction, { sequence }: TxIn): RelativeLock | undefined {
  const isDisabled = version < 2 || (sequence & SEQUENCE_LOCKTIME_DISABLE_FLAG) !== 0;
  return isDisabled ? undefined : parseRelativeLock(sequence);
}

/** Reads a sequence, or the number that OP_CHECKSEQUENCEVERIFY takes. */
export const parseRelativeLock = (sequence: number): RelativeLock => ({
  kind: (sequence & SEQUENCE_LOCKTIME_TYPE_FLAG) === 0 ? 'blocks' : 'time',
  value: sequence & SEQUENCE_LOCKTIME_MASK,
});

export const toSeconds = ({ value }: RelativeLock): number => value * SECONDS_PER_UNIT;
