import type { Ecc } from '../crypto/ecc.ts';
import { createDeriver, type Derived, isRanged } from '../descriptors/derive.ts';
import { flatKeys } from '../descriptors/joinPaths.ts';
import type { Descriptor } from '../descriptors/types.ts';
import { claimedCoin } from '../psbt/format/inputCoin.ts';
import type { Psbt } from '../psbt/format/types.ts';
import { type ScriptKey, scriptKey } from '../script/scriptKey.ts';
import { claimedPlaces } from './claims.ts';
import type { HeldWallet } from './heldWallets.ts';
import { hasUnspendableKey } from './unspendable.ts';

/** Where a single-path descriptor derives scripts. */
interface FoundPlace {
  /** Its position among those searched. */
  readonly chain: number;
  /** 0 without a wildcard. */
  readonly index: number;
  readonly derived: Derived;
}

interface DescriptorSearch {
  readonly places: readonly FoundPlace[];
  /** As in `ClaimedPlaces`. */
  readonly cutMaps: readonly number[];
}

/** Searched if the claims do not lead to the coin of an input, which none or false ones may hide. */
const FIRST_INDEXES = 100;
/** Keys to derive in that search: wallets of very many keys are searched at fewer indexes. */
const MAX_SEARCHED_KEYS = 6000;

interface SearchOptions {
  readonly ecc: Ecc;
  readonly isKnown?: (inputIndex: number, scriptPubKey: Uint8Array) => boolean;
  /** By descriptor: how many indexes to search at least. */
  readonly gapLimits?: readonly (number | undefined)[];
}

/**
 * Derives single-path descriptors at the indexes claimed for any input or output: an index that one input omits, another may
 * reveal. Where the claims lead to no coin of an input, searches the first indexes, too, unless `isKnown` tells its owner.
 */
export function searchDescriptors(
  psbt: Psbt,
  singles: readonly Descriptor[],
  { ecc, isKnown = () => false, gapLimits = [] }: SearchOptions,
): DescriptorSearch {
  const { indexes, cutMaps } = claimedPlaces(psbt, singles);
  const derivers = singles.map((single) => createDeriver(single, { ecc }));
  const placesAt = (choose: (chain: number) => readonly number[]): readonly FoundPlace[] =>
    singles.flatMap((_, chain) =>
      choose(chain).flatMap((index) => {
        const derived = derivers[chain]?.(index);
        return derived ? [{ chain, index, derived }] : [];
      }),
    );
  const claimed = placesAt((chain) => indexes[chain] ?? []);
  const scripts = new Set(claimed.flatMap(({ derived }) => derived.scriptPubKeys.map(scriptKey)));
  const areFound = psbt.inputs.every((_, index) => {
    const scriptPubKey = claimedCoin(psbt, index)?.scriptPubKey;
    return !scriptPubKey || scripts.has(scriptKey(scriptPubKey)) || isKnown(index, scriptPubKey);
  });
  if (areFound) return { places: claimed, cutMaps };
  const keyCount = singles.reduce((count, single) => count + flatKeys(single).length, 0);
  const most = Math.ceil(MAX_SEARCHED_KEYS / Math.max(1, keyCount));
  const first = placesAt((chain) => {
    const single = singles[chain];
    if (!single || !isRanged(single)) return [];
    const length = Math.min(Math.max(FIRST_INDEXES, gapLimits[chain] ?? 0), most);
    return Array.from({ length }, (_, index) => index).filter((index) => !indexes[chain]?.includes(index));
  });
  return { places: [...claimed, ...first], cutMaps };
}

/** The place at which a wallet derives a scriptPubKey. */
export interface WalletPlace {
  readonly wallet: HeldWallet;
  /** Position among the chains of the wallet. */
  readonly position: number;
  readonly index: number;
  readonly derived: Derived;
  /** False if no one can know the key of the key path. */
  readonly hasKeyPath: boolean;
}

export interface WalletSearch {
  readonly places: readonly WalletPlace[];
  readonly cutMaps: readonly number[];
}

export function searchWallets(
  psbt: Psbt,
  { wallets, ecc }: { readonly wallets: readonly HeldWallet[]; readonly ecc: Ecc },
  isKnown: NonNullable<SearchOptions['isKnown']>,
): WalletSearch {
  const chains = wallets.flatMap((wallet) =>
    wallet.chains.map((single, position) => {
      const hasKeyPath = !(single.kind === 'tr' && hasUnspendableKey(single.key));
      return { single, place: { wallet, position, hasKeyPath } };
    }),
  );
  const { places, cutMaps } = searchDescriptors(
    psbt,
    chains.map(({ single }) => single),
    { ecc, isKnown, gapLimits: chains.map(({ place }) => place.wallet.gapLimit) },
  );
  return {
    places: places.flatMap(({ chain, ...found }) => {
      const place = chains[chain]?.place;
      return place ? [{ ...place, ...found }] : [];
    }),
    cutMaps,
  };
}

export type FindPlaces = (scriptPubKey: Uint8Array) => readonly WalletPlace[];

/** Finds all places of a script: of two wallets that derive it, the one with a root counts, not the first of a file. */
export function createFindPlaces({ places }: Pick<WalletSearch, 'places'>): FindPlaces {
  const byScript = new Map<ScriptKey, WalletPlace[]>();
  for (const place of places) {
    for (const script of place.derived.scriptPubKeys) {
      const key = scriptKey(script);
      byScript.set(key, [...(byScript.get(key) ?? []), place]);
    }
  }
  return (scriptPubKey) => byScript.get(scriptKey(scriptPubKey)) ?? [];
}
