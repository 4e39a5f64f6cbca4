/// <reference path="./secp256k1Bindings.d.ts" />
import type bindings from 'secp256k1/bindings.js';
import { concatBytes, copyBytes, equalBytes } from '../bytes/compare.ts';
import { bip340Signer, computeChallenge } from './bip340.ts';
import { createEcc, type Ecc } from './ecc.ts';
import { createPoints, unlessThrown } from './points.ts';
import { isZero, negateScalar } from './scalar.ts';

const EVEN = Uint8Array.of(0x02);
const isOdd = (point: Uint8Array): boolean => point[0] === 0x03;

export function adaptNativeSecp256k1(secp256k1: typeof bindings): Ecc {
  const evenKey = (secretKey: Uint8Array): { secretKey: Uint8Array; x: Uint8Array } => {
    const point = secp256k1.publicKeyCreate(secretKey);
    const copy = copyBytes(secretKey);
    return { secretKey: isOdd(point) ? secp256k1.privateKeyNegate(copy) : copy, x: point.slice(1) };
  };
  const multiplyAdd = (a: Uint8Array, b: Uint8Array, c: Uint8Array): Uint8Array =>
    secp256k1.privateKeyTweakAdd(secp256k1.privateKeyTweakMul(copyBytes(b), a), c);
  return createEcc({
    publicKey: (secretKey, isCompressed) => secp256k1.publicKeyCreate(secretKey, isCompressed),
    verifyEcdsa: (signature, digest, publicKey) => secp256k1.ecdsaVerify(signature, digest, publicKey),
    signEcdsa: (digest, secretKey, data) => secp256k1.ecdsaSign(digest, secretKey, data ? { data } : {}).signature,
    verifySchnorr: (signature, message, publicKey) => {
      const r = signature.slice(0, 32);
      const e = computeChallenge(r, publicKey, message);
      const point = concatBytes(EVEN, publicKey);
      const R = unlessThrown(() =>
        secp256k1.publicKeyCombine([
          secp256k1.publicKeyCreate(signature.slice(32)),
          secp256k1.publicKeyTweakMul(point, negateScalar(e)),
        ]),
      );
      return R !== undefined && !isOdd(R) && equalBytes(R.slice(1), r);
    },
    signSchnorr: bip340Signer({ evenKey, multiplyAdd }),
    tweakPublicKey: (publicKey, tweak) => {
      const point = concatBytes(EVEN, publicKey);
      const sum = isZero(tweak) ? point : unlessThrown(() => secp256k1.publicKeyTweakAdd(point, tweak));
      return sum && { publicKey: sum.slice(1), parity: isOdd(sum) ? 1 : 0 };
    },
    tweakSecretKey: (secretKey, tweak) =>
      unlessThrown(() => secp256k1.privateKeyTweakAdd(evenKey(secretKey).secretKey, tweak)),
    points: createPoints({ multiply: secp256k1.publicKeyTweakMul, add: secp256k1.publicKeyCombine }),
  });
}
