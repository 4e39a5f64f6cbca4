import { scrypt } from '@noble/hashes/scrypt.js';

/** Computes the hash that Litecoin's proof of work counts: scrypt of a header, salted with itself, in 128 KB of memory. */
export function scryptHash(header: Uint8Array): Uint8Array {
  return scrypt(header, header, { N: 1024, r: 1, p: 1, dkLen: 32 });
}
