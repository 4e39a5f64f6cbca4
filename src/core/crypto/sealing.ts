import { xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import { scrypt as scryptOf } from '@noble/hashes/scrypt.js';
import { BtcError } from '../errors.ts';

/** The cost of one passphrase: 128 * N * r bytes of memory, and time that grows with N * r * p. */
export interface ScryptCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

/** Derives 32 bytes. Callers may pass a faster function than the default, such as node:crypto's. @see RFC 7914 */
export type Scrypt = (passphrase: string, salt: Uint8Array, cost: ScryptCost) => Uint8Array;

export interface SealInput {
  readonly key: Uint8Array;
  /** 24 bytes, never used before with this key; random bytes will do. */
  readonly nonce: Uint8Array;
  /** Associated data: authenticated, but not stored. */
  readonly context: Uint8Array;
}

const TAG_SIZE = 16;

/**
 * Encrypts and authenticates with XChaCha20-Poly1305.
 * @throws `secret/size`
 * @see draft-irtf-cfrg-xchacha-03 section 2, RFC 8439 section 2.8
 */
export function sealBytes(input: SealInput, bytes: Uint8Array): Uint8Array {
  return createCipher(input).encrypt(bytes);
}

/** Returns `undefined` unless the tag matches. @throws `secret/size` */
export function openBytes(input: SealInput, sealed: Uint8Array): Uint8Array | undefined {
  const cipher = createCipher(input);
  if (sealed.length < TAG_SIZE) return undefined;
  try {
    return cipher.decrypt(sealed);
  } catch {
    // All lengths are right, so the tag did not match.
    return undefined;
  }
}

function createCipher({ key, nonce, context }: SealInput): ReturnType<typeof xchacha20poly1305> {
  assertSize('key', key, 32);
  assertSize('nonce', nonce, 24);
  return xchacha20poly1305(key, nonce, context);
}

export function assertSize(what: string, { length: size }: Uint8Array, expected: number): void {
  if (size === expected) return;
  throw new BtcError('secret/size', { what, size, expected }, `The ${what} has ${size} bytes instead of ${expected}`);
}

export interface Stretching {
  readonly salt: Uint8Array;
  readonly cost: ScryptCost;
  readonly scrypt?: Scrypt | undefined;
}

/**
 * Derives a key without Unicode normalization. As HMAC pads its key with zeros, a trailing U+0000 of a short passphrase
 * makes no difference.
 * @throws `secret/cost`
 */
export function stretchPassphrase(passphrase: string, { salt, cost, scrypt = nobleScrypt }: Stretching): Uint8Array {
  const { N, r, p } = cost;
  const isPower = isWithin(N, 2 ** 15, 2 ** 20) && (N & (N - 1)) === 0;
  const isGood = isPower && isWithin(r, 8, 32) && isWithin(p, 1, 16) && N * r * p <= 2 ** 24 && 128 * N * r <= 2 ** 30;
  if (!isGood) {
    const message = `The scrypt cost is too low or too high: N is ${N}, r is ${r}, p is ${p}`;
    throw new BtcError('secret/cost', { N, r, p }, message);
  }
  const key = scrypt(passphrase, salt, { N, r, p });
  assertSize('scrypt key', key, 32);
  return key;
}

const nobleScrypt: Scrypt = (passphrase, salt, { N, r, p }) =>
  scryptOf(passphrase, salt, { N, r, p, dkLen: 32, maxmem: 2 ** 31 });

function isWithin(value: number, least: number, most: number): boolean {
  return Number.isInteger(value) && value >= least && value <= most;
}
