import { concatBytes, equalBytes } from '../bytes/compare.ts';
import { parseHex, readNumber } from '../bytes/hex.ts';

/** A public key of RSA: big-endian numbers without leading zeros. */
export interface RsaPublicKey {
  readonly modulus: Uint8Array;
  readonly exponent: Uint8Array;
}

/** In bytes. A verification with an exponent of 32 bits costs what a few signatures of secp256k1 do; a longer one costs seconds. */
const LIMITS = { shortest: 128, longest: 512, exponent: 4 } as const;

/** The DER of the hash's name and length, which precedes the hash. @see RFC 8017 §9.2, notes */
const HASH_PREFIXES = {
  sha256: /* @__PURE__ */ parseHex('3031300d060960864801650304020105000420'),
  sha512: /* @__PURE__ */ parseHex('3051300d060960864801650304020305000440'),
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
  const [base, modulus] = [readNumber(signature), readNumber(key.modulus)];
  if (base >= modulus) return false;
  const encoded = concatBytes(HASH_PREFIXES[hash], digest);
  const padding = new Uint8Array(length - encoded.length - 3).fill(0xff);
  const expected = concatBytes(Uint8Array.of(0, 1), padding, Uint8Array.of(0), encoded);
  const found = power(base, Number(readNumber(key.exponent)), modulus);
  return equalBytes(toBytes(found, length), expected);
}

const toBytes = (number: bigint, length: number): Uint8Array => parseHex(number.toString(16).padStart(2 * length, '0'));

function power(base: bigint, exponent: number, modulus: bigint): bigint {
  let result = 1n;
  for (const bit of exponent.toString(2)) {
    result = (result * result) % modulus;
    if (bit === '1') result = (result * base) % modulus;
  }
  return result;
}
