import { compareBytes } from '../bytes/compare.ts';
import { SEQUENCE_FINAL } from '../tx/locktime.ts';
import type { Transaction, Txid } from '../tx/types.ts';
import { type Chain, chainTx } from './chainState.ts';
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

/**
 * Whether a transaction can be built on: mined, or in the mempool and all one's own.
 *
 * - `trusted`: names of those that turned out to be so, from call to call
 *
 * @see Bitcoin Core `CachedTxIsTrusted`
 */
export function isTrusted(view: View, one: WalletTx, trusted: Set<string> = new Set()): boolean {
  const { wallet } = view;
  const { isModern } = wallet.rules;
  if (!isModern && !isFinalNow(view, one)) return false;
  const depth = depthOf(wallet, one);
  // A stale conflict of 0.21 counts up as if it had been mined.
  if (depth !== 0 || (isModern && one.state.kind === 'conflicted')) return depth > 0;
  if (!one.isInMempool || !isFromMe(wallet, one.tx)) return false;
  return one.tx.inputs.every((input) => {
    const parent = recordOf(wallet, input.outpoint.txid);
    const prevout = prevoutOf(wallet, input);
    if (!parent || !prevout || !matches(wallet, prevout.scriptPubKey, 'own')) return false;
    if (trusted.has(parent.name)) return true;
    if (!isTrusted(view, parent, trusted)) return false;
    trusted.add(parent.name);
    return true;
  });
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
  return ancestorsOf(chain, chainTx(there.tx, there.id)).some(({ tx }) => isReplaceable(tx)) ? 'yes' : 'no';
}

const isReplaceable = ({ inputs }: Transaction): boolean =>
  inputs.some(({ sequence }) => sequence < SEQUENCE_FINAL - 1);
