import type { ReviewOptions } from '../../core/review/reviewPsbt.ts';
import { keysBelow, type SilentPaymentKeys } from '../../core/silentPayments/keys.ts';
import { createReceiver, type SilentPaymentReceiver } from '../../core/silentPayments/receiver.ts';
import { accountBelow } from './accountPath.ts';
import type { AccountKeys } from './accountPsbt.ts';

/** The purpose of silent payments in paths. @see BIP352 "Key Derivation" */
export const SILENT_PURPOSE = 352;

/**
 * Recognizes addresses of a given receiver, and of account 0 of master keys, where a wallet that is restored looks for
 * payments. Derives keys at the first use.
 */
export function createOwnsSilentAddress({
  masters,
  network,
  ecc,
  receiver,
}: Pick<AccountKeys, 'masters' | 'network' | 'ecc' | 'receiver'>): NonNullable<ReviewOptions['ownsSilentAddress']> {
  const receivers: SilentPaymentReceiver[] = receiver ? [receiver] : [];
  let isComplete = false;
  return (address) => {
    if (!isComplete) {
      for (const master of masters) {
        if (master.depth > 0 || !master.secretKey) continue;
        const { key, origin } = accountBelow(master, SILENT_PURPOSE, { network, account: 0, ecc });
        receivers.push(receiverOf(keysBelow(key, origin, ecc), [], ecc));
      }
      isComplete = true;
    }
    return receivers.some((each) => each.owns(address));
  };
}

export const receiverOf = (
  { scan, spend }: SilentPaymentKeys,
  labels: readonly number[],
  ecc: AccountKeys['ecc'],
): SilentPaymentReceiver => createReceiver({ scanSecretKey: scan.secretKey, spendKey: spend.publicKey, labels }, ecc);
