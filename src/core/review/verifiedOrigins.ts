import { bytesKey } from '../bytes/compare.ts';
import type { KeyOrigin } from '../keys/path.ts';
import type { FindPlace } from './ownership.ts';

/**
 * Returns the origins of the keys from which a given descriptor derives a script, by `bytesKey`, x-only ones included.
 */
export type FindOrigins = (scriptPubKey: Uint8Array) => ReadonlyMap<string, KeyOrigin>;

export const NO_ORIGINS: FindOrigins = () => new Map();

export function createFindOrigins(findPlace: FindPlace): FindOrigins {
  return (scriptPubKey) =>
    new Map(
      (findPlace(scriptPubKey)?.derived.keys ?? []).flatMap(({ publicKey, origin }) => [
        [bytesKey(publicKey), origin] as const,
        [bytesKey(publicKey, 1, 33), origin] as const,
      ]),
    );
}
