import { bytesKey, equalBytes } from '../../../core/bytes/compare.ts';
import { hash160 } from '../../../core/crypto/hash.ts';
import type { Derived } from '../../../core/descriptors/derive.ts';
import { BtcError } from '../../../core/errors.ts';
import { HARDENED, isHardened } from '../../../core/keys/path.ts';
import { payToPubkeyHash, payToScriptHash, payToWitness } from '../../../core/script/build.ts';
import { createDescriptorProvider, type SigningProvider } from '../../../core/signing/signingProvider.ts';
import type { OwnedDescriptor, Place } from './ownedDescriptor.ts';

/** `derived` has the private keys that the vault can provide. */
export interface Spending {
  readonly owned: OwnedDescriptor;
  readonly derived: Derived;
}

export interface NamedKey {
  /** 33 or 65 bytes, or 32 for an x-only key. */
  readonly publicKey: Uint8Array;
  /** As the PSBT claims; missing for an output key. */
  readonly path?: readonly number[];
}

/**
 * Returns one provider, or one per descriptor if a descriptor lacks a private key that another one has.
 * @see Bitcoin Core 31 `CWallet::SignTransaction`
 */
export function providersOfAll(all: readonly Spending[]): readonly SigningProvider[] {
  const derived = all.map((spending) => spending.derived);
  if (!haveDividedKeys(derived)) return [createDescriptorProvider(derived)];
  const owners = [...new Set(all.map(({ owned }) => owned))];
  return owners.map((owner) =>
    createDescriptorProvider(all.flatMap((spending) => (spending.owned === owner ? [spending.derived] : []))),
  );
}

function haveDividedKeys(all: readonly Derived[]): boolean {
  const keys = all.flatMap((derived) => derived.keys);
  const available = new Set(keys.flatMap(({ publicKey, secretKey }) => (secretKey ? [bytesKey(publicKey)] : [])));
  return keys.some(({ publicKey, secretKey }) => !secretKey && available.has(bytesKey(publicKey)));
}

/**
 * Returns a provider of the indexes that have the private keys of some keys. Core searches all keys that it has
 * derived; here, the scripts of single keys state the index, and otherwise the claimed path.
 * @see Bitcoin Core 31 `DescriptorScriptPubKeyMan::GetSigningProvider`
 */
export function providerOfKeys(
  keys: readonly NamedKey[],
  owners: readonly OwnedDescriptor[],
  { findPlaces, spendingAt }: KeySearch,
): SigningProvider {
  const matches = keys.flatMap((key) => {
    const claimed = owners.flatMap((owned): readonly Place[] => {
      const index = owned.isRanged ? lastStep(key) : 0;
      return index === undefined || index >= owned.source.end ? [] : [{ owned, index }];
    });
    return [...claimed, ...singleKeyScripts(key).flatMap(findPlaces)].flatMap((place) => {
      const derived = unlessUnderivable(() => spendingAt(place));
      return derived && holds(derived, key) ? [derived] : [];
    });
  });
  return createDescriptorProvider(matches);
}

interface KeySearch {
  readonly findPlaces: (scriptPubKey: Uint8Array) => readonly Place[];
  readonly spendingAt: (place: Place) => Derived;
}

function singleKeyScripts({ publicKey }: NamedKey): readonly Uint8Array[] {
  if (publicKey.length === 32) return [];
  const hash = hash160(publicKey);
  const program = payToWitness(0, hash);
  return [program, payToPubkeyHash(hash), payToScriptHash(hash160(program))];
}

function unlessUnderivable<T>(derive: () => T): T | undefined {
  try {
    return derive();
  } catch (error) {
    if (error instanceof BtcError && error.code.startsWith('descriptor/')) return undefined;
    throw error;
  }
}

function lastStep({ path = [] }: NamedKey): number | undefined {
  const step = path.at(-1);
  return step !== undefined && isHardened(step) ? step - HARDENED : step;
}

const holds = ({ keys }: Derived, { publicKey }: NamedKey): boolean =>
  keys.some(
    (key) =>
      key.secretKey !== undefined &&
      equalBytes(publicKey.length === 32 ? key.publicKey.slice(1) : key.publicKey, publicKey),
  );
