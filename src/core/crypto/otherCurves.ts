import { ed25519 } from '@noble/curves/ed25519.js';
import { p256, p384 } from '@noble/curves/nist.js';

/** Takes what is not a key or a signature at all for a false signature. */
const isTrue = (verify: () => boolean): boolean => {
  try {
    return verify();
  } catch {
    return false;
  }
};

/** Signers of these curves may leave `s` in the higher half. */
const OPTIONS = { prehash: false, lowS: false, format: 'compact' } as const;

/** Takes a point of 65 bytes, and a signature of 64. */
export const verifyP256 = (signature: Uint8Array, digest: Uint8Array, publicKey: Uint8Array): boolean =>
  isTrue(() => p256.verify(signature, digest, publicKey, OPTIONS));

/** Takes a point of 97 bytes, and a signature of 96. */
export const verifyP384 = (signature: Uint8Array, digest: Uint8Array, publicKey: Uint8Array): boolean =>
  isTrue(() => p384.verify(signature, digest, publicKey, OPTIONS));

/** Takes the message itself. @see RFC 8032 §5.1.7, which refuses more encodings than ZIP 215 does */
export const verifyEd25519 = (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean =>
  isTrue(() => ed25519.verify(signature, message, publicKey, { zip215: false }));
