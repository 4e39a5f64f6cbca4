import { bytesKey } from '../../../core/bytes/compare.ts';
import { hash160 } from '../../../core/crypto/hash.ts';
import type { KeyOrigin } from '../../../core/keys/path.ts';
import { SIDES, type Side } from './activeDescriptors.ts';
import {
  type HdSeeds,
  type NotedKeys,
  type Seed,
  type SeedKeys,
  type SeedPlace,
  type SeedTerms,
  seedPath,
} from './hdSeeds.ts';
import { createKeypool, type Keypool } from './keypool.ts';

export interface HdKeys {
  readonly pool: Keypool;
  /** Returns the seed of new keys. */
  readonly seed: () => Seed | undefined;
  /** Makes a seed of the vault the one of new keys. */
  readonly setSeed: (terms: SeedTerms, keys?: readonly SeedKeys[]) => void;
  readonly addKeys: (noted: NotedKeys) => void;
  /** Returns the first key of the pool, or else the next to be derived. */
  readonly next: (side: Side) => Uint8Array | undefined;
  readonly canTopUp: () => boolean;
  readonly topUp: (now: number, size?: number) => void;
  /**
   * Removes a paid key and all earlier ones from the pool, and derives as many. @returns false if nothing changes
   * @see Bitcoin Core 0.21 `MarkUnusedAddresses`
   */
  readonly use: (keyHash: Uint8Array, now: number) => boolean;
  /** Returns `undefined` while locked. */
  readonly secretKeyFor: (keyHash: Uint8Array) => Uint8Array | undefined;
  readonly scanKey: () => Uint8Array | undefined;
  readonly seedIdFor: (keyHash: Uint8Array) => Uint8Array | undefined;
  readonly allKeys: HdSeeds['allKeys'];
  readonly takeNoted: HdSeeds['takeNoted'];
}

interface KeyOwner {
  readonly hasKey: (keyHash: Uint8Array) => boolean;
  /** `time`: UNIX time. */
  readonly addKey: (publicKey: Uint8Array, time: number, origin: KeyOrigin) => void;
}

/** Keys kept ahead on each side. @see Bitcoin Core `-keypool` */
const POOL_SIZE = 1000;

/** @see Bitcoin Core 0.21 `LegacyScriptPubKeyMan` */
export function createHdKeys(seeds: HdSeeds, owner: KeyOwner): HdKeys {
  const pool = createKeypool();
  const derived: DerivedKeys = { seeds, owner, places: new Map() };
  let current: Seed | undefined;

  const topUp: HdKeys['topUp'] = (now, size = POOL_SIZE) => {
    for (const side of SIDES) {
      while (current && pool.size(side) < size) {
        const publicKey = generate(derived, { seed: current, side }, now);
        if (!publicKey) break;
        pool.add(side, { publicKey, time: now });
      }
    }
    seeds.forget();
  };
  /** Derives keys of a former seed, of which one was paid. @see Bitcoin Core 0.21 `TopUpInactiveHDChain` */
  const topUpFormer = (place: SeedPlace, now: number): void => {
    const { seed, side, index } = place;
    while (seed.counts[side] - (index + 1) < POOL_SIZE) if (!generate(derived, place, now)) break;
    seeds.forget();
  };
  const forgetting = <T>(work: () => T): T => {
    try {
      return work();
    } finally {
      seeds.forget();
    }
  };
  const nextKey = (side: Side): Uint8Array | undefined =>
    current && findNextKey(derived, { seed: current, side })?.publicKey;
  const findPlace = (keyHash: Uint8Array): SeedPlace | undefined => derived.places.get(bytesKey(keyHash));
  return {
    pool,
    topUp,
    addKeys: seeds.addKeys,
    allKeys: seeds.allKeys,
    takeNoted: seeds.takeNoted,
    seed: () => current,
    setSeed: (terms, keys = []) => {
      current = seeds.add(terms, keys);
    },
    next: (side) => pool.first(side)?.publicKey ?? forgetting(() => nextKey(side)),
    canTopUp: () => forgetting(() => SIDES.some((side) => pool.size(side) < POOL_SIZE && nextKey(side))),
    use: (keyHash, now) => {
      const wasPooled = pool.removeUpTo(keyHash);
      if (wasPooled) topUp(now);
      const place = findPlace(keyHash);
      const isFormer = place !== undefined && place.seed !== current;
      if (isFormer) topUpFormer(place, now);
      return wasPooled || isFormer;
    },
    secretKeyFor: (keyHash) => {
      const place = findPlace(keyHash);
      return place && forgetting(() => seeds.secretKeyAt(place));
    },
    scanKey: () => current && seeds.deriveScanKey(current),
    seedIdFor: (keyHash) => {
      const place = findPlace(keyHash);
      return place && hash160(place.seed.publicKey);
    },
  };
}

/** `places`: by HASH160. */
interface DerivedKeys {
  readonly seeds: HdSeeds;
  readonly owner: KeyOwner;
  readonly places: Map<string, SeedPlace>;
}

type SeedSide = Pick<SeedPlace, 'seed' | 'side'>;

function findNextKey(
  { seeds, owner }: DerivedKeys,
  { seed, side }: SeedSide,
): (SeedPlace & { readonly publicKey: Uint8Array }) | undefined {
  for (let index = seed.counts[side]; ; index += 1) {
    const publicKey = seeds.publicKeyAt({ seed, side, index });
    if (!publicKey) return undefined;
    if (!owner.hasKey(hash160(publicKey))) return { seed, side, index, publicKey };
  }
}

/** @see Bitcoin Core 0.21 `GenerateNewKey` */
function generate(derived: DerivedKeys, at: SeedSide, now: number): Uint8Array | undefined {
  const next = findNextKey(derived, at);
  if (!next) return undefined;
  const { publicKey, ...place } = next;
  const { seed, side, index } = place;
  seed.counts[side] = index + 1;
  derived.owner.addKey(publicKey, now, { fingerprint: seed.fingerprint, path: seedPath(place) });
  derived.places.set(bytesKey(hash160(publicKey)), place);
  return publicKey;
}
