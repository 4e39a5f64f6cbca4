import type * as tinySecp256k1 from 'tiny-secp256k1';
import { createEcc, type Ecc } from './ecc.ts';
import { createPoints } from './points.ts';
import { isBelowOrder } from './scalar.ts';

export function adaptTinySecp256k1(tiny: typeof tinySecp256k1): Ecc {
  return createEcc({
    publicKey: (secretKey, isCompressed) => tiny.pointFromScalar(secretKey, isCompressed) ?? new Uint8Array(0),
    verifyEcdsa: (signature, digest, publicKey) => tiny.verify(digest, publicKey, signature, true),
    // `tiny.verifySchnorr` throws if r is not below the order. The x of a point is that large once in 2^128.
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
    points: createPoints({
      multiply: (point, scalar) => tiny.pointMultiply(point, scalar, true) ?? undefined,
      // A sum that is infinity so far is `undefined`, and the next point takes its place.
      add: (points) =>
        points.reduce<Uint8Array | undefined>(
          (sum, point) => (sum ? (tiny.pointAdd(sum, point, true) ?? undefined) : point),
          undefined,
        ),
    }),
  });
}
