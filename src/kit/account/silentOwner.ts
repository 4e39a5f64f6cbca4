import { equalBytes } from '../../core/bytes/compare.ts';
import { withSecretKey } from '../../core/crypto/concealed.ts';
import type { Ecc } from '../../core/crypto/ecc.ts';
import type { ExtendedKey } from '../../core/keys/bip32.ts';
import type { Network } from '../../core/network/networks.ts';
import type { ReviewOptions } from '../../core/review/reviewPsbt.ts';
import { createSigningProvider, type SigningProvider } from '../../core/signing/signingProvider.ts';
import { CURRENT_RULES } from '../../core/signing/signingRules.ts';
import { keysBelow, type SilentPaymentKeys } from '../../core/silentPayments/keys.ts';
import { createReceiver, type SilentPaymentReceiver } from '../../core/silentPayments/receiver.ts';
import { accountBelow } from './accountPath.ts';

/** The purpose of silent payments in paths. @see BIP352 "Key Derivation" */
export const SILENT_PURPOSE = 352;

/** The labels that are searched for, unless the user says others: 1 to 100. */
export const USUAL_LABELS: readonly number[] = Array.from({ length: 100 }, (_, i) => i + 1);

/** Lists the labels to search for, of a wallet that has some up to `highest`. */
export const labelsUpTo = (highest = 0): readonly number[] =>
  Array.from({ length: Math.max(USUAL_LABELS.length, highest) }, (_, i) => i + 1);

/** Tells a review which addresses and keys of silent payments are the signer's. */
export type SilentOwner = Required<Pick<ReviewOptions, 'ownsSilentAddress' | 'ownsSpendKey'>>;

interface OwnKeys {
  readonly masters: readonly ExtendedKey[];
  readonly network: Network;
  readonly ecc: Ecc;
  readonly receiver?: SilentPaymentReceiver;
}

/**
 * Judges addresses and spend keys by those of a wallet of silent payments; for other wallets, by those of account 0 of each
 * master key, where a wallet that is restored looks. Derives keys at the first use.
 */
export function createSilentOwner({ masters, network, ecc, receiver }: OwnKeys): SilentOwner {
  let known = receiver && [receiver];
  const receivers = (): readonly SilentPaymentReceiver[] => {
    known ??= masters.flatMap((master) => masterReceiver(master, network, ecc) ?? []);
    return known;
  };
  return {
    ownsSilentAddress: (address, label) => {
      const judged = receivers().map((each) => each.judge(address, label));
      return judged.find((owner) => owner === 'own') ?? judged.find((owner) => owner === 'other') ?? 'unknown';
    },
    ownsSpendKey: (spendKey) => receivers().some((each) => equalBytes(each.address().spendKey.slice(1), spendKey)),
  };
}

/** Makes the receiver of account 0 of a master key; `undefined` for other keys. */
export function masterReceiver(master: ExtendedKey, network: Network, ecc: Ecc): SilentPaymentReceiver | undefined {
  if (master.depth > 0 || !master.secretKey) return undefined;
  const { key, origin } = accountBelow(master, SILENT_PURPOSE, { network, account: 0, ecc });
  return receiverOf(keysBelow(key, origin, ecc), USUAL_LABELS, ecc);
}

const receiverOf = ({ scan, spend }: SilentPaymentKeys, labels: readonly number[], ecc: Ecc): SilentPaymentReceiver =>
  createReceiver({ scanSecretKey: scan.secretKey, spendKey: spend.publicKey, labels }, { ecc });

/** Returns what reviews and signs with the keys of a wallet of silent payments. */
export function silentPaymentParts(
  keys: SilentPaymentKeys,
  { labels, ecc }: { readonly labels: readonly number[]; readonly ecc: Ecc },
): { readonly receiver: SilentPaymentReceiver; readonly others?: SigningProvider } {
  const { secretKey } = keys.spend;
  const receiver = receiverOf(keys, labels, ecc);
  if (!secretKey) return { receiver };
  const written = [withSecretKey({ isCompressed: true }, secretKey)];
  return { receiver, others: createSigningProvider({ keys: written, scripts: [] }, { rules: CURRENT_RULES, ecc }) };
}
