import { bytesKey } from '../../../core/bytes/compare.ts';
import { formatHex, parseHex } from '../../../core/bytes/hex.ts';
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
import { jsonCodec } from '../../store/codecs.ts';
import type { RecordCodec, Table } from '../../store/tables.ts';
import { createHdKeys, type HdKeys, type HdParts } from './hdKeys.ts';
import { createHdSeeds, type Seed, type SeedPlace } from './hdSeeds.ts';
import { createKeypool, type PooledKey, type PoolParts, type PoolPlace } from './keypool.ts';
import { type KeyMetadata, type KeyStore, keyHashFor, type Ownership } from './keyStore.ts';
import { type OwnershipFacts, ownershipRank } from './legacyOwnership.ts';
import { createScriptKeyCache } from './scriptKeyCache.ts';
import { hasSecret, ownSecret, type Vault } from './vault.ts';

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
}

interface Metadata {
  /** UNIX time. */
  readonly time?: number;
  readonly origin?: KeyOrigin;
}

/** The record of a public key, by its HASH160. */
export interface LegacyKey {
  readonly publicKey?: Uint8Array;
  /** True if the wallet has its private key. */
  readonly isOwn?: boolean;
  readonly isWatched?: boolean;
  readonly data?: Metadata;
  /** `data` as in the wallet file. */
  readonly saved?: Metadata;
  /** Missing for an imported key. */
  readonly place?: SeedPlace | undefined;
  /** Where it was put into the pool. */
  readonly pooled?: PoolPlace | undefined;
}

/** A watched scriptPubKey, or a redeem or witness script with a time. */
export interface WatchedScript {
  readonly isWatched?: boolean;
  /** UNIX time. */
  readonly time?: number | undefined;
  /** `time` as in the wallet file. */
  readonly saved?: number | undefined;
}

interface MetadataJson {
  readonly time?: number;
  readonly origin?: { readonly fingerprint: string; readonly path: readonly number[] };
}

const metadataJson = ({ origin, ...rest }: Metadata): MetadataJson => ({
  ...rest,
  ...(origin && { origin: { ...origin, fingerprint: formatHex(origin.fingerprint) } }),
});
const parseMetadata = ({ origin, ...rest }: MetadataJson): Metadata => ({
  ...rest,
  ...(origin && { origin: { ...origin, fingerprint: parseHex(origin.fingerprint) } }),
});

export const legacyKeyCodec: RecordCodec<LegacyKey> = jsonCodec(
  ({ publicKey, data, saved, place, ...rest }: LegacyKey) => ({
    ...rest,
    ...(publicKey && { publicKey: formatHex(publicKey) }),
    ...(data && { data: metadataJson(data) }),
    ...(saved && { saved: saved === data ? ('data' as const) : metadataJson(saved) }),
    place: place && { ...place, seed: formatHex(place.seed) },
  }),
  ({ publicKey, data: dataJson, saved, place, ...rest }) => {
    const data = dataJson && parseMetadata(dataJson);
    return {
      ...rest,
      ...(publicKey !== undefined && { publicKey: parseHex(publicKey) }),
      ...(data && { data }),
      ...(saved && { saved: saved === 'data' ? (data ?? {}) : parseMetadata(saved) }),
      place: place && { ...place, seed: parseHex(place.seed) },
    };
  },
);

export const watchedScriptCodec: RecordCodec<WatchedScript> = jsonCodec(
  (watched: WatchedScript) => watched,
  (watched) => watched,
);

export interface LegacyTables {
  /** By HASH160, as is `scripts`. */
  readonly keys: Table<string, LegacyKey>;
  readonly scripts: Table<string, Uint8Array>;
  /** Keyed by the script itself: hashing many scripts is slow. */
  readonly watched: Table<ScriptKey, WatchedScript>;
  readonly seeds: Table<string, Seed>;
  readonly pool: Table<string, PooledKey>;
}

interface Contents extends LegacyTables {
  readonly templates: TemplateRules;
}

interface StoreParts {
  readonly rules: { readonly signing: SigningRules; readonly keypool: number };
  readonly ecc: Ecc;
  readonly tables: LegacyTables;
  readonly settings: PoolParts['settings'] & HdParts['settings'];
  /** Receives the scripts whose ownership may have changed. */
  readonly onAdded: (scripts: readonly ScriptKey[]) => void;
}

/** @see Bitcoin Core 0.21 `LegacyScriptPubKeyMan` */
export function createLegacyStore(
  { rules: { signing: rules, keypool }, ecc, tables, settings, onAdded }: StoreParts,
  vault: Vault,
): LegacyStore {
  const contents: Contents = { ...tables, templates: rules.templates };
  const { keys, watched, scripts } = contents;
  const hasKey = (hash: Uint8Array): boolean => keys.get(bytesKey(hash))?.isOwn === true;
  const hd = createHdKeys({
    seeds: createHdSeeds(vault, tables.seeds, ecc),
    pool: createKeypool({ keys: tables.pool, settings }),
    settings,
    keypool,
    owner: {
      hasKey,
      addKey: (publicKey, birth, place) => {
        ownership.forget();
        addKey(contents, publicKey, { ...birth, place });
        onAdded(scriptsOfKey(publicKey).map(scriptKey));
      },
      setPoolPlace: (hash, pooled) => editKey(contents, hash, { pooled }),
      find: (hash) => keys.get(bytesKey(hash)),
    },
  });
  const provider = createProvider(contents, vault, hd);
  const facts: OwnershipFacts = {
    templates: rules.templates,
    hasKey,
    isWatched: (script) => watched.get(scriptKey(script))?.isWatched === true,
    findPublicKey: provider.publicKey,
    findScript: provider.script,
  };
  const ownership = cachedOwnership(facts);
  /** `change` returns the scripts whose ownership may change. */
  const changing =
    <A extends readonly unknown[]>(change: (contents: Contents, ...args: A) => readonly Uint8Array[]) =>
    (...args: A): void => {
      ownership.forget();
      onAdded(change(contents, ...args).map(scriptKey));
    };
  return {
    provider,
    hd,
    hasKey: facts.hasKey,
    hasScript: (hash) => scripts.has(bytesKey(hash)),
    isWatched: facts.isWatched,
    scriptPubKeys: () => scriptPubKeys(contents),
    watchesAny: () => {
      for (const [, { isWatched }] of watched.entries()) if (isWatched) return true;
      return false;
    },
    findOwnership: (script) => ownership.of(script)?.ownership ?? 'no',
    factsKey: ownership.of,
    forgetCaches: ownership.forget,
    lacksSecret: () => {
      for (const [, { publicKey, isOwn, place }] of keys.entries()) {
        const source = place?.seed ?? publicKey;
        if (isOwn && !(source && hasSecret(vault, source))) return true;
      }
      return false;
    },
    *faults() {
      for (const [, { place }] of keys.entries()) {
        if (place && !tables.seeds.has(bytesKey(place.seed))) yield 'lacks a seed';
      }
    },
    providerFor: (script) => (canProvide(script, facts, { provider, rules }) ? provider : undefined),
    findMetadata: (script) => findMetadata(script, facts, { ...contents, hd }),
    addKey: changing((_, publicKey: Uint8Array, time: number) => {
      addKey(contents, publicKey, { time });
      return [...scriptsOfKey(publicKey), ...scriptsOfKeys(contents)];
    }),
    addScript: changing(addScript),
    addPublicKey: changing((_, publicKey: Uint8Array, time: number) => {
      editData(contents, hash160(publicKey), { time });
      return watch(contents, payToPubkey(publicKey), time);
    }),
    addOrigin: (publicKey, origin) => addOrigin(contents, publicKey, origin),
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
  for (const [script, { isWatched }] of watched.entries()) if (isWatched) yield parseScriptKey(script);
  for (const [, { publicKey, isOwn }] of keys.entries()) {
    if (!publicKey || !isOwn) continue;
    yield payToPubkey(publicKey);
    yield payToPubkeyHash(hash160(publicKey));
  }
  for (const [, script] of scripts.entries()) yield* formsOf(script);
}

/** Returns the outputs that a redeem or witness script can be for. */
function formsOf(script: Uint8Array): readonly Uint8Array[] {
  const program = payToWitness(0, sha256(script));
  return [script, wrapInScriptHash(script), program, wrapInScriptHash(program)];
}

function createProvider({ keys, scripts }: Contents, vault: Vault, hd: HdKeys): SigningProvider {
  return {
    ...NO_PROVIDER,
    key: (hash) => {
      const { publicKey, isOwn, place } = keys.get(bytesKey(hash)) ?? {};
      if (!publicKey || !isOwn) return undefined;
      const secretKey = place ? hd.secretKeyFor(hash) : ownSecret(vault, publicKey);
      return secretKey && withSecretKey({ publicKey }, secretKey);
    },
    publicKey: (hash) => {
      const { publicKey, isOwn, isWatched } = keys.get(bytesKey(hash)) ?? {};
      return isOwn || isWatched ? publicKey : undefined;
    },
    // Without a recorded origin, a key is its own master.
    origin: (publicKey) => {
      const hash = hash160(publicKey);
      return keys.get(bytesKey(hash))?.data?.origin ?? { fingerprint: hash.slice(0, 4), path: [] };
    },
    script: (hash) => scripts.get(bytesKey(hash)),
  };
}

function editKey({ keys }: Contents, hash: Uint8Array, change: LegacyKey): void {
  const name = bytesKey(hash);
  keys.set(name, { ...keys.get(name), ...change });
}

const editData = (contents: Contents, hash: Uint8Array, change: Metadata): void =>
  editKey(contents, hash, { data: { ...contents.keys.get(bytesKey(hash))?.data, ...change } });

function learnRelatedScript({ scripts }: Contents, publicKey: Uint8Array): void {
  if (publicKey.length !== 33) return;
  const script = payToWitness(0, hash160(publicKey));
  scripts.set(bytesKey(hash160(script)), script);
}

interface KeyBirth extends Metadata {
  readonly time: number;
  readonly place?: SeedPlace;
}

function addKey(contents: Contents, publicKey: Uint8Array, { place, ...birth }: KeyBirth): void {
  const { keys, watched } = contents;
  const hash = hash160(publicKey);
  learnRelatedScript(contents, publicKey);
  for (const script of [payToPubkeyHash(hash), payToPubkey(publicKey)].map(scriptKey)) {
    const before = watched.get(script);
    if (before) watched.set(script, { ...before, isWatched: false });
  }
  const data = { ...keys.get(bytesKey(hash))?.data, ...birth };
  editKey(contents, hash, { publicKey, isOwn: true, isWatched: false, data, saved: data, ...(place && { place }) });
}

const scriptsOfKey = (publicKey: Uint8Array): readonly Uint8Array[] => [
  payToPubkey(publicKey),
  payToPubkeyHash(hash160(publicKey)),
  ...witnessScripts(hash160(publicKey)),
];

function witnessScripts(keyHash: Uint8Array): readonly Uint8Array[] {
  const program = payToWitness(0, keyHash);
  return [program, wrapInScriptHash(program)];
}

/** Returns the outputs of scripts that may need several keys. */
const scriptsOfKeys = ({ scripts, templates }: Contents): readonly Uint8Array[] =>
  [...scripts.entries()].flatMap(([, script]) =>
    classifyScript(script, templates).type === 'witness_v0_keyhash' ? [] : formsOf(script),
  );

function addScript({ scripts, watched }: Contents, script: Uint8Array, time?: number): readonly Uint8Array[] {
  const key = bytesKey(hash160(script));
  if (time !== undefined && !scripts.has(key)) {
    const name = scriptKey(script);
    watched.set(name, { ...watched.get(name), time });
  }
  scripts.set(key, script);
  return formsOf(script);
}

function addOrigin(contents: Contents, publicKey: Uint8Array, origin: KeyOrigin): void {
  const hash = hash160(publicKey);
  const data = { ...contents.keys.get(bytesKey(hash))?.data, origin };
  editKey(contents, hash, { data, saved: data });
}

function watch(contents: Contents, script: Uint8Array, time: number): readonly Uint8Array[] {
  const { templates, watched } = contents;
  watched.set(scriptKey(script), { isWatched: true, time, saved: time });
  const template = classifyScript(script, templates);
  if (template.type === 'pubkeyhash') return [...formsOf(script), ...witnessScripts(template.hash)];
  if (template.type !== 'pubkey' || !isValidPublicKey(template.pubkey)) return formsOf(script);
  editKey(contents, hash160(template.pubkey), { publicKey: template.pubkey, isWatched: true });
  learnRelatedScript(contents, template.pubkey);
  return [...formsOf(script), ...scriptsOfKey(template.pubkey)];
}

function firstTime({ watched, keys }: Contents): number {
  let first: number | undefined;
  for (const [, { time }] of watched.entries()) if (time !== undefined) first = Math.min(first ?? time, time);
  for (const [, { data }] of keys.entries()) if (data) first = Math.min(first ?? data.time ?? 0, data.time ?? 0);
  return first ?? 0;
}

function forgetTimes({ watched, keys }: Contents): void {
  for (const [script, { time, saved, ...rest }] of watched.entries()) {
    if (time !== saved) watched.set(script, { ...rest, time: saved, saved });
  }
  for (const [hash, { data, saved, ...rest }] of keys.entries()) {
    if (data !== saved) keys.set(hash, { ...rest, ...(saved && { data: saved, saved }) });
  }
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
  { keys, watched, hd }: Contents & { readonly hd: HdKeys },
): KeyMetadata | undefined {
  const hash = keyHashFor(script, facts);
  const data = hash && keys.get(bytesKey(hash))?.data;
  if (hash && data) {
    const seedId = hd.seedIdFor(hash);
    return { time: data.time ?? 0, ...(data.origin && { origin: data.origin }), ...(seedId && { seedId }) };
  }
  const time = watched.get(scriptKey(script))?.time;
  return time === undefined ? undefined : { time };
}
