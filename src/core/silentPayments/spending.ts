import { negateScalar } from '../crypto/scalar.ts';

/** What a coin of a silent payment is spent with. */
export interface SpendableKey {
  /** The public spend key, 33 bytes. */
  readonly spendKey: Uint8Array;
  /** Added to the private spend key, 32 bytes. @see BIP376 `PSBT_IN_SP_TWEAK` */
  readonly tweak: Uint8Array;
}

/**
 * Restates a spend key and its tweak as an x-only key and what is added to it, as in other taproot coins: the sum has the
 * same x if both are negated.
 * @see BIP352 "Spending"
 */
export const asInternalKey = ({ spendKey, tweak }: SpendableKey) => ({
  internalKey: spendKey.slice(1),
  tweak: spendKey[0] === ODD ? negateScalar(tweak) : tweak,
});

const ODD = 0x03;
