import { bytesKey } from '../../../core/bytes/compare.ts';
import { hash160 } from '../../../core/crypto/hash.ts';
import type { Side } from './activeDescriptors.ts';

interface PooledKey {
  readonly publicKey: Uint8Array;
  /** UNIX time of joining the pool. */
  readonly time: number;
}

export interface Keypool {
  readonly size: (side: Side) => number;
  /** Leaves the key in the pool. */
  readonly first: (side: Side) => PooledKey | undefined;
  readonly add: (side: Side, key: PooledKey) => void;
  readonly take: (side: Side) => Uint8Array | undefined;
  /**
   * Removes a paid key and all earlier ones of its side. @returns whether it was in the pool
   * @see Bitcoin Core 0.21 `MarkReserveKeysAsUsed`
   */
  readonly removeUpTo: (keyHash: Uint8Array) => boolean;
  readonly clear: () => void;
}

/** @see Bitcoin Core 0.21 `setExternalKeyPool`, `setInternalKeyPool` */
export function createKeypool(): Keypool {
  const keys: Readonly<Record<Side, PooledKey[]>> = { external: [], internal: [] };
  /** By key hash. */
  const sides = new Map<string, Side>();
  const keyName = ({ publicKey }: PooledKey): string => bytesKey(hash160(publicKey));

  const take = (side: Side): PooledKey | undefined => {
    const taken = keys[side].shift();
    if (taken) sides.delete(keyName(taken));
    return taken;
  };
  return {
    size: (side) => keys[side].length,
    first: (side) => keys[side][0],
    add: (side, key) => {
      keys[side].push(key);
      sides.set(keyName(key), side);
    },
    take: (side) => take(side)?.publicKey,
    removeUpTo: (keyHash) => {
      const name = bytesKey(keyHash);
      const side = sides.get(name);
      if (!side) return false;
      while (sides.has(name)) take(side);
      return true;
    },
    clear: () => {
      sides.clear();
      keys.external.length = 0;
      keys.internal.length = 0;
    },
  };
}
