import { byteName } from '../bytes/compare.ts';
import type { Ecc } from './ecc.ts';

/**
 * The signatures that were checked, by what was signed, by whom and how, and whether they were valid. A value of its
 * own: who wants one makes one, and shares it where he likes. What is in it is not checked again, so nobody but
 * `rememberSignatures` should fill it.
 */
export interface SignatureCache {
  readonly get: (entry: string) => boolean | undefined;
  readonly set: (entry: string, isValid: boolean) => void;
}

/** Makes an empty cache. Above `maxEntries` (about 400 bytes each) the oldest entries are forgotten. */
export function createSignatureCache({ maxEntries = 50_000 }: { maxEntries?: number } = {}): SignatureCache {
  const entries = new Map<string, boolean>();
  return {
    get: (entry) => entries.get(entry),
    set: (entry, isValid) => {
      entries.set(entry, isValid);
      if (entries.size <= maxEntries) return;
      const [oldest] = entries.keys();
      if (oldest !== undefined) entries.delete(oldest);
    },
  };
}

/** What is kept of a signature. With two sizes fixed, a name can be cut in one way only. */
const nameOf = (algorithm: Algorithm, { signature, digest, publicKey }: Checked): string =>
  algorithm + byteName(signature) + byteName(digest) + byteName(publicKey);

type Algorithm = 'ecdsa' | 'schnorr';

interface Checked {
  /** 64 bytes. */
  readonly signature: Uint8Array;
  /** 32 bytes. */
  readonly digest: Uint8Array;
  readonly publicKey: Uint8Array;
}

/**
 * Verifies as `Ecc` does; a signature that is tried with a second key is compared with the keys that it is valid for.
 * OP_CHECKMULTISIG tries up to 20.
 */
function verifyByKeys({ verifyEcdsa, ecdsaKeys, isPoint }: Ecc): Ecc['verifyEcdsa'] {
  if (!ecdsaKeys) return verifyEcdsa;
  let last: { readonly name: string; keys: ReadonlySet<string> | undefined } | undefined;
  return (signature, digest, publicKey) => {
    const name = byteName(signature) + byteName(digest);
    if (last?.name !== name) {
      last = { name, keys: undefined };
      return verifyEcdsa(signature, digest, publicKey);
    }
    last.keys ??= new Set(ecdsaKeys(signature, digest).map((key) => byteName(key)));
    return isPoint(publicKey) && last.keys.has(byteName(compressed(publicKey)));
  };
}

/** The short form of a key of 33 or 65 bytes. */
function compressed(publicKey: Uint8Array): Uint8Array {
  if (publicKey.length === 33) return publicKey;
  return Uint8Array.of(0x02 | ((publicKey[64] ?? 0) & 1), ...publicKey.subarray(1, 33));
}

/**
 * The same arithmetic with a memory: a signature that it has checked is not checked again, whoever asks. One that its
 * maker has checked with the secret key counts for the public key beside it.
 */
export function rememberSignatures(ecc: Ecc, cache: SignatureCache): Ecc {
  const remembering =
    (algorithm: Algorithm, verify: Ecc['verifyEcdsa']): Ecc['verifyEcdsa'] =>
    (signature, digest, publicKey) => {
      if (signature.length !== 64 || digest.length !== 32) return false;
      const entry = nameOf(algorithm, { signature, digest, publicKey });
      const known = cache.get(entry);
      if (known !== undefined) return known;
      const isValid = verify(signature, digest, publicKey);
      cache.set(entry, isValid);
      return isValid;
    };
  const rememberingOwn =
    (algorithm: Algorithm, isOwn: Ecc['isOwnEcdsa']): Ecc['isOwnEcdsa'] =>
    (signature, digest, key) => {
      const isValid = isOwn(signature, digest, key);
      if (isValid) cache.set(nameOf(algorithm, { signature, digest, publicKey: key.publicKey }), true);
      return isValid;
    };
  return {
    ...ecc,
    verifyEcdsa: remembering('ecdsa', verifyByKeys(ecc)),
    isOwnEcdsa: rememberingOwn('ecdsa', ecc.isOwnEcdsa),
    isOwnSchnorr: rememberingOwn('schnorr', ecc.isOwnSchnorr),
    verifySchnorr: remembering('schnorr', ecc.verifySchnorr),
  };
}
