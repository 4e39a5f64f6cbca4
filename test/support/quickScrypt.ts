import { scryptSync } from 'node:crypto';
import type { Scrypt } from '../../src/crypto/sealing.ts';

/** scrypt at a 256th of the cost, for replays with many encrypted wallets: no answer depends on the key's bytes. */
export const quickScrypt: Scrypt = (passphrase, salt, { N, r, p }) =>
  scryptSync(passphrase, salt, 32, { N: N >> 8, r, p });
