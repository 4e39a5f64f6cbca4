import * as tiny from 'tiny-secp256k1';
import { createEcc, type Ecc } from './ecc.ts';
import { isBelowOrder } from './scalar.ts';

/**
 * The backend of the optional peer dependency `tiny-secp256k1`: Bitcoin Core's libsecp256k1 as WebAssembly.
 * @see README "Faster arithmetic"
 */
export const tinySecp256k1Ecc: Ecc = /* @__PURE__ */ createEcc({
  publicKey: (secretKey, isCompressed) => tiny.pointFromScalar(secretKey, isCompressed) ?? new Uint8Array(0),
  verifyEcdsa: (signature, digest, publicKey) => tiny.verify(digest, publicKey, signature, true),
  // `tiny.verifySchnorr` throws if r is not below the order. Such an r can be the x of a point, but only 1 in 2^128 is.
  verifySchnorr: (signature, message, publicKey) =>
    isBelowOrder(signature.slice(0, 32)) && tiny.verifySchnorr(message, publicKey, signature),
  signEcdsa: tiny.sign,
  signSchnorr: tiny.signSchnorr,
  tweakPublicKey: (publicKey, tweak) => {
    const tweaked = tiny.xOnlyPointAddTweak(publicKey, tweak);
    return tweaked ? { publicKey: tweaked.xOnlyPubkey, parity: tweaked.parity } : undefined;
  },
  tweakSecretKey: (secretKey, tweak) => {
    const isOdd = tiny.pointFromScalar(secretKey, true)?.[0] === 0x03;
    return tiny.privateAdd(isOdd ? tiny.privateNegate(secretKey) : secretKey, tweak) ?? undefined;
  },
});
