import { bytesKey, copyBytes, equalBytes } from '../bytes/compare.ts';
import { assertArithmetic, assertKnownOptions, type OptionNames } from '../bytes/knownOptions.ts';
import type { Ecc } from './ecc.ts';

/**
 * Remembers which signatures and proofs were valid. May be shared. Entries are not checked again: only this
 * library should add any.
 */
export interface SignatureCache {
  readonly get: (entry: string) => boolean | undefined;
  readonly set: (entry: string, isValid: boolean) => void;
}

/** Options of a cache of signatures. */
export interface SignatureCacheOptions {
  readonly maxEntries?: number;
}

const CACHE_OPTIONS: OptionNames<SignatureCacheOptions> = { maxEntries: true };

/**
 * Creates an empty cache. Beyond `maxEntries` (50 000 by default, about 400 bytes each) it drops the oldest entry.
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
export function createSignatureCache(options: SignatureCacheOptions = {}): SignatureCache {
  assertKnownOptions(options, CACHE_OPTIONS);
  const { maxEntries = 50_000 } = options;
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

/** Unambiguous, as two of the three parts have a fixed size. */
const cacheKey = (algorithm: Algorithm, { signature, digest, publicKey }: Checked): string =>
  algorithm + bytesKey(signature) + bytesKey(digest) + bytesKey(publicKey);

type Algorithm = 'ecdsa' | 'schnorr';

/** Verifies a proof by its parts, unless the cache remembers it. */
export function rememberedProof(parts: readonly Uint8Array[], verify: () => boolean, cache: SignatureCache): boolean {
  return remembered(cache, `dleq${parts.map((part) => `${part.length}:${bytesKey(part)}`).join('')}`, verify);
}

function remembered({ get, set }: SignatureCache, entry: string, verify: () => boolean): boolean {
  const cached = get(entry);
  const isValid = cached ?? verify();
  if (cached === undefined) set(entry, isValid);
  return isValid;
}

interface Checked {
  readonly signature: Uint8Array;
  readonly digest: Uint8Array;
  readonly publicKey: Uint8Array;
}

/** A valid key for each of the latest signatures. */
type ValidKeys = Map<string, Uint8Array>;

/** More than the signatures of one input: a script checks at most 20 in a row. */
const VALID_KEYS = 64;

const signedName = (signature: Uint8Array, digest: Uint8Array): string => bytesKey(signature) + bytesKey(digest);

/**
 * When OP_CHECKMULTISIG tries a signature with a second key, recovers the keys it is valid for and compares with those.
 */
function verifyByKeys({ verifyEcdsa, ecdsaKeys, isPoint }: Ecc, validKeys: ValidKeys): Ecc['verifyEcdsa'] {
  if (!ecdsaKeys) return verifyEcdsa;
  let last: { readonly name: string; keys: ReadonlySet<string> | undefined } | undefined;
  return (signature, digest, publicKey) => {
    const name = signedName(signature, digest);
    const valid = validKeys.get(name);
    const isNew = last?.name !== name;
    if (!last || isNew) last = { name, keys: undefined };
    if (isNew && (!valid || equalBytes(valid, publicKey))) return verifyEcdsa(signature, digest, publicKey);
    last.keys ??= new Set(ecdsaKeys(signature, digest, valid).map((key) => bytesKey(key)));
    return isPoint(publicKey) && last.keys.has(bytesKey(compressed(publicKey)));
  };
}

function compressed(publicKey: Uint8Array): Uint8Array {
  if (publicKey.length === 33) return publicKey;
  return Uint8Array.of(0x02 | ((publicKey[64] ?? 0) & 1), ...publicKey.subarray(1, 33));
}

/**
 * Adds a signature cache to a backend, which then verifies no signature twice.
 * @throws `argument/invalid`
 *
 * @example
 * ```ts
 * import { createSignatureCache, nobleEcc, withSignatureCache } from 'countersign';
 * import { verifyRawTransaction } from 'countersign/rpc';
 *
 * const ecc = withSignatureCache(nobleEcc, createSignatureCache());
 * const hex = `0200000001${'11'.repeat(32)}0000000000ffffffff0000000000`;
 * verifyRawTransaction([hex, [], 'NONE'], { ecc })['reject-reason']; // bad-txns-vout-empty
 * ```
 */
export function withSignatureCache(ecc: Ecc, cache: SignatureCache): Ecc {
  assertArithmetic(ecc);
  const validKeys: ValidKeys = new Map();
  const noteValid = (signature: Uint8Array, digest: Uint8Array, publicKey: Uint8Array): void => {
    if (validKeys.size >= VALID_KEYS) validKeys.clear();
    // A copy: the caller may overwrite its array.
    validKeys.set(signedName(signature, digest), copyBytes(publicKey));
  };
  const remembering =
    (algorithm: Algorithm, verify: Ecc['verifyEcdsa']): Ecc['verifyEcdsa'] =>
    (signature, digest, publicKey) => {
      if (signature.length !== 64 || digest.length !== 32) return false;
      const entry = cacheKey(algorithm, { signature, digest, publicKey });
      const isValid = remembered(cache, entry, () => verify(signature, digest, publicKey));
      if (isValid && algorithm === 'ecdsa') noteValid(signature, digest, publicKey);
      return isValid;
    };
  const rememberingOwn =
    (algorithm: Algorithm, isOwn: Ecc['isOwnEcdsa']): Ecc['isOwnEcdsa'] =>
    (signature, digest, key) => {
      const isValid = isOwn(signature, digest, key);
      if (isValid) cache.set(cacheKey(algorithm, { signature, digest, publicKey: key.publicKey }), true);
      if (isValid && algorithm === 'ecdsa') noteValid(signature, digest, key.publicKey);
      return isValid;
    };
  return {
    ...ecc,
    verifyEcdsa: remembering('ecdsa', verifyByKeys(ecc, validKeys)),
    isOwnEcdsa: rememberingOwn('ecdsa', ecc.isOwnEcdsa),
    isOwnSchnorr: rememberingOwn('schnorr', ecc.isOwnSchnorr),
    verifySchnorr: remembering('schnorr', ecc.verifySchnorr),
  };
}
