import { pbkdf2 } from '@noble/hashes/pbkdf2.js';
import { scrypt } from '@noble/hashes/scrypt.js';
import { sha512 } from '@noble/hashes/sha2.js';
import type { ScryptCost } from './sealing.ts';

/** Derives bytes at a cost that a format fixes, however low. @see RFC 7914 */
export const scryptBytes = (password: Uint8Array, salt: Uint8Array, cost: ScryptCost, size: number): Uint8Array =>
  scrypt(password, salt, { ...cost, dkLen: size });

/** Derives 64 bytes by rounds of HMAC-SHA512. @see RFC 8018 section 5.2 */
export const pbkdf2Sha512 = (password: Uint8Array, salt: Uint8Array, rounds: number): Uint8Array =>
  pbkdf2(sha512, password, salt, { c: rounds, dkLen: 64 });
