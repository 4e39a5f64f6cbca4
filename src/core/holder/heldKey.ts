import { concatBytes, equalBytes } from '../bytes/compare.ts';
import { formatHex } from '../bytes/hex.ts';
import { withSecretKey } from '../crypto/concealed.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { flatKeys } from '../descriptors/joinPaths.ts';
import type { Descriptor } from '../descriptors/types.ts';
import { assertExtendedKey, type ExtendedKey, keyFingerprint } from '../keys/bip32.ts';
import type { KeyOrigin } from '../keys/path.ts';
import type { KnownKey, SigningKey } from '../signing/signingProvider.ts';

/** An extended key with its private key. */
export type PrivateExtendedKey = ExtendedKey & { readonly secretKey: Uint8Array };

/**
 * A private key that the person gave as a key: an extended one, from which others derive, or a single one. Only such keys
 * make a wallet the signer's.
 */
export interface HeldKey {
  readonly key: PrivateExtendedKey | (KnownKey & { readonly chainCode?: undefined });
  /** Of an extended key below its master, as it is written. */
  readonly origin?: KeyOrigin;
}

export const isExtended = (held: HeldKey): held is HeldKey & { readonly key: PrivateExtendedKey } =>
  held.key.chainCode !== undefined;

export const isMaster = (held: HeldKey): held is HeldKey & { readonly key: PrivateExtendedKey } =>
  isExtended(held) && held.key.depth === 0;

export const fingerprintOf = ({ key }: HeldKey): Uint8Array => keyFingerprint(key);

/** Tells keys apart that the person gave. */
export const heldKeyName = ({ key }: HeldKey): string =>
  formatHex(key.chainCode ? concatBytes(key.publicKey, key.chainCode) : key.publicKey);

/** Compares keys of 33 or 65 bytes by their x: either form, and either y. */
export const isSamePoint = (a: Uint8Array, b: Uint8Array): boolean => equalBytes(a.subarray(1, 33), b.subarray(1, 33));

export const isSameExtendedKey = (a: ExtendedKey, b: ExtendedKey): boolean =>
  equalBytes(a.publicKey, b.publicKey) && equalBytes(a.chainCode, b.chainCode);

/** Single keys have no seed in common, and no place but themselves: they count as one account. */
export const SINGLE_KEYS = 'single keys';

/** Lists the private keys that descriptors hold, as keys that the person gives with them. */
export function heldKeysIn(descriptors: readonly Descriptor[]): readonly HeldKey[] {
  return descriptors.flatMap(flatKeys).flatMap((key): readonly HeldKey[] => {
    const { origin } = key;
    const { secretKey } = key.kind === 'fixed' ? key : key.key;
    if (!secretKey) return [];
    if (key.kind === 'fixed') return [{ key: withSecretKey({ publicKey: key.publicKey }, secretKey) }];
    return [{ key: withSecretKey({ ...key.key }, secretKey), ...(origin && { origin }) }];
  });
}

/** A private extended key as one that the person gives. */
export function heldKeyOf(key: ExtendedKey): HeldKey | undefined {
  assertExtendedKey(key);
  return key.secretKey && { key: withSecretKey({ ...key }, key.secretKey) };
}

/** A private key with the form of its public key, such as a WIF key, as one that the person gives. */
export const heldKeyFrom = ({ secretKey, isCompressed }: SigningKey, ecc: Ecc): HeldKey => ({
  key: withSecretKey({ publicKey: ecc.publicKey(secretKey, isCompressed) }, secretKey),
});
