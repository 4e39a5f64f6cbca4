import { bytesKey } from '../bytes/compare.ts';
import type { KeyOrigin } from '../keys/path.ts';
import type { FindPlace } from './ownership.ts';

export interface VerifiedKey {
  readonly origin: KeyOrigin;
  /** True for the key path of a taproot wallet without one: its key is below BIP341's point. */
  readonly isUnspendable: boolean;
}

/** Returns the keys from which a given descriptor derives a script, by `bytesKey`, x-only ones included. */
export type FindOrigins = (scriptPubKey: Uint8Array) => ReadonlyMap<string, VerifiedKey>;

export const NO_ORIGINS: FindOrigins = () => new Map();

export function createFindOrigins(findPlace: FindPlace): FindOrigins {
  return (scriptPubKey) => {
    const { derived, hasKeyPath = true } = findPlace(scriptPubKey) ?? {};
    const internalKey = derived?.taproot && bytesKey(derived.taproot.internalKey);
    return new Map(
      (derived?.keys ?? []).flatMap(({ publicKey, origin }) => {
        const xOnly = bytesKey(publicKey, 1, 33);
        const key = { origin, isUnspendable: !hasKeyPath && xOnly === internalKey };
        return [[bytesKey(publicKey), key] as const, [xOnly, key] as const];
      }),
    );
  };
}
