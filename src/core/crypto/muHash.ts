import { chacha20 } from '@noble/ciphers/chacha.js';
import { etc } from '@noble/secp256k1';
import { formatReversedHex, parseHex } from '../bytes/hex.ts';
import { sha256 } from './hash.ts';

/** A hash of a set, whose elements are multiplied in any order. @see Core `MuHash3072` */
const MODULUS = (1n << 3072n) - 1_103_717n;
/** In bytes. */
const SIZE = 384;
const NO_NONCE = new Uint8Array(12);

/** Adds an element to the product of a set, which is 1 at first. */
export function muHashProduct(product: bigint, element: Uint8Array): bigint {
  const stream = chacha20(sha256(element), NO_NONCE, new Uint8Array(SIZE));
  return (product * BigInt(`0x${formatReversedHex(stream)}`)) % MODULUS;
}

/** Divides by the product of the elements that were taken away, if any. */
export function finishMuHash(product: bigint, removed = 1n): Uint8Array {
  const quotient = (product * etc.invert(removed, MODULUS)) % MODULUS;
  return sha256(parseHex(quotient.toString(16).padStart(2 * SIZE, '0')).reverse());
}
