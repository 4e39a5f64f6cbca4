import { compareBytes } from '../../../core/bytes/compare.ts';
import { isFinalTransaction } from '../../../core/tx/absoluteLock.ts';
import { signalsReplacement } from '../../../core/tx/replaceable.ts';
import type { Txid } from '../../../core/tx/types.ts';
import type { Chain } from '../../chain/chainState.ts';
import { ancestorsOf } from '../../chain/mempool.ts';
import { depthOf, recordOf } from '../records/records.ts';
import type { Wallet, WalletTx } from '../records/walletState.ts';
import { isFromMe, matches, prevoutOf } from './ownership.ts';

export interface View {
  readonly wallet: Wallet;
  readonly chain: Chain;
  /** UNIX time. */
  readonly now: number;
}

/** One more than consensus requires. */
export const WALLET_MATURITY = 101;

/** @see Bitcoin Core `CWallet::IsTxImmatureCoinBase` */
export const isImmature = (wallet: Wallet, wtx: WalletTx): boolean =>
  wtx.isCoinbase && depthOf(wallet, wtx) < WALLET_MATURITY;

/** Takes an outpoint's key. @see Bitcoin Core `CWallet::IsSpent` */
export function isSpent(wallet: Wallet, outpoint: string): boolean {
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
  return wallet.rules.tellsConflictsByState ? kind !== 'conflicted' : depthOf(wallet, wtx) >= 0;
}

export const isFinalNow = ({ wallet, now }: View, { tx }: WalletTx): boolean =>
  isFinalTransaction(tx, wallet.tip.height + 1, now);

/** By transaction key; valid until the next event. */
export type TrustCache = Map<string, boolean>;

/**
 * Trusts confirmed transactions, and those in the mempool that spend only trusted coins of the wallet. Fills `known`.
 * @see Bitcoin Core `CachedTxIsTrusted`
 */
export function isTrusted(view: View, wtx: WalletTx, known: TrustCache = new Map()): boolean {
  // Iterative, since a long chain of ancestors could overflow the stack.
  const waiting = [wtx];
  for (let at = waiting.at(-1); at; at = waiting.at(-1)) {
    const parents = known.has(at.key) ? [] : trustOf(view, at, known);
    if (typeof parents === 'boolean') known.set(at.key, parents);
    else for (const parent of parents) waiting.push(parent);
    if (known.has(at.key)) waiting.pop();
  }
  return known.get(wtx.key) ?? false;
}

/** Returns the verdict, or the parents that must be decided first. */
function trustOf(view: View, wtx: WalletTx, known: TrustCache): readonly WalletTx[] | boolean {
  const { wallet } = view;
  const { checksLocktimes, tellsConflictsByState } = wallet.rules;
  if (checksLocktimes && !isFinalNow(view, wtx)) return false;
  const depth = depthOf(wallet, wtx);
  if (depth !== 0 || (tellsConflictsByState && wtx.state.kind === 'conflicted')) return depth > 0;
  return wtx.isInMempool && isFromMe(wallet, wtx.tx) && trustOfParents(wallet, wtx, known);
}

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

/** Sorts by txid bytes. @see Bitcoin Core `CWallet::GetConflicts` */
export function conflictsOf({ records, spenders }: Wallet, wtx: WalletTx): readonly Txid[] {
  const found = new Map<string, Txid>();
  for (const spent of wtx.spends) {
    const names = spenders.get(spent);
    if (!names || names.length < 2) continue;
    for (const name of names) {
      const rival = records.get(name);
      if (rival && rival !== wtx) found.set(name, rival.id);
    }
  }
  return [...found.values()].sort(compareBytes);
}

/**
 * Tells whether a transaction or its ancestor signals replaceability (BIP125). `unknown` if it does not signal and is
 * outside the mempool, where its ancestors would be found.
 */
export function replaceability({ wallet, chain }: View, wtx: WalletTx): 'yes' | 'no' | 'unknown' {
  if (depthOf(wallet, wtx) > 0) return 'no';
  if (signalsReplacement(wtx.tx)) return 'yes';
  const pooled = chain.mempool.get(wtx.key);
  if (!pooled) return 'unknown';
  return ancestorsOf(chain, pooled).some(({ tx }) => signalsReplacement(tx)) ? 'yes' : 'no';
}
