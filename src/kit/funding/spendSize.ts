import { compactSizeLength } from '../../core/bytes/writer.ts';
import type { TxOut } from '../../core/tx/types.ts';

/** The size of an input once it is signed. */
export interface SpendSize {
  /** Weight units of outpoint, sequence and scriptSig. */
  readonly base: number;
  /** Weight units of the witness, with its count; 0 without one. */
  readonly witness: number;
}

/** The largest weight of a transaction that nodes relay. @see Bitcoin Core `MAX_STANDARD_TX_WEIGHT` */
export const MAX_STANDARD_WEIGHT = 400_000;

const OUTPOINT_AND_SEQUENCE = 40;

const lengthOf = (bytes: Uint8Array): number => compactSizeLength(bytes.length) + bytes.length;

/** Returns the size of an input with this scriptSig and witness. */
export function spendSize(scriptSig: Uint8Array, witness: readonly Uint8Array[]): SpendSize {
  const items = witness.reduce((sum, item) => sum + lengthOf(item), 0);
  return {
    base: 4 * (OUTPOINT_AND_SEQUENCE + lengthOf(scriptSig)),
    witness: witness.length === 0 ? 0 : compactSizeLength(witness.length) + items,
  };
}

/** Returns the weight of an input in a transaction with witnesses, where one without a witness has an empty one. */
export const inputWeight = ({ base, witness }: SpendSize): number => base + (witness || 1);

/** Returns the bytes of an output. */
export const outputSize = ({ scriptPubKey }: Pick<TxOut, 'scriptPubKey'>): number => 8 + lengthOf(scriptPubKey);

/** Returns the weight of a transaction with these inputs, once they are signed, and these outputs. */
export function signedWeight(inputs: readonly SpendSize[], outputs: readonly TxOut[]): number {
  const isSegwit = inputs.some(({ witness }) => witness > 0);
  const fixed = 8 + compactSizeLength(inputs.length) + compactSizeLength(outputs.length);
  const outputBytes = outputs.reduce((sum, output) => sum + outputSize(output), 0);
  const inputUnits = inputs.reduce((sum, size) => sum + (isSegwit ? inputWeight(size) : size.base), 0);
  return 4 * (fixed + outputBytes) + (isSegwit ? 2 : 0) + inputUnits;
}

/** Converts weight units to virtual bytes. */
export const vsizeOf = (weight: number): number => Math.ceil(weight / 4);
