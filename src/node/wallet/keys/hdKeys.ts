import { equalBytes } from '../../../core/bytes/compare.ts';
import { hash160 } from '../../../core/crypto/hash.ts';
import type { KeyOrigin } from '../../../core/keys/path.ts';
import { SIDES, type Side } from './activeDescriptors.ts';
import { type HdSeeds, type Seed, type SeedPlace, type SeedTerms, seedPath } from './hdSeeds.ts';
import type { Keypool, PooledKey, PoolPlace } from './keypool.ts';
import type { Settings } from './settings.ts';

export interface HdKeys {
  readonly pool: Pick<Keypool, 'size' | 'first' | 'take' | 'clear'>;
  readonly addToPool: (side: Side, key: PooledKey) => void;
  readonly seeds: () => Iterable<Seed>;
  /** Returns the seed of new keys. */
  readonly seed: () => Seed | undefined;
  /** Makes a seed of the vault the one of new keys. */
  readonly setSeed: (terms: SeedTerms) => void;
  /** Returns the first key of the pool, or else the next to be derived. */
  readonly next: (side: Side) => Uint8Array | undefined;
  readonly canTopUp: () => boolean;
  readonly topUp: (now: number, size?: number) => void;
  /**
   * Removes a paid key and all earlier ones from the pool, and derives as many.
   * @see Bitcoin Core 0.21 `MarkUnusedAddresses`
   */
  readonly use: (keyHash: Uint8Array, now: number) => void;
  /** Returns `undefined` while locked. */
  readonly secretKeyFor: (keyHash: Uint8Array) => Uint8Array | undefined;
  readonly scanKey: () => Uint8Array | undefined;
  readonly seedIdFor: (keyHash: Uint8Array) => Uint8Array | undefined;
}

/** The wallet's records of keys. */
interface KeyOwner {
  readonly hasKey: (keyHash: Uint8Array) => boolean;
  /** `time`: UNIX time. */
  readonly addKey: (
    publicKey: Uint8Array,
    birth: { readonly time: number; readonly origin: KeyOrigin },
    place: SeedPlace,
  ) => void;
  readonly setPoolPlace: (keyHash: Uint8Array, place: PoolPlace) => void;
  readonly find: (
    keyHash: Uint8Array,
  ) => { readonly place?: SeedPlace | undefined; readonly pooled?: PoolPlace | undefined } | undefined;
}

interface CurrentSeed {
  /** The public key of the seed of new keys. */
  readonly seed?: Uint8Array | undefined;
}

export interface HdParts {
  readonly seeds: HdSeeds;
  readonly pool: Keypool;
  readonly owner: KeyOwner;
  readonly settings: Settings<CurrentSeed>;
  /** Keys kept ahead on each side. */
  readonly keypool: number;
}

/** @see Bitcoin Core 0.21 `LegacyScriptPubKeyMan` */
export function createHdKeys(parts: HdParts): HdKeys {
  const { seeds, pool, owner, settings, keypool } = parts;
  const currentSeed = (): Seed | undefined => settings.row.seed && seeds.find(settings.row.seed);
  const forgetting = <T>(work: () => T): T => {
    try {
      return work();
    } finally {
      seeds.forget();
    }
  };
  const addToPool: HdKeys['addToPool'] = (side, key) => owner.setPoolPlace(hash160(key.publicKey), pool.add(side, key));
  const topUp: HdKeys['topUp'] = (now, size = keypool) =>
    forgetting(() => {
      const { seed } = settings.row;
      for (const side of SIDES) {
        while (seed && pool.size(side) < size) {
          const publicKey = generate(parts, { seed, side }, now);
          if (!publicKey) break;
          addToPool(side, { publicKey, time: now });
        }
      }
    });
  /** Derives keys of a former seed, of which one was paid. @see Bitcoin Core 0.21 `TopUpInactiveHDChain` */
  const topUpFormer = ({ seed, side, index }: SeedPlace, now: number): void =>
    forgetting(() => {
      const count = (): number => seeds.find(seed)?.counts[side] ?? 0;
      while (count() - (index + 1) < keypool) if (!generate(parts, { seed, side }, now)) break;
    });
  const nextKey = (side: Side): Uint8Array | undefined => {
    const { seed } = settings.row;
    return seed && findNextKey(parts, { seed, side })?.publicKey;
  };
  return {
    pool,
    addToPool,
    topUp,
    seeds: seeds.all,
    seed: currentSeed,
    setSeed: (terms) => {
      seeds.add(terms);
      settings.change({ seed: terms.publicKey });
    },
    next: (side) => pool.first(side)?.publicKey ?? forgetting(() => nextKey(side)),
    canTopUp: () => forgetting(() => SIDES.some((side) => pool.size(side) < keypool && nextKey(side))),
    use: (keyHash, now) => {
      const { place, pooled } = owner.find(keyHash) ?? {};
      if (pooled && pool.removeUpTo(pooled)) topUp(now);
      const { seed } = settings.row;
      const isFormer = place && !(seed && equalBytes(place.seed, seed));
      if (isFormer) topUpFormer(place, now);
    },
    secretKeyFor: (keyHash) => {
      const place = owner.find(keyHash)?.place;
      return place && forgetting(() => seeds.keyAt(place)?.secretKey);
    },
    scanKey: () => {
      const seed = currentSeed();
      return seed && seeds.deriveScanKey(seed);
    },
    seedIdFor: (keyHash) => {
      const place = owner.find(keyHash)?.place;
      return place && hash160(place.seed);
    },
  };
}

type SeedSide = Pick<SeedPlace, 'seed' | 'side'>;

function findNextKey(
  { seeds, owner }: HdParts,
  { seed, side }: SeedSide,
): (SeedPlace & { readonly publicKey: Uint8Array }) | undefined {
  for (let index = seeds.find(seed)?.counts[side] ?? 0; ; index += 1) {
    const publicKey = seeds.keyAt({ seed, side, index })?.publicKey;
    if (!publicKey) return undefined;
    if (!owner.hasKey(hash160(publicKey))) return { seed, side, index, publicKey };
  }
}

/** @see Bitcoin Core 0.21 `GenerateNewKey` */
function generate(parts: HdParts, at: SeedSide, now: number): Uint8Array | undefined {
  const { seeds, owner } = parts;
  const next = findNextKey(parts, at);
  const fingerprint = seeds.find(at.seed)?.fingerprint;
  if (!next || !fingerprint) return undefined;
  const { publicKey, ...place } = next;
  seeds.setCount(place, place.index + 1);
  owner.addKey(publicKey, { time: now, origin: { fingerprint, path: seedPath(place) } }, place);
  return publicKey;
}
