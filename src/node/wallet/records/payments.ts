import { bytesKey } from '../../../core/bytes/compare.ts';
import { sha256 } from '../../../core/crypto/hash.ts';
import { parseScriptKey, type ScriptKey, scriptKey } from '../../../core/script/scriptKey.ts';
import { orderKey } from '../../store/orderKey.ts';
import { extractDestination } from '../queries/ownership.ts';
import type { Wallet } from './walletState.ts';
import type { WalletTx } from './walletTx.ts';

const HASH_SIZE = 20;

/** Shortens a script of any length. Different scripts have different hashes, even if someone looks for others. */
const targetHash = (target: ScriptKey): string => bytesKey(sha256(parseScriptKey(target)), 0, HASH_SIZE);

/** Returns the records that pay a script, each once, in the order of arrival. */
export function paymentsTo({ index, records }: Wallet, target: ScriptKey): readonly WalletTx[] {
  return [...index.payments.entries(targetHash(target))].flatMap(([, key]) => records.get(key) ?? []);
}

export function addPayments(wallet: Wallet, wtx: WalletTx): void {
  for (const key of paymentKeys(wallet, wtx)) wallet.index.payments.set(key, wtx.key);
}

export function removePayments(wallet: Wallet, wtx: WalletTx): void {
  for (const key of paymentKeys(wallet, wtx)) wallet.index.payments.delete(key);
}

/** Without duplicates. */
export const paymentKeys = (wallet: Wallet, { tx, order }: WalletTx): readonly string[] => [
  ...new Set(tx.outputs.map(({ scriptPubKey }) => targetHash(paymentTarget(wallet, scriptPubKey)) + orderKey(order))),
];

/** P2PK scripts are the only ones that differ from the script of their address. */
const BARE_KEY_SIZES: ReadonlySet<number> = new Set([35, 67]);

/** Returns the key of the script of an output's address, or else of its own. */
export function paymentTarget(wallet: Wallet, scriptPubKey: Uint8Array): ScriptKey {
  const isBareKey = wallet.rules.bareKeysHaveAddresses && BARE_KEY_SIZES.has(scriptPubKey.length);
  return scriptKey((isBareKey && extractDestination(wallet, scriptPubKey)) || scriptPubKey);
}
