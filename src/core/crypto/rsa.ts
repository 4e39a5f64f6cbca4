import { concatBytes, equalBytes } from '../bytes/compare.ts';
import { formatHex } from '../bytes/hex.ts';

/** A public key of RSA: big-endian numbers without leading zeros. */
export interface RsaPublicKey {
  readonly modulus: Uint8Array;
  readonly exponent: Uint8Array;
}

/** In bytes. A verification with an exponent of 32 bits costs what a few signatures of secp256k1 do; a longer one costs seconds. */
const LIMITS = { shortest: 128, longest: 512, exponent: 4 } as const;

/** The DER of the hash's name and length, which precedes the hash. @see RFC 8017 §9.2, notes */
const HASH_PREFIXES = {
  sha256: Uint8Array.of(
    0x30,
    0x31,
    0x30,
    0x0d,
    0x06,
    0x09,
    0x60,
    0x86,
    0x48,
    0x01,
    0x65,
    0x03,
    0x04,
    0x02,
    0x01,
    0x05,
    0,
    0x04,
    0x20,
  ),
  sha512: Uint8Array.of(
    0x30,
    0x51,
    0x30,
    0x0d,
    0x06,
    0x09,
    0x60,
    0x86,
    0x48,
    0x01,
    0x65,
    0x03,
    0x04,
    0x02,
    0x03,
    0x05,
    0,
    0x04,
    0x40,
  ),
} as const;

/** Tells whether a key has from 1024 to 4096 bits, and an odd exponent from 3 on that fits in 32. */
export function isUsableRsaKey({ modulus, exponent }: RsaPublicKey): boolean {
  const [first = 0] = modulus;
  // A modulus of exactly the least size has its highest bit set.
  const isSized =
    modulus.length <= LIMITS.longest &&
    (modulus.length > LIMITS.shortest ? first > 0 : modulus.length === LIMITS.shortest && first >= 0x80);
  const isOdd = ((exponent[exponent.length - 1] ?? 0) & 1) === 1;
  const isOne = exponent.length === 1 && exponent[0] === 1;
  return isSized && exponent.length <= LIMITS.exponent && (exponent[0] ?? 0) > 0 && isOdd && !isOne;
}

/**
 * Verifies a signature of RSASSA-PKCS1-v1_5: compares the whole padded message, which a forger with a small exponent would have
 * to meet. @see RFC 8017 §8.2.2
 */
export function verifyRsa(
  signature: Uint8Array,
  digest: Uint8Array,
  { key, hash }: { readonly key: RsaPublicKey; readonly hash: keyof typeof HASH_PREFIXES },
): boolean {
  const { length } = key.modulus;
  if (!isUsableRsaKey(key) || signature.length !== length) return false;
  const [base, modulus] = [toNumber(signature), toNumber(key.modulus)];
  if (base >= modulus) return false;
  const encoded = concatBytes(HASH_PREFIXES[hash], digest);
  const padding = new Uint8Array(length - encoded.length - 3).fill(0xff);
  const expected = concatBytes(Uint8Array.of(0, 1), padding, Uint8Array.of(0), encoded);
  const found = power(base, Number(toNumber(key.exponent)), modulus);
  return equalBytes(toBytes(found, length), expected);
}

const toNumber = (bytes: Uint8Array): bigint => BigInt(`0x${formatHex(bytes) || '0'}`);

function toBytes(number: bigint, length: number): Uint8Array {
  const digits = number.toString(16).padStart(2 * length, '0');
  return Uint8Array.from({ length }, (_, i) => Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16));
}

function power(base: bigint, exponent: number, modulus: bigint): bigint {
  let result = 1n;
  for (const bit of exponent.toString(2)) {
    result = (result * result) % modulus;
    if (bit === '1') result = (result * base) % modulus;
  }
  return result;
}
