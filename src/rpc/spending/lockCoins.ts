import type { Transaction } from '../../tx/types.ts';
import type { WalletContext } from '../wallet/context.ts';
import { applyToWallet } from '../wallet/importResult.ts';

/** Locks the coins that a transaction spends until the wallet is unloaded. */
export function lockCoins({ inputs }: Transaction, context: WalletContext): void {
  applyToWallet(context, [{ type: 'lock', outpoints: inputs.map(({ outpoint }) => outpoint) }]);
}
