import type { Ecc } from '../crypto/ecc.ts';
import { derivePath, type ExtendedKey, keyFingerprint } from '../keys/bip32.ts';
import { HARDENED, type KeyOrigin } from '../keys/path.ts';
import type { Network } from '../network/networks.ts';
import { keysBelow, type SilentPaymentKeys } from '../silentPayments/keys.ts';
import { createReceiver, type SilentPaymentReceiver } from '../silentPayments/receiver.ts';
import { coinType } from './accounts.ts';
import { type HeldKey, isMaster } from './heldKey.ts';
import { seedName } from './keyPaths.ts';

/** A wallet of silent payments in the hands of a holder. */
export interface SilentWallet {
  readonly receiver: SilentPaymentReceiver;
  /** Names the seed, and the number of the account below it, as in `AccountPlace`. */
  readonly seed: string;
  readonly number: number;
}

/** The purpose of silent payments in paths. @see BIP352 "Key Derivation" */
export const SILENT_PURPOSE = 352;

/** The labels that are searched for, unless the user says others: 1 to 100. */
export const USUAL_LABELS: readonly number[] = /* @__PURE__ */ Array.from({ length: 100 }, (_, i) => i + 1);

/** Lists the labels to search for, of a wallet that has some up to `highest`. */
export const labelsUpTo = (highest = 0): readonly number[] =>
  Array.from({ length: Math.max(USUAL_LABELS.length, highest) }, (_, i) => i + 1);

/** Derives the key of an account. @see BIP44 "Path levels" */
export function accountBelow(
  master: ExtendedKey,
  purpose: number,
  { network, account, ecc }: { readonly network: Network; readonly account: number; readonly ecc: Ecc },
): { readonly key: ExtendedKey; readonly origin: KeyOrigin } {
  const path = [purpose, coinType(network), account].map((step) => step + HARDENED);
  return { key: derivePath(master, path, { ecc }), origin: { fingerprint: keyFingerprint(master), path } };
}

export const receiverOf = (
  { scan, spend }: SilentPaymentKeys,
  labels: readonly number[],
  ecc: Ecc,
): SilentPaymentReceiver =>
  createReceiver({ scanSecretKey: scan.secretKey, spendKey: spend.publicKey, labels }, { ecc });

/** Makes the wallets of silent payments of account 0 of each master key, where a wallet that is restored looks. */
export function silentWalletsOf(keys: readonly HeldKey[], network: Network, ecc: Ecc): readonly SilentWallet[] {
  return keys.flatMap((held) => {
    if (!isMaster(held)) return [];
    const { key, origin } = accountBelow(held.key, SILENT_PURPOSE, { network, account: 0, ecc });
    return [{ receiver: receiverOf(keysBelow(key, origin, ecc), USUAL_LABELS, ecc), seed: seedName(held), number: 0 }];
  });
}
