import { compactSizeLength } from '../bytes/writer.ts';
import type { TxOut } from './types.ts';
import { varBytesLength } from './weight.ts';

/** The size of a signed input. */
export interface SpendSize {
  /** Weight units of outpoint, sequence and scriptSig. */
  readonly base: number;
  /** Weight units with the count of items; may be 0. */
  readonly witness: number;
}

/** @see Bitcoin Core `MAX_STANDARD_TX_WEIGHT` */
export const MAX_STANDARD_WEIGHT = 400_000;

/** The bytes of an ECDSA signature with its hash type: at most, and by a signer that grinds for a low R. */
export const ECDSA_SIZE = 72;
export const LOW_R_ECDSA_SIZE = 71;
/** The bytes of a Schnorr signature of the hash type DEFAULT; others add a byte. @see BIP341 */
export const SCHNORR_SIZE = 64;

const OUTPOINT_AND_SEQUENCE = 40;

/** Weighs outpoint, sequence and a scriptSig of that many bytes. */
export const baseWeight = (scriptSigLength: number): number =>
  4 * (OUTPOINT_AND_SEQUENCE + compactSizeLength(scriptSigLength) + scriptSigLength);

/** The weight of an input without scriptSig and witness. */
export const LEAST_INPUT_WEIGHT: number = /* @__PURE__ */ baseWeight(0);

/** Splits the weight of a signed input. A witness coin makes the transaction one with witnesses. */
export const sizeOfInputWeight = (weight: number, isWitness: boolean): SpendSize =>
  isWitness ? { base: LEAST_INPUT_WEIGHT, witness: weight - LEAST_INPUT_WEIGHT } : { base: weight, witness: 0 };

export function spendSize(scriptSig: Uint8Array, witness: readonly Uint8Array[]): SpendSize {
  const items = witness.reduce((sum, item) => sum + varBytesLength(item), 0);
  return {
    base: baseWeight(scriptSig.length),
    witness: witness.length === 0 ? 0 : compactSizeLength(witness.length) + items,
  };
}

/** An empty witness takes a byte in a transaction with witnesses. */
export const inputWeight = ({ base, witness }: SpendSize): number => base + (witness || 1);

export const outputSize = ({ scriptPubKey }: Pick<TxOut, 'scriptPubKey'>): number => 8 + varBytesLength(scriptPubKey);

export function signedWeight(inputs: readonly SpendSize[], outputs: readonly TxOut[]): number {
  const isSegwit = inputs.some(({ witness }) => witness > 0);
  const fixed = 8 + compactSizeLength(inputs.length) + compactSizeLength(outputs.length);
  const outputBytes = outputs.reduce((sum, output) => sum + outputSize(output), 0);
  const inputUnits = inputs.reduce((sum, size) => sum + (isSegwit ? inputWeight(size) : size.base), 0);
  return 4 * (fixed + outputBytes) + (isSegwit ? 2 : 0) + inputUnits;
}
