import { scrypt } from '@noble/hashes/scrypt.js';

/** Computes Litecoin's proof of work. */
export function scryptHash(header: Uint8Array): Uint8Array {
  return scrypt(header, header, { N: 1024, r: 1, p: 1, dkLen: 32 });
}
