import { formatHex, parseHex } from '../../../core/bytes/hex.ts';
import { jsonCodec } from '../../store/codecs.ts';
import { orderKey } from '../../store/orderKey.ts';
import type { RecordCodec, Table } from '../../store/tables.ts';
import type { Side } from './activeDescriptors.ts';
import type { Settings } from './settings.ts';

export interface PooledKey {
  readonly publicKey: Uint8Array;
  /** UNIX time of joining the pool. */
  readonly time: number;
}

export const pooledKeyCodec: RecordCodec<PooledKey> = jsonCodec(
  ({ publicKey, time }: PooledKey) => ({ publicKey: formatHex(publicKey), time }),
  ({ publicKey, time }) => ({ publicKey: parseHex(publicKey), time }),
);

/** A place in the pool. */
export interface PoolPlace {
  readonly side: Side;
  readonly order: number;
}

/** The orders of the keys in the pool, on each side; `end` is exclusive. */
export type PoolRanges = Readonly<Record<Side, { readonly first: number; readonly end: number }>>;

export const EMPTY_POOL: PoolRanges = { external: { first: 0, end: 0 }, internal: { first: 0, end: 0 } };

export interface Keypool {
  readonly size: (side: Side) => number;
  /** Leaves the key in the pool. */
  readonly first: (side: Side) => PooledKey | undefined;
  /** @returns where the key is now */
  readonly add: (side: Side, key: PooledKey) => PoolPlace;
  readonly take: (side: Side) => Uint8Array | undefined;
  /**
   * Removes a paid key and all earlier ones of its side. @returns whether it was in the pool
   * @see Bitcoin Core 0.21 `MarkReserveKeysAsUsed`
   */
  readonly removeUpTo: (place: PoolPlace) => boolean;
  readonly clear: () => void;
}

export interface PoolParts {
  /** By {@link placeKey}. */
  readonly keys: Table<string, PooledKey>;
  readonly settings: Settings<{ readonly pool: PoolRanges }>;
}

const PREFIXES: Readonly<Record<Side, string>> = { external: 'e', internal: 'i' };

const placeKey = ({ side, order }: PoolPlace): string => PREFIXES[side] + orderKey(order);

/** Keys come in at the end and leave at the beginning. @see Bitcoin Core 0.21 `setExternalKeyPool`, `setInternalKeyPool` */
export function createKeypool({ keys, settings }: PoolParts): Keypool {
  const setRange = (side: Side, range: PoolRanges[Side]): void => {
    settings.change({ pool: { ...settings.row.pool, [side]: range } });
  };
  const dropUpTo = (side: Side, order: number): void => {
    const { first, end } = settings.row.pool[side];
    for (let at = first; at <= order && at < end; at += 1) keys.delete(placeKey({ side, order: at }));
    setRange(side, { first: order + 1, end: Math.max(end, order + 1) });
  };
  const firstKey = (side: Side): PooledKey | undefined =>
    keys.get(placeKey({ side, order: settings.row.pool[side].first }));
  return {
    size: (side) => settings.row.pool[side].end - settings.row.pool[side].first,
    first: firstKey,
    add: (side, key) => {
      const { first, end } = settings.row.pool[side];
      const place = { side, order: end };
      keys.set(placeKey(place), key);
      setRange(side, { first, end: end + 1 });
      return place;
    },
    take: (side) => {
      const taken = firstKey(side);
      if (taken) dropUpTo(side, settings.row.pool[side].first);
      return taken?.publicKey;
    },
    removeUpTo: ({ side, order }) => {
      const { first, end } = settings.row.pool[side];
      if (order < first || order >= end) return false;
      dropUpTo(side, order);
      return true;
    },
    clear: () => {
      for (const side of ['external', 'internal'] as const) dropUpTo(side, settings.row.pool[side].end - 1);
    },
  };
}
