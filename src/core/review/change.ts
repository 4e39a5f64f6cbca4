import type { Ecc } from '../crypto/ecc.ts';
import { isOwn } from './commitment.ts';
import type { InputReview } from './inputReview.ts';
import type { DescriptorSearch, VerifiedOwner } from './ownership.ts';
import { createRefute, paysToKey, type Refute } from './refutation.ts';
import { takesSingleKey, type UnwrappedRecords } from './scripts.ts';
import type { OwnKeys, ReviewedWallets } from './wallets.ts';

export interface ChangeRules {
  /**
   * True if the keys at hand alone control the wallet, or all own coins being spent are of it: a stranger may make a
   * wallet file with an own key in it, and spend a coin of that wallet, too.
   */
  readonly isChange: (owner: VerifiedOwner) => boolean;
  readonly walletAt: ReviewedWallets['at'];
  readonly refute: Refute;
  readonly spendsOwn: boolean;
  /** True if a key at hand can sign for a spent coin. */
  readonly isSigning: boolean;
}

interface SpentCoins {
  readonly inputs: readonly { readonly review: InputReview; readonly unwrapped: UnwrappedRecords | undefined }[];
  readonly search: DescriptorSearch;
  readonly wallets: ReviewedWallets;
  readonly own: OwnKeys;
  readonly ecc: Ecc;
}

export function createChangeRules({ inputs, search: { places }, wallets, own, ecc }: SpentCoins): ChangeRules {
  // A wallet is judged by its first place: one with a key at hand.
  const ownInputs = inputs
    .map(({ review }) => review)
    .filter(isOwn)
    .sort((a, b) => Number(b.hasOwnKey) - Number(a.hasOwnKey));
  const names = new Set(ownInputs.map(({ verifiedOwner }) => verifiedOwner && wallets.at(verifiedOwner).name));
  const signing = inputs.filter(({ review }) => review.hasOwnKey);
  const spendsOneKey = signing.length > 0 && signing.every((input) => takesOneKey(input, ecc));
  const spentPlaces = places.filter((place) => names.has(wallets.walletName(place)));
  return {
    isChange: (owner) => {
      const { control, name } = wallets.at(owner);
      return control === 'own' || (names.size === 1 && names.has(name));
    },
    walletAt: wallets.at,
    refute: createRefute({ spent: spentPlaces, places, own, spendsOneKey, ecc }),
    spendsOwn: ownInputs.length > 0,
    isSigning: signing.length > 0,
  };
}

/** Excludes taproot coins with leaves or an aggregate. */
function takesOneKey({ review: { coin, claimedKeys }, unwrapped }: SpentCoins['inputs'][number], ecc: Ecc): boolean {
  if (!coin || !unwrapped) return false;
  if (unwrapped.template.type !== 'witness_v1_taproot') return takesSingleKey(unwrapped.template);
  return claimedKeys.some(({ publicKey }) => paysToKey(coin.scriptPubKey, publicKey, ecc));
}
