import { compareBytes } from '../../../core/bytes/compare.ts';
import { isFinalTransaction } from '../../../core/tx/absoluteLock.ts';
import { signalsReplacement } from '../../../core/tx/replaceable.ts';
import type { Txid } from '../../../core/tx/types.ts';
import type { Chain } from '../../chain/chainState.ts';
import { ancestorsOf } from '../../chain/mempool.ts';
import { depthOf, recordOf } from '../records/records.ts';
import type { Wallet, WalletTx } from '../records/walletState.ts';
import { isFromMe, matches, prevoutOf } from './ownership.ts';

/** A wallet and its chain at a time; whether a transaction is final depends on the clock. */
export interface View {
  readonly wallet: Wallet;
  readonly chain: Chain;
  /** UNIX time. */
  readonly now: number;
}

/** The confirmations after which a wallet spends a coinbase: one more than consensus requires. */
export const WALLET_MATURITY = 101;

/** Tells whether a transaction is an immature coinbase. @see Bitcoin Core `CWallet::IsTxImmatureCoinBase` */
export const isImmature = (wallet: Wallet, wtx: WalletTx): boolean =>
  wtx.isCoinbase && depthOf(wallet, wtx) < WALLET_MATURITY;

/**
 * Tells whether an active recorded transaction spends an outpoint, given by its key.
 * @see Bitcoin Core `CWallet::IsSpent`
 */
export function isSpent(wallet: Wallet, outpoint: string): boolean {
  const names = wallet.spenders.get(outpoint);
  if (!names) return false;
  for (const name of names) {
    const spender = wallet.records.get(name);
    if (spender && isActiveSpender(wallet, spender)) return true;
  }
  return false;
}

/** Tells whether a transaction's spends are in effect: it is neither abandoned nor in conflict. */
function isActiveSpender(wallet: Wallet, wtx: WalletTx): boolean {
  const { kind } = wtx.state;
  if (kind === 'abandoned' || wtx.mempoolConflicts.size > 0) return false;
  return wallet.rules.tellsConflictsByState ? kind !== 'conflicted' : depthOf(wallet, wtx) >= 0;
}

/** Tells whether a transaction's absolute locktime allows it in the next block. */
export const isFinalNow = ({ wallet, now }: View, { tx }: WalletTx): boolean =>
  isFinalTransaction(tx, wallet.tip.height + 1, now);

/** A cache of trust results by transaction key, valid until the next event. */
export type TrustCache = Map<string, boolean>;

/**
 * Tells whether a transaction is trusted: confirmed, or in the mempool and spending only trusted coins of the wallet.
 *
 * - `known`: a cache that avoids checking an ancestor twice; the results are added to it
 *
 * @see Bitcoin Core `CachedTxIsTrusted`
 */
export function isTrusted(view: View, wtx: WalletTx, known: TrustCache = new Map()): boolean {
  // Iterative, since a long chain of ancestors could overflow the engine's stack.
  const waiting = [wtx];
  for (let at = waiting.at(-1); at; at = waiting.at(-1)) {
    const parents = known.has(at.key) ? [] : trustOf(view, at, known);
    if (typeof parents === 'boolean') known.set(at.key, parents);
    else for (const parent of parents) waiting.push(parent);
    if (known.has(at.key)) waiting.pop();
  }
  return known.get(wtx.key) ?? false;
}

/** Returns whether a transaction is trusted, or the parents that must be decided first. */
function trustOf(view: View, wtx: WalletTx, known: TrustCache): readonly WalletTx[] | boolean {
  const { wallet } = view;
  const { checksLocktimes, tellsConflictsByState } = wallet.rules;
  if (checksLocktimes && !isFinalNow(view, wtx)) return false;
  const depth = depthOf(wallet, wtx);
  if (depth !== 0 || (tellsConflictsByState && wtx.state.kind === 'conflicted')) return depth > 0;
  return wtx.isInMempool && isFromMe(wallet, wtx.tx) && trustOfParents(wallet, wtx, known);
}

/** Like {@link trustOf}, for a transaction that is trusted if all coins it spends are the wallet's own and trusted. */
function trustOfParents(wallet: Wallet, { tx }: WalletTx, known: TrustCache): readonly WalletTx[] | boolean {
  const undecided: WalletTx[] = [];
  for (const input of tx.inputs) {
    const parent = recordOf(wallet, input.outpoint.txid);
    const prevout = prevoutOf(wallet, input);
    if (!parent || !prevout || !matches(wallet, prevout.scriptPubKey, 'own')) return false;
    const verdict = known.get(parent.key);
    if (verdict === false) return false;
    if (verdict === undefined) undecided.push(parent);
  }
  return undecided.length > 0 ? undecided : true;
}

/**
 * Returns the ids of the other recorded transactions that spend the same coins, sorted by bytes.
 * @see `CWallet::GetConflicts`
 */
export function conflictsOf({ records, spenders }: Wallet, wtx: WalletTx): readonly Txid[] {
  const found = new Map<string, Txid>();
  for (const spent of wtx.spends) {
    const names = spenders.get(spent);
    // Fast path: most coins have only one spender.
    if (!names || names.length < 2) continue;
    for (const name of names) {
      const rival = records.get(name);
      if (rival && rival !== wtx) found.set(name, rival.id);
    }
  }
  return [...found.values()].sort(compareBytes);
}

/**
 * Tells whether an unconfirmed transaction signals replaceability, itself or through an ancestor: `unknown` if it does
 * not signal and is not in the mempool, where its ancestors would be found.
 * @see BIP125
 */
export function replaceability({ wallet, chain }: View, wtx: WalletTx): 'yes' | 'no' | 'unknown' {
  if (depthOf(wallet, wtx) > 0) return 'no';
  if (signalsReplacement(wtx.tx)) return 'yes';
  const pooled = chain.mempool.get(wtx.key);
  if (!pooled) return 'unknown';
  return ancestorsOf(chain, pooled).some(({ tx }) => signalsReplacement(tx)) ? 'yes' : 'no';
}
