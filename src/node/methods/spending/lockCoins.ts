import type { Transaction } from '../../../core/tx/types.ts';
import type { WalletContext } from '../context.ts';
import { applyToWallet } from '../importResult.ts';

/** Locks coins until the wallet is unloaded. */
export function lockCoins({ inputs }: Transaction, context: WalletContext): void {
  applyToWallet(context, [{ type: 'lock', outpoints: inputs.map(({ outpoint }) => outpoint) }]);
}
