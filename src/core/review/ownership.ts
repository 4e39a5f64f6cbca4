import type { Ecc } from '../crypto/ecc.ts';
import { createDeriver, type Derived, isRanged, singlePaths } from '../descriptors/derive.ts';
import { flatKeys } from '../descriptors/joinPaths.ts';
import type { Descriptor } from '../descriptors/types.ts';
import { claimedCoin } from '../psbt/format/inputCoin.ts';
import type { Psbt, PsbtInput, PsbtOutput } from '../psbt/format/types.ts';
import { type ScriptKey, scriptKey } from '../script/scriptKey.ts';
import { claimedIndex, claimedKeys, claimedPlaces, MAX_INDEXES_OF_MAP } from './claimedPlaces.ts';
import { type Observation, when } from './policy.ts';
import { hasUnspendableKey } from './unspendable.ts';

/** The place at which a given descriptor derives a scriptPubKey. */
export interface VerifiedOwner {
  /** Index into the given descriptors. */
  readonly descriptor: number;
  /** Index into the descriptors that a multipath descriptor expands to. */
  readonly position: number;
  /** 0 without a wildcard. */
  readonly index: number;
  /** The name of a descriptor that keys imply: `seed words, P2WPKH account 0`. */
  readonly name?: string;
}

export interface DescriptorSource {
  /** As in `VerifiedOwner`. */
  readonly name?: string;
  /** True if its private keys may be those of others, who made the file. Default false. */
  readonly hasOthersKeys?: boolean;
  /** Searches so many indexes if the claims do not lead to the coins, at least as many as usual. */
  readonly gapLimit?: number;
}

export const descriptorName = ({ descriptor, name }: Pick<VerifiedOwner, 'descriptor' | 'name'>): string =>
  name ?? `descriptor ${descriptor + 1}`;

export function manyIndexes(
  map: PsbtInput | PsbtOutput,
  named: string,
): readonly Pick<Observation, 'check' | 'text'>[] {
  const { size } = new Set(claimedKeys(map).map(claimedIndex));
  return when(size > MAX_INDEXES_OF_MAP, 'indexes-many', () => {
    return `${named} names keys at ${size} indexes, of which the review searches ${MAX_INDEXES_OF_MAP}: it may be yours without being shown as yours.`;
  });
}

interface Place extends VerifiedOwner {
  readonly derived: Derived;
  /** False if no one can know the key of the key path. */
  readonly hasKeyPath: boolean;
}

export interface DescriptorSearch {
  readonly places: readonly Place[];
  /** As in `ClaimedPlaces`. */
  readonly cutMaps: readonly number[];
}

export interface SearchedDescriptors {
  readonly descriptors: readonly Descriptor[];
  readonly sources?: readonly DescriptorSource[];
}

/** Searched if the claims do not lead to the coin of an input, which none or false ones may hide. */
const FIRST_INDEXES = 100;
/** Keys to derive in that search: wallets of very many keys are searched at fewer indexes. */
const MAX_SEARCHED_KEYS = 6000;

/**
 * Derives descriptors at the indexes claimed for any input or output: an index that one input omits, another may
 * reveal.
 */
export function searchDescriptors(
  psbt: Psbt,
  { descriptors, sources = [] }: SearchedDescriptors,
  ecc: Ecc,
): DescriptorSearch {
  const chains = descriptors.flatMap((whole, descriptor) => {
    const name = sources[descriptor]?.name;
    const named = name === undefined ? {} : { name };
    return singlePaths(whole).map((single, position) => {
      const hasKeyPath = !(single.kind === 'tr' && hasUnspendableKey(single.key));
      return { single, descriptor, position, hasKeyPath, ...named };
    });
  });
  const { indexes, cutMaps } = claimedPlaces(
    psbt,
    chains.map(({ single }) => single),
  );
  const gapLimitOf = (chain: number): number => sources[chains[chain]?.descriptor ?? 0]?.gapLimit ?? 0;
  const derivers = chains.map(({ single }) => createDeriver(single, { ecc }));
  const placesAt = (choose: (chain: number) => readonly number[]): readonly Place[] =>
    chains.flatMap(({ single: _, ...place }, chain) =>
      choose(chain).flatMap((index) => {
        const derived = derivers[chain]?.(index);
        return derived ? [{ ...place, index, derived }] : [];
      }),
    );
  const claimed = placesAt((chain) => indexes[chain] ?? []);
  if (areAllDerived(psbt, claimed)) return { places: claimed, cutMaps };
  const keyCount = chains.reduce((count, { single }) => count + flatKeys(single).length, 0);
  const most = Math.ceil(MAX_SEARCHED_KEYS / Math.max(1, keyCount));
  const first = placesAt((chain) => {
    const single = chains[chain]?.single;
    if (!single || !isRanged(single)) return [];
    const length = Math.min(Math.max(FIRST_INDEXES, gapLimitOf(chain)), most);
    return Array.from({ length }, (_, index) => index).filter((index) => !indexes[chain]?.includes(index));
  });
  return { places: [...claimed, ...first], cutMaps };
}

function areAllDerived(psbt: Psbt, places: readonly Place[]): boolean {
  const findPlace = createFindPlace({ places });
  return psbt.inputs.every((_, index) => {
    const coin = claimedCoin(psbt, index);
    return !coin || findPlace(coin.scriptPubKey) !== undefined;
  });
}

/** Reports inputs and outputs with claims that the search left out. */
export function cutSearches({ inputs, outputs }: Psbt, { cutMaps }: DescriptorSearch): readonly Observation[] {
  return cutMaps.flatMap((map) => {
    const index = map - inputs.length;
    const at = index < 0 ? { inputIndex: map } : { outputIndex: index };
    const named = index < 0 ? `Input ${map}` : `Output ${index}`;
    const claims = inputs[map] ?? outputs[index] ?? {};
    if (manyIndexes(claims, named).length > 0) return [];
    const text = `${named} names keys at more places than the review searches in this PSBT: it may be yours without being shown as yours.`;
    return [{ check: 'indexes-many', text, ...at }];
  });
}

export type FindPlace = (scriptPubKey: Uint8Array) => Place | undefined;

/** Of several places, the first counts. */
export function createFindPlace({ places }: Pick<DescriptorSearch, 'places'>): FindPlace {
  const byScript = new Map<ScriptKey, Place>();
  for (const place of places) {
    for (const script of place.derived.scriptPubKeys) {
      const key = scriptKey(script);
      if (!byScript.has(key)) byScript.set(key, place);
    }
  }
  return (scriptPubKey) => byScript.get(scriptKey(scriptPubKey));
}

export type FindOwner = (scriptPubKey: Uint8Array) => VerifiedOwner | undefined;

export function createFindOwner(findPlace: FindPlace): FindOwner {
  return (scriptPubKey) => {
    const place = findPlace(scriptPubKey);
    if (!place) return undefined;
    const { derived: _, hasKeyPath: __, ...owner } = place;
    return owner;
  };
}
