import { bytesKey } from '../bytes/compare.ts';
import type { Ecc } from './ecc.ts';

/**
 * Remembers which signatures were valid, by algorithm, signature, digest and public key. Callers create a cache and may
 * share it freely. Its entries are not checked again, so only `withSignatureCache` should add any.
 */
export interface SignatureCache {
  readonly get: (entry: string) => boolean | undefined;
  readonly set: (entry: string, isValid: boolean) => void;
}

/**
 * Creates an empty cache. Beyond `maxEntries` (about 400 bytes each) it drops the oldest entry.
 *
 * @example
 * ```ts
 * import { accountFromWords, buildPsbt, createSignatureCache, finalizePsbt, reviewPsbt } from 'countersign';
 *
 * const me = accountFromWords(`${'abandon '.repeat(11)}about`, { network: 'regtest' });
 * const coin = { txid: '11'.repeat(32), vout: 0, value: 100_000n, from: me.receive(0) };
 * const payments = { [me.receive(1).address]: 60_000n };
 * const psbt = buildPsbt({ inputs: [coin], outputs: payments, change: me.change(0), feeRate: 2 });
 * const cache = createSignatureCache();
 * reviewPsbt(psbt, { cache }).inputs.length; // 1
 * finalizePsbt(psbt, { cache }).isComplete; // false
 * ```
 */
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

/** Returns the cache key of a signature. It is unambiguous, as two of its three parts have a fixed size. */
const nameOf = (algorithm: Algorithm, { signature, digest, publicKey }: Checked): string =>
  algorithm + bytesKey(signature) + bytesKey(digest) + bytesKey(publicKey);

type Algorithm = 'ecdsa' | 'schnorr';

interface Checked {
  /** 64 bytes. */
  readonly signature: Uint8Array;
  /** 32 bytes. */
  readonly digest: Uint8Array;
  readonly publicKey: Uint8Array;
}

/**
 * Verifies like `Ecc.verifyEcdsa`. Once a signature is tried with a second key, recovers the keys it is valid for and
 * compares with those: OP_CHECKMULTISIG tries up to 20 keys.
 */
function verifyByKeys({ verifyEcdsa, ecdsaKeys, isPoint }: Ecc): Ecc['verifyEcdsa'] {
  if (!ecdsaKeys) return verifyEcdsa;
  let last: { readonly name: string; keys: ReadonlySet<string> | undefined } | undefined;
  return (signature, digest, publicKey) => {
    const name = bytesKey(signature) + bytesKey(digest);
    if (last?.name !== name) {
      last = { name, keys: undefined };
      return verifyEcdsa(signature, digest, publicKey);
    }
    last.keys ??= new Set(ecdsaKeys(signature, digest).map((key) => bytesKey(key)));
    return isPoint(publicKey) && last.keys.has(bytesKey(compressed(publicKey)));
  };
}

/** Returns the compressed form of a key of 33 or 65 bytes. */
function compressed(publicKey: Uint8Array): Uint8Array {
  if (publicKey.length === 33) return publicKey;
  return Uint8Array.of(0x02 | ((publicKey[64] ?? 0) & 1), ...publicKey.subarray(1, 33));
}

/**
 * Adds a signature cache to a backend, which then verifies no signature twice. A valid result of `isOwnEcdsa` or
 * `isOwnSchnorr` is cached for the public key of the pair.
 *
 * @example
 * ```ts
 * import { createSignatureCache, nobleEcc, verifyRawTransaction, withSignatureCache } from 'countersign';
 *
 * const ecc = withSignatureCache(nobleEcc, createSignatureCache());
 * const hex = `0200000001${'11'.repeat(32)}0000000000ffffffff0000000000`;
 * verifyRawTransaction(hex, [], 'NONE', { ecc })['reject-reason']; // bad-txns-vout-empty
 * ```
 */
export function withSignatureCache(ecc: Ecc, cache: SignatureCache): Ecc {
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
