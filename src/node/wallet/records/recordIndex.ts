import type { ScriptKey } from '../../../core/script/scriptKey.ts';
import { outpointTxKey, outputKey } from '../../../core/tx/txid.ts';
import type { OutpointKey, TxKey } from '../../../core/tx/types.ts';
import { isMine } from '../queries/ownership.ts';
import { createPayments, forgetPayments, paymentsTo } from './payments.ts';
import { createSettledAmounts, forgetSettled } from './settledAmounts.ts';
import type { RecordIndex, TxState, Wallet, WalletTx } from './walletState.ts';

export const createRecordIndex = (): RecordIndex => ({
  open: new Set(),
  sorted: [],
  opened: [],
  touched: new Set(),
  settled: createSettledAmounts(),
  payments: createPayments(),
  byHeight: new Map(),
  unmined: new Set(),
  // All records are open at first: the first query need not look up which ones pay the wallet.
  isStale: true,
  hasNewlyUsed: false,
  entryCounts: { own: { sent: [], received: [] }, all: { sent: [], received: [] } },
  labelled: [],
});

export const hasCounts = ({ entryCounts: { own, all } }: RecordIndex): boolean => own.sent.length + all.sent.length > 0;

/** Leaves waiting records in their snapshot. */
export const recordCount = (wallet: Wallet): number => wallet.waiting?.count ?? wallet.records.size;

export function indexRecord(wallet: Wallet, wtx: WalletTx): void {
  const { index } = wallet;
  open(index, wtx.key);
  placeByHeight(index, wtx);
  touchWithParents(index, wtx);
  forgetCounts(wallet, wtx);
}

/** Forgets the entry counts of a record and of its spenders. */
export function forgetCounts({ index, spenders, records }: Wallet, { key, order, tx }: WalletTx): void {
  if (!hasCounts(index)) return;
  forgetCount(index, order);
  for (const vout of tx.outputs.keys()) {
    for (const name of spenders.get(outputKey(key, vout)) ?? []) {
      const spender = records.get(name);
      if (spender) forgetCount(index, spender.order);
    }
  }
}

function forgetCount({ entryCounts: { own, all } }: RecordIndex, order: number): void {
  for (const { sent } of [own, all]) if (order < sent.length) sent[order] = undefined;
}

/** Opens the records that it spends from, too. */
export function unindexRecord(wallet: Wallet, wtx: WalletTx): void {
  const { index } = wallet;
  unplace(index, wtx);
  reopenSpent(wallet, wtx);
  touchWithParents(index, wtx);
  index.open.delete(wtx.key);
  index.sorted = index.sorted.filter((other) => other !== wtx);
  index.touched.delete(wtx.key);
  forgetSettled(index.settled, wtx);
  forgetPayments(wallet, wtx);
}

function touchWithParents({ touched, isStale }: RecordIndex, { key, spends }: WalletTx): void {
  // The next query touches all records anyway.
  if (isStale) return;
  touched.add(key);
  for (const spent of spends) touched.add(outpointTxKey(spent));
}

/** Notes that a record may hold coins. */
export function open(index: RecordIndex, key: TxKey): void {
  if (index.open.has(key)) return;
  index.open.add(key);
  index.opened.push(key);
}

export function placeByHeight({ byHeight, unmined }: RecordIndex, wtx: WalletTx): void {
  const { state } = wtx;
  if (state.kind !== 'confirmed' && state.kind !== 'conflicted') {
    unmined.add(wtx);
    return;
  }
  const { height } = state.block;
  const at = byHeight.get(height);
  if (at) at.add(wtx);
  else byHeight.set(height, new Set([wtx]));
}

function unplace({ byHeight, unmined }: RecordIndex, wtx: WalletTx): void {
  const { state } = wtx;
  if (state.kind !== 'confirmed' && state.kind !== 'conflicted') {
    unmined.delete(wtx);
    return;
  }
  const at = byHeight.get(state.block.height);
  at?.delete(wtx);
  if (at?.size === 0) byHeight.delete(state.block.height);
}

export function changeState(wallet: Wallet, wtx: WalletTx, state: TxState): void {
  const { index } = wallet;
  const before = wtx.state;
  unplace(index, wtx);
  if (before.kind === 'confirmed') reopenSpent(wallet, wtx);
  wtx.state = state;
  placeByHeight(index, wtx);
  touchWithParents(index, wtx);
}

/** Opens the records that a confirmed one spends from, as it leaves that state. */
export function reopenSpent({ index, records }: Wallet, { spends }: WalletTx): void {
  for (const spent of spends) {
    const parent = outpointTxKey(spent);
    if (!records.has(parent)) continue;
    open(index, parent);
    index.touched.add(parent);
  }
}

type Compare = (a: WalletTx, b: WalletTx) => number;

/**
 * Yields the records that may hold coins, lazily and in order. Callers pass records without coins to
 * {@link closeSpent}, and always the same `compare`.
 */
export function* openRecordsInOrder(wallet: Wallet, compare: Compare): Generator<WalletTx, undefined> {
  const { index } = wallet;
  reopenPayments(wallet);
  sortOpened(wallet, compare);
  for (const wtx of index.sorted) if (index.open.has(wtx.key)) yield wtx;
}

/** Closes a record that holds no coins. */
export function closeSpent(wallet: Wallet, wtx: WalletTx): void {
  if (!holdsCoins(wallet, wtx)) wallet.index.open.delete(wtx.key);
}

/** Returns those of {@link openRecordsInOrder} that pay `targets`. */
export function openRecordsPaying(wallet: Wallet, targets: Iterable<ScriptKey>, compare: Compare): readonly WalletTx[] {
  const { open: names } = wallet.index;
  reopenPayments(wallet);
  const payers = new Set<WalletTx>();
  for (const target of targets) {
    for (const record of paymentsTo(wallet, target)) if (names.has(record.key)) payers.add(record);
  }
  return [...payers].sort(compare);
}

/** Limits the records inserted one by one. */
const FEW = 64;

function sortOpened({ index, records }: Wallet, compare: Compare): void {
  const { open: names, sorted, opened } = index;
  const isSparse = sorted.length > 2 * names.size + FEW;
  const unsorted = (isSparse || opened.length > FEW ? [...names] : opened).flatMap((key) => records.get(key) ?? []);
  index.opened = [];
  if (isSparse || opened.length > FEW) {
    index.sorted = unsorted.sort(compare);
    return;
  }
  for (const wtx of unsorted) {
    const at = insertionIndex(sorted, wtx, compare);
    // A record that was closed and opened again is still there.
    if (sorted[at] !== wtx) sorted.splice(at, 0, wtx);
  }
}

/** Returns the first place whose record is not less than `wtx`. */
function insertionIndex(sorted: readonly WalletTx[], wtx: WalletTx, compare: Compare): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = sorted[middle];
    if (other !== undefined && other !== wtx && compare(other, wtx) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Opens the records that pay scripts new to the wallet. */
export function reopenPayments(wallet: Wallet): void {
  const { index, records, descriptors, legacy } = wallet;
  if (records.size === 0) return;
  const added = legacy ? legacy.takeAdded(records.size) : (descriptors?.takeAdded() ?? []);
  if (index.isStale || !added || added.length > records.size) {
    index.isStale = false;
    for (const { sent } of [index.entryCounts.own, index.entryCounts.all]) sent.length = 0;
    for (const key of records.keys()) {
      open(index, key);
      index.touched.add(key);
    }
    return;
  }
  for (const script of added) {
    for (const record of paymentsTo(wallet, script)) {
      open(index, record.key);
      index.touched.add(record.key);
      forgetCounts(wallet, record);
    }
  }
}

const holdsCoins = (wallet: Wallet, { key, tx }: WalletTx): boolean =>
  tx.outputs.some(
    ({ scriptPubKey }, vout) => isMine(wallet, scriptPubKey) && !isSpentForGood(wallet, outputKey(key, vout)),
  );

function isSpentForGood({ spenders, records }: Wallet, outpoint: OutpointKey): boolean {
  for (const name of spenders.get(outpoint) ?? []) {
    const spender = records.get(name);
    if (spender?.state.kind === 'confirmed' && spender.mempoolConflicts.size === 0) return true;
  }
  return false;
}

/**
 * Returns the records whose depth, of either sign, is less than `span`, in any order. In 0.21, a record may name a
 * block above the tip.
 */
export function recentRecords({ index, tip, ordered }: Wallet, span: number): readonly WalletTx[] {
  const recent = [...index.unmined];
  if (2 * span > ordered.length) {
    for (const [height, records] of index.byHeight) {
      if (Math.abs(tip.height - height + 1) < span) recent.push(...records);
    }
    return recent;
  }
  const end = tip.height + 1 + span;
  for (let height = tip.height + 2 - span; height < end; height += 1) {
    recent.push(...(index.byHeight.get(height) ?? []));
  }
  return recent;
}
