import type { Ecc } from '../crypto/ecc.ts';
import { singlePaths } from '../descriptors/derive.ts';
import type { PsbtOutput } from '../psbt/format/types.ts';
import { type ClaimedKey, rangedKeysIn } from './claimedPlaces.ts';
import { isOwn } from './commitment.ts';
import type { ReviewedInput } from './inputs.ts';
import { type DescriptorSearch, descriptorName, type SearchedDescriptors, type VerifiedOwner } from './ownership.ts';
import { createRefutations, type OutputClaims, paysToKey, type Refute } from './refutation.ts';
import { takesSingleKey } from './scripts.ts';
import type { OwnKeys, ReviewedWallets } from './wallets.ts';

export interface ChangeRules {
  /**
   * True if all own coins being spent are of the wallet, or if the keys at hand alone control it and these coins: a
   * stranger may make a wallet file with an own key in it, and spend a coin of that wallet, too; and coins of several
   * people are not one person's change.
   */
  readonly isChange: (owner: VerifiedOwner) => boolean;
  readonly walletAt: ReviewedWallets['at'];
  readonly refute: Refute;
  readonly refuteOrigins: (claims: OutputClaims) => string | undefined;
  /** True if coins of the signer are spent, and keys of the signer alone control all of them. */
  readonly spendsAlone: boolean;
  /** True if the records of an output name keys of the spent wallets, and another wallet adds those of others. */
  readonly addsStrangers: (output: PsbtOutput, review: OutputClaims, owner: VerifiedOwner) => boolean;
  /** True if a coin of the wallet is spent. */
  readonly isSpent: (owner: VerifiedOwner) => boolean;
  /** Finds the claim of a key at hand that alone controls an output. */
  readonly findOwnKey: (review: OutputClaims) => ClaimedKey | undefined;
  /** True if a key at hand can sign for a spent coin. */
  readonly isSigning: boolean;
}

interface SpentCoins {
  readonly inputs: readonly Pick<ReviewedInput, 'review' | 'unwrapped'>[];
  readonly search: DescriptorSearch;
  readonly searched: SearchedDescriptors;
  readonly wallets: ReviewedWallets;
  readonly own: OwnKeys;
  readonly ecc: Ecc;
}

export function createChangeRules({
  inputs,
  search: { places },
  searched: { descriptors, sources = [] },
  wallets,
  own,
  ecc,
}: SpentCoins): ChangeRules {
  // A wallet is judged by its first place: one with a key at hand.
  const ownInputs = inputs
    .map(({ review }) => review)
    .filter(isOwn)
    .sort((a, b) => Number(b.hasOwnKey) - Number(a.hasOwnKey));
  const names = new Set(ownInputs.map(({ verifiedOwner }) => verifiedOwner && wallets.at(verifiedOwner).name));
  const signing = inputs.filter(({ review }) => review.hasOwnKey);
  const spendsAlone = inputs.every((input) => {
    const { verifiedOwner } = input.review;
    const isAlone = verifiedOwner !== undefined && wallets.at(verifiedOwner).control === 'own';
    return isAlone || !isOwn(input.review) || takesOneKey(input, own, ecc);
  });
  const spendsOneKey = signing.length > 0 && signing.every((input) => takesOneKey(input, own, ecc));
  const spentPlaces = places.filter((place) => names.has(wallets.walletName(place)));
  const spentDescriptors = descriptors.flatMap((whole, descriptor) =>
    names.has(wallets.walletName({ descriptor }))
      ? singlePaths(whole).map((single) => ({
          single,
          ranged: rangedKeysIn(single),
          name: descriptorName({ descriptor, ...sources[descriptor] }),
        }))
      : [],
  );
  const spentHolders = new Set(
    ownInputs.flatMap(({ verifiedOwner }) => (verifiedOwner ? [...wallets.at(verifiedOwner).holders] : [])),
  );
  const evidence = { spent: spentPlaces, spentDescriptors, places, own, spendsOneKey, ecc };
  const { refute, refuteByWallet, refuteOrigins, findOwnKey } = createRefutations(evidence);
  const isSpent = (owner: VerifiedOwner): boolean => names.has(wallets.at(owner).name);
  return {
    isChange: (owner) => {
      const { control, name } = wallets.at(owner);
      return (control === 'own' && spendsAlone) || (names.size === 1 && names.has(name));
    },
    walletAt: wallets.at,
    refute,
    refuteOrigins,
    spendsAlone: spendsAlone && ownInputs.length > 0,
    addsStrangers: (output, review, owner) => {
      const { others } = wallets.at(owner);
      const isStranger = (holder: string): boolean => !spentHolders.has(holder);
      return !isSpent(owner) && [...others].some(isStranger) && refuteByWallet(output, review) !== undefined;
    },
    isSpent,
    findOwnKey,
    isSigning: signing.length > 0,
  };
}

/** Excludes taproot coins with leaves or an aggregate, whose key is not at hand. */
function takesOneKey(
  { review: { coin, claimedKeys, verifiedOwner, isOwnSilent }, unwrapped }: SpentCoins['inputs'][number],
  { holdsKey }: OwnKeys,
  ecc: Ecc,
): boolean {
  if (!coin || !unwrapped) return false;
  if (unwrapped.template.type !== 'witness_v1_taproot') return takesSingleKey(unwrapped.template);
  // Any taproot coin can be stated as a silent payment.
  if (isOwnSilent && !verifiedOwner) return true;
  return claimedKeys.some(
    ({ publicKey }) => holdsKey?.(publicKey) === true && paysToKey(coin.scriptPubKey, publicKey, ecc),
  );
}
