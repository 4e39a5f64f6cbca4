import { bytesKey } from '../bytes/compare.ts';
import type { KeyOrigin } from '../keys/path.ts';
import type { HeldPsbt } from './owner.ts';

/** A key from which a wallet at hand derives a script. */
export interface VerifiedKey {
  readonly origin: KeyOrigin;
  /** True for the key path of a taproot wallet without one: its key is below BIP341's point. */
  readonly isUnspendable: boolean;
}

/** Returns the keys from which wallets at hand derive a script, by `bytesKey`, x-only ones included. */
export function verifiedOrigins(
  { findPlaces }: Pick<HeldPsbt, 'findPlaces'>,
  scriptPubKey: Uint8Array,
): ReadonlyMap<string, VerifiedKey> {
  return new Map(
    findPlaces(scriptPubKey).flatMap(({ derived, hasKeyPath }) => {
      const internalKey = derived.taproot && bytesKey(derived.taproot.internalKey);
      return derived.keys.flatMap(({ publicKey, origin }) => {
        const xOnly = bytesKey(publicKey, 1, 33);
        const key = { origin, isUnspendable: !hasKeyPath && xOnly === internalKey };
        return [[bytesKey(publicKey), key] as const, [xOnly, key] as const];
      });
    }),
  );
}
