import { bytesKey } from '../../../core/bytes/compare.ts';
import { hash160 } from '../../../core/crypto/hash.ts';
import type { Side } from './activeDescriptors.ts';

/** A public key that a 0.21 wallet will hand out. */
interface PooledKey {
  readonly publicKey: Uint8Array;
  /** UNIX time at which it came into the pool. */
  readonly time: number;
}

/** The keys that a 0.21 wallet will hand out, oldest first, for receiving and for change. */
export interface Keypool {
  readonly size: (side: Side) => number;
  /** Returns the next key of a side, which stays in the pool. */
  readonly first: (side: Side) => PooledKey | undefined;
  readonly add: (side: Side, key: PooledKey) => void;
  /** Removes the next key of a side, and returns it. */
  readonly take: (side: Side) => Uint8Array | undefined;
  /**
   * Removes a key and all earlier ones of its side, since the key was paid.
   * @returns whether it was in the pool
   * @see Bitcoin Core 0.21 `MarkReserveKeysAsUsed`
   */
  readonly removeUpTo: (keyHash: Uint8Array) => boolean;
  readonly clear: () => void;
}

/** Creates an empty pool. @see Bitcoin Core 0.21 `setExternalKeyPool`, `setInternalKeyPool` */
export function createKeypool(): Keypool {
  const keys: Readonly<Record<Side, PooledKey[]>> = { external: [], internal: [] };
  /** The sides of the keys by the names of their hashes. */
  const sides = new Map<string, Side>();
  const nameOf = ({ publicKey }: PooledKey): string => bytesKey(hash160(publicKey));

  const take = (side: Side): PooledKey | undefined => {
    const taken = keys[side].shift();
    if (taken) sides.delete(nameOf(taken));
    return taken;
  };
  return {
    size: (side) => keys[side].length,
    first: (side) => keys[side][0],
    add: (side, key) => {
      keys[side].push(key);
      sides.set(nameOf(key), side);
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
