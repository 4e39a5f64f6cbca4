import { type ScriptKey, scriptKey } from '../../../core/script/scriptKey.ts';
import { extractDestination } from '../queries/ownership.ts';
import type { Payments, Wallet, WalletTx } from './walletState.ts';

export const createPayments = (): Payments => ({ byTarget: new Map(), count: 0 });

const NONE: readonly WalletTx[] = [];

/** Returns the records that pay a script, each once, in the order of arrival. */
export function paymentsTo(wallet: Wallet, target: ScriptKey): readonly WalletTx[] {
  const { payments } = wallet.index;
  for (; payments.count < wallet.ordered.length; payments.count += 1) {
    const wtx = wallet.ordered[payments.count];
    if (wtx) addPayments(wallet, wtx);
  }
  return payments.byTarget.get(target) ?? NONE;
}

function addPayments(wallet: Wallet, wtx: WalletTx): void {
  const { byTarget } = wallet.index.payments;
  for (const { scriptPubKey } of wtx.tx.outputs) {
    const target = paymentTarget(wallet, scriptPubKey);
    const payers = byTarget.get(target);
    if (!payers) byTarget.set(target, [wtx]);
    else if (payers.at(-1) !== wtx) payers.push(wtx);
  }
}

/** Takes out a record, which the wallet must still have. */
export function forgetPayments(wallet: Wallet, wtx: WalletTx): void {
  const { ordered, index } = wallet;
  const { payments } = index;
  if (ordered.indexOf(wtx) >= payments.count) return;
  payments.count -= 1;
  for (const { scriptPubKey } of wtx.tx.outputs) {
    const target = paymentTarget(wallet, scriptPubKey);
    const payers = payments.byTarget.get(target)?.filter((other) => other !== wtx) ?? NONE;
    if (payers.length > 0) payments.byTarget.set(target, [...payers]);
    else payments.byTarget.delete(target);
  }
}

/** P2PK scripts are the only ones that differ from the script of their address. */
const BARE_KEY_SIZES: ReadonlySet<number> = new Set([35, 67]);

/** Returns the key of the script of an output's address, or else of its own. */
export function paymentTarget(wallet: Wallet, scriptPubKey: Uint8Array): ScriptKey {
  const isBareKey = wallet.rules.bareKeysHaveAddresses && BARE_KEY_SIZES.has(scriptPubKey.length);
  return scriptKey((isBareKey && extractDestination(wallet, scriptPubKey)) || scriptPubKey);
}
