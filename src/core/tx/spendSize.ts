import { compactSizeLength } from '../../core/bytes/writer.ts';
import type { TxOut } from '../../core/tx/types.ts';

/** The size of a signed input. */
export interface SpendSize {
  /** Weight units of outpoint, sequence and scriptSig. */
  readonly base: number;
  /** Weight units with the count of items; may be 0. */
  readonly witness: number;
}

/** @see Bitcoin Core `MAX_STANDARD_TX_WEIGHT` */
export const MAX_STANDARD_WEIGHT = 400_000;

const OUTPOINT_AND_SEQUENCE = 40;

const prefixedLength = (bytes: Uint8Array): number => compactSizeLength(bytes.length) + bytes.length;

export function spendSize(scriptSig: Uint8Array, witness: readonly Uint8Array[]): SpendSize {
  const items = witness.reduce((sum, item) => sum + prefixedLength(item), 0);
  return {
    base: 4 * (OUTPOINT_AND_SEQUENCE + prefixedLength(scriptSig)),
    witness: witness.length === 0 ? 0 : compactSizeLength(witness.length) + items,
  };
}

/** An empty witness takes a byte in a transaction with witnesses. */
export const inputWeight = ({ base, witness }: SpendSize): number => base + (witness || 1);

export const outputSize = ({ scriptPubKey }: Pick<TxOut, 'scriptPubKey'>): number => 8 + prefixedLength(scriptPubKey);

export function signedWeight(inputs: readonly SpendSize[], outputs: readonly TxOut[]): number {
  const isSegwit = inputs.some(({ witness }) => witness > 0);
  const fixed = 8 + compactSizeLength(inputs.length) + compactSizeLength(outputs.length);
  const outputBytes = outputs.reduce((sum, output) => sum + outputSize(output), 0);
  const inputUnits = inputs.reduce((sum, size) => sum + (isSegwit ? inputWeight(size) : size.base), 0);
  return 4 * (fixed + outputBytes) + (isSegwit ? 2 : 0) + inputUnits;
}

export const toVsize = (weight: number): number => Math.ceil(weight / 4);
