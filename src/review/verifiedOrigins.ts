import { bytesKey } from '../bytes/compare.ts';
import type { Derived } from '../descriptors/derive.ts';
import type { KeyOrigin } from '../keys/path.ts';
import type { DescriptorSearch } from './ownership.ts';

/** Finds the origins of the keys from which a given descriptor derives a script, by `bytesKey`, x-only keys included. */
export type FindOrigins = (scriptPubKey: Uint8Array) => ReadonlyMap<string, KeyOrigin>;

/** Finds the origin of no key. */
export const NO_ORIGINS: FindOrigins = () => new Map();

/** Looks scripts up among the descriptors that a search derived. */
export function createFindOrigins({ places }: DescriptorSearch): FindOrigins {
  const found = new Map<string, Derived>();
  for (const { derived } of places) {
    for (const script of derived.scriptPubKeys) if (!found.has(bytesKey(script))) found.set(bytesKey(script), derived);
  }
  return (scriptPubKey) =>
    new Map(
      (found.get(bytesKey(scriptPubKey))?.keys ?? []).flatMap(({ publicKey, origin }) => [
        [bytesKey(publicKey), origin] as const,
        [bytesKey(publicKey, 1, 33), origin] as const,
      ]),
    );
}
