import { byteName, equalBytes } from '../bytes/compare.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { createDeriver, type Derived, isRanged } from '../descriptors/derive.ts';
import { formatDescriptor } from '../descriptors/print.ts';
import type { Descriptor } from '../descriptors/types.ts';
import type { Network } from '../network/networks.ts';
import { classifyScript } from '../script/template.ts';
import { type Provider, providerOfDescriptors } from '../signing/provider.ts';
import { createActiveDescriptors, outputKind, type Side } from './activeDescriptors.ts';
import type { Derivations, ScriptsAt } from './derivations.ts';
import { withoutMarks } from './descriptorKeys.ts';
import { type KeyMetadata, type KeyStore, keyHashOf } from './keyStore.ts';
import { addSecrets, type DescriptorImport, type OwnedDescriptor, withSecretsOf } from './ownedDescriptor.ts';
import { createOwnedScripts, type Place } from './ownedScripts.ts';
import type { WalletRules } from './rules.ts';
import { isLocked, type Vault } from './vault.ts';

/** The terms of an import. */
interface ImportTerms {
  readonly isActive: boolean;
  readonly side: Side;
  /** Public keys whose private keys came with it. */
  readonly held: readonly Uint8Array[];
}

/** Descriptors and all scripts that they stand for. */
export interface DescriptorStore extends KeyStore {
  readonly descriptors: () => readonly OwnedDescriptor[];
  readonly find: (descriptor: Descriptor) => OwnedDescriptor | undefined;
  /**
   * Adds a descriptor, or replaces the terms of one that the wallet has; private keys are added to those of before.
   * @returns whether it is new
   */
  readonly add: (given: DescriptorImport, terms: ImportTerms) => boolean;
  /** The side on which a descriptor gives out new addresses; `undefined` where it does not. */
  readonly sideOf: (owned: OwnedDescriptor) => Side | undefined;
  /** How many indexes the active descriptors of a side have left. @see Bitcoin Core 31 `GetKeyPoolSize` */
  readonly keypoolSize: (side: Side) => number;
  readonly placesOf: (scriptPubKey: Uint8Array) => readonly Place[];
  /** The descriptors that give a script, which is derived to make sure. */
  readonly ownersOf: (scriptPubKey: Uint8Array) => readonly OwnedDescriptor[];
  /** Takes note of a payment to an index. @returns the indexes that count as used from now on, and did not before */
  readonly use: (place: Place) => readonly number[];
  /** The text with the private keys that the vault has of it. */
  readonly privateText: (owned: OwnedDescriptor) => string;
  /**
   * Everything known of several outputs, private keys included. One provider does for all, unless a descriptor lacks a
   * private key that another one has: then each signs for itself, one after the other.
   * @see Bitcoin Core 31 `CWallet::SignTransaction`
   */
  readonly signingProviders: (scriptPubKeys: readonly Uint8Array[]) => readonly Provider[];
  /** Loads the wallet again: what was in memory only is gone. */
  readonly reload: () => void;
}

/** How many indexes are watched beyond the last one that was used. @see Bitcoin Core `-keypool` */
const LOOKAHEAD = 1000;
/** Above this, there are no indexes. */
const MAX_END = 2 ** 31;
/** How many derived indexes are kept at hand. */
const MAX_KEPT = 10_000;

/** Makes an empty store. @see Bitcoin Core `DescriptorScriptPubKeyMan` */
export function createDescriptorStore(
  {
    rules: {
      signing: { templates },
    },
    network,
    ecc,
    derivations,
  }: {
    readonly rules: WalletRules;
    readonly network: Network;
    readonly ecc: Ecc;
    readonly derivations: Derivations;
  },
  vault: Vault,
): DescriptorStore {
  const owned = new Map<string, OwnedDescriptor>();
  const scripts = createOwnedScripts();
  const active = createActiveDescriptors();
  const kept = new Map<string, Derived>();
  const { placesOf } = scripts;

  const at = ({ owned: one, index }: Place): Derived => {
    const name = `${index} ${one.id}`;
    const known = kept.get(name);
    if (known) return known;
    const derived = one.derive(index);
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(name, derived);
    return derived;
  };
  /** The places of a script, without those that only a log of derivations claims. */
  const derivedPlaces = (script: Uint8Array): readonly Place[] =>
    placesOf(script).filter((place) => at(place).scriptPubKeys.some((derived) => equalBytes(derived, script)));
  const topUp = (one: OwnedDescriptor): void => {
    const { next, end } = one.source;
    const newEnd = one.isRanged ? Math.min(Math.max(next + LOOKAHEAD, end), MAX_END) : 1;
    scripts.topUp(one, newEnd);
    one.source = { ...one.source, end: newEnd };
  };
  const activeOn = (side: Side): readonly OwnedDescriptor[] => active.on(side).flatMap((id) => owned.get(id) ?? []);
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
    const known = owned.get(id);
    if (!known) return { id, isRanged: hasRange, held: new Set(), ...parts };
    kept.clear();
    return Object.assign(known, parts);
  };

  return {
    descriptors: () => [...owned.values()],
    find: (descriptor) => owned.get(idOf(descriptor)),
    sideOf: ({ id }) => active.sideOf(id),
    keypoolSize: (side) => activeOn(side).reduce((sum, { source: { end, next } }) => sum + end - next, 0),
    add: (given, { isActive, side, held }) => {
      const one = ownedFrom(given);
      const isNew = !owned.has(one.id);
      owned.set(one.id, one);
      for (const publicKey of held) one.held.add(byteName(publicKey));
      scripts.begin(one);
      topUp(one);
      const kind = outputKind(given.descriptor);
      if (kind) active[isActive ? 'activate' : 'deactivate'](one.id, kind, side);
      return isNew;
    },
    ownershipOf: (script) => (placesOf(script).length > 0 ? 'own' : 'no'),
    knowledgeOf: scripts.knowledgeOf,
    placesOf,
    ownersOf: (script) => derivedPlaces(script).map((place) => place.owned),
    use: ({ owned: one, index }) => {
      const { next } = one.source;
      const used = Array.from({ length: Math.max(0, index + 1 - next) }, (_, i) => next + i);
      if (used.length > 0) one.source = { ...one.source, next: index + 1 };
      topUp(one);
      return used;
    },
    reload: () => {
      scripts.reload();
      active.reload();
      if (isLocked(vault)) return;
      for (const side of ['external', 'internal'] as const) for (const one of activeOn(side)) topUp(one);
    },
    providerFor: (script) => {
      const [place] = derivedPlaces(script);
      return place && providerOfDescriptors([at(place)]);
    },
    signingProviders: (spent) => {
      const places = spent.flatMap(derivedPlaces);
      const withKeys = places.map((place) => addSecrets(at(place), place.owned, place.index, vault, ecc));
      if (!isDivided(withKeys)) return [providerOfDescriptors(withKeys)];
      const owners = [...new Set(places.map((place) => place.owned))];
      return owners.map((one) => providerOfDescriptors(withKeys.filter((_, i) => places[i]?.owned === one)));
    },
    privateText: (one) => formatDescriptor(withSecretsOf(one, vault), network, { isPrivate: true }),
    metadataOf: (script): KeyMetadata | undefined => {
      const [place] = derivedPlaces(script);
      if (!place) return undefined;
      const provider = providerOfDescriptors([at(place)]);
      const origin = originOf(script, provider);
      return origin && { time: place.owned.source.timestamp, origin };
    },
  };

  /** Where the one key of an output comes from. @see Bitcoin Core `GetKeyForDestination` */
  function originOf(script: Uint8Array, provider: Provider): KeyMetadata['origin'] {
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

/** Whether one descriptor lacks a private key that another one has. */
function isDivided(all: readonly Derived[]): boolean {
  const keys = all.flatMap((derived) => derived.keys);
  const held = new Set(keys.flatMap(({ publicKey, secretKey }) => (secretKey ? [byteName(publicKey)] : [])));
  return keys.some(({ publicKey, secretKey }) => !secretKey && held.has(byteName(publicKey)));
}
