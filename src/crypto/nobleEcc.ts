import { hmac } from '@noble/hashes/hmac.js';
import { etc, getPublicKey, hashes, Point, schnorr, sign, verify } from '@noble/secp256k1';
import { createEcc, type Ecc } from './ecc.ts';
import { sha256 } from './hash.ts';

/** The library leaves its hash functions to the caller; with these it works without promises. */
hashes.sha256 = sha256;
hashes.hmacSha256 = (key, message) => hmac(sha256, key, message);

const { n: ORDER } = Point.CURVE();

/** The point with an even y; the caller knows that there is one. */
const liftX = (x: Uint8Array): Point => Point.fromBytes(etc.concatBytes(Uint8Array.of(0x02), x));

/** Arithmetic by @noble/secp256k1: plain JavaScript that runs everywhere. What is used unless another is passed. */
export const nobleEcc: Ecc = /* @__PURE__ */ createEcc({
  publicKey: getPublicKey,
  verifyEcdsa: (signature, digest, publicKey) => verify(signature, digest, publicKey, { prehash: false }),
  verifySchnorr: schnorr.verify,
  signEcdsa: (digest, secretKey, extraEntropy) =>
    sign(digest, secretKey, { prehash: false, ...(extraEntropy && { extraEntropy }) }),
  signSchnorr: schnorr.sign,
  tweakPublicKey: (publicKey, tweak) => {
    const t = etc.bytesToNumberBE(tweak);
    const internal = liftX(publicKey);
    const sum = t === 0n ? internal : internal.add(Point.BASE.multiply(t));
    if (sum.is0()) return undefined;
    const bytes = sum.toBytes();
    return { publicKey: bytes.slice(1), parity: bytes[0] === 0x03 ? 1 : 0 };
  },
  tweakSecretKey: (secretKey, tweak) => {
    const d = etc.bytesToNumberBE(secretKey);
    const evenD = getPublicKey(secretKey)[0] === 0x03 ? ORDER - d : d;
    const sum = etc.mod(evenD + etc.bytesToNumberBE(tweak), ORDER);
    return sum === 0n ? undefined : etc.numberToBytesBE(sum);
  },
});
