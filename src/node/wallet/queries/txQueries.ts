import { compareBytes } from '../../../core/bytes/compare.ts';
import { isFinalTransaction } from '../../../core/tx/absoluteLock.ts';
import { signalsReplacement } from '../../../core/tx/replaceable.ts';
import type { OutpointKey, Txid, TxKey } from '../../../core/tx/types.ts';
import type { Chain } from '../../chain/chainState.ts';
import { mempoolAncestors } from '../../chain/mempool.ts';
import { chainDepth, findRecord } from '../records/records.ts';
import type { Wallet } from '../records/walletState.ts';
import type { WalletTx } from '../records/walletTx.ts';
import { findPrevout, isFromMe, matches } from './ownership.ts';

export interface View {
  readonly wallet: Wallet;
  readonly chain: Chain;
  /** UNIX time. */
  readonly now: number;
  /** Own payments count before they are confirmed. @see Bitcoin Core `-spendzeroconfchange` */
  readonly trustsOwn: boolean;
}

/** One more than consensus requires. */
export const WALLET_MATURITY = 101;

/** @see Bitcoin Core `CWallet::IsTxImmatureCoinBase` */
export const isImmature = (wallet: Wallet, wtx: WalletTx): boolean =>
  wtx.isCoinbase && chainDepth(wallet, wtx) < WALLET_MATURITY;

/** @see Bitcoin Core `CWallet::IsSpent` */
export function isSpent(wallet: Wallet, outpoint: OutpointKey): boolean {
  const names = wallet.spenders.get(outpoint);
  if (!names) return false;
  for (const name of names) {
    const spender = wallet.records.get(name);
    if (spender && isActiveSpender(wallet, spender)) return true;
  }
  return false;
}

function isActiveSpender(wallet: Wallet, wtx: WalletTx): boolean {
  const { kind } = wtx.state;
  if (kind === 'abandoned' || wtx.mempoolConflicts.size > 0) return false;
  return wallet.rules.tellsConflictsByState ? kind !== 'conflicted' : chainDepth(wallet, wtx) >= 0;
}

export const isFinalNow = ({ wallet, now }: View, { tx }: WalletTx): boolean =>
  isFinalTransaction(tx, wallet.row.tip.height + 1, now);

/** Valid until the next event. */
export type TrustCache = Map<TxKey, boolean>;

export interface TrustView {
  readonly view: View;
  readonly trusted: TrustCache;
}

/**
 * Trusts confirmed transactions and, unless an option says otherwise, those in the mempool that spend only trusted coins
 * of the wallet. Fills `cache`.
 * @see Bitcoin Core `CachedTxIsTrusted`
 */
export function isTrusted(view: View, wtx: WalletTx, cache: TrustCache = new Map()): boolean {
  // Iterative, since a long chain of ancestors could overflow the stack.
  const waiting = [wtx];
  for (let at = waiting.at(-1); at; at = waiting.at(-1)) {
    const parents = cache.has(at.key) ? [] : decideTrust(view, at, cache);
    if (typeof parents === 'boolean') cache.set(at.key, parents);
    else for (const parent of parents) waiting.push(parent);
    if (cache.has(at.key)) waiting.pop();
  }
  return cache.get(wtx.key) ?? false;
}

/** Returns the verdict, or the parents that must be decided first. */
function decideTrust(view: View, wtx: WalletTx, cache: TrustCache): readonly WalletTx[] | boolean {
  const { wallet } = view;
  const { checksLocktimes, tellsConflictsByState } = wallet.rules;
  if (checksLocktimes && !isFinalNow(view, wtx)) return false;
  const depth = chainDepth(wallet, wtx);
  if (depth !== 0 || (tellsConflictsByState && wtx.state.kind === 'conflicted')) return depth > 0;
  return view.trustsOwn && wtx.isInMempool && isFromMe(wallet, wtx.tx) && decideParentsTrust(wallet, wtx, cache);
}

function decideParentsTrust(wallet: Wallet, { tx }: WalletTx, cache: TrustCache): readonly WalletTx[] | boolean {
  const undecided: WalletTx[] = [];
  for (const input of tx.inputs) {
    const parent = findRecord(wallet, input.outpoint.txid);
    const prevout = findPrevout(wallet, input);
    if (!parent || !prevout || !matches(wallet, prevout.scriptPubKey, 'own')) return false;
    const verdict = cache.get(parent.key);
    if (verdict === false) return false;
    if (verdict === undefined) undecided.push(parent);
  }
  return undecided.length > 0 ? undecided : true;
}

/** Sorts by txid bytes. @see Bitcoin Core `CWallet::GetConflicts` */
export function findConflicts({ records, spenders }: Wallet, wtx: WalletTx): readonly Txid[] {
  const rivals = new Map<TxKey, Txid>();
  for (const spent of wtx.spends) {
    const names = spenders.get(spent);
    if (!names || names.length < 2) continue;
    for (const name of names) {
      const rival = records.get(name);
      if (rival && name !== wtx.key) rivals.set(name, rival.id);
    }
  }
  return [...rivals.values()].sort(compareBytes);
}

/**
 * Tells whether a transaction or its ancestor signals replaceability (BIP125). `unknown` if it does not signal and is
 * outside the mempool, where its ancestors would be found.
 */
export function replaceability({ wallet, chain }: View, wtx: WalletTx): 'yes' | 'no' | 'unknown' {
  if (chainDepth(wallet, wtx) > 0) return 'no';
  if (signalsReplacement(wtx.tx)) return 'yes';
  const pooled = chain.mempool.get(wtx.key);
  if (!pooled) return 'unknown';
  return mempoolAncestors(chain, pooled).some(({ tx }) => signalsReplacement(tx)) ? 'yes' : 'no';
}
