import { bytesKey, equalBytes } from '../bytes/compare.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { createDeriver, type Derived, isRanged } from '../descriptors/derive.ts';
import { formatDescriptor } from '../descriptors/formatDescriptor.ts';
import type { Descriptor } from '../descriptors/types.ts';
import type { Network } from '../network/networks.ts';
import { classifyScript } from '../script/template.ts';
import { createDescriptorProvider, type SigningProvider } from '../signing/signingProvider.ts';
import { createActiveDescriptors, outputKind, type Side } from './activeDescriptors.ts';
import type { Derivations, ScriptsAt } from './derivations.ts';
import { withoutMarks } from './descriptorKeys.ts';
import { type KeyMetadata, type KeyStore, keyHashOf } from './keyStore.ts';
import { addSecrets, type DescriptorImport, type OwnedDescriptor, withSecretsOf } from './ownedDescriptor.ts';
import { createOwnedScripts, type Place } from './ownedScripts.ts';
import type { NodeRules } from './rules.ts';
import { isLocked, type Vault } from './vault.ts';

/** The terms of an import. */
interface ImportTerms {
  readonly isActive: boolean;
  readonly side: Side;
  /** Public keys whose private keys the descriptor contained. */
  readonly held: readonly Uint8Array[];
}

/** A wallet's descriptors and their scripts. */
export interface DescriptorStore extends KeyStore {
  readonly descriptors: () => readonly OwnedDescriptor[];
  readonly find: (descriptor: Descriptor) => OwnedDescriptor | undefined;
  /**
   * Adds a descriptor, or replaces the terms of a known one; its earlier private keys are kept.
   * @returns whether it is new
   */
  readonly add: (given: DescriptorImport, terms: ImportTerms) => boolean;
  /** Returns the side on which a descriptor is active, or `undefined`. */
  readonly sideOf: (owned: OwnedDescriptor) => Side | undefined;
  /** Counts the unused indexes of the active descriptors of a side. @see Bitcoin Core 31 `GetKeyPoolSize` */
  readonly keypoolSize: (side: Side) => number;
  readonly placesOf: (scriptPubKey: Uint8Array) => readonly Place[];
  /** Returns the descriptors that produce a script, after deriving it to make sure. */
  readonly ownersOf: (scriptPubKey: Uint8Array) => readonly OwnedDescriptor[];
  /** Marks an index, and all before it, as used. @returns the indexes that were unused until now */
  readonly use: (place: Place) => readonly number[];
  /** Returns the text with the private keys that the vault can provide. */
  readonly privateText: (owned: OwnedDescriptor) => string;
  /**
   * Returns the signing providers of several outputs, private keys included: one for all outputs, or one per descriptor,
   * to sign one after the other, if a descriptor lacks a private key that another one has.
   * @see Bitcoin Core 31 `CWallet::SignTransaction`
   */
  readonly signingProviders: (scriptPubKeys: readonly Uint8Array[]) => readonly SigningProvider[];
  /** Tells whether `topUpActive` would change anything. */
  readonly canTopUpActive: () => boolean;
  /**
   * Adds the indexes of active descriptors that Core adds when a wallet is unlocked. A wallet loaded while locked lacks
   * some if a range does not begin at 0.
   * @see Bitcoin Core 31 `TopUpKeyPool`
   */
  readonly topUpActive: () => void;
  /** Drops the state that a node keeps in memory only, as loading the wallet does. */
  readonly reload: () => void;
}

/** The number of indexes watched beyond the last used one. @see Bitcoin Core `-keypool` */
const LOOKAHEAD = 1000;
/** The end of the index space, exclusive. */
const MAX_END = 2 ** 31;
/** The most derived indexes kept in memory. */
const MAX_KEPT = 10_000;

/** Creates an empty store. @see Bitcoin Core `DescriptorScriptPubKeyMan` */
export function createDescriptorStore(
  {
    rules: {
      signing: { templates },
    },
    network,
    ecc,
    derivations,
  }: {
    readonly rules: NodeRules;
    readonly network: Network;
    readonly ecc: Ecc;
    readonly derivations: Derivations;
  },
  vault: Vault,
): DescriptorStore {
  const byId = new Map<string, OwnedDescriptor>();
  const scripts = createOwnedScripts();
  const active = createActiveDescriptors();
  const kept = new Map<string, Derived>();
  const { placesOf } = scripts;

  const at = ({ owned, index }: Place): Derived => {
    const name = `${index} ${owned.id}`;
    const known = kept.get(name);
    if (known) return known;
    const derived = owned.derive(index);
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(name, derived);
    return derived;
  };
  /** Returns the places of a script that derivation confirms; a log of derivations may claim others. */
  const derivedPlaces = (script: Uint8Array): readonly Place[] =>
    placesOf(script).filter((place) => at(place).scriptPubKeys.some((derived) => equalBytes(derived, script)));
  const endOf = ({ isRanged, source: { next, end } }: OwnedDescriptor): number =>
    isRanged ? Math.min(Math.max(next + LOOKAHEAD, end), MAX_END) : 1;
  const topUp = (owned: OwnedDescriptor): void => {
    const newEnd = endOf(owned);
    scripts.topUp(owned, newEnd);
    owned.source = { ...owned.source, end: newEnd };
  };
  const activeOn = (side: Side): readonly OwnedDescriptor[] => active.on(side).flatMap((id) => byId.get(id) ?? []);
  const allActive = (): readonly OwnedDescriptor[] => [...activeOn('external'), ...activeOn('internal')];
  /** @see Bitcoin Core `DescriptorID` */
  const idOf = (descriptor: Descriptor): string => formatDescriptor(withoutMarks(descriptor), network);
  const ownedFrom = (given: DescriptorImport): OwnedDescriptor => {
    const id = idOf(given.descriptor);
    const text = formatDescriptor(given.normalized, network);
    const derive = createDeriver(given.normalized, ecc);
    const scriptsAt: ScriptsAt = (index) => derive(index).scriptPubKeys;
    const hasRange = isRanged(given.descriptor);
    const parts = {
      source: given,
      text,
      derive,
      scriptsAt: hasRange ? derivations.scriptsOf(text, scriptsAt) : scriptsAt,
    };
    const known = byId.get(id);
    if (!known) return { id, isRanged: hasRange, held: new Set(), ...parts };
    kept.clear();
    return Object.assign(known, parts);
  };

  return {
    descriptors: () => [...byId.values()],
    find: (descriptor) => byId.get(idOf(descriptor)),
    sideOf: ({ id }) => active.sideOf(id),
    keypoolSize: (side) => activeOn(side).reduce((sum, { source: { end, next } }) => sum + end - next, 0),
    add: (given, { isActive, side, held }) => {
      const owned = ownedFrom(given);
      const isNew = !byId.has(owned.id);
      byId.set(owned.id, owned);
      for (const publicKey of held) owned.held.add(bytesKey(publicKey));
      scripts.begin(owned);
      topUp(owned);
      const kind = outputKind(given.descriptor);
      if (kind) active[isActive ? 'activate' : 'deactivate'](owned.id, kind, side);
      return isNew;
    },
    ownershipOf: (script) => (placesOf(script).length > 0 ? 'own' : 'no'),
    knowledgeOf: scripts.knowledgeOf,
    placesOf,
    ownersOf: (script) => derivedPlaces(script).map((place) => place.owned),
    use: ({ owned, index }) => {
      const { next } = owned.source;
      const used = Array.from({ length: Math.max(0, index + 1 - next) }, (_, i) => next + i);
      if (used.length > 0) owned.source = { ...owned.source, next: index + 1 };
      topUp(owned);
      return used;
    },
    canTopUpActive: () => allActive().some((owned) => scripts.isBelow(owned, endOf(owned))),
    topUpActive: () => allActive().forEach(topUp),
    reload: () => {
      scripts.reload();
      active.reload();
      if (!isLocked(vault)) allActive().forEach(topUp);
    },
    providerFor: (script) => {
      const [place] = derivedPlaces(script);
      return place && createDescriptorProvider([at(place)]);
    },
    signingProviders: (spent) => {
      const places = spent.flatMap(derivedPlaces);
      const withKeys = places.map((place) => addSecrets(at(place), place.owned, place.index, vault, ecc));
      if (!haveDividedKeys(withKeys)) return [createDescriptorProvider(withKeys)];
      const owners = [...new Set(places.map((place) => place.owned))];
      return owners.map((owned) => createDescriptorProvider(withKeys.filter((_, i) => places[i]?.owned === owned)));
    },
    privateText: (owned) => formatDescriptor(withSecretsOf(owned, vault), network, { isPrivate: true }),
    metadataOf: (script): KeyMetadata | undefined => {
      const [place] = derivedPlaces(script);
      if (!place) return undefined;
      const provider = createDescriptorProvider([at(place)]);
      const origin = originOf(script, provider);
      return origin && { time: place.owned.source.timestamp, origin };
    },
  };

  /** Returns the key origin of an output with a single key. @see Bitcoin Core `GetKeyForDestination` */
  function originOf(script: Uint8Array, provider: SigningProvider): KeyMetadata['origin'] {
    const template = classifyScript(script, templates);
    if (template.type === 'witness_v1_taproot') {
      const spend = provider.taproot(template.program);
      return spend && !spend.merkleRoot ? provider.xOnlyOrigin(spend.internalKey) : undefined;
    }
    const hash = keyHashOf(script, { templates, scriptOf: provider.script });
    const publicKey = hash && provider.publicKey(hash);
    return publicKey && provider.origin(publicKey);
  }
}

/** Tells whether one descriptor lacks a private key that another one has. */
function haveDividedKeys(all: readonly Derived[]): boolean {
  const keys = all.flatMap((derived) => derived.keys);
  const held = new Set(keys.flatMap(({ publicKey, secretKey }) => (secretKey ? [bytesKey(publicKey)] : [])));
  return keys.some(({ publicKey, secretKey }) => !secretKey && held.has(bytesKey(publicKey)));
}
