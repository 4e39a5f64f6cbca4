import { bytesKey } from '../bytes/compare.ts';
import { txKeyOf } from '../chain/chainTx.ts';
import { outputKey } from '../tx/txid.ts';
import { isMine } from './ownership.ts';
import type { RecordIndex, TxState, Wallet, WalletTx } from './walletState.ts';

export const createRecordIndex = (): RecordIndex => ({
  open: new Set(),
  foreign: new Map(),
  byHeight: new Map(),
  unmined: new Set(),
  isStale: false,
});

/** Adds a new record. */
export function indexRecord({ index }: Wallet, wtx: WalletTx): void {
  index.open.add(wtx.key);
  placeByHeight(index, wtx);
}

function placeByHeight({ byHeight, unmined }: RecordIndex, wtx: WalletTx): void {
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

/** Changes the state of a record. */
export function changeState(wallet: Wallet, wtx: WalletTx, state: TxState): void {
  const { index } = wallet;
  const before = wtx.state;
  if (before.kind === 'confirmed' || before.kind === 'conflicted') {
    const at = index.byHeight.get(before.block.height);
    at?.delete(wtx);
    if (at?.size === 0) index.byHeight.delete(before.block.height);
  } else {
    index.unmined.delete(wtx);
  }
  if (before.kind === 'confirmed') reopenSpent(wallet, wtx);
  wtx.state = state;
  placeByHeight(index, wtx);
}

/** Opens the records whose outputs a confirmed transaction spends: they may no longer be spent. */
export function reopenSpent({ index, records }: Wallet, { spends }: WalletTx): void {
  for (const spent of spends) {
    const parent = txKeyOf(spent);
    if (records.has(parent)) index.open.add(parent);
  }
}

/** Returns the records that may hold coins of the wallet, in any order. */
export function openRecords(wallet: Wallet): readonly WalletTx[] {
  const { index, records } = wallet;
  reopenPayments(wallet);
  const found: WalletTx[] = [];
  for (const key of [...index.open]) {
    const wtx = records.get(key);
    if (!wtx) continue;
    if (holdsCoins(wallet, wtx)) found.push(wtx);
    else close(wallet, wtx);
  }
  return found;
}

/** Opens the records that pay scripts which became the wallet's since the last query. */
function reopenPayments({ index, records, descriptors }: Wallet): void {
  const added = descriptors?.takeAdded() ?? [];
  if (index.isStale || added.length > records.size) {
    index.isStale = false;
    index.foreign.clear();
    for (const key of records.keys()) index.open.add(key);
    return;
  }
  for (const script of added) {
    for (const key of index.foreign.get(script) ?? []) index.open.add(key);
    index.foreign.delete(script);
  }
}

/** Tells whether an output of a record is the wallet's, and not spent by a confirmed transaction. */
const holdsCoins = (wallet: Wallet, { key, tx }: WalletTx): boolean =>
  tx.outputs.some(
    ({ scriptPubKey }, vout) => isMine(wallet, scriptPubKey) && !isSpentForGood(wallet, outputKey(key, vout)),
  );

function isSpentForGood({ spenders, records }: Wallet, outpoint: string): boolean {
  for (const name of spenders.get(outpoint) ?? []) {
    const spender = records.get(name);
    if (spender?.state.kind === 'confirmed' && spender.mempoolConflicts.size === 0) return true;
  }
  return false;
}

function close(wallet: Wallet, { key, tx }: WalletTx): void {
  const { open, foreign } = wallet.index;
  open.delete(key);
  for (const { scriptPubKey } of tx.outputs) {
    if (isMine(wallet, scriptPubKey)) continue;
    const script = bytesKey(scriptPubKey);
    const payers = foreign.get(script);
    if (payers) payers.add(key);
    else foreign.set(script, new Set([key]));
  }
}

/**
 * Returns the records whose depth, of either sign, is less than `span`, in any order. In 0.21, a record may name a block
 * above the tip, which left the chain.
 */
export function recentRecords({ index, tip, ordered }: Wallet, span: number): readonly WalletTx[] {
  const found = [...index.unmined];
  if (2 * span > ordered.length) {
    for (const [height, records] of index.byHeight) {
      if (Math.abs(tip.height - height + 1) < span) found.push(...records);
    }
    return found;
  }
  const end = tip.height + 1 + span;
  for (let height = tip.height + 2 - span; height < end; height += 1) {
    found.push(...(index.byHeight.get(height) ?? []));
  }
  return found;
}
