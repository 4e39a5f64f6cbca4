import { chainTx } from '../chain/chainTx.ts';
import { unminedRecords } from '../wallet/records/recordIndex.ts';
import type { WalletContext } from './context.ts';
import { readmit } from './submitTransaction.ts';

/**
 * Submits what the wallet has in no block to the mempool again, and leaves out what the mempool refuses.
 * @see Bitcoin Core `CWallet::ResubmitWalletTransactions`; 0.21 `ReacceptWalletTransactions`
 */
export function resubmitPayments(context: WalletContext): void {
  const { wallet, node, mempool, settings } = context;
  // A mempool that follows that of another node takes nothing else.
  if (!settings.broadcasts || mempool.isSkipped) return;
  for (const wtx of unminedRecords(wallet)) {
    if (wtx.state.kind === 'abandoned') continue;
    readmit(chainTx(wtx.tx), { time: node.now(), isUnbroadcast: false, maxFee: settings.maxFee }, context);
  }
}
