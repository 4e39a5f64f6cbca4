/** The names of the defined ECDSA hash types by their byte. @see Bitcoin Core `SighashToStr` */
const SIGHASH_NAMES: ReadonlyMap<number, string> = new Map([
  [0x01, 'ALL'],
  [0x81, 'ALL|ANYONECANPAY'],
  [0x02, 'NONE'],
  [0x82, 'NONE|ANYONECANPAY'],
  [0x03, 'SINGLE'],
  [0x83, 'SINGLE|ANYONECANPAY'],
]);

/** The defined ECDSA hash type of a name. @see Bitcoin Core `SighashFromStr` */
export function sighashTypeNamed(name: string): number | undefined {
  return [...SIGHASH_NAMES].find(([, known]) => known === name)?.[0];
}

/** Whether an ECDSA hash type is one of the six that are defined. */
export function isEcdsaSighashType(sighashType: number): boolean {
  return SIGHASH_NAMES.has(sighashType);
}

/** Names a hash type by its low byte; an undefined one has the empty name. */
export function sighashName(sighashType: number): string {
  return SIGHASH_NAMES.get(sighashType & 0xff) ?? '';
}

/**
 * Reads one DER integer of a signature at `offset` and returns the offset after it, or -1: a missing tag, no bytes, a
 * negative number, or a leading zero byte without need.
 */
function derIntegerEnd(signature: Uint8Array, offset: number): number {
  const size = signature[offset + 1] ?? 0;
  const first = signature[offset + 2] ?? 0;
  const second = signature[offset + 3] ?? 0;
  if (signature[offset] !== 0x02 || size === 0 || (first & 0x80) !== 0) return -1;
  if (size > 1 && first === 0 && (second & 0x80) === 0) return -1;
  return offset + 2 + size;
}

/**
 * Whether bytes are a strictly DER-encoded ECDSA signature with one hash type byte after it, of any value.
 * `s` may be high.
 * @see BIP66; Bitcoin Core `IsValidSignatureEncoding`
 */
export function isStrictDer(signature: Uint8Array): boolean {
  const size = signature.length;
  if (size < 9 || size > 73 || signature[0] !== 0x30 || signature[1] !== size - 3) return false;
  const rEnd = derIntegerEnd(signature, 2);
  if (rEnd < 0 || rEnd >= size - 2) return false;
  return derIntegerEnd(signature, rEnd) === size - 1;
}

/** Whether a strictly encoded signature ends in a defined hash type. @see Bitcoin Core `SCRIPT_VERIFY_STRICTENC` */
export function isStrictSignature(signature: Uint8Array): boolean {
  return isStrictDer(signature) && isEcdsaSighashType(signature[signature.length - 1] ?? 0);
}
