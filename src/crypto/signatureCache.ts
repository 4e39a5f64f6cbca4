import { byteName } from '../bytes/compare.ts';
import type { Ecc } from './ecc.ts';

/**
 * The signatures that were found valid, by what was signed, by whom and how. A value of its own: who wants one makes
 * one, and shares it where he likes. What is in it is never verified again, so it must come from `createSignatureCache`.
 */
export interface SignatureCache {
  readonly has: (entry: string) => boolean;
  readonly add: (entry: string) => void;
}

/** Makes an empty cache. Above `maxEntries` (about 400 bytes each) the oldest entries are forgotten. */
export function createSignatureCache({ maxEntries = 50_000 }: { maxEntries?: number } = {}): SignatureCache {
  const entries = new Set<string>();
  return {
    has: (entry) => entries.has(entry),
    add: (entry) => {
      entries.add(entry);
      if (entries.size <= maxEntries) return;
      for (const oldest of entries) {
        entries.delete(oldest);
        break;
      }
    },
  };
}

/**
 * The same arithmetic with a memory: a signature that it has found valid is not verified again, whoever asks.
 * Invalid ones are: nobody can fill the cache with them.
 */
export function rememberSignatures(ecc: Ecc, cache: SignatureCache): Ecc {
  const remembering =
    (algorithm: 'ecdsa' | 'schnorr', verify: Ecc['verifyEcdsa']): Ecc['verifyEcdsa'] =>
    (signature, digest, publicKey) => {
      // With two sizes fixed, an entry can be cut in one way only.
      if (signature.length !== 64 || digest.length !== 32) return false;
      const entry = algorithm + byteName(signature) + byteName(digest) + byteName(publicKey);
      if (cache.has(entry)) return true;
      const isValid = verify(signature, digest, publicKey);
      if (isValid) cache.add(entry);
      return isValid;
    };
  return {
    ...ecc,
    verifyEcdsa: remembering('ecdsa', ecc.verifyEcdsa),
    verifySchnorr: remembering('schnorr', ecc.verifySchnorr),
  };
}
