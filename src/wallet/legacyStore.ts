import { byteName } from '../bytes/compare.ts';
import { withSecretKey } from '../crypto/concealed.ts';
import { hash160 } from '../crypto/hash.ts';
import { isValidPublicKey } from '../crypto/publicKey.ts';
import { scriptIdOf } from '../descriptors/scriptId.ts';
import type { KeyOrigin } from '../keys/origin.ts';
import { payToPubkey, payToPubkeyHash, payToWitness } from '../script/build.ts';
import { classifyScript, type ScriptTemplate, type TemplateRules } from '../script/template.ts';
import { signsForSize } from '../signing/creator.ts';
import { createKnowledge } from '../signing/knowledge.ts';
import { produce } from '../signing/produce.ts';
import { NO_PROVIDER, type Provider } from '../signing/provider.ts';
import type { SigningRules } from '../signing/rules.ts';
import { type KeyMetadata, type KeyStore, keyHashOf, type Ownership } from './keyStore.ts';
import { secretOf, type Vault } from './vault.ts';

/** Keys, scripts and watched outputs as wallets had them before descriptors, and how they are added. */
export interface LegacyStore extends KeyStore {
  readonly provider: Provider;
  readonly hasKey: (keyHash: Uint8Array) => boolean;
  readonly hasScript: (scriptHash: Uint8Array) => boolean;
  readonly isWatched: (scriptPubKey: Uint8Array) => boolean;
  /** Adds a key whose private key the vault holds. */
  readonly addKey: (publicKey: Uint8Array, time: number) => void;
  readonly addScript: (script: Uint8Array, time?: number) => void;
  readonly addPublicKey: (publicKey: Uint8Array, time: number) => void;
  readonly addOrigin: (publicKey: Uint8Array, origin: KeyOrigin) => void;
  readonly watch: (scriptPubKey: Uint8Array, time: number) => void;
  /** When the first key or watched output came, UNIX time; 0 where that is not known. */
  readonly firstTime: () => number;
  /** Forgets the times that a node does not write down: those of scripts, and of public keys without origins. */
  readonly forgetTimes: () => void;
}

interface Metadata {
  time?: number;
  origin?: KeyOrigin;
}

/** Where a script stands: alone, in P2SH, or in a witness. */
type Place = 'top' | 'p2sh' | 'witness';

/** Whose a script is; what is invalid is nobody's, even if it is watched. */
type Rank = Ownership | 'invalid';

/** Makes an empty store. @see Bitcoin Core 0.21 `LegacyScriptPubKeyMan` */
export function createLegacyStore(rules: SigningRules, vault: Vault): LegacyStore {
  const keys = new Map<string, Uint8Array>();
  const watchedKeys = new Map<string, Uint8Array>();
  const scripts = new Map<string, Uint8Array>();
  const watched = new Set<string>();
  const keyData = new Map<string, Metadata>();
  const scriptTimes = new Map<string, number>();
  const written = { keyData: new Map<string, Metadata>(), scriptTimes: new Map<string, number>() };
  /** Whose outputs were found to be, until keys or scripts are added. What is nobody's is most, and not kept. */
  const known = new Map<string, { readonly ownership: Ownership }>();

  const publicKeyOf = (hash: Uint8Array): Uint8Array | undefined =>
    keys.get(byteName(hash)) ?? watchedKeys.get(byteName(hash));
  const provider: Provider = {
    ...NO_PROVIDER,
    key: (hash) => {
      const publicKey = keys.get(byteName(hash));
      const secretKey = publicKey && secretOf(vault, publicKey);
      return secretKey && withSecretKey({ publicKey }, secretKey);
    },
    publicKey: publicKeyOf,
    // A key that nobody has said anything about is its own master.
    origin: (publicKey) => {
      const hash = hash160(publicKey);
      return keyData.get(byteName(hash))?.origin ?? { fingerprint: hash.slice(0, 4), path: [] };
    },
    script: (hash) => scripts.get(byteName(hash)),
  };
  const facts: OwnershipFacts = {
    templates: rules.templates,
    hasKey: (hash) => keys.has(byteName(hash)),
    isWatched: (script) => watched.has(byteName(script)),
    publicKeyOf,
    scriptOf: provider.script,
  };
  const dataOf = (hash: Uint8Array): Metadata => {
    const data = keyData.get(byteName(hash)) ?? {};
    keyData.set(byteName(hash), data);
    return data;
  };
  const writeDown = (hash: Uint8Array): void => {
    written.keyData.set(byteName(hash), { ...dataOf(hash) });
  };
  const learn = (publicKey: Uint8Array): void => {
    if (publicKey.length !== 33) return;
    const script = payToWitness(0, hash160(publicKey));
    scripts.set(byteName(hash160(script)), script);
  };
  const unwatch = (script: Uint8Array): void => {
    watched.delete(byteName(script));
  };
  const watch = (script: Uint8Array, time: number): void => {
    scriptTimes.set(byteName(hash160(script)), time);
    written.scriptTimes.set(byteName(hash160(script)), time);
    watched.add(byteName(script));
    const template = classifyScript(script, rules.templates);
    if (template.type !== 'pubkey' || !isValidPublicKey(template.pubkey)) return;
    watchedKeys.set(byteName(hash160(template.pubkey)), template.pubkey);
    learn(template.pubkey);
  };
  const changing =
    <A extends readonly unknown[]>(change: (...args: A) => void) =>
    (...args: A): void => {
      known.clear();
      change(...args);
    };
  const knowledgeOf = (script: Uint8Array): { readonly ownership: Ownership } | undefined => {
    const name = byteName(script);
    const before = known.get(name);
    if (before) return before;
    const ownership = rankOf(script, 'top', facts);
    if (ownership === 'no' || ownership === 'invalid') return undefined;
    const found = { ownership };
    known.set(name, found);
    return found;
  };
  return {
    provider,
    hasKey: facts.hasKey,
    hasScript: (hash) => scripts.has(byteName(hash)),
    isWatched: facts.isWatched,
    ownershipOf: (script) => knowledgeOf(script)?.ownership ?? 'no',
    knowledgeOf,
    providerFor: (script) => (canProvide(script, facts, provider, rules) ? provider : undefined),
    metadataOf: (script) => metadataOf(script, facts, { keyData, scriptTimes }),
    addKey: changing((publicKey, time) => {
      const hash = hash160(publicKey);
      keys.set(byteName(hash), publicKey);
      learn(publicKey);
      for (const script of [payToPubkeyHash(hash), payToPubkey(publicKey)]) unwatch(script);
      watchedKeys.delete(byteName(hash));
      dataOf(hash).time = time;
      writeDown(hash);
    }),
    addScript: changing((script, time) => {
      const name = byteName(hash160(script));
      if (time !== undefined && !scripts.has(name)) scriptTimes.set(name, time);
      scripts.set(name, script);
    }),
    addPublicKey: changing((publicKey, time) => {
      watch(payToPubkey(publicKey), time);
      dataOf(hash160(publicKey)).time = time;
    }),
    addOrigin: changing((publicKey, origin) => {
      dataOf(hash160(publicKey)).origin = origin;
      writeDown(hash160(publicKey));
    }),
    watch: changing(watch),
    firstTime: () => {
      let first: number | undefined;
      for (const time of scriptTimes.values()) first = Math.min(first ?? time, time);
      for (const { time = 0 } of keyData.values()) first = Math.min(first ?? time, time);
      return first ?? 0;
    },
    forgetTimes: () => {
      keyData.clear();
      for (const [name, data] of written.keyData) keyData.set(name, { ...data });
      scriptTimes.clear();
      for (const [name, time] of written.scriptTimes) scriptTimes.set(name, time);
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

/** @see Bitcoin Core 0.21 `IsMineInner` */
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
      if (place === 'top' && !knowsItself(template.program, facts)) return 'no';
      return rankOf(payToPubkeyHash(template.program), 'witness', facts);
    case 'witness_v0_scripthash':
      if (place === 'top' && !knowsItself(template.program, facts)) return 'no';
      return rankInside(scriptIdOf(template.program), 'witness', facts, recurses);
    default:
      return 'no';
  }
}

/** What can never be spent: uncompressed keys in witnesses, and wrappers in each other. */
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

/** Of an inner script; without recursion, knowing it is enough. */
function rankInside(hash: Uint8Array, place: Place, facts: OwnershipFacts, recurses: boolean): Rank {
  const script = facts.scriptOf(hash);
  if (!script) return 'no';
  return recurses ? rankOf(script, place, facts) : 'own';
}

/** Witness programs count only where they were stored as scripts themselves. */
const knowsItself = (program: Uint8Array, { scriptOf }: OwnershipFacts): boolean =>
  scriptOf(hash160(payToWitness(0, program))) !== undefined;

/** @see Bitcoin Core 0.21 `LegacyScriptPubKeyMan::CanProvide` */
function canProvide(script: Uint8Array, facts: OwnershipFacts, provider: Provider, rules: SigningRules): boolean {
  const rank = rankOf(script, 'top', facts, false);
  if (rank === 'own' || rank === 'watched') return true;
  const known = createKnowledge();
  produce({ provider, known, creator: signsForSize, rules }, script);
  return [...known.signatures.values()].some(({ publicKey }) => facts.hasKey(hash160(publicKey)));
}

/** By the key of an output, then by the output itself. @see Bitcoin Core 0.21 `LegacyScriptPubKeyMan::GetMetadata` */
function metadataOf(
  script: Uint8Array,
  facts: OwnershipFacts,
  {
    keyData,
    scriptTimes,
  }: { readonly keyData: ReadonlyMap<string, Metadata>; readonly scriptTimes: ReadonlyMap<string, number> },
): KeyMetadata | undefined {
  const hash = keyHashOf(script, facts);
  const data = hash && keyData.get(byteName(hash));
  if (data) return { time: data.time ?? 0, ...(data.origin && { origin: data.origin }) };
  const time = scriptTimes.get(byteName(hash160(script)));
  return time === undefined ? undefined : { time };
}
