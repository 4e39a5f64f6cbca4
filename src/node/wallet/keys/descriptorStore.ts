import { bytesKey, equalBytes } from '../../../core/bytes/compare.ts';
import type { Ecc } from '../../../core/crypto/ecc.ts';
import { createDeriver, type Derived, isRanged } from '../../../core/descriptors/derive.ts';
import { formatDescriptor } from '../../../core/descriptors/formatDescriptor.ts';
import { withKeys, withoutMarks } from '../../../core/descriptors/keyExpressions.ts';
import type { Descriptor, KeyExpression } from '../../../core/descriptors/types.ts';
import type { Network } from '../../../core/network/networks.ts';
import type { ScriptKey } from '../../../core/script/scriptKey.ts';
import { classifyScript, type TemplateRules } from '../../../core/script/template.ts';
import { createDescriptorProvider, type SigningProvider } from '../../../core/signing/signingProvider.ts';
import type { NodeRules } from '../rules.ts';
import {
  type ActiveDescriptors,
  createActiveDescriptors,
  type OutputKind,
  outputKind,
  type Side,
} from './activeDescriptors.ts';
import { type Derivations, MAX_END, type ScriptsAt } from './derivations.ts';
import { type NamedKey, providerOfKeys, providersOfAll, type Spending } from './descriptorSigning.ts';
import { createHardenedKeys, type HardenedKeys, hasHardenedWildcard } from './hardenedKeys.ts';
import { type KeyMetadata, type KeyStore, keyHashFor } from './keyStore.ts';
import {
  addSecrets,
  type DescriptorImport,
  type OwnedDescriptor,
  type Place,
  withVaultSecrets,
} from './ownedDescriptor.ts';
import { createOwnedScripts, lowestIndex, type OwnedScripts } from './ownedScripts.ts';
import { isLocked, type Vault } from './vault.ts';

interface ImportTerms {
  readonly isActive: boolean;
  readonly side: Side;
  /** Public keys of the imported private keys. */
  readonly held: readonly Uint8Array[];
}

export interface DescriptorStore extends KeyStore {
  readonly descriptors: () => readonly OwnedDescriptor[];
  readonly find: (descriptor: Descriptor) => OwnedDescriptor | undefined;
  /** Adds a descriptor, or the terms of a known one, which keeps its private keys. @returns whether it is new */
  readonly add: (imported: DescriptorImport, terms: ImportTerms) => boolean;
  readonly findSide: (owned: OwnedDescriptor) => Side | undefined;
  /** @see Bitcoin Core 31 `GetKeyPoolSize` */
  readonly keypoolSize: (side: Side) => number;
  readonly hasActive: (side: Side) => boolean;
  /**
   * Returns the script of the next unused index; `lacking` without an active descriptor, `used up` if the index needs a
   * locked private key.
   */
  readonly nextScript: (side: Side, kind: OutputKind) => Uint8Array | 'lacking' | 'used up';
  /** Marks the index as used, too. */
  readonly takeScript: (side: Side, kind: OutputKind) => Uint8Array | undefined;
  readonly findPlaces: (scriptPubKey: Uint8Array) => readonly Place[];
  /** Confirms each descriptor by derivation. */
  readonly findOwners: (scriptPubKey: Uint8Array) => readonly OwnedDescriptor[];
  /** Marks an index, and all before it, as used. @returns those unused until now */
  readonly use: (place: Place) => readonly number[];
  readonly privateText: (owned: OwnedDescriptor) => string;
  /** Returns providers with private keys, to sign with one after the other. */
  readonly signingProviders: (scriptPubKeys: readonly Uint8Array[]) => readonly SigningProvider[];
  /** Includes private keys; `undefined` for foreign outputs. */
  readonly spendingProvider: (scriptPubKey: Uint8Array) => SigningProvider | undefined;
  readonly providerOfKeys: (keys: readonly NamedKey[]) => SigningProvider;
  readonly canTopUpActive: () => boolean;
  /**
   * Adds the indexes that Core adds when a wallet is unlocked, or up to `size` unused ones. A wallet loaded while
   * locked lacks some if a range does not begin at 0.
   * @see Bitcoin Core 31 `TopUpKeyPool`
   */
  readonly topUpActive: (size?: number) => void;
  /** Returns the keys of the scripts that became the wallet's since the last call. */
  readonly takeAdded: () => readonly ScriptKey[];
  /** Tells whether there may be any, without deriving them. */
  readonly hasAdded: () => boolean;
  readonly forgetAdded: () => void;
  readonly addHardenedKeys: HardenedKeys['add'];
  readonly takeHardenedKeys: HardenedKeys['takeNoted'];
  /** Drops what Core keeps in memory only, as loading does. */
  readonly reload: () => void;
}

/** Indexes watched beyond the last used one. @see Bitcoin Core `-keypool` */
const LOOKAHEAD = 1000;
/** Exclusive. */
const MAX_KEPT = 10_000;

export interface StoreParts {
  readonly rules: NodeRules;
  readonly network: Network;
  readonly ecc: Ecc;
  readonly derivations: Derivations;
}

interface Contents extends StoreParts {
  readonly byId: Map<string, OwnedDescriptor>;
  readonly scripts: OwnedScripts;
  readonly active: ActiveDescriptors;
  readonly hardened: HardenedKeys;
  readonly vault: Vault;
  readonly kept: Map<string, Derived>;
}

/** @see Bitcoin Core `DescriptorScriptPubKeyMan` */
export function createDescriptorStore(parts: StoreParts, vault: Vault): DescriptorStore {
  const scripts = createOwnedScripts();
  const active = createActiveDescriptors();
  const hardened = createHardenedKeys(parts.ecc);
  const contents: Contents = { ...parts, byId: new Map(), scripts, active, hardened, vault, kept: new Map() };
  const { findPlaces } = scripts;
  const topUpActive = (size?: number): void => {
    for (const owned of allActive(contents)) topUp(contents, owned, size);
  };
  const toSpending = (place: Place): Spending => ({
    owned: place.owned,
    derived: addSecrets(derivedAt(contents, place), place, contents),
  });
  return {
    descriptors: () => [...contents.byId.values()],
    find: (descriptor) => contents.byId.get(descriptorId(descriptor, parts.network)),
    findSide: ({ id }) => active.findSide(id),
    keypoolSize: (side) => activeOn(contents, side).reduce((sum, { source: { end, next } }) => sum + end - next, 0),
    hasActive: (side) => active.on(side).length > 0,
    nextScript: (side, kind) => nextScript(contents, activeFor(contents, side, kind)),
    takeScript: (side, kind) => takeScript(contents, activeFor(contents, side, kind)),
    add: (imported, terms) => add(contents, imported, terms),
    findOwnership: (script) => (findPlaces(script).length > 0 ? 'own' : 'no'),
    scriptPubKeys: scripts.scriptPubKeys,
    factsKey: scripts.factsKey,
    findPlaces,
    findOwners: (script) => derivedPlaces(contents, script).map((place) => place.owned),
    use: (place) => use(contents, place),
    canTopUpActive: () => allActive(contents).some((owned) => scripts.isBelow(owned, rangeEnd(owned))),
    topUpActive,
    takeAdded: scripts.takeAdded,
    hasAdded: scripts.hasAdded,
    forgetAdded: scripts.forgetAdded,
    addHardenedKeys: hardened.add,
    takeHardenedKeys: hardened.takeNoted,
    reload: () => {
      for (const { source } of contents.byId.values()) ownedFrom(contents, asSaved(source));
      scripts.reload();
      active.reload();
      if (!isLocked(vault)) topUpActive();
    },
    providerFor: (script) => {
      const [place] = derivedPlaces(contents, script);
      return place && createDescriptorProvider([derivedAt(contents, place)]);
    },
    signingProviders: (spent) =>
      providersOfAll(spent.flatMap((script) => derivedPlaces(contents, script).map((place) => toSpending(place)))),
    spendingProvider: (script) => {
      const places = derivedPlaces(contents, script);
      return places.length > 0 ? createDescriptorProvider(places.map((place) => toSpending(place).derived)) : undefined;
    },
    providerOfKeys: (keys) => providerOfKeys(keys, [...contents.byId.values()], (place) => toSpending(place).derived),
    privateText: (owned) => formatDescriptor(withVaultSecrets(owned, vault), parts.network, { isPrivate: true }),
    findMetadata: (script) => findMetadata(contents, script),
  };
}

/** @see Bitcoin Core `DescriptorID` */
const descriptorId = (descriptor: Descriptor, network: Network): string =>
  formatDescriptor(withoutMarks(descriptor), network);

function add(contents: Contents, imported: DescriptorImport, { isActive, side, held }: ImportTerms): boolean {
  const { byId, scripts, active } = contents;
  const owned = ownedFrom(contents, imported);
  const isNew = !byId.has(owned.id);
  byId.set(owned.id, owned);
  for (const publicKey of held) owned.held.add(bytesKey(publicKey));
  scripts.begin(owned);
  topUp(contents, owned);
  const kind = outputKind(imported.descriptor);
  if (kind) active[isActive ? 'activate' : 'deactivate'](owned.id, kind, side);
  return isNew;
}

const activeOn = ({ active, byId }: Contents, side: Side): readonly OwnedDescriptor[] =>
  active.on(side).flatMap((id) => byId.get(id) ?? []);

const allActive = (contents: Contents): readonly OwnedDescriptor[] => [
  ...activeOn(contents, 'external'),
  ...activeOn(contents, 'internal'),
];

const activeFor = ({ active, byId }: Contents, side: Side, kind: OutputKind): OwnedDescriptor | undefined =>
  byId.get(active.get(kind, side) ?? '');

function nextScript(contents: Contents, owned: OwnedDescriptor | undefined): ReturnType<DescriptorStore['nextScript']> {
  if (!owned) return 'lacking';
  const index = owned.source.next;
  if (owned.isHardened && !contents.hardened.has(owned.text, index)) return 'used up';
  return derivedAt(contents, { owned, index }).scriptPubKeys[0] ?? 'lacking';
}

function takeScript(contents: Contents, owned: OwnedDescriptor | undefined): Uint8Array | undefined {
  const script = nextScript(contents, owned);
  if (!owned || !(script instanceof Uint8Array)) return undefined;
  topUp(contents, owned);
  owned.source = { ...owned.source, next: owned.source.next + 1 };
  return script;
}

/** Makes a descriptor, or gives a known one its new terms. */
function ownedFrom(contents: Contents, imported: DescriptorImport): OwnedDescriptor {
  const { byId, kept, network, ecc, derivations, hardened } = contents;
  const id = descriptorId(imported.descriptor, network);
  const text = formatDescriptor(imported.normalized, network);
  const isHardened = hasHardenedWildcard(imported.normalized);
  const derive = isHardened
    ? (index: number): Derived => hardened.deriveAt(text, imported.normalized, index)
    : createDeriver(imported.normalized, ecc);
  const scriptsAt: ScriptsAt = (index) => (isHardened && !hardened.has(text, index) ? [] : derive(index).scriptPubKeys);
  const hasRange = isRanged(imported.descriptor);
  const parts = {
    source: imported,
    text,
    derive,
    scriptsAt: hasRange ? derivations.cacheScripts(text, scriptsAt) : scriptsAt,
  };
  const existing = byId.get(id);
  if (!existing) return { id, isRanged: hasRange, isHardened, held: new Set(), ...parts };
  kept.clear();
  return Object.assign(existing, parts);
}

/**
 * Returns an import as the wallet file keeps it: as text, in which an x-only key reads as even.
 * @see Bitcoin Core 31 `WalletDescriptor::DeserializeDescriptor`
 */
function asSaved(imported: DescriptorImport): DescriptorImport {
  const { descriptor, normalized } = imported;
  return { ...imported, descriptor: withKeys(descriptor, asEven), normalized: withKeys(normalized, asEven) };
}

const asEven = (key: KeyExpression): KeyExpression =>
  key.kind === 'fixed' && key.isXOnly ? { ...key, publicKey: Uint8Array.of(0x02, ...key.publicKey.subarray(1)) } : key;

function use(contents: Contents, { owned, index }: Place): readonly number[] {
  const { next } = owned.source;
  const used = Array.from({ length: Math.max(0, index + 1 - next) }, (_, i) => next + i);
  if (used.length > 0) owned.source = { ...owned.source, next: index + 1 };
  topUp(contents, owned);
  return used;
}

const rangeEnd = ({ isRanged: hasRange, source: { next, end } }: OwnedDescriptor, size: number = LOOKAHEAD): number =>
  hasRange ? Math.min(Math.max(next + size, end), MAX_END) : 1;

/** Adds indexes, unless their keys need a locked private key. */
function topUp({ scripts, hardened, vault }: Contents, owned: OwnedDescriptor, size?: number): void {
  const end = rangeEnd(owned, size);
  const range = { lowest: lowestIndex(owned), end };
  if (owned.isHardened && !hardened.extend(owned.text, range, () => withVaultSecrets(owned, vault))) return;
  scripts.topUp(owned, end);
  owned.source = { ...owned.source, end };
}

function derivedAt({ kept }: Contents, { owned, index }: Place): Derived {
  const key = `${index} ${owned.id}`;
  const cached = kept.get(key);
  if (cached) return cached;
  const derived = owned.derive(index);
  if (kept.size >= MAX_KEPT) kept.clear();
  kept.set(key, derived);
  return derived;
}

/** Returns the places that derivation confirms; a log of derivations may claim others. */
function derivedPlaces(contents: Contents, script: Uint8Array): readonly Place[] {
  const isThere = (place: Place): boolean =>
    derivedAt(contents, place).scriptPubKeys.some((derived) => equalBytes(derived, script));
  return contents.scripts.findPlaces(script).filter(isThere);
}

function findMetadata(contents: Contents, script: Uint8Array): KeyMetadata | undefined {
  const [place] = derivedPlaces(contents, script);
  if (!place) return undefined;
  const provider = createDescriptorProvider([derivedAt(contents, place)]);
  const origin = findOrigin(script, provider, contents.rules.signing.templates);
  return origin && { time: place.owned.source.timestamp, origin };
}

/** Finds the origin of a single-key output. @see Bitcoin Core `GetKeyForDestination` */
function findOrigin(script: Uint8Array, provider: SigningProvider, templates: TemplateRules): KeyMetadata['origin'] {
  const template = classifyScript(script, templates);
  if (template.type === 'witness_v1_taproot') {
    const spend = provider.taproot(template.program);
    return spend && !spend.merkleRoot ? provider.xOnlyOrigin(spend.internalKey) : undefined;
  }
  const hash = keyHashFor(script, { templates, findScript: provider.script });
  const publicKey = hash && provider.publicKey(hash);
  return publicKey && provider.origin(publicKey);
}
