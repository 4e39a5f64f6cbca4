import { isFinalTransaction } from '../../../core/tx/absoluteLock.ts';
import { outputKey } from '../../../core/tx/txid.ts';
import type { OutpointKey, TxKey } from '../../../core/tx/types.ts';
import { findOwnership, isUsedBefore } from '../queries/ownership.ts';
import type { Amounts, SettledAmounts, SettledRecord, SettledSums, Wallet, WalletTx } from './walletState.ts';

export const noAmounts = (): Amounts => ({ own: 0n, watched: 0n, usedOwn: 0n, usedWatched: 0n });

export const createSettledAmounts = (): SettledAmounts => ({
  byRecord: new Map(),
  sums: createSums(),
  others: new Set(),
});

export const createSums = (): SettledSums => ({ total: noAmounts(), byHeight: new Map() });

/** Subtracts with a `sign` of -1. */
export function addAmounts(sum: Amounts, { own, watched, usedOwn, usedWatched }: Amounts, sign = 1n): void {
  sum.own += sign * own;
  sum.watched += sign * watched;
  sum.usedOwn += sign * usedOwn;
  sum.usedWatched += sign * usedWatched;
}

/** Ignores foreign outputs. */
export function addOutput(
  wallet: Wallet,
  sum: Amounts,
  { value, scriptPubKey }: { readonly value: bigint; readonly scriptPubKey: Uint8Array },
): void {
  const ownership = findOwnership(wallet, scriptPubKey);
  if (ownership === 'no') return;
  const isUsed = wallet.avoidsReuse && isUsedBefore(wallet, scriptPubKey);
  if (ownership === 'own') sum[isUsed ? 'usedOwn' : 'own'] += value;
  else sum[isUsed ? 'usedWatched' : 'watched'] += value;
}

export function updateSettled(wallet: Wallet): void {
  const { index, records } = wallet;
  for (const key of index.touched) {
    const wtx = records.get(key);
    if (!wtx) continue;
    forgetSettled(index.settled, wtx);
    const settled = computeSettled(wallet, wtx);
    if (settled) noteSettled(index.settled, key, settled);
    else index.settled.others.add(wtx);
  }
  index.touched.clear();
}

export function forgetSettled(settled: SettledAmounts, wtx: WalletTx): void {
  settled.others.delete(wtx);
  const before = settledRecord(settled, wtx);
  if (!before) return;
  settled.byRecord.set(wtx.key, undefined);
  addAmounts(settled.sums.total, before.amounts, -1n);
  const at = settled.sums.byHeight.get(before.height);
  if (at) addAmounts(at[before.kind], before.amounts, -1n);
}

export const settledRecord = (
  { byRecord }: SettledAmounts,
  { key, settled }: Pick<WalletTx, 'key' | 'settled'>,
): SettledRecord | undefined => (byRecord.has(key) ? byRecord.get(key) : settled);

function noteSettled({ byRecord, sums }: SettledAmounts, key: TxKey, added: SettledRecord): void {
  if (isNothing(added.amounts)) return;
  byRecord.set(key, added);
  addSettled(sums, added);
}

/** Adds a record, or the coins of several of one height and kind. */
export function addSettled({ total, byHeight }: SettledSums, { amounts, kind, height }: SettledRecord): void {
  addAmounts(total, amounts);
  const at = byHeight.get(height) ?? { coinbase: noAmounts(), payment: noAmounts() };
  byHeight.set(height, at);
  addAmounts(at[kind], amounts);
}

export const isNothing = ({ own, watched, usedOwn, usedWatched }: Amounts): boolean =>
  own === 0n && watched === 0n && usedOwn === 0n && usedWatched === 0n;

function computeSettled(wallet: Wallet, { key, tx, state, isCoinbase }: WalletTx): SettledRecord | undefined {
  if (state.kind !== 'confirmed') return undefined;
  const { height } = state.block;
  // 0.21 judges locktimes by the clock, even of confirmed transactions.
  if (!isFinalTransaction(tx, height, 0)) return undefined;
  const amounts = noAmounts();
  for (const [vout, output] of tx.outputs.entries()) {
    const spend = spendStatus(wallet, outputKey(key, vout));
    if (spend === 'unsettled') return undefined;
    if (spend === 'none') addOutput(wallet, amounts, output);
  }
  return { kind: isCoinbase ? 'coinbase' : 'payment', height, amounts };
}

function spendStatus({ spenders, records }: Wallet, outpoint: OutpointKey): 'none' | 'settled' | 'unsettled' {
  const names = spenders.get(outpoint);
  if (!names) return 'none';
  for (const name of names) {
    const spender = records.get(name);
    if (spender?.state.kind === 'confirmed' && spender.mempoolConflicts.size === 0) return 'settled';
  }
  return 'unsettled';
}
