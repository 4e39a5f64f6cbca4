import { hash160 } from '../crypto/hash.ts';
import { createDeriver, singlePaths } from '../descriptors/derive.ts';
import type { Descriptor } from '../descriptors/types.ts';
import type { VerifiedOwner } from '../review/ownership.ts';
import type { PsbtReview } from '../review/reviewPsbt.ts';
import type { SigningProvider } from '../signing/signingProvider.ts';
import { type AccountKeys, type UpdatedPsbt, updateWithAccount } from './accountPsbt.ts';

/**
 * Finds a descriptor that proves an output to be the wallet's, although no key that it derives for this PSBT comes from
 * the given private keys: its outputs may be a stranger's. Derives and compares keys, since anyone can write a
 * fingerprint. In a multisig, one own key suffices.
 *
 * - `descriptors`: the first of the descriptors with which the PSBT was updated and reviewed
 * - `keys`: the private keys, and the descriptors that follow from them alone
 *
 * @returns the position of the descriptor
 */
export function findForeignDescriptor(
  { updated, review }: { readonly updated: UpdatedPsbt; readonly review: PsbtReview },
  descriptors: readonly Descriptor[],
  keys: AccountKeys,
): number | undefined {
  const proving = new Set(review.outputs.map(({ verifiedOwner }) => verifiedOwner?.descriptor));
  if (!descriptors.some((_, index) => proving.has(index))) return undefined;
  // The updated PSBT names the origins of the descriptors' keys, at which the given keys are derived.
  const { provider } = updateWithAccount(updated.psbt, keys);
  const places = [...review.inputs, ...review.outputs].flatMap(({ verifiedOwner }) => verifiedOwner ?? []);
  const found = descriptors.findIndex((descriptor, index) => {
    const own = places.filter((place) => place.descriptor === index);
    return proving.has(index) && !own.some(holdsKeyAt(descriptor, provider, keys));
  });
  return found < 0 ? undefined : found;
}

/** Returns a function that tells whether a provider has one of a descriptor's private keys at a place. */
function holdsKeyAt(
  descriptor: Descriptor,
  provider: SigningProvider,
  { ecc }: AccountKeys,
): (place: VerifiedOwner) => boolean {
  const derivers = singlePaths(descriptor).map((single) => createDeriver(single, ecc));
  return ({ position, index }) => {
    const keys = derivers[position]?.(index).keys ?? [];
    return keys.some(
      ({ publicKey }) => provider.key(hash160(publicKey)) ?? provider.xOnlyKey(publicKey.subarray(1, 33)),
    );
  };
}
