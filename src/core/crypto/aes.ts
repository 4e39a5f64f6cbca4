import { ecb } from '@noble/ciphers/aes.js';

/** Decrypts one block of 16 bytes with a key of 32. @see FIPS 197 */
export const decryptAesBlock = (key: Uint8Array, block: Uint8Array): Uint8Array =>
  ecb(key, { disablePadding: true }).decrypt(block);
