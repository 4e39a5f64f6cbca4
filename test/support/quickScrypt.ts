import { scryptSync } from 'node:crypto';
import type { Scrypt } from '../../src/core/crypto/sealing.ts';

/** Computes scrypt at 1/256 of the cost, for replays with many encrypted wallets: no answer depends on the key. */
export const quickScrypt: Scrypt = (passphrase, salt, { N, r, p }) =>
  scryptSync(passphrase, salt, 32, { N: N >> 8, r, p });
