import { withSecretKey } from '../../core/crypto/concealed.ts';
import type { Ecc } from '../../core/crypto/ecc.ts';
import type { HeldKey } from '../../core/holder/heldKey.ts';
import { seedName } from '../../core/holder/keyPaths.ts';
import { receiverOf, type SilentWallet } from '../../core/holder/silentWallets.ts';
import type { SilentPaymentKeys } from '../../core/silentPayments/keys.ts';

/** Returns what a holder takes of a wallet of silent payments: its receiver, and the keys that spend. */
export function silentPaymentParts(
  keys: SilentPaymentKeys,
  {
    labels,
    ecc,
    number = 0,
    master,
  }: {
    readonly labels: readonly number[];
    readonly ecc: Ecc;
    readonly number?: number;
    readonly master?: HeldKey;
  },
): { readonly silent: SilentWallet; readonly keys: readonly HeldKey[] } {
  const { publicKey, secretKey } = keys.spend;
  const spend = secretKey && { key: withSecretKey({ publicKey }, secretKey) };
  const seed = master ? seedName(master) : 'silent payments';
  return {
    silent: { receiver: receiverOf(keys, labels, ecc), seed, number },
    keys: [...(master ? [master] : []), ...(spend ? [spend] : [])],
  };
}
