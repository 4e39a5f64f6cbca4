// Signers for bitcoinjs-lib over tiny-secp256k1, with the nonces of countersign, so that the transactions are equal byte for
// byte. As bitcoinjs-lib leaves it to its callers, they do not verify what they sign.
import { crypto } from 'bitcoinjs-lib';
import * as tiny from 'tiny-secp256k1';

/** Grinds for a low r, as countersign does: two attempts on average. */
export function ecdsaSigner(secretKey, publicKey = tiny.pointFromScalar(secretKey, true)) {
  return {
    publicKey,
    sign: (digest) => {
      let signature = tiny.sign(digest, secretKey);
      for (let counter = 1; signature[0] > 0x7f; counter += 1) {
        const entropy = new Uint8Array(32);
        new DataView(entropy.buffer).setUint32(0, counter, true);
        signature = tiny.sign(digest, secretKey, entropy);
      }
      return signature;
    },
  };
}

/** Signs for a leaf. */
export const leafSigner = (secretKey) => ({
  publicKey: tiny.pointFromScalar(secretKey, true),
  signSchnorr: (digest) => tiny.signSchnorr(digest, secretKey),
});

/** Signs for the output key of an internal key without leaves. */
export function keyPathSigner(secretKey) {
  const internal = tiny.pointFromScalar(secretKey, true);
  const even = internal[0] === 3 ? tiny.privateNegate(secretKey) : secretKey;
  return leafSigner(tiny.privateAdd(even, crypto.taggedHash('TapTweak', internal.slice(1))));
}
