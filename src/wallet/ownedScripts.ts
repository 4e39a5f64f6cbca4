import { byteName } from '../bytes/compare.ts';
import type { OwnedDescriptor } from './ownedDescriptor.ts';

/** An index of a descriptor. */
export interface Place {
  readonly owned: OwnedDescriptor;
  readonly index: number;
}

/** The scripts of a wallet's descriptors. */
export interface OwnedScripts {
  readonly placesOf: (scriptPubKey: Uint8Array) => readonly Place[];
  /** @see KeyStore.knowledgeOf */
  readonly knowledgeOf: (scriptPubKey: Uint8Array) => object | undefined;
  /** Begins with the indexes of a descriptor again, from the first there is. @see `UpdateWalletDescriptor` */
  readonly begin: (one: OwnedDescriptor) => void;
  /** Adds the indexes up to `end`, which is left out, from where the last count stopped. @see `TopUpWithDB` */
  readonly topUp: (one: OwnedDescriptor, end: number) => void;
  /** Keeps the indexes of the ranges only. @see `SetCache` */
  readonly reload: () => void;
}

/** The indexes of a descriptor whose scripts are the wallet's: from `low`, up to `high`, which is left out. */
interface Watched {
  readonly low: number;
  readonly high: number;
  /** How many indexes are counted: the next top-up starts at this index. */
  readonly counted: number;
}

const NO_PLACES: readonly Place[] = [];
/** How many indexes below a range are derived at most. A node derives them all, however many they are. */
const MAX_BELOW_RANGE = 10_000;

/**
 * Makes an empty collection. A node counts indexes instead of remembering which it has: after an import, everything below
 * the range is the wallet's as well, and once the wallet was loaded again, it is not.
 * @see Bitcoin Core `DescriptorScriptPubKeyMan::m_max_cached_index`
 */
export function createOwnedScripts(): OwnedScripts {
  const places = new Map<string, readonly Place[]>();
  const watched = new Map<OwnedDescriptor, Watched>();

  const watch = (owned: OwnedDescriptor, index: number): void => {
    const place = { owned, index };
    for (const script of owned.scriptsAt(index)) {
      const name = byteName(script);
      const there = places.get(name);
      if (!there) places.set(name, [place]);
      else if (!there.some((other) => other.owned === owned)) places.set(name, [...there, place]);
    }
  };
  return {
    placesOf: (script) => places.get(byteName(script)) ?? NO_PLACES,
    knowledgeOf: (script) => places.get(byteName(script)),
    begin: (one) => {
      const at = watched.get(one);
      if (at) watched.set(one, { ...at, counted: 0 });
    },
    topUp: (one, end) => {
      const { first } = one.source;
      const counted = watched.get(one)?.counted ?? 0;
      const from = first - counted > MAX_BELOW_RANGE ? first : counted;
      const { low, high } = watched.get(one) ?? { low: from, high: from };
      for (let index = from; index < low; index += 1) watch(one, index);
      for (let index = high; index < end; index += 1) watch(one, index);
      watched.set(one, { low: Math.min(low, from), high: Math.max(high, end), counted: end });
    },
    reload: () => {
      let hasLess = false;
      for (const [one, { low, high }] of watched) {
        const { first, end } = one.source;
        if (low < first) hasLess = true;
        watched.set(one, { low: first, high, counted: end - first });
      }
      if (!hasLess) return;
      for (const [name, list] of places) {
        const kept = list.filter(({ owned, index }) => index >= owned.source.first);
        if (kept.length === 0) places.delete(name);
        else if (kept.length < list.length) places.set(name, kept);
      }
    },
  };
}
