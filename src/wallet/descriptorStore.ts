import { byteName } from '../bytes/compare.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { createDeriver, type Derived, isRanged } from '../descriptors/derive.ts';
import { keyExpressions, withKeys } from '../descriptors/keyExpressions.ts';
import { formatDescriptor } from '../descriptors/print.ts';
import type { Descriptor, KeyExpression } from '../descriptors/types.ts';
import type { Network } from '../network/networks.ts';
import { classifyScript } from '../script/template.ts';
import { type Provider, providerOfDescriptors } from '../signing/provider.ts';
import { withSecret } from './descriptorKeys.ts';
import { type KeyMetadata, type KeyStore, keyHashOf } from './keyStore.ts';
import type { WalletRules } from './rules.ts';
import { secretOf, type Vault } from './vault.ts';

/** A descriptor that a wallet owns, as it was imported, without its private keys. */
interface DescriptorImport {
  readonly descriptor: Descriptor;
  /** The same with hardened steps taken, so that scripts can be derived while private keys are locked. */
  readonly normalized: Descriptor;
  /** UNIX time. */
  readonly timestamp: number;
  readonly isActive: boolean;
  /** `undefined` where nobody has said. */
  readonly isInternal: boolean | undefined;
  /** The first index that is watched, and the one after the last. */
  readonly first: number;
  readonly end: number;
  /** The first index that has not been used. */
  readonly next: number;
}

/** A descriptor of a wallet. */
export interface OwnedDescriptor {
  /** The text of `descriptor`. */
  readonly id: string;
  /** The text of `normalized`, as others may see it. */
  readonly text: string;
  readonly isRanged: boolean;
  source: DescriptorImport;
  readonly derive: (index: number) => Derived;
}

/** An index of a descriptor. */
interface Place {
  readonly owned: OwnedDescriptor;
  readonly index: number;
}

/** Descriptors and all scripts that they stand for. */
export interface DescriptorStore extends KeyStore {
  readonly descriptors: () => readonly OwnedDescriptor[];
  readonly find: (descriptor: Descriptor) => OwnedDescriptor | undefined;
  /** Adds a descriptor, or replaces what was said of one that is there. */
  readonly add: (given: DescriptorImport) => OwnedDescriptor;
  /** Whether a descriptor is the one that new addresses of its kind come from. */
  readonly isActive: (owned: OwnedDescriptor) => boolean;
  readonly placesOf: (scriptPubKey: Uint8Array) => readonly Place[];
  /** Takes note of a payment to an index. @returns the indexes that count as used from now on, and did not before */
  readonly use: (place: Place) => readonly number[];
  /** The text with the private keys that the vault has. */
  readonly privateText: (owned: OwnedDescriptor) => string;
  /** What is known of several outputs together, private keys included. */
  readonly signingProvider: (scriptPubKeys: readonly Uint8Array[]) => Provider;
}

/** How many indexes are watched beyond the last one that was used. @see Bitcoin Core `-keypool` */
const LOOKAHEAD = 1000;
const NO_PLACES: readonly Place[] = [];
/** How many derived indexes are kept at hand. */
const MAX_KEPT = 10_000;

/** Makes an empty store. @see Bitcoin Core `DescriptorScriptPubKeyMan` */
export function createDescriptorStore(
  { signing: { templates } }: WalletRules,
  network: Network,
  vault: Vault,
  ecc: Ecc,
): DescriptorStore {
  const owned = new Map<string, OwnedDescriptor>();
  const places = new Map<string, readonly Place[]>();
  const watched = new Map<string, { first: number; end: number }>();
  const active = new Map<string, string>();
  const kept = new Map<string, Derived>();

  const at = ({ owned: one, index }: Place): Derived => {
    const name = `${index} ${one.id}`;
    const known = kept.get(name);
    if (known) return known;
    const derived = one.derive(index);
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(name, derived);
    return derived;
  };
  const watch = (one: OwnedDescriptor, index: number): void => {
    const place = { owned: one, index };
    for (const script of one.derive(index).scriptPubKeys) {
      const name = byteName(script);
      const there = places.get(name);
      if (!there) places.set(name, [place]);
      else if (!there.some((other) => other.owned === one)) places.set(name, [...there, place]);
    }
  };
  /** Watches all indexes of the range, and as many more as have to be looked ahead for. */
  const topUp = (one: OwnedDescriptor): void => {
    const { first, next } = one.source;
    const end = one.isRanged ? Math.max(next + LOOKAHEAD, one.source.end) : 1;
    const before = watched.get(one.id) ?? { first, end: first };
    for (let index = first; index < before.first; index += 1) watch(one, index);
    for (let index = before.end; index < end; index += 1) watch(one, index);
    watched.set(one.id, { first: Math.min(first, before.first), end });
    one.source = { ...one.source, end };
  };
  const placesOf = (script: Uint8Array): readonly Place[] => places.get(byteName(script)) ?? NO_PLACES;
  const activeKind = ({ descriptor, isInternal }: DescriptorImport): string =>
    `${outputKind(descriptor)} ${isInternal === true}`;

  return {
    descriptors: () => [...owned.values()],
    find: (descriptor) => owned.get(formatDescriptor(descriptor, network)),
    isActive: (one) => one.source.isActive && active.get(activeKind(one.source)) === one.id,
    add: (given) => {
      const id = formatDescriptor(given.descriptor, network);
      const one = owned.get(id) ?? {
        id,
        text: formatDescriptor(given.normalized, network),
        isRanged: isRanged(given.descriptor),
        source: given,
        derive: createDeriver(given.normalized, ecc),
      };
      one.source = given;
      owned.set(id, one);
      if (given.isActive) active.set(activeKind(given), id);
      topUp(one);
      return one;
    },
    ownershipOf: (script) => (places.has(byteName(script)) ? 'own' : 'no'),
    knowledgeOf: (script) => places.get(byteName(script)),
    placesOf,
    use: ({ owned: one, index }) => {
      const { next } = one.source;
      const used = Array.from({ length: Math.max(0, index + 1 - next) }, (_, i) => next + i);
      if (used.length > 0) one.source = { ...one.source, next: index + 1 };
      topUp(one);
      return used;
    },
    providerFor: (script) => {
      const [place] = placesOf(script);
      return place && providerOfDescriptors([at(place)]);
    },
    signingProvider: (scripts) =>
      providerOfDescriptors(scripts.flatMap(placesOf).map((place) => withSecrets(at(place), place, vault, ecc))),
    privateText: ({ source }) =>
      formatDescriptor(
        withKeys(source.descriptor, (key) => withSecret(key, vault)),
        network,
        { isPrivate: true },
      ),
    metadataOf: (script): KeyMetadata | undefined => {
      const [place] = placesOf(script);
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

/** What a descriptor's outputs are called where one descriptor of each kind is active. */
export function outputKind(descriptor: Descriptor): 'legacy' | 'p2sh-segwit' | 'bech32' | 'bech32m' | undefined {
  switch (descriptor.kind) {
    case 'pkh':
      return 'legacy';
    case 'sh':
      return ['wpkh', 'wsh'].includes(descriptor.inner.kind) ? 'p2sh-segwit' : 'legacy';
    case 'wpkh':
    case 'wsh':
      return 'bech32';
    case 'tr':
    case 'rawtr':
      return 'bech32m';
    default:
      return undefined;
  }
}

/** The private keys of what was derived, where the vault is open. */
function withSecrets(derived: Derived, { owned, index }: Place, vault: Vault, ecc: Ecc): Derived {
  const isHeld = keyExpressions(owned.source.descriptor).some((key) => keyHolds(key, vault));
  if (!isHeld) return derived;
  const full = withKeys(owned.source.descriptor, (key) => withSecret(key, vault));
  const { keys } = createDeriver(full, ecc)(index);
  const secrets = new Map(keys.map(({ publicKey, secretKey }) => [byteName(publicKey), secretKey]));
  return {
    ...derived,
    keys: derived.keys.map((key) => {
      const secretKey = secrets.get(byteName(key.publicKey));
      return secretKey ? { ...key, secretKey } : key;
    }),
  };
}

function keyHolds(key: KeyExpression, vault: Vault): boolean {
  if (key.kind === 'musig') return key.participants.some((one) => keyHolds(one, vault));
  return secretOf(vault, key.kind === 'fixed' ? key.publicKey : key.key.publicKey) !== undefined;
}
