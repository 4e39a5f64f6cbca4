import { scriptKey } from '../../../core/script/scriptKey.ts';
import type { Txid } from '../../../core/tx/types.ts';
import { paymentsTo, paymentTarget } from '../records/payments.ts';
import { chainDepth, compareRecords } from '../records/records.ts';
import type { WalletTx } from '../records/walletTx.ts';
import { isFinalNow, isImmature, type View } from './txQueries.ts';

export interface Received {
  /** In satoshi. */
  readonly amount: bigint;
  /** The fewest confirmations. */
  readonly depth: number;
  /** One per output, sorted by bytes. */
  readonly txids: readonly Txid[];
}

export interface ReceivedQuery {
  readonly minDepth: number;
  readonly includesImmature: boolean;
}

/** Returns `undefined` if no payment counts. */
export function receivedBy(view: View, destination: Uint8Array, query: ReceivedQuery): Received | undefined {
  const { wallet } = view;
  const target = scriptKey(destination);
  let amount = 0n;
  let depth = Number.POSITIVE_INFINITY;
  const txids: Txid[] = [];
  for (const wtx of [...paymentsTo(wallet, target)].sort(compareRecords)) {
    if (!isCounted(view, wtx, query)) continue;
    for (const { value, scriptPubKey } of wtx.tx.outputs) {
      if (paymentTarget(wallet, scriptPubKey) !== target) continue;
      amount += value;
      depth = Math.min(depth, chainDepth(wallet, wtx));
      txids.push(wtx.id);
    }
  }
  return txids.length === 0 ? undefined : { amount, depth, txids };
}

function isCounted(view: View, wtx: WalletTx, { minDepth, includesImmature }: ReceivedQuery): boolean {
  const { wallet } = view;
  const depth = chainDepth(wallet, wtx);
  if (depth < minDepth) return false;
  if (wallet.rules.checksLocktimes && !isFinalNow(view, wtx)) return false;
  if (!wtx.isCoinbase) return true;
  return wallet.rules.countsReceivedCoinbases && depth >= 1 && (includesImmature || !isImmature(wallet, wtx));
}
