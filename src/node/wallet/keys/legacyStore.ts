import { bytesKey } from '../../../core/bytes/compare.ts';
import { withSecretKey } from '../../../core/crypto/concealed.ts';
import type { Ecc } from '../../../core/crypto/ecc.ts';
import { hash160, sha256 } from '../../../core/crypto/hash.ts';
import { isValidPublicKey } from '../../../core/crypto/publicKey.ts';
import type { KeyOrigin } from '../../../core/keys/path.ts';
import { payToPubkey, payToPubkeyHash, payToWitness, wrapInScriptHash } from '../../../core/script/build.ts';
import { parseScriptKey, type ScriptKey, scriptKey } from '../../../core/script/scriptKey.ts';
import { classifyScript, type TemplateRules } from '../../../core/script/template.ts';
import { produceSignature } from '../../../core/signing/produceSignature.ts';
import { dummySignatures } from '../../../core/signing/signatureCreator.ts';
import { createSignatureData } from '../../../core/signing/signatureData.ts';
import { NO_PROVIDER, type SigningProvider } from '../../../core/signing/signingProvider.ts';
import type { SigningRules } from '../../../core/signing/signingRules.ts';
import type { Derivations } from './derivations.ts';
import { createHdKeys, type HdKeys } from './hdKeys.ts';
import { createHdSeeds } from './hdSeeds.ts';
import { type KeyMetadata, type KeyStore, keyHashFor, type Ownership } from './keyStore.ts';
import { type OwnershipFacts, ownershipRank } from './legacyOwnership.ts';
import { createScriptKeyCache } from './scriptKeyCache.ts';
import { findSecret, type Vault } from './vault.ts';

export interface LegacyStore extends KeyStore {
  readonly provider: SigningProvider;
  readonly hd: HdKeys;
  readonly hasKey: (keyHash: Uint8Array) => boolean;
  readonly hasScript: (scriptHash: Uint8Array) => boolean;
  readonly isWatched: (scriptPubKey: Uint8Array) => boolean;
  /** @see Bitcoin Core 0.21 `HaveWatchOnly` */
  readonly watchesAny: () => boolean;
  /** Requires the private key in the vault. */
  readonly addKey: (publicKey: Uint8Array, time: number) => void;
  readonly addScript: (script: Uint8Array, time?: number) => void;
  readonly addPublicKey: (publicKey: Uint8Array, time: number) => void;
  readonly addOrigin: (publicKey: Uint8Array, origin: KeyOrigin) => void;
  readonly watch: (scriptPubKey: Uint8Array, time: number) => void;
  /** Returns the earliest birth, UNIX time; 0 if unknown. */
  readonly firstTime: () => number;
  /** Forgets the times that Core keeps in memory only: those of scripts, and of public keys without origins. */
  readonly forgetTimes: () => void;
  /** Returns the keys of scripts that derived keys have added since the last call; `undefined` for too many. */
  readonly takeAdded: (most: number) => readonly ScriptKey[] | undefined;
  readonly hasAdded: () => boolean;
}

interface Metadata {
  time?: number;
  origin?: KeyOrigin;
}

interface KeyBirth {
  /** UNIX time. */
  readonly time: number;
  readonly origin?: KeyOrigin;
}

interface Contents {
  readonly templates: TemplateRules;
  /** Of the wallet's own private keys. This map and the next three are keyed by HASH160. */
  readonly keys: Map<string, Uint8Array>;
  readonly watchedKeys: Map<string, Uint8Array>;
  readonly scripts: Map<string, Uint8Array>;
  readonly keyData: Map<string, Metadata>;
  /** Keyed by the script itself, as is `watched`: hashing many scripts is slow. */
  readonly scriptTimes: Map<ScriptKey, number>;
  readonly watched: Set<ScriptKey>;
  /** As in the wallet file. */
  readonly persisted: Pick<Contents, 'keyData' | 'scriptTimes'>;
}

const emptyContents = (templates: TemplateRules): Contents => ({
  templates,
  keys: new Map(),
  watchedKeys: new Map(),
  scripts: new Map(),
  keyData: new Map(),
  scriptTimes: new Map(),
  watched: new Set(),
  persisted: { keyData: new Map(), scriptTimes: new Map() },
});

interface StoreParts {
  readonly rules: { readonly signing: SigningRules };
  readonly ecc: Ecc;
  readonly derivations: Derivations;
}

/** @see Bitcoin Core 0.21 `LegacyScriptPubKeyMan` */
export function createLegacyStore({ rules: { signing: rules }, ...parts }: StoreParts, vault: Vault): LegacyStore {
  const contents = emptyContents(rules.templates);
  const added: Uint8Array[] = [];
  const hd = createHdKeys(createHdSeeds(vault, parts), {
    hasKey: (hash) => contents.keys.has(bytesKey(hash)),
    addKey: (publicKey, time, origin) => {
      ownership.forget();
      addKey(contents, publicKey, { time, origin });
      added.push(publicKey);
    },
  });
  const provider = createProvider(contents, vault, hd);
  const facts: OwnershipFacts = {
    templates: rules.templates,
    hasKey: (hash) => contents.keys.has(bytesKey(hash)),
    isWatched: (script) => contents.watched.has(scriptKey(script)),
    findPublicKey: provider.publicKey,
    findScript: provider.script,
  };
  const ownership = cachedOwnership(facts);
  const changing =
    <A extends readonly unknown[]>(change: (contents: Contents, ...args: A) => void) =>
    (...args: A): void => {
      ownership.forget();
      change(contents, ...args);
    };
  return {
    provider,
    hd,
    takeAdded: (most) => takeScripts(added, most),
    hasAdded: () => added.length > 0,
    hasKey: facts.hasKey,
    hasScript: (hash) => contents.scripts.has(bytesKey(hash)),
    isWatched: facts.isWatched,
    scriptPubKeys: () => scriptPubKeys(contents),
    watchesAny: () => contents.watched.size > 0,
    findOwnership: (script) => ownership.of(script)?.ownership ?? 'no',
    factsKey: ownership.of,
    providerFor: (script) => (canProvide(script, facts, { provider, rules }) ? provider : undefined),
    findMetadata: (script) => findMetadata(script, facts, { ...contents, hd }),
    addKey: changing((_, publicKey: Uint8Array, time: number) => addKey(contents, publicKey, { time })),
    addScript: changing(addScript),
    addPublicKey: changing((_, publicKey: Uint8Array, time: number) => {
      watch(contents, payToPubkey(publicKey), time);
      metadataFor(contents, hash160(publicKey)).time = time;
    }),
    addOrigin: changing(addOrigin),
    watch: changing(watch),
    firstTime: () => firstTime(contents),
    forgetTimes: () => forgetTimes(contents),
  };
}

/** Valid until a key or script is added. */
interface CachedOwnership {
  /** Returns `undefined` for scripts of others; they are the majority, and not cached. */
  readonly of: (script: Uint8Array) => { readonly ownership: Ownership } | undefined;
  readonly forget: () => void;
}

function cachedOwnership(facts: OwnershipFacts): CachedOwnership {
  const cachedKey = createScriptKeyCache();
  const cache = new Map<ScriptKey, { readonly ownership: Ownership }>();
  return {
    of: (script) => {
      const key = cachedKey(script);
      const before = cache.get(key);
      if (before) return before;
      const ownership = ownershipRank(script, facts);
      if (ownership === 'no' || ownership === 'invalid') return undefined;
      const entry = { ownership };
      cache.set(key, entry);
      return entry;
    },
    forget: () => cache.clear(),
  };
}

function* scriptPubKeys({ keys, scripts, watched }: Contents): Generator<Uint8Array> {
  for (const script of watched) yield parseScriptKey(script);
  for (const publicKey of keys.values()) {
    yield payToPubkey(publicKey);
    yield payToPubkeyHash(hash160(publicKey));
  }
  for (const script of scripts.values()) {
    const program = payToWitness(0, sha256(script));
    yield* [script, wrapInScriptHash(script), program, wrapInScriptHash(program)];
  }
}

function createProvider({ keys, watchedKeys, scripts, keyData }: Contents, vault: Vault, hd: HdKeys): SigningProvider {
  return {
    ...NO_PROVIDER,
    key: (hash) => {
      const publicKey = keys.get(bytesKey(hash));
      const secretKey = publicKey && (findSecret(vault, publicKey) ?? hd.secretKeyFor(hash));
      return secretKey && withSecretKey({ publicKey }, secretKey);
    },
    publicKey: (hash) => keys.get(bytesKey(hash)) ?? watchedKeys.get(bytesKey(hash)),
    // Without a recorded origin, a key is its own master.
    origin: (publicKey) => {
      const hash = hash160(publicKey);
      return keyData.get(bytesKey(hash))?.origin ?? { fingerprint: hash.slice(0, 4), path: [] };
    },
    script: (hash) => scripts.get(bytesKey(hash)),
  };
}

function metadataFor({ keyData }: Contents, hash: Uint8Array): Metadata {
  const data = keyData.get(bytesKey(hash)) ?? {};
  keyData.set(bytesKey(hash), data);
  return data;
}

function persist(contents: Contents, hash: Uint8Array): void {
  contents.persisted.keyData.set(bytesKey(hash), { ...metadataFor(contents, hash) });
}

function learnRelatedScript({ scripts }: Contents, publicKey: Uint8Array): void {
  if (publicKey.length !== 33) return;
  const script = payToWitness(0, hash160(publicKey));
  scripts.set(bytesKey(hash160(script)), script);
}

function addKey(contents: Contents, publicKey: Uint8Array, { time, origin }: KeyBirth): void {
  const { keys, watched, watchedKeys } = contents;
  const hash = hash160(publicKey);
  keys.set(bytesKey(hash), publicKey);
  learnRelatedScript(contents, publicKey);
  for (const script of [payToPubkeyHash(hash), payToPubkey(publicKey)]) watched.delete(scriptKey(script));
  watchedKeys.delete(bytesKey(hash));
  const data = metadataFor(contents, hash);
  data.time = time;
  if (origin) data.origin = origin;
  persist(contents, hash);
}

function takeScripts(added: Uint8Array[], most: number): readonly ScriptKey[] | undefined {
  const taken = added.splice(0);
  if (SCRIPTS_PER_KEY * taken.length > most) return undefined;
  return taken.flatMap((publicKey) => {
    const hash = hash160(publicKey);
    const program = payToWitness(0, hash);
    return [payToPubkey(publicKey), payToPubkeyHash(hash), program, wrapInScriptHash(program)].map((script) =>
      scriptKey(script),
    );
  });
}

const SCRIPTS_PER_KEY = 4;

function addScript({ scripts, scriptTimes }: Contents, script: Uint8Array, time?: number): void {
  const key = bytesKey(hash160(script));
  if (time !== undefined && !scripts.has(key)) scriptTimes.set(scriptKey(script), time);
  scripts.set(key, script);
}

function addOrigin(contents: Contents, publicKey: Uint8Array, origin: KeyOrigin): void {
  metadataFor(contents, hash160(publicKey)).origin = origin;
  persist(contents, hash160(publicKey));
}

function watch(contents: Contents, script: Uint8Array, time: number): void {
  const { templates, scriptTimes, persisted, watched, watchedKeys } = contents;
  const key = scriptKey(script);
  scriptTimes.set(key, time);
  persisted.scriptTimes.set(key, time);
  watched.add(key);
  const template = classifyScript(script, templates);
  if (template.type !== 'pubkey' || !isValidPublicKey(template.pubkey)) return;
  watchedKeys.set(bytesKey(hash160(template.pubkey)), template.pubkey);
  learnRelatedScript(contents, template.pubkey);
}

function firstTime({ scriptTimes, keyData }: Contents): number {
  let first: number | undefined;
  for (const time of scriptTimes.values()) first = Math.min(first ?? time, time);
  for (const { time = 0 } of keyData.values()) first = Math.min(first ?? time, time);
  return first ?? 0;
}

function forgetTimes({ keyData, scriptTimes, persisted }: Contents): void {
  keyData.clear();
  for (const [key, data] of persisted.keyData) keyData.set(key, { ...data });
  scriptTimes.clear();
  for (const [key, time] of persisted.scriptTimes) scriptTimes.set(key, time);
}

/** @see Bitcoin Core 0.21 `LegacyScriptPubKeyMan::CanProvide` */
function canProvide(
  script: Uint8Array,
  facts: OwnershipFacts,
  { provider, rules }: { readonly provider: SigningProvider; readonly rules: SigningRules },
): boolean {
  const rank = ownershipRank(script, { ...facts, ownsKnownScripts: true });
  if (rank === 'own' || rank === 'watched') return true;
  const data = createSignatureData();
  produceSignature({ provider, data, creator: dummySignatures, rules }, script);
  return [...data.signatures.values()].some(({ publicKey }) => facts.hasKey(hash160(publicKey)));
}

/** @see Bitcoin Core 0.21 `LegacyScriptPubKeyMan::GetMetadata` */
function findMetadata(
  script: Uint8Array,
  facts: OwnershipFacts,
  { keyData, scriptTimes, hd }: Contents & { readonly hd: HdKeys },
): KeyMetadata | undefined {
  const hash = keyHashFor(script, facts);
  const data = hash && keyData.get(bytesKey(hash));
  if (hash && data) {
    const seedId = hd.seedIdFor(hash);
    return { time: data.time ?? 0, ...(data.origin && { origin: data.origin }), ...(seedId && { seedId }) };
  }
  const time = scriptTimes.get(scriptKey(script));
  return time === undefined ? undefined : { time };
}
