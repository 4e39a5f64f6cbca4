import type { ScriptKey } from '../../../core/script/scriptKey.ts';
import { outpointTxKey } from '../../../core/tx/txid.ts';
import type { OutpointKey, TxKey } from '../../../core/tx/types.ts';
import { orderKey, parseOrderKey } from '../../store/orderKey.ts';
import { addPayments, paymentsTo, removePayments } from './payments.ts';
import { forgetSettled, settle } from './settledAmounts.ts';
import type { Wallet } from './walletState.ts';
import type { TxChange, TxState, WalletTx } from './walletTx.ts';

const HEIGHT_SIZE = 4;
/** Stands for the height of records in no block. */
const UNMINED = 0xffff_ffff;

export const heightKey = ({ key, state }: WalletTx): string =>
  orderKey('block' in state ? state.block.height : UNMINED) + key;

export function insertRecord(wallet: Wallet, wtx: WalletTx): void {
  const { records, index } = wallet;
  records.set(wtx.key, wtx);
  const { recordCount, nextArrival } = wallet.row;
  wallet.change({ recordCount: recordCount + 1, nextArrival: Math.max(nextArrival, wtx.order + 1) });
  index.arrivals.set(orderKey(wtx.order), wtx.key);
  index.byHeight.set(heightKey(wtx), true);
  addPayments(wallet, wtx);
  touchWithParents(wallet, wtx);
}

/** @returns the record after the change */
export function changeRecord(wallet: Wallet, wtx: WalletTx, change: TxChange): WalletTx {
  const { records, index } = wallet;
  const after = wtx.changed(change);
  records.set(wtx.key, after);
  if (heightKey(after) !== heightKey(wtx)) {
    index.byHeight.delete(heightKey(wtx));
    index.byHeight.set(heightKey(after), true);
  }
  if (change.state || change.mempoolConflicts) touchWithParents(wallet, after);
  return after;
}

export const changeState = (wallet: Wallet, wtx: WalletTx, state: TxState): WalletTx =>
  changeRecord(wallet, wtx, { state });

/** Leaves the spenders of its outputs and coins as they are. */
export function dropRecord(wallet: Wallet, wtx: WalletTx): void {
  const { records, index } = wallet;
  touchWithParents(wallet, wtx);
  forgetSettled(wallet, wtx);
  removePayments(wallet, wtx);
  index.byHeight.delete(heightKey(wtx));
  index.arrivals.delete(orderKey(wtx.order));
  for (const marks of [index.open, index.unsettled]) marks.delete(wtx.key);
  records.delete(wtx.key);
  wallet.change({ recordCount: wallet.row.recordCount - 1 });
}

function touchWithParents({ touched }: Wallet, { key, spends }: WalletTx): void {
  if (touched === 'each') return;
  touched.add(key);
  for (const spent of spends) touched.add(outpointTxKey(spent));
}

/** Notes that the coins of every record may have changed. */
export function touchEach(wallet: Wallet): void {
  wallet.touched = 'each';
}

/** Notes that the ownership of scripts may have changed, or whether they count as used. */
export function touchPayers(wallet: Wallet, scripts: readonly ScriptKey[]): void {
  const {
    touched,
    row: { recordCount },
  } = wallet;
  if (touched === 'each' || recordCount === 0) return;
  if (scripts.length > recordCount) {
    touchEach(wallet);
    return;
  }
  for (const script of scripts) for (const { key } of paymentsTo(wallet, script)) touched.add(key);
}

/** @returns the keys of all spenders */
export function noteSpender({ spenders }: Wallet, spent: OutpointKey, key: TxKey): readonly TxKey[] {
  const keys = spenders.get(spent) ?? [];
  if (keys.includes(key)) return keys;
  const all = [...keys, key];
  spenders.set(spent, all);
  return all;
}

/** Yields the records of some keys. */
function* recordsOf({ records }: Wallet, keys: Iterable<TxKey | undefined>): Generator<WalletTx, undefined> {
  for (const key of keys) {
    const wtx = key === undefined ? undefined : records.get(key);
    if (wtx) yield wtx;
  }
}

/** Yields the records in the order of arrival. */
export const recordsByArrival = (wallet: Wallet): Generator<WalletTx, undefined> => recordsOf(wallet, arrivals(wallet));

function* arrivals({ index }: Wallet): Generator<TxKey, undefined> {
  for (const [, key] of index.arrivals.entries()) yield key;
}

/** Yields the records in the reverse order of arrival. */
export function* latestRecords({ records, index, row: { nextArrival } }: Wallet): Generator<WalletTx, undefined> {
  for (let order = nextArrival - 1; order >= 0; order -= 1) {
    const key = index.arrivals.get(orderKey(order));
    const wtx = key === undefined ? undefined : records.get(key);
    if (wtx) yield wtx;
  }
}

/** Yields the records ordered by txid bytes. */
export function* recordsById({ records }: Wallet): Generator<WalletTx, undefined> {
  for (const [, wtx] of records.entries()) yield wtx;
}

/** Yields the records that hold coins, ordered by txid bytes. */
export function recordsWithCoins(wallet: Wallet): Generator<WalletTx, undefined> {
  settle(wallet);
  return recordsOf(wallet, wallet.index.open.keys());
}

/** Returns those of {@link recordsWithCoins} that pay `targets`, in any order. */
export function coinRecordsPaying(wallet: Wallet, targets: Iterable<ScriptKey>): readonly WalletTx[] {
  settle(wallet);
  const payers = new Map<TxKey, WalletTx>();
  for (const target of targets) {
    for (const wtx of paymentsTo(wallet, target)) if (wallet.index.open.has(wtx.key)) payers.set(wtx.key, wtx);
  }
  return [...payers.values()];
}

/** Returns the records that are not settled. */
export const unsettledRecords = (wallet: Wallet): readonly WalletTx[] => [
  ...recordsOf(wallet, wallet.index.unsettled.keys()),
];

/** Returns the records that no block has, nor conflicts with, in the order of arrival. */
export function unminedRecords(wallet: Wallet): readonly WalletTx[] {
  const keys = [...wallet.index.byHeight.keys(orderKey(UNMINED))].map((key) => key.slice(HEIGHT_SIZE) as TxKey);
  return [...recordsOf(wallet, keys)].sort((a, b) => a.order - b.order);
}

/**
 * Returns the records whose depth, of either sign, is less than `span`, in any order. In 0.21, a record may name a
 * block above the tip.
 */
export function recentRecords({ index, records, row: { tip } }: Wallet, span: number): readonly WalletTx[] {
  const recent: WalletTx[] = [];
  for (const key of index.byHeight.keys('', orderKey(Math.max(0, tip.height + 2 - span)))) {
    const height = parseOrderKey(key.slice(0, HEIGHT_SIZE));
    const wtx =
      height < tip.height + 1 + span || height === UNMINED ? records.get(key.slice(HEIGHT_SIZE) as TxKey) : undefined;
    if (wtx) recent.push(wtx);
  }
  return recent;
}
