import { bytesKey, equalBytes, parseBytesKey } from '../../../core/bytes/compare.ts';
import { encodeUtf8 } from '../../../core/bytes/utf8.ts';
import type { Ecc } from '../../../core/crypto/ecc.ts';
import { sha256 } from '../../../core/crypto/hash.ts';
import type { Derived } from '../../../core/descriptors/derive.ts';
import { formatDescriptor } from '../../../core/descriptors/formatDescriptor.ts';
import { withKeys } from '../../../core/descriptors/keyExpressions.ts';
import type { Descriptor, KeyExpression } from '../../../core/descriptors/types.ts';
import type { Network } from '../../../core/network/networks.ts';
import type { ScriptKey } from '../../../core/script/scriptKey.ts';
import { classifyScript, type TemplateRules } from '../../../core/script/template.ts';
import { createDescriptorProvider, type SigningProvider } from '../../../core/signing/signingProvider.ts';
import { bytesCodec } from '../../store/codecs.ts';
import { KINDS } from '../../store/kinds.ts';
import { orderKey } from '../../store/orderKey.ts';
import type { OpenTable, Table } from '../../store/tables.ts';
import type { NodeRules } from '../rules.ts';
import {
  activate,
  deactivate,
  type NoAddress,
  type OutputKind,
  outputKind,
  reloadRoles,
  type SavedRoles,
  SIDES,
  type Side,
} from './activeDescriptors.ts';
import { type NamedKey, providerOfKeys, providersOfAll, type Spending } from './descriptorSigning.ts';
import { createHardenedKeys, publicKeysCodec } from './hardenedKeys.ts';
import { type KeyMetadata, type KeyStore, keyHashFor } from './keyStore.ts';
import {
  addSecrets,
  type DescriptorImport,
  type DescriptorParts,
  type DescriptorTerms,
  descriptorCodec,
  descriptorId,
  type OwnedDescriptor,
  ownedDescriptor,
  type Place,
  withVaultSecrets,
} from './ownedDescriptor.ts';
import {
  createOwnedScripts,
  fromIndex,
  isEmpty,
  lowestIndex,
  NO_INDEXES,
  type OwnedScripts,
  placesCodec,
  type ScriptPlace,
  toppedUp,
} from './ownedScripts.ts';
import type { Settings } from './settings.ts';
import { hasSecret, isLocked, type Vault } from './vault.ts';

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
  /** Returns the script of the next unused index. */
  readonly nextScript: (side: Side, kind: OutputKind) => Uint8Array | NoAddress;
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
  /** Derives the scripts of new indexes if others have been derived, so that the next query need not. */
  readonly deriveMore: () => void;
  /** Drops what Core keeps in memory only, as loading does. */
  readonly reload: () => void;
  /** Takes in descriptors that were copied without their scripts. */
  readonly reindex: () => void;
}

const MAX_END = 2 ** 31;
/** The most derivations kept for each descriptor. */
const MAX_KEPT = 10_000;
/** The most records kept decoded. */
const KEPT = 10_000;

type DescriptorSettings = Settings<SavedRoles & { readonly descriptorCount: number }>;

export interface StoreParts {
  readonly rules: NodeRules;
  readonly network: Network;
  readonly ecc: Ecc;
  readonly table: OpenTable;
  readonly settings: DescriptorSettings;
  /** Receives the scripts that became the wallet's. */
  readonly onAdded: (scripts: readonly ScriptKey[]) => void;
}

interface Contents extends DescriptorParts {
  readonly settings: DescriptorSettings;
  /** By the {@link orderKey} of the number. */
  readonly descriptors: Table<string, OwnedDescriptor>;
  /** The keys of `descriptors`, by a hash of the id. */
  readonly numbers: Table<string, Uint8Array>;
  readonly scripts: OwnedScripts;
  readonly vault: Vault;
  readonly kept: WeakMap<OwnedDescriptor['derive'], Map<number, Derived>>;
}

/** @see Bitcoin Core `DescriptorScriptPubKeyMan` */
export function createDescriptorStore(
  { table, settings, onAdded, ...parts }: StoreParts,
  vault: Vault,
): DescriptorStore {
  const hardened = createHardenedKeys(table(KINDS['hardened keys'], publicKeysCodec, KEPT), parts.ecc);
  const shared: DescriptorParts = { ...parts, hardened };
  const descriptors: Contents['descriptors'] = table(
    KINDS.descriptor,
    descriptorCodec(shared),
    Number.POSITIVE_INFINITY,
  );
  const scripts = createOwnedScripts({
    places: table(KINDS['own script'], placesCodec, Number.POSITIVE_INFINITY),
    descriptors: () => allDescriptors(contents),
    find: (number) => descriptors.get(orderKey(number)),
    setDerived: (owned, derived) => put(contents, { ...owned, derived }),
    scriptsAt: ({ isHardened, number, derive }, index) =>
      isHardened && !hardened.has(number, index) ? [] : derive(index).scriptPubKeys,
    onAdded,
  });
  const contents: Contents = {
    ...shared,
    settings,
    descriptors,
    numbers: table(KINDS['descriptor by text'], bytesCodec, KEPT),
    scripts,
    vault,
    kept: new WeakMap(),
  };
  const findPlaces = (script: Uint8Array): readonly Place[] =>
    scripts.findPlaces(script).flatMap(({ number, index }) => {
      const owned = descriptors.get(orderKey(number));
      return owned ? [{ owned, index }] : [];
    });
  const topUpActive = (size?: number): void => {
    for (const owned of allActive(contents)) topUp(contents, owned, size);
  };
  const toSpending = (place: Place): Spending => ({
    owned: place.owned,
    derived: addSecrets(derivedAt(contents, place), place, { ...shared, vault }),
  });
  /** Only the places that derivation confirms: the records may claim others. */
  const derivedPlaces = (script: Uint8Array): readonly Place[] =>
    findPlaces(script).filter((place) =>
      derivedAt(contents, place).scriptPubKeys.some((derived) => equalBytes(derived, script)),
    );
  return {
    descriptors: () => allDescriptors(contents),
    find: (descriptor) => find(contents, descriptor),
    findSide: ({ number }) => SIDES.find((side) => Object.values(settings.row.roles[side]).includes(number)),
    keypoolSize: (side) => activeOn(contents, side).reduce((sum, { source: { end, next } }) => sum + end - next, 0),
    hasActive: (side) => activeOn(contents, side).length > 0,
    nextScript: (side, kind) => nextScript(contents, activeFor(contents, side, kind)),
    takeScript: (side, kind) => takeScript(contents, activeFor(contents, side, kind)),
    add: (imported, terms) => add(contents, imported, terms),
    findOwnership: (script) => (scripts.findPlaces(script).length > 0 ? 'own' : 'no'),
    scriptPubKeys: scripts.scriptPubKeys,
    factsKey: createFactsKeys(scripts.placeList, ({ number }) => descriptors.get(orderKey(number))?.derive),
    findPlaces,
    findOwners: (script) => derivedPlaces(script).map((place) => place.owned),
    use: ({ owned: { number }, index }) => use(contents, number, index),
    canTopUpActive: () => allActive(contents).some((owned) => owned.counted < rangeEnd(owned, parts.rules.keypool)),
    topUpActive,
    deriveMore: scripts.deriveMore,
    forgetCaches: scripts.forgetCaches,
    lacksSecret: () =>
      allDescriptors(contents).some(({ held }) => [...held].some((name) => !hasSecret(vault, parseBytesKey(name)))),
    *faults() {
      if (allDescriptors(contents).length < settings.row.descriptorCount) yield 'lacks a descriptor';
      for (const { number, id } of allDescriptors(contents)) {
        if (contents.numbers.get(idKey(id)) === undefined) yield `does not find its descriptor ${number}`;
      }
      yield* scripts.faults();
    },
    reload: () => {
      for (const owned of allDescriptors(contents)) reload(contents, owned);
      reloadRoles(settings);
      if (!isLocked(vault)) topUpActive();
    },
    reindex: () => {
      settings.change({ descriptorCount: allDescriptors(contents).length });
      for (const owned of allDescriptors(contents)) {
        put(contents, ownedDescriptor({ ...owned, derived: NO_INDEXES }, contents));
        contents.numbers.set(idKey(owned.id), parseBytesKey(orderKey(owned.number)));
      }
    },
    providerFor: (script) => {
      const [place] = derivedPlaces(script);
      return place && createDescriptorProvider([derivedAt(contents, place)]);
    },
    signingProviders: (spent) =>
      providersOfAll(spent.flatMap((script) => derivedPlaces(script).map((place) => toSpending(place)))),
    spendingProvider: (script) => {
      const places = derivedPlaces(script);
      return places.length > 0 ? createDescriptorProvider(places.map((place) => toSpending(place).derived)) : undefined;
    },
    providerOfKeys: (keys) =>
      providerOfKeys(keys, allDescriptors(contents), { findPlaces, spendingAt: (place) => toSpending(place).derived }),
    privateText: (owned) => formatDescriptor(withVaultSecrets(owned, vault), parts.network, { isPrivate: true }),
    findMetadata: (script) => {
      const [place] = derivedPlaces(script);
      if (!place) return undefined;
      const provider = createDescriptorProvider([derivedAt(contents, place)]);
      const origin = findOrigin(script, provider, parts.rules.signing.templates);
      return origin && { time: place.owned.source.timestamp, origin };
    },
  };
}

/**
 * The facts of an output follow from its places and from the descriptors there, which loading a wallet and importing
 * again replace, each with a deriver of its own.
 */
function createFactsKeys(
  placesOf: (script: Uint8Array) => readonly ScriptPlace[] | undefined,
  deriverAt: (place: ScriptPlace) => OwnedDescriptor['derive'] | undefined,
): KeyStore['factsKey'] {
  const keys = new WeakMap<readonly ScriptPlace[], readonly unknown[]>();
  return (script) => {
    const places = placesOf(script);
    if (!places) return undefined;
    const derivers = places.map(deriverAt);
    const last = keys.get(places);
    if (last?.every((deriver, i) => deriver === derivers[i])) return last;
    keys.set(places, derivers);
    return derivers;
  };
}

const allDescriptors = ({ descriptors }: Contents): readonly OwnedDescriptor[] =>
  [...descriptors.entries()].map(([, owned]) => owned);

const idKey = (id: string): string => bytesKey(sha256(encodeUtf8(id)));

function find({ descriptors, numbers, network }: Contents, descriptor: Descriptor): OwnedDescriptor | undefined {
  const number = numbers.get(idKey(descriptorId(descriptor, network)));
  return number && descriptors.get(bytesKey(number));
}

function put({ descriptors, scripts }: Contents, owned: OwnedDescriptor): OwnedDescriptor {
  descriptors.set(orderKey(owned.number), owned);
  scripts.expectMore(owned.number);
  return owned;
}

const withSource = (
  owned: OwnedDescriptor,
  source: Partial<Pick<DescriptorImport, 'end' | 'next'>>,
): OwnedDescriptor => ({
  ...owned,
  source: { ...owned.source, ...source },
});

function add(contents: Contents, imported: DescriptorImport, { isActive, side, held }: ImportTerms): boolean {
  const { numbers, settings } = contents;
  const existing = find(contents, imported.descriptor);
  const terms: DescriptorTerms = existing ?? {
    number: settings.row.descriptorCount,
    source: imported,
    held: new Set(),
    watched: NO_INDEXES,
    counted: 0,
    derived: NO_INDEXES,
  };
  const { number } = terms;
  const owned = ownedDescriptor(
    {
      ...terms,
      source: imported,
      held: new Set([...terms.held, ...held.map((key) => bytesKey(key))]),
      // The next top-up starts from 0. @see Bitcoin Core `UpdateWalletDescriptor`
      counted: 0,
    },
    contents,
  );
  put(contents, owned);
  if (!existing) {
    numbers.set(idKey(owned.id), parseBytesKey(orderKey(number)));
    settings.change({ descriptorCount: number + 1 });
  }
  topUp(contents, owned);
  const kind = outputKind(imported.descriptor);
  if (kind) (isActive ? activate : deactivate)(settings, { number, kind, side });
  return !existing;
}

const activeOn = ({ settings, descriptors }: Contents, side: Side): readonly OwnedDescriptor[] =>
  Object.values(settings.row.roles[side]).flatMap((number) => descriptors.get(orderKey(number)) ?? []);

const allActive = (contents: Contents): readonly OwnedDescriptor[] => SIDES.flatMap((side) => activeOn(contents, side));

function activeFor({ settings, descriptors }: Contents, side: Side, kind: OutputKind): OwnedDescriptor | undefined {
  const number = settings.row.roles[side][kind];
  return number === undefined ? undefined : descriptors.get(orderKey(number));
}

function nextScript(contents: Contents, owned: OwnedDescriptor | undefined): ReturnType<DescriptorStore['nextScript']> {
  if (!owned) return 'lacking';
  const index = owned.source.next;
  if (owned.isHardened && !contents.hardened.has(owned.number, index))
    return owned.held.size > 0 ? 'used up' : 'at its end';
  return derivedAt(contents, { owned, index }).scriptPubKeys[0] ?? 'lacking';
}

function takeScript(contents: Contents, owned: OwnedDescriptor | undefined): Uint8Array | undefined {
  const script = nextScript(contents, owned);
  if (!owned || !(script instanceof Uint8Array)) return undefined;
  const toppedUpOwned = topUp(contents, owned);
  put(contents, withSource(toppedUpOwned, { next: owned.source.next + 1 }));
  return script;
}

/**
 * Restores a descriptor from its text, in which an x-only key reads as even, and drops the indexes below its range.
 * @see Bitcoin Core 31 `WalletDescriptor::DeserializeDescriptor`, `SetCache`
 */
function reload(contents: Contents, owned: OwnedDescriptor): void {
  const { number, source, held, watched, counted, derived } = owned;
  const { first, end } = source;
  const saved = {
    ...source,
    descriptor: withKeys(source.descriptor, asEven),
    normalized: withKeys(source.normalized, asEven),
  };
  const indexes = isEmpty(watched)
    ? { watched, counted, derived }
    : { watched: { low: first, high: watched.high }, counted: end - first, derived: fromIndex(derived, first) };
  if (derived.low < indexes.derived.low) contents.scripts.dropBelow(owned);
  put(contents, ownedDescriptor({ number, source: saved, held, ...indexes }, contents));
}

const asEven = (key: KeyExpression): KeyExpression =>
  key.kind === 'fixed' && key.isXOnly ? { ...key, publicKey: Uint8Array.of(0x02, ...key.publicKey.subarray(1)) } : key;

function use(contents: Contents, number: number, index: number): readonly number[] {
  const owned = contents.descriptors.get(orderKey(number));
  if (!owned) return [];
  const { next } = owned.source;
  const used = Array.from({ length: Math.max(0, index + 1 - next) }, (_, i) => next + i);
  topUp(contents, used.length > 0 ? withSource(owned, { next: index + 1 }) : owned);
  return used;
}

const rangeEnd = ({ isRanged: hasRange, source: { next, end } }: OwnedDescriptor, size: number): number =>
  hasRange ? Math.min(Math.max(next + size, end), MAX_END) : 1;

/** Adds indexes, unless their keys need a locked private key. @returns the descriptor as it is then */
function topUp(contents: Contents, owned: OwnedDescriptor, size?: number): OwnedDescriptor {
  const { hardened, vault, descriptors } = contents;
  const end = rangeEnd(owned, size ?? contents.rules.keypool);
  const range = { lowest: lowestIndex(owned), end };
  const isDerivable = !owned.isHardened || hardened.extend(owned.number, range, () => withVaultSecrets(owned, vault));
  const after = isDerivable ? { ...withSource(owned, { end }), ...toppedUp(owned, end) } : owned;
  return isUnchanged(after, descriptors.get(orderKey(owned.number))) ? after : put(contents, after);
}

const isUnchanged = (after: OwnedDescriptor, before: OwnedDescriptor | undefined): boolean =>
  before?.source.next === after.source.next &&
  before.source.end === after.source.end &&
  before.counted === after.counted &&
  before.watched.low === after.watched.low &&
  before.watched.high === after.watched.high;

function derivedAt({ kept }: Contents, { owned: { derive }, index }: Place): Derived {
  const byIndex = kept.get(derive) ?? new Map<number, Derived>();
  kept.set(derive, byIndex);
  const cached = byIndex.get(index);
  if (cached) return cached;
  const derived = derive(index);
  if (byIndex.size >= MAX_KEPT) byIndex.clear();
  byIndex.set(index, derived);
  return derived;
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
