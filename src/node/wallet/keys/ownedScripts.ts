import { parseScriptKey, type ScriptKey, scriptKey } from '../../../core/script/scriptKey.ts';
import type { OwnedDescriptor, Place } from './ownedDescriptor.ts';
import { createScriptKeyCache } from './scriptKeyCache.ts';

export interface OwnedScripts {
  readonly scriptPubKeys: () => Iterable<Uint8Array>;
  readonly findPlaces: (scriptPubKey: Uint8Array) => readonly Place[];
  /** @see KeyStore */
  readonly factsKey: (scriptPubKey: Uint8Array) => object | undefined;
  /** Makes the next top-up start from 0. @see Bitcoin Core `UpdateWalletDescriptor` */
  readonly begin: (owned: OwnedDescriptor) => void;
  /** Tells whether `topUp` would start below `end`. */
  readonly isBelow: (owned: OwnedDescriptor, end: number) => boolean;
  /** Adds the indexes up to `end`, exclusive. @see Bitcoin Core `TopUpWithDB` */
  readonly topUp: (owned: OwnedDescriptor, end: number) => void;
  /** Drops the indexes below the ranges. @see Bitcoin Core `SetCache` */
  readonly reload: () => void;
  readonly takeAdded: () => readonly ScriptKey[];
  readonly hasAdded: () => boolean;
  readonly forgetAdded: () => void;
}

/** `high` is exclusive. */
interface Watched {
  readonly low: number;
  readonly high: number;
  /** The index at which the next top-up starts. */
  readonly counted: number;
}

/** `end` is exclusive. */
interface Range {
  readonly owned: OwnedDescriptor;
  readonly from: number;
  readonly end: number;
  /** True if its scripts do not count as added. */
  readonly isForgotten?: boolean;
}

const NO_PLACES: readonly Place[] = [];
/** Limits the indexes derived below a range. Core derives all of them. */
const MAX_BELOW_RANGE = 10_000;

/** Returns the lowest index that can become the wallet's. */
export const lowestIndex = ({ source: { first } }: OwnedDescriptor): number => (first > MAX_BELOW_RANGE ? first : 0);

/**
 * Creates an empty collection. Core counts indexes instead of listing them: after an import, those below the range are
 * the wallet's, too, until the wallet is loaded again.
 * @see Bitcoin Core `DescriptorScriptPubKeyMan::m_max_cached_index`
 */
export function createOwnedScripts(): OwnedScripts {
  const places = createDerivedPlaces();
  const watched = new Map<OwnedDescriptor, Watched>();
  const cachedKey = createScriptKeyCache();
  return {
    takeAdded: places.takeAdded,
    hasAdded: places.hasAdded,
    forgetAdded: places.forgetAdded,
    scriptPubKeys: () => [...places.all().keys()].map(parseScriptKey),
    findPlaces: (script) => places.all().get(cachedKey(script)) ?? NO_PLACES,
    factsKey: (script) => places.all().get(cachedKey(script)),
    begin: (owned) => {
      const at = watched.get(owned);
      if (at) watched.set(owned, { ...at, counted: 0 });
    },
    isBelow: (owned, end) => (watched.get(owned)?.counted ?? 0) < end,
    topUp: (owned, end) => {
      const { first } = owned.source;
      const counted = watched.get(owned)?.counted ?? 0;
      const from = first - counted > MAX_BELOW_RANGE ? first : counted;
      const { low, high } = watched.get(owned) ?? { low: from, high: from };
      const more = [
        { owned, from, end: low },
        { owned, from: high, end },
      ];
      places.add(more, { isFirst: !watched.has(owned) });
      watched.set(owned, { low: Math.min(low, from), high: Math.max(high, end), counted: end });
    },
    reload: () => {
      places.all();
      let hasLess = false;
      for (const [owned, { low, high }] of watched) {
        const { first, end } = owned.source;
        if (low < first) hasLess = true;
        watched.set(owned, { low: first, high, counted: end - first });
      }
      if (hasLess) dropBelowRanges(places.all());
    },
  };
}

function dropBelowRanges(places: Map<ScriptKey, readonly Place[]>): void {
  for (const [name, list] of places) {
    const kept = list.filter(({ owned, index }) => index >= owned.source.first);
    if (kept.length === 0) places.delete(name);
    else if (kept.length < list.length) places.set(name, kept);
  }
}

/**
 * Derives scripts before the next lookup of one, which few calls make. A descriptor that has been derived gets further
 * ones at once, so that the call that adds them also saves them.
 */
interface DerivedPlaces extends Pick<OwnedScripts, 'takeAdded' | 'hasAdded' | 'forgetAdded'> {
  /** Returns places by script, after deriving the waiting ranges. */
  readonly all: () => Map<ScriptKey, readonly Place[]>;
  /** `isFirst`: the descriptor has no ranges yet. */
  readonly add: (ranges: readonly Range[], options: { readonly isFirst: boolean }) => void;
}

function createDerivedPlaces(): DerivedPlaces {
  const places = new Map<ScriptKey, readonly Place[]>();
  let waiting: Range[] = [];
  let added: ScriptKey[] = [];
  const watch = (owned: OwnedDescriptor, index: number, isForgotten: boolean): void => {
    const place = { owned, index };
    for (const script of owned.scriptsAt(index)) {
      const key = scriptKey(script);
      const before = places.get(key);
      if (!before) {
        places.set(key, [place]);
        if (!isForgotten) added.push(key);
      } else if (!before.some((other) => other.owned === owned)) places.set(key, [...before, place]);
    }
  };
  const derive = ({ owned, from, end, isForgotten = false }: Range): void => {
    for (let index = from; index < end; index += 1) watch(owned, index, isForgotten);
  };
  const all = (): typeof places => {
    if (waiting.length === 0) return places;
    const ranges = waiting;
    waiting = [];
    for (const range of ranges) derive(range);
    return places;
  };
  return {
    all,
    add: (ranges, { isFirst }) => {
      const waits = isFirst || waiting.some(({ owned }) => owned === ranges[0]?.owned);
      if (waits) waiting.push(...ranges);
      else for (const range of ranges) derive(range);
    },
    takeAdded: () => {
      all();
      const taken = added;
      added = [];
      return taken;
    },
    hasAdded: () => added.length > 0 || waiting.some(({ isForgotten }) => !isForgotten),
    forgetAdded: () => {
      added = [];
      waiting = waiting.map((range) => ({ ...range, isForgotten: true }));
    },
  };
}
