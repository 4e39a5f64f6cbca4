import { nativeSecp256k1Ecc } from '../../src/core/crypto/nativeSecp256k1.ts';
import type { Ecc } from './library.ts';

const publicKeys = new Map<string, Uint8Array>();
const tweakedKeys = new Map<string, ReturnType<Ecc['tweakPublicKey']>>();

const keyOf = (...parts: readonly Uint8Array[]): string =>
  parts.map((part) => Buffer.from(part.buffer, part.byteOffset, part.length).toString('latin1')).join('');

function remembered<T>(known: Map<string, T>, key: string, compute: () => T): T {
  if (known.has(key)) return known.get(key) as T;
  const value = compute();
  known.set(key, value);
  return value;
}

/**
 * Native arithmetic that computes a public key once in all tests of a process: their wallets derive the same keypools
 * again and again.
 */
export const rememberedEcc: Ecc = {
  ...nativeSecp256k1Ecc,
  publicKey: (secretKey, isCompressed = true) =>
    isCompressed
      ? remembered(publicKeys, keyOf(secretKey), () => nativeSecp256k1Ecc.publicKey(secretKey)).slice()
      : nativeSecp256k1Ecc.publicKey(secretKey, false),
  tweakPublicKey: (publicKey, tweak) => {
    const sum = remembered(tweakedKeys, keyOf(publicKey, tweak), () =>
      nativeSecp256k1Ecc.tweakPublicKey(publicKey, tweak),
    );
    return sum && { ...sum, publicKey: sum.publicKey.slice() };
  },
};
