import { scryptSync } from 'node:crypto';
import type { Scrypt } from '../../core/crypto/sealing.ts';

/** OpenSSL's scrypt, twice as fast as JavaScript. */
export const nodeScrypt: Scrypt = (passphrase, salt, { N, r, p }) =>
  scryptSync(passphrase, salt, 32, { N, r, p, maxmem: 2 ** 31 });
