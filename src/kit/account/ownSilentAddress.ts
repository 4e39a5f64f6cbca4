import type { Ecc } from '../../core/crypto/ecc.ts';
import type { ExtendedKey } from '../../core/keys/bip32.ts';
import type { Network } from '../../core/network/networks.ts';
import type { ReviewOptions } from '../../core/review/reviewPsbt.ts';
import { keysBelow, type SilentPaymentKeys } from '../../core/silentPayments/keys.ts';
import { createReceiver, type SilentPaymentReceiver } from '../../core/silentPayments/receiver.ts';
import { accountBelow } from './accountPath.ts';

/** The purpose of silent payments in paths. @see BIP352 "Key Derivation" */
export const SILENT_PURPOSE = 352;

interface OwnKeys {
  readonly masters: readonly ExtendedKey[];
  readonly network: Network;
  readonly ecc: Ecc;
  readonly receiver?: SilentPaymentReceiver;
}

/**
 * Recognizes the addresses that a wallet of silent payments finds; of other wallets, those of account 0 of each master key,
 * where a wallet that is restored looks. Derives keys at the first use.
 */
export function createOwnsSilentAddress({
  masters,
  network,
  ecc,
  receiver,
}: OwnKeys): NonNullable<ReviewOptions['ownsSilentAddress']> {
  let receivers = receiver && [receiver];
  return (address) => {
    receivers ??= masters.flatMap((master) => masterReceiver(master, network, ecc) ?? []);
    return receivers.some((each) => each.owns(address));
  };
}

/** Makes the receiver of account 0 of a master key; `undefined` for other keys. */
export function masterReceiver(master: ExtendedKey, network: Network, ecc: Ecc): SilentPaymentReceiver | undefined {
  if (master.depth > 0 || !master.secretKey) return undefined;
  const { key, origin } = accountBelow(master, SILENT_PURPOSE, { network, account: 0, ecc });
  return receiverOf(keysBelow(key, origin, ecc), [], ecc);
}

export const receiverOf = (
  { scan, spend }: SilentPaymentKeys,
  labels: readonly number[],
  ecc: Ecc,
): SilentPaymentReceiver => createReceiver({ scanSecretKey: scan.secretKey, spendKey: spend.publicKey, labels }, ecc);
