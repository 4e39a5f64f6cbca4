import { outputKey } from '../../../core/tx/txid.ts';
import type { OutpointKey } from '../../../core/tx/types.ts';
import { type Amounts, addAmounts, noAmounts } from '../records/amounts.ts';
import { unsettledRecords } from '../records/recordIndex.ts';
import { chainDepth } from '../records/records.ts';
import { addOutput, settle, settledAt, settledHeights, settledTotal } from '../records/settledAmounts.ts';
import type { Wallet } from '../records/walletState.ts';
import type { WalletTx } from '../records/walletTx.ts';
import { isImmature, isSpent, isTrusted, type TrustCache, type View, WALLET_MATURITY } from './txQueries.ts';

export interface Balances {
  /** Confirmed, or created by the wallet itself. */
  readonly trusted: Amounts;
  /** In the mempool, and created by others. */
  readonly pending: Amounts;
  readonly immature: Amounts;
  /** In Core 32, those of the above that only transactions outside chain and mempool spend. */
  readonly nonmempool: Amounts;
}

export interface BalanceQuery {
  /** The fewest confirmations of trusted outputs. Default 0. */
  readonly minDepth?: number;
  /** Counts outputs of {@link Balances.nonmempool}. */
  readonly countsNonmempool?: boolean;
}

/** Adds the sums of settled records and a walk over the others. @see Bitcoin Core `GetBalance` */
export function computeBalances(view: View, query: BalanceQuery = {}): Balances {
  const { wallet } = view;
  settle(wallet);
  const balances = settledBalances(wallet, query.minDepth ?? 0);
  addRecords(balances, unsettledRecords(wallet), { ...query, view });
  return balances;
}

const noBalances = (): Balances => ({
  trusted: noAmounts(),
  pending: noAmounts(),
  immature: noAmounts(),
  nonmempool: noAmounts(),
});

function settledBalances(wallet: Wallet, minDepth: number): Balances {
  const tip = wallet.row.tip.height;
  const balances = noBalances();
  const { coinbase, payment } = settledTotal(wallet);
  for (const amounts of [coinbase, payment]) addAmounts(balances.trusted, amounts);
  for (const height of settledHeights(wallet, Math.max(0, tip + 2 - Math.max(minDepth, WALLET_MATURITY)))) {
    const depth = tip - height + 1;
    const at = settledAt(wallet, height);
    if (!at || depth < 1) continue;
    if (depth < WALLET_MATURITY) addAmounts(balances.immature, at.coinbase);
    if (depth < Math.max(minDepth, WALLET_MATURITY)) addAmounts(balances.trusted, at.coinbase, -1n);
    if (depth < minDepth) addAmounts(balances.trusted, at.payment, -1n);
  }
  return balances;
}

export function addRecords(
  balances: Balances,
  records: Iterable<WalletTx>,
  { view, minDepth = 0, countsNonmempool = false }: BalanceQuery & { readonly view: View },
): void {
  const { wallet } = view;
  const cache: TrustCache = new Map();
  for (const wtx of records) {
    const depth = chainDepth(wallet, wtx);
    const kind = balanceKind(view, wtx, cache);
    if (!kind || (kind === 'trusted' && depth < minDepth)) continue;
    for (const [vout, output] of wtx.tx.outputs.entries()) {
      const spend = spendKind(wallet, outputKey(wtx.key, vout), kind === 'immature');
      if (spend === 'spent' || (spend === 'nonmempool' && !countsNonmempool)) continue;
      addOutput(wallet, balances[kind], output);
      if (spend === 'nonmempool') addOutput(wallet, balances.nonmempool, output);
    }
  }
}

function balanceKind(view: View, wtx: WalletTx, cache: TrustCache): 'trusted' | 'pending' | 'immature' | undefined {
  const { wallet } = view;
  const depth = chainDepth(wallet, wtx);
  if (isImmature(wallet, wtx)) return depth > 0 && wtx.state.kind === 'confirmed' ? 'immature' : undefined;
  if (isTrusted(view, wtx, cache)) return 'trusted';
  return depth === 0 && wtx.isInMempool ? 'pending' : undefined;
}

/** @see Bitcoin Core 31 `CWallet::HowSpent`; 0.21 `CWalletTx::GetImmatureCredit` */
function spendKind(wallet: Wallet, outpoint: OutpointKey, isImmatureCoin: boolean): 'unspent' | 'nonmempool' | 'spent' {
  if (isImmatureCoin && wallet.rules.countsSpentImmature) return 'unspent';
  if (!isSpent(wallet, outpoint)) return 'unspent';
  for (const name of wallet.spenders.get(outpoint) ?? []) {
    const spender = wallet.records.get(name);
    if (spender && (spender.state.kind === 'confirmed' || spender.isInMempool)) return 'spent';
  }
  return 'nonmempool';
}
