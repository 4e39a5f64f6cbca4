import { bytesKey } from '../bytes/compare.ts';
import { withSecretKey } from '../crypto/concealed.ts';
import { hash160 } from '../crypto/hash.ts';
import { isValidPublicKey } from '../crypto/publicKey.ts';
import type { KeyOrigin } from '../keys/origin.ts';
import { payToPubkey, payToPubkeyHash, payToWitness } from '../script/build.ts';
import { classifyScript, type ScriptTemplate, type TemplateRules } from '../script/template.ts';
import { scriptIdOf } from '../script/unwrap.ts';
import { produceSignature } from '../signing/produceSignature.ts';
import { signsForSize } from '../signing/signatureCreator.ts';
import { createSignatureData } from '../signing/signatureData.ts';
import { NO_PROVIDER, type SigningProvider } from '../signing/signingProvider.ts';
import type { SigningRules } from '../signing/signingRules.ts';
import { type KeyMetadata, type KeyStore, keyHashOf, type Ownership } from './keyStore.ts';
import { secretOf, type Vault } from './vault.ts';

/** The keys, scripts and watch-only outputs of a legacy wallet. */
export interface LegacyStore extends KeyStore {
  readonly provider: SigningProvider;
  readonly hasKey: (keyHash: Uint8Array) => boolean;
  readonly hasScript: (scriptHash: Uint8Array) => boolean;
  readonly isWatched: (scriptPubKey: Uint8Array) => boolean;
  /** Adds the public key of a private key in the vault. */
  readonly addKey: (publicKey: Uint8Array, time: number) => void;
  readonly addScript: (script: Uint8Array, time?: number) => void;
  readonly addPublicKey: (publicKey: Uint8Array, time: number) => void;
  readonly addOrigin: (publicKey: Uint8Array, origin: KeyOrigin) => void;
  readonly watch: (scriptPubKey: Uint8Array, time: number) => void;
  /** Returns the earliest birth time of keys and scripts, UNIX time; 0 if unknown. */
  readonly firstTime: () => number;
  /** Forgets the times that a node keeps in memory only: those of scripts, and of public keys without origins. */
  readonly forgetTimes: () => void;
}

interface Metadata {
  time?: number;
  origin?: KeyOrigin;
}

/** The context of a script. @see Bitcoin Core 0.21 `IsMineSigVersion` */
type Place = 'top' | 'p2sh' | 'witness';

/**
 * The ownership of a script; an invalid one is never the wallet's, even if watched.
 * @see Bitcoin Core 0.21 `IsMineResult`
 */
type Rank = Ownership | 'invalid';

/** Creates an empty store. @see Bitcoin Core 0.21 `LegacyScriptPubKeyMan` */
export function createLegacyStore(rules: SigningRules, vault: Vault): LegacyStore {
  const keys = new Map<string, Uint8Array>();
  const watchedKeys = new Map<string, Uint8Array>();
  const scripts = new Map<string, Uint8Array>();
  const watched = new Set<string>();
  const keyData = new Map<string, Metadata>();
  const scriptTimes = new Map<string, number>();
  const persisted = { keyData: new Map<string, Metadata>(), scriptTimes: new Map<string, number>() };
  /** Caches ownership until keys or scripts are added; scripts of others, the majority, are not cached. */
  const known = new Map<string, { readonly ownership: Ownership }>();

  const publicKeyOf = (hash: Uint8Array): Uint8Array | undefined =>
    keys.get(bytesKey(hash)) ?? watchedKeys.get(bytesKey(hash));
  const provider: SigningProvider = {
    ...NO_PROVIDER,
    key: (hash) => {
      const publicKey = keys.get(bytesKey(hash));
      const secretKey = publicKey && secretOf(vault, publicKey);
      return secretKey && withSecretKey({ publicKey }, secretKey);
    },
    publicKey: publicKeyOf,
    // Without a recorded origin, a key is its own master, with an empty path.
    origin: (publicKey) => {
      const hash = hash160(publicKey);
      return keyData.get(bytesKey(hash))?.origin ?? { fingerprint: hash.slice(0, 4), path: [] };
    },
    script: (hash) => scripts.get(bytesKey(hash)),
  };
  const facts: OwnershipFacts = {
    templates: rules.templates,
    hasKey: (hash) => keys.has(bytesKey(hash)),
    isWatched: (script) => watched.has(bytesKey(script)),
    publicKeyOf,
    scriptOf: provider.script,
  };
  const dataOf = (hash: Uint8Array): Metadata => {
    const data = keyData.get(bytesKey(hash)) ?? {};
    keyData.set(bytesKey(hash), data);
    return data;
  };
  const persist = (hash: Uint8Array): void => {
    persisted.keyData.set(bytesKey(hash), { ...dataOf(hash) });
  };
  const learnRelatedScript = (publicKey: Uint8Array): void => {
    if (publicKey.length !== 33) return;
    const script = payToWitness(0, hash160(publicKey));
    scripts.set(bytesKey(hash160(script)), script);
  };
  const unwatch = (script: Uint8Array): void => {
    watched.delete(bytesKey(script));
  };
  const watch = (script: Uint8Array, time: number): void => {
    scriptTimes.set(bytesKey(hash160(script)), time);
    persisted.scriptTimes.set(bytesKey(hash160(script)), time);
    watched.add(bytesKey(script));
    const template = classifyScript(script, rules.templates);
    if (template.type !== 'pubkey' || !isValidPublicKey(template.pubkey)) return;
    watchedKeys.set(bytesKey(hash160(template.pubkey)), template.pubkey);
    learnRelatedScript(template.pubkey);
  };
  const clearingCache =
    <A extends readonly unknown[]>(change: (...args: A) => void) =>
    (...args: A): void => {
      known.clear();
      change(...args);
    };
  const knowledgeOf = (script: Uint8Array): { readonly ownership: Ownership } | undefined => {
    const key = bytesKey(script);
    const before = known.get(key);
    if (before) return before;
    const ownership = rankOf(script, 'top', facts);
    if (ownership === 'no' || ownership === 'invalid') return undefined;
    const found = { ownership };
    known.set(key, found);
    return found;
  };
  return {
    provider,
    hasKey: facts.hasKey,
    hasScript: (hash) => scripts.has(bytesKey(hash)),
    isWatched: facts.isWatched,
    ownershipOf: (script) => knowledgeOf(script)?.ownership ?? 'no',
    knowledgeOf,
    providerFor: (script) => (canProvide(script, facts, provider, rules) ? provider : undefined),
    metadataOf: (script) => metadataOf(script, facts, { keyData, scriptTimes }),
    addKey: clearingCache((publicKey, time) => {
      const hash = hash160(publicKey);
      keys.set(bytesKey(hash), publicKey);
      learnRelatedScript(publicKey);
      for (const script of [payToPubkeyHash(hash), payToPubkey(publicKey)]) unwatch(script);
      watchedKeys.delete(bytesKey(hash));
      dataOf(hash).time = time;
      persist(hash);
    }),
    addScript: clearingCache((script, time) => {
      const key = bytesKey(hash160(script));
      if (time !== undefined && !scripts.has(key)) scriptTimes.set(key, time);
      scripts.set(key, script);
    }),
    addPublicKey: clearingCache((publicKey, time) => {
      watch(payToPubkey(publicKey), time);
      dataOf(hash160(publicKey)).time = time;
    }),
    addOrigin: clearingCache((publicKey, origin) => {
      dataOf(hash160(publicKey)).origin = origin;
      persist(hash160(publicKey));
    }),
    watch: clearingCache(watch),
    firstTime: () => {
      let first: number | undefined;
      for (const time of scriptTimes.values()) first = Math.min(first ?? time, time);
      for (const { time = 0 } of keyData.values()) first = Math.min(first ?? time, time);
      return first ?? 0;
    },
    forgetTimes: () => {
      keyData.clear();
      for (const [name, data] of persisted.keyData) keyData.set(name, { ...data });
      scriptTimes.clear();
      for (const [name, time] of persisted.scriptTimes) scriptTimes.set(name, time);
    },
  };
}

interface OwnershipFacts {
  readonly templates: TemplateRules;
  readonly hasKey: (hash: Uint8Array) => boolean;
  readonly isWatched: (script: Uint8Array) => boolean;
  readonly publicKeyOf: (hash: Uint8Array) => Uint8Array | undefined;
  readonly scriptOf: (hash: Uint8Array) => Uint8Array | undefined;
}

/** Computes the ownership of a script. @see Bitcoin Core 0.21 `IsMineInner` */
function rankOf(script: Uint8Array, place: Place, facts: OwnershipFacts, recurses = true): Rank {
  const template = classifyScript(script, facts.templates);
  const rank = rankOfTemplate(template, place, facts, recurses);
  return rank === 'no' && facts.isWatched(script) ? 'watched' : rank;
}

function rankOfTemplate(template: ScriptTemplate, place: Place, facts: OwnershipFacts, recurses: boolean): Rank {
  if (isInvalidIn(place, template, facts)) return 'invalid';
  switch (template.type) {
    case 'pubkey':
      return rankOfKey(hash160(template.pubkey), facts);
    case 'pubkeyhash':
      return rankOfKey(template.hash, facts);
    case 'multisig':
      return place !== 'top' && template.pubkeys.every((key) => facts.hasKey(hash160(key))) ? 'own' : 'no';
    case 'scripthash':
      return rankInside(template.hash, 'p2sh', facts, recurses);
    case 'witness_v0_keyhash':
      if (place === 'top' && !hasProgramScript(template.program, facts)) return 'no';
      return rankOf(payToPubkeyHash(template.program), 'witness', facts);
    case 'witness_v0_scripthash':
      if (place === 'top' && !hasProgramScript(template.program, facts)) return 'no';
      return rankInside(scriptIdOf(template.program), 'witness', facts, recurses);
    default:
      return 'no';
  }
}

/** Tells whether a template can never be spent: uncompressed keys in witnesses, and improperly nested wrappers. */
function isInvalidIn(place: Place, template: ScriptTemplate, { publicKeyOf }: OwnershipFacts): boolean {
  if (template.type === 'scripthash') return place !== 'top';
  if (place !== 'witness') return false;
  switch (template.type) {
    case 'pubkey':
      return template.pubkey.length !== 33;
    case 'pubkeyhash':
      return (publicKeyOf(template.hash)?.length ?? 33) !== 33;
    case 'multisig':
      return template.pubkeys.some(({ length }) => length !== 33);
    default:
      return template.type === 'witness_v0_keyhash' || template.type === 'witness_v0_scripthash';
  }
}

const rankOfKey = (hash: Uint8Array, { hasKey }: OwnershipFacts): Rank => (hasKey(hash) ? 'own' : 'no');

/** Computes the ownership of an inner script; without recursion, a known script is the wallet's own. */
function rankInside(hash: Uint8Array, place: Place, facts: OwnershipFacts, recurses: boolean): Rank {
  const script = facts.scriptOf(hash);
  if (!script) return 'no';
  return recurses ? rankOf(script, place, facts) : 'own';
}

/** Tells whether the store has the witness program itself as a script: other bare witness outputs are not its own. */
const hasProgramScript = (program: Uint8Array, { scriptOf }: OwnershipFacts): boolean =>
  scriptOf(hash160(payToWitness(0, program))) !== undefined;

/**
 * Tells whether the store can help to solve or sign a script.
 * @see Bitcoin Core 0.21 `LegacyScriptPubKeyMan::CanProvide`
 */
function canProvide(
  script: Uint8Array,
  facts: OwnershipFacts,
  provider: SigningProvider,
  rules: SigningRules,
): boolean {
  const rank = rankOf(script, 'top', facts, false);
  if (rank === 'own' || rank === 'watched') return true;
  const known = createSignatureData();
  produceSignature({ provider, known, creator: signsForSize, rules }, script);
  return [...known.signatures.values()].some(({ publicKey }) => facts.hasKey(hash160(publicKey)));
}

/**
 * Returns the metadata of an output's key, otherwise of the output itself.
 * @see Bitcoin Core 0.21 `LegacyScriptPubKeyMan::GetMetadata`
 */
function metadataOf(
  script: Uint8Array,
  facts: OwnershipFacts,
  {
    keyData,
    scriptTimes,
  }: { readonly keyData: ReadonlyMap<string, Metadata>; readonly scriptTimes: ReadonlyMap<string, number> },
): KeyMetadata | undefined {
  const hash = keyHashOf(script, facts);
  const data = hash && keyData.get(bytesKey(hash));
  if (data) return { time: data.time ?? 0, ...(data.origin && { origin: data.origin }) };
  const time = scriptTimes.get(bytesKey(hash160(script)));
  return time === undefined ? undefined : { time };
}
