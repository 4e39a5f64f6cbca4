import { assertShape } from '../bytes/knownOptions.ts';
import { BtcError } from '../errors.ts';
import { isEcdsaSighashType } from '../script/signatureEncoding.ts';

/** Hash types: the last byte of a signature, which says what it commits to. @see Core `SIGHASH_ALL` */
export const SIGHASH = /* @__PURE__ */ Object.freeze({
  /** Taproot only: like ALL, but without a hash type byte in the signature. @see BIP341 */
  DEFAULT: 0x00,
  ALL: 0x01,
  NONE: 0x02,
  SINGLE: 0x03,
  /** Added to one of the others: commits to no input but the one being signed. */
  ANYONECANPAY: 0x80,
} as const);

/** The original rules read these five and treat any undefined value as ALL. */
const OUTPUT_BITS = 0x1f;

/** `single`: the output with its input's index. */
export type OutputMode = 'all' | 'none' | 'single';

/** Refuses the name of a hash type. @throws `argument/invalid` */
export function assertSighashType(sighashType: number | undefined): void {
  const isNumber = sighashType === undefined || typeof sighashType === 'number';
  assertShape('sighashType', isNumber, 'a number, such as SIGHASH.ALL');
}

/** Reads a hash type by the ECDSA rules, under which every value has a meaning. */
export function outputMode(sighashType: number): OutputMode {
  const bits = sighashType & OUTPUT_BITS;
  if (bits === SIGHASH.NONE) return 'none';
  return bits === SIGHASH.SINGLE ? 'single' : 'all';
}

export function isAnyoneCanPay(sighashType: number): boolean {
  return (sighashType & SIGHASH.ANYONECANPAY) !== 0;
}

/** Tells whether a hash type is one of the seven defined for taproot. @see BIP341 "Common signature message" */
export function isTaprootSighashType(sighashType: number): boolean {
  return sighashType === SIGHASH.DEFAULT || isEcdsaSighashType(sighashType);
}

export function undefinedSighashType(sighashType: number, algorithm: string): BtcError {
  const message = `The sighash type ${sighashType} is not defined for ${algorithm === 'any' ? 'any input' : algorithm}`;
  return new BtcError('sighash/type', { sighashType, algorithm }, message);
}

export function singleWithoutOutput(inputIndex: number, outputs: number): BtcError {
  return new BtcError(
    'sighash/single-without-output',
    { inputIndex, outputs },
    `Input ${inputIndex} cannot be signed with SINGLE: there is no output ${inputIndex}`,
  );
}

/** Tells whether others can change inputs or outputs without invalidating the signature. */
export function leavesOpen(sighashType: number): boolean {
  return outputMode(sighashType) !== 'all' || isAnyoneCanPay(sighashType);
}
