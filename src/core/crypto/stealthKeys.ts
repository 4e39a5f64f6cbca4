import { getSharedSecret } from '@noble/secp256k1';
import { concatBytes } from '../bytes/compare.ts';

/**
 * Returns the two public keys of a stealth address of Litecoin's extension block: the scan key times the spend key, and
 * the spend key. Computes with noble, since other libraries do not give the product itself.
 * @returns 66 bytes
 * @see Litecoin Core `StealthAddress`, LIP-0004
 */
export const stealthKeys = (scanKey: Uint8Array, spendKey: Uint8Array): Uint8Array =>
  concatBytes(getSharedSecret(scanKey, spendKey), spendKey);
