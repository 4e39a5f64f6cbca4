import { outputKey } from '../../../core/tx/txid.ts';
import type { OutpointKey } from '../../../core/tx/types.ts';
import { reopenPayments } from '../records/recordIndex.ts';
import { chainDepth } from '../records/records.ts';
import { addAmounts, addOutput, noAmounts, updateSettled } from '../records/settledAmounts.ts';
import type { Amounts, BlockPlace, SettledSums, Wallet, WalletTx } from '../records/walletState.ts';
import { isImmature, isSpent, isTrusted, type TrustCache, type View, WALLET_MATURITY } from './txQueries.ts';

export interface Balances {
  /** Confirmed, or created by the wallet itself. */
  readonly trusted: Amounts;
  /** In the mempool, and created by others. */
  readonly pending: Amounts;
  readonly immature: Amounts;
  /** In Core 31, those of the above that only transactions outside chain and mempool spend. */
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
  const { waiting, tip } = wallet;
  if (waiting && waiting.others === 0 && !hasAddedScripts(wallet)) {
    return settledBalances(tip, waiting.sums(), query.minDepth ?? 0);
  }
  settleIndex(wallet);
  const { settled } = wallet.index;
  const balances = settledBalances(tip, settled.sums, query.minDepth ?? 0);
  addRecords(balances, settled.others, { ...query, view });
  return balances;
}

const hasAddedScripts = ({ legacy, descriptors }: Wallet): boolean => (legacy ?? descriptors)?.hasAdded() ?? false;

export function settleIndex(wallet: Wallet): void {
  const { index } = wallet;
  reopenPayments(wallet);
  if (index.hasNewlyUsed) for (const key of wallet.records.keys()) index.touched.add(key);
  index.hasNewlyUsed = false;
  updateSettled(wallet);
}

const noBalances = (): Balances => ({
  trusted: noAmounts(),
  pending: noAmounts(),
  immature: noAmounts(),
  nonmempool: noAmounts(),
});

function settledBalances(tip: BlockPlace, { total, byHeight }: SettledSums, minDepth: number): Balances {
  const balances = noBalances();
  addAmounts(balances.trusted, total);
  for (let height = tip.height; height > tip.height + 1 - WALLET_MATURITY; height -= 1) {
    const at = byHeight.get(height);
    if (!at) continue;
    addAmounts(balances.immature, at.coinbase);
    addAmounts(balances.trusted, at.coinbase, -1n);
  }
  for (const height of heightsBelow(minDepth, tip.height, byHeight)) {
    const at = byHeight.get(height);
    if (!at) continue;
    addAmounts(balances.trusted, at.payment, -1n);
    if (tip.height - height + 1 >= WALLET_MATURITY) addAmounts(balances.trusted, at.coinbase, -1n);
  }
  return balances;
}

function heightsBelow(minDepth: number, tip: number, byHeight: ReadonlyMap<number, unknown>): readonly number[] {
  if (minDepth > byHeight.size) return [...byHeight.keys()].filter((height) => tip - height + 1 < minDepth);
  return Array.from({ length: Math.max(0, minDepth - 1) }, (_, i) => tip - i);
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
