import { compareBytes } from '../bytes/compare.ts';
import { SEQUENCE_FINAL } from '../tx/locktime.ts';
import type { Transaction, Txid } from '../tx/types.ts';
import type { Chain } from './chainState.ts';
import { ancestorsOf, isFinal } from './mempool.ts';
import { isFromMe, matches, prevoutOf } from './ownership.ts';
import { depthOf, recordOf } from './records.ts';
import type { Wallet, WalletTx } from './walletState.ts';

/** What a wallet is asked about, and when: what is final depends on the clock. */
export interface View {
  readonly wallet: Wallet;
  readonly chain: Chain;
  /** UNIX time. */
  readonly now: number;
}

/** After how many confirmations a wallet spends a coinbase: one more than a block would. */
const WALLET_MATURITY = 101;

export const isImmature = (wallet: Wallet, one: WalletTx): boolean =>
  one.isCoinbase && depthOf(wallet, one) < WALLET_MATURITY;

/** Whether a recorded transaction that counts spends an outpoint, by its name. @see Bitcoin Core `CWallet::IsSpent` */
export function isSpent(wallet: Wallet, outpoint: string): boolean {
  const names = wallet.spenders.get(outpoint);
  if (!names) return false;
  for (const name of names) {
    const spender = wallet.records.get(name);
    if (spender && counts(wallet, spender)) return true;
  }
  return false;
}

function counts(wallet: Wallet, one: WalletTx): boolean {
  const { state, mempoolConflicts } = one;
  if (wallet.rules.isModern) {
    return state.kind !== 'abandoned' && state.kind !== 'conflicted' && mempoolConflicts.size === 0;
  }
  const depth = depthOf(wallet, one);
  return depth > 0 || (depth === 0 && state.kind !== 'abandoned');
}

/** Whether the next block could hold a transaction, for all that its lock says. */
export const isFinalNow = ({ wallet, now }: View, { tx }: WalletTx): boolean => isFinal(tx, wallet.tip.height + 1, now);

/** Which transactions turned out to be trusted, by name, and which did not. It holds while nothing happens. */
export type Verdicts = Map<string, boolean>;

/**
 * Whether a transaction can be built on: mined, or in the mempool and all one's own.
 *
 * - `known`: what is found out is added, so that no generation is gone through twice
 *
 * @see Bitcoin Core `CachedTxIsTrusted`
 */
export function isTrusted(view: View, one: WalletTx, known: Verdicts = new Map()): boolean {
  // Not by recursion: there may be more generations than an engine has room for.
  const waiting = [one];
  for (let at = waiting.at(-1); at; at = waiting.at(-1)) {
    const parents = known.has(at.name) ? [] : doubtfulParents(view, at, known);
    if (typeof parents === 'boolean') known.set(at.name, parents);
    else for (const parent of parents) waiting.push(parent);
    if (known.has(at.name)) waiting.pop();
  }
  return known.get(one.name) ?? false;
}

/** Whether a transaction is trusted, or those of which that must be known first. */
function doubtfulParents(view: View, one: WalletTx, known: Verdicts): readonly WalletTx[] | boolean {
  const { wallet } = view;
  const { isModern } = wallet.rules;
  if (!isModern && !isFinalNow(view, one)) return false;
  const depth = depthOf(wallet, one);
  // A stale conflict of 0.21 counts up as if it had been mined.
  if (depth !== 0 || (isModern && one.state.kind === 'conflicted')) return depth > 0;
  return one.isInMempool && isFromMe(wallet, one.tx) && ownParents(wallet, one, known);
}

/** The same of one that is trusted if all that it spends is one's own, and trusted. */
function ownParents(wallet: Wallet, { tx }: WalletTx, known: Verdicts): readonly WalletTx[] | boolean {
  const doubtful: WalletTx[] = [];
  for (const input of tx.inputs) {
    const parent = recordOf(wallet, input.outpoint.txid);
    const prevout = prevoutOf(wallet, input);
    if (!parent || !prevout || !matches(wallet, prevout.scriptPubKey, 'own')) return false;
    const verdict = known.get(parent.name);
    if (verdict === false) return false;
    if (verdict === undefined) doubtful.push(parent);
  }
  return doubtful.length > 0 ? doubtful : true;
}

/** The other recorded transactions that spend the same coins, by their ids' bytes. @see `CWallet::GetConflicts` */
export function conflictsOf({ records, spenders }: Wallet, one: WalletTx): readonly Txid[] {
  const found = new Map<string, Txid>();
  for (const spent of one.spends) {
    const names = spenders.get(spent);
    // Most coins are spent once.
    if (!names || names.size < 2) continue;
    for (const name of names) {
      const rival = records.get(name);
      if (rival && rival !== one) found.set(name, rival.id);
    }
  }
  return [...found.values()].sort(compareBytes);
}

/** Whether a transaction that is not mined may be replaced; where that depends on others, only the mempool knows. */
export function replaceability({ wallet, chain }: View, one: WalletTx): 'yes' | 'no' | 'unknown' {
  if (depthOf(wallet, one) > 0) return 'no';
  if (isReplaceable(one.tx)) return 'yes';
  const there = chain.mempool.get(one.name);
  if (!there) return 'unknown';
  return ancestorsOf(chain, there).some(({ tx }) => isReplaceable(tx)) ? 'yes' : 'no';
}

const isReplaceable = ({ inputs }: Transaction): boolean =>
  inputs.some(({ sequence }) => sequence < SEQUENCE_FINAL - 1);
