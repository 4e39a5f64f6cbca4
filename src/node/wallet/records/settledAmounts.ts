import { isFinalTransaction } from '../../../core/tx/absoluteLock.ts';
import { outpointVout, outputsPrefix } from '../../../core/tx/txid.ts';
import type { TxKey } from '../../../core/tx/types.ts';
import { jsonCodec } from '../../store/codecs.ts';
import { orderKey, parseOrderKey } from '../../store/orderKey.ts';
import type { RecordCodec } from '../../store/tables.ts';
import { findOwnership, isMine, isUsedBefore } from '../queries/ownership.ts';
import {
  type Amounts,
  type AmountsJson,
  addAmounts,
  amountsJson,
  isNothing,
  isSameAmounts,
  noAmounts,
  parseAmounts,
} from './amounts.ts';
import type { HeightSums, Wallet } from './walletState.ts';
import type { SettledCoins, WalletTx } from './walletTx.ts';

export const heightSumsCodec: RecordCodec<HeightSums> = jsonCodec(
  ({ coinbase, payment }: HeightSums): Readonly<Record<keyof HeightSums, AmountsJson>> => ({
    coinbase: amountsJson(coinbase),
    payment: amountsJson(payment),
  }),
  ({ coinbase, payment }) => ({ coinbase: parseAmounts(coinbase), payment: parseAmounts(payment) }),
);

/** The key of the sums of all heights. */
const TOTAL = '';

const NO_SUMS: HeightSums = { coinbase: noAmounts(), payment: noAmounts() };

export const settledTotal = ({ index }: Wallet): HeightSums => index.sums.get(TOTAL) ?? NO_SUMS;

export const settledAt = ({ index }: Wallet, height: number): HeightSums | undefined =>
  index.sums.get(orderKey(height));

/** Returns the heights of settled coins that are not below one. */
export function settledHeights({ index }: Wallet, from: number): readonly number[] {
  return [...index.sums.keys('', orderKey(from))].map(parseOrderKey);
}

/** Ignores foreign outputs. */
export function addOutput(
  wallet: Wallet,
  sum: Amounts,
  { value, scriptPubKey }: { readonly value: bigint; readonly scriptPubKey: Uint8Array },
): void {
  const ownership = findOwnership(wallet, scriptPubKey);
  if (ownership === 'no') return;
  const isUsed = wallet.row.avoidsReuse && isUsedBefore(wallet, scriptPubKey);
  if (ownership === 'own') sum[isUsed ? 'usedOwn' : 'own'] += value;
  else sum[isUsed ? 'usedWatched' : 'watched'] += value;
}

/** Computes the coins of the touched records anew. Every call ends with it, and queries begin with it. */
export function settle(wallet: Wallet): void {
  const { records, descriptors } = wallet;
  descriptors?.deriveMore();
  while (wallet.touched === 'each' || wallet.touched.size > 0) {
    const keys = wallet.touched === 'each' ? [...records.keys()] : wallet.touched;
    wallet.touched = new Set();
    for (const key of keys) {
      const wtx = records.get(key);
      if (wtx) settleRecord(wallet, wtx);
    }
  }
}

interface RecordCoins {
  readonly isOpen: boolean;
  readonly isSettled: boolean;
  /** Missing without coins. */
  readonly settled: SettledCoins | undefined;
}

export function computeCoins(wallet: Wallet, wtx: WalletTx): RecordCoins {
  const spends = spendsOf(wallet, wtx);
  const settled = computeSettled(wallet, wtx, spends);
  return {
    isOpen: holdsCoins(wallet, wtx, spends),
    isSettled: settled !== undefined,
    settled: settled && !isNothing(settled.amounts) ? settled : undefined,
  };
}

function settleRecord(wallet: Wallet, wtx: WalletTx): void {
  const { index, records } = wallet;
  const { key } = wtx;
  const { isOpen, isSettled, settled } = computeCoins(wallet, wtx);
  mark(index.open, key, isOpen);
  mark(index.unsettled, key, !isSettled);
  if (isSameCoins(settled, wtx.settled)) return;
  forgetSettled(wallet, wtx);
  if (settled) addSettled(index.sums, settled, 1n);
  records.set(key, wtx.changed({ settled }));
}

function mark(marks: Wallet['index']['open'], key: WalletTx['key'], isMarked: boolean): void {
  if (!isMarked) marks.delete(key);
  else if (!marks.has(key)) marks.set(key, true);
}

/** Takes the coins of a record out of the sums. */
export function forgetSettled({ index }: Wallet, { settled }: WalletTx): void {
  if (settled) addSettled(index.sums, settled, -1n);
}

type Sums = Pick<Map<string, HeightSums>, 'get'> & {
  readonly set: (key: string, sums: HeightSums) => unknown;
  readonly delete: (key: string) => unknown;
};

/** Adds the coins of a record to the sums, or with a `sign` of -1 takes them out. */
export function addSettled(sums: Sums, { kind, height, amounts }: SettledCoins, sign: bigint): void {
  for (const key of [TOTAL, orderKey(height)]) {
    const before = sums.get(key) ?? NO_SUMS;
    const sum = { ...before[kind] };
    addAmounts(sum, amounts, sign);
    const after = { ...before, [kind]: sum };
    if (isNothing(after.coinbase) && isNothing(after.payment)) sums.delete(key);
    else sums.set(key, after);
  }
}

export function isSameCoins(a: SettledCoins | undefined, b: SettledCoins | undefined): boolean {
  if (!a || !b) return a === b;
  return a.kind === b.kind && a.height === b.height && isSameAmounts(a.amounts, b.amounts);
}

export const isSameSums = (a: HeightSums, b: HeightSums | undefined): boolean =>
  b !== undefined && isSameAmounts(a.coinbase, b.coinbase) && isSameAmounts(a.payment, b.payment);

/** How records spend outputs of one; those without an entry are unspent. */
type Spends = ReadonlyMap<number, 'settled' | 'unsettled'>;

const holdsCoins = (wallet: Wallet, { tx }: WalletTx, spends: Spends): boolean =>
  tx.outputs.some(({ scriptPubKey }, vout) => spends.get(vout) !== 'settled' && isMine(wallet, scriptPubKey));

function computeSettled(wallet: Wallet, { tx, state, isCoinbase }: WalletTx, spends: Spends): SettledCoins | undefined {
  if (state.kind !== 'confirmed') return undefined;
  const { height } = state.block;
  // 0.21 judges locktimes by the clock, even of confirmed transactions.
  if (!isFinalTransaction(tx, height, 0)) return undefined;
  if ([...spends.values()].includes('unsettled')) return undefined;
  const amounts = noAmounts();
  for (const [vout, output] of tx.outputs.entries()) if (!spends.has(vout)) addOutput(wallet, amounts, output);
  return { kind: isCoinbase ? 'coinbase' : 'payment', height, amounts };
}

function spendsOf({ spenders, records }: Wallet, { key, tx }: WalletTx): Spends {
  const isSettled = (spender: TxKey): boolean => {
    const wtx = records.get(spender);
    return wtx?.state.kind === 'confirmed' && wtx.mempoolConflicts.size === 0;
  };
  const spends = new Map<number, 'settled' | 'unsettled'>();
  for (const [outpoint, keys] of spenders.entries(outputsPrefix(key))) {
    const vout = outpointVout(outpoint);
    if (vout < tx.outputs.length) spends.set(vout, keys.some(isSettled) ? 'settled' : 'unsettled');
  }
  return spends;
}
