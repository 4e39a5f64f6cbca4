const SIGHASH_NAMES: ReadonlyMap<number, string> = new Map([
  [0x01, 'ALL'],
  [0x81, 'ALL|ANYONECANPAY'],
  [0x02, 'NONE'],
  [0x82, 'NONE|ANYONECANPAY'],
  [0x03, 'SINGLE'],
  [0x83, 'SINGLE|ANYONECANPAY'],
]);

export function sighashTypeNamed(name: string): number | undefined {
  return [...SIGHASH_NAMES].find(([, candidate]) => candidate === name)?.[0];
}

const ANYONECANPAY = 0x80;

/** Tells whether a hash type is one of the six defined for ECDSA. */
export function isEcdsaSighashType(sighashType: number): boolean {
  const outputs = sighashType > ANYONECANPAY ? sighashType - ANYONECANPAY : sighashType;
  return outputs === 1 || outputs === 2 || outputs === 3;
}

/** Names a hash type by its low byte; empty for an undefined one. @see Core `SighashToStr` */
export function sighashName(sighashType: number): string {
  return SIGHASH_NAMES.get(sighashType & 0xff) ?? '';
}

/** Returns -1 for an integer without a tag, empty, negative, or with an unnecessary leading zero byte. */
function derIntegerEnd(signature: Uint8Array, offset: number): number {
  const size = signature[offset + 1] ?? 0;
  const first = signature[offset + 2] ?? 0;
  const second = signature[offset + 3] ?? 0;
  if (signature[offset] !== 0x02 || size === 0 || (first & 0x80) !== 0) return -1;
  if (size > 1 && first === 0 && (second & 0x80) === 0) return -1;
  return offset + 2 + size;
}

/**
 * Tells whether bytes are a strictly DER-encoded ECDSA signature with any hash type byte. `s` may be high.
 * @see BIP66; Core `IsValidSignatureEncoding`
 */
export function isStrictDer(signature: Uint8Array): boolean {
  const size = signature.length;
  if (size < 9 || size > 73 || signature[0] !== 0x30 || signature[1] !== size - 3) return false;
  const rEnd = derIntegerEnd(signature, 2);
  if (rEnd < 0 || rEnd >= size - 2) return false;
  return derIntegerEnd(signature, rEnd) === size - 1;
}

/** Tells whether bytes are a strict DER signature with a defined hash type. @see Core `SCRIPT_VERIFY_STRICTENC` */
export function isStrictSignature(signature: Uint8Array): boolean {
  return isStrictDer(signature) && isEcdsaSighashType(signature[signature.length - 1] ?? 0);
}
