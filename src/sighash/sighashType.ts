import { isEcdsaSighashType } from '../script/signatureEncoding.ts';

/** What a signature commits to, as its last byte says. @see Bitcoin Core `SIGHASH_ALL` */
export const SIGHASH = {
  /** Taproot only: as ALL, and no byte is added to the signature. @see BIP341 */
  DEFAULT: 0x00,
  ALL: 0x01,
  NONE: 0x02,
  SINGLE: 0x03,
  /** Added to the others: of the inputs, only the one being signed. */
  ANYONECANPAY: 0x80,
} as const;

/** Bits that tell the outputs: the original rules read five of them and take every other value as ALL. */
const OUTPUT_BITS = 0x1f;

/** Which outputs a signature commits to. */
export type OutputMode = 'all' | 'none' | 'single';

/** Reads a hash type as the ECDSA rules do: every value means something. */
export function outputModeOf(sighashType: number): OutputMode {
  const bits = sighashType & OUTPUT_BITS;
  if (bits === SIGHASH.NONE) return 'none';
  return bits === SIGHASH.SINGLE ? 'single' : 'all';
}

/** Whether a signature commits to no input but its own. */
export function isAnyoneCanPay(sighashType: number): boolean {
  return (sighashType & SIGHASH.ANYONECANPAY) !== 0;
}

/** Whether a taproot hash type is one of the seven that are defined. @see BIP341 "Common signature message" */
export function isTaprootSighashType(sighashType: number): boolean {
  return sighashType === SIGHASH.DEFAULT || isEcdsaSighashType(sighashType);
}

/** Whether a signature leaves outputs or inputs of its transaction open to change. */
export function leavesOpen(sighashType: number): boolean {
  return outputModeOf(sighashType) !== 'all' || isAnyoneCanPay(sighashType);
}
