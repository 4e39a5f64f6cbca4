import { getSharedSecret } from '@noble/secp256k1';
import { concatBytes } from '../bytes/compare.ts';

/**
 * Returns the scan key times the spend key, and the spend key: 66 bytes.
 * @see Litecoin Core `StealthAddress`, LIP-0004
 */
export const stealthKeys = (scanKey: Uint8Array, spendKey: Uint8Array): Uint8Array =>
  concatBytes(getSharedSecret(scanKey, spendKey), spendKey);
