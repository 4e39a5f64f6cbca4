import { assertBytes } from '../bytes/assertBytes.ts';
import { concatBytes, copyBytes } from '../bytes/compare.ts';
import type { Ecc } from './ecc.ts';
import { isValidPublicKey } from './publicKey.ts';
import { isBelowOrder, isHigh, negateScalar } from './scalar.ts';

/**
 * Verifies as consensus does: lax DER without the hash type, `s` in either half, hybrid keys. The stricter rules are
 * script flags, which the caller checks first.
 * @see Bitcoin Core `CPubKey::Verify`
 */
export function consensusVerifier(ecc: Ecc): Ecc['verifyEcdsa'] {
  return (signature, digest, publicKey) => {
    const compact = parseLaxDer(signature);
    const key = withoutHybridMark(publicKey);
    return compact !== undefined && key !== undefined && ecc.verifyEcdsa(compact, digest, key);
  };
}

/** Replaces the prefix of a hybrid key with 04. */
function withoutHybridMark(publicKey: Uint8Array): Uint8Array | undefined {
  if (publicKey.length !== 65 || publicKey[0] === 0x04) return publicKey;
  if (!isValidPublicKey(publicKey)) return undefined;
  const plain = copyBytes(publicKey);
  plain[0] = 0x04;
  return plain;
}

/**
 * Accepts what BIP66 later forbade: wrong total length, long-form lengths, padding, trailing bytes.
 * @see Bitcoin Core `ecdsa_signature_parse_der_lax`
 */
function parseLaxDer(der: Uint8Array): Uint8Array | undefined {
  const { r, s } = readIntegers(der) ?? {};
  return r && s && concatBytes(r, isHigh(s) ? negateScalar(s) : s);
}

/** Returns strict DER with a low `s` for a signature that consensus once accepted. @see BIP66; BIP146 "LOW_S" */
export function standardDer(der: Uint8Array): Uint8Array | undefined {
  const compact = parseLaxDer(der);
  return compact && encodeDer(compact);
}

/** Numbers not below the order count as in neither half. @see BIP146 "LOW_S"; Bitcoin Core `CPubKey::CheckLowS` */
export function hasHighS(der: Uint8Array): boolean {
  const { r, s } = readIntegers(der) ?? {};
  return r !== undefined && s !== undefined && isHigh(s);
}

function readIntegers(der: Uint8Array): { r: Uint8Array | undefined; s: Uint8Array | undefined } | undefined {
  if (der[0] !== 0x30 || der.length < 2) return undefined;
  // The total length is skipped unchecked.
  const lengthBytes = (der[1] ?? 0) & 0x80 ? (der[1] ?? 0) - 0x80 : 0;
  if (lengthBytes > der.length - 2) return undefined;
  const r = readInteger(der, 2 + lengthBytes);
  const s = r && readInteger(der, r.end);
  return s && { r: r.scalar, s: s.scalar };
}

interface LaxInteger {
  readonly scalar: Uint8Array | undefined;
  readonly end: number;
}

function readInteger(der: Uint8Array, offset: number): LaxInteger | undefined {
  if (der[offset] !== 0x02) return undefined;
  const length = readLaxLength(der, offset + 1);
  if (!length || length.value > der.length - length.end) return undefined;
  const end = length.end + length.value;
  let start = length.end;
  while (start < end && der[start] === 0) start += 1;
  if (end - start > 32) return { scalar: undefined, end };
  const scalar = new Uint8Array(32);
  for (let i = start; i < end; i += 1) scalar[32 - end + i] = der[i] ?? 0;
  return { scalar: isBelowOrder(scalar) ? scalar : undefined, end };
}

function readLaxLength(der: Uint8Array, offset: number): { value: number; end: number } | undefined {
  const first = der[offset];
  if (first === undefined || first < 0x80) return first === undefined ? undefined : { value: first, end: offset + 1 };
  let next = offset + 1;
  const end = next + first - 0x80;
  if (end > der.length) return undefined;
  while (next < end && der[next] === 0) next += 1;
  if (end - next > 3) return undefined;
  let value = 0;
  for (; next < end; next += 1) value = value * 256 + (der[next] ?? 0);
  return { value, end };
}

/** Encodes 64 bytes as strict DER, without the hash type. @see BIP66 "DER encoding reference" */
export function encodeDer(signature: Uint8Array): Uint8Array {
  assertBytes('signature', signature);
  const r = derInteger(signature.slice(0, 32));
  const s = derInteger(signature.slice(32));
  return concatBytes(Uint8Array.of(0x30, r.length + s.length), r, s);
}

function derInteger(scalar: Uint8Array): Uint8Array {
  const first = scalar.findIndex((byte) => byte !== 0);
  const bytes = first < 0 ? Uint8Array.of(0) : scalar.slice(first);
  // A set top bit would make the number negative.
  const padding = (bytes[0] ?? 0) > 0x7f ? Uint8Array.of(0) : new Uint8Array(0);
  return concatBytes(Uint8Array.of(0x02, padding.length + bytes.length), padding, bytes);
}
