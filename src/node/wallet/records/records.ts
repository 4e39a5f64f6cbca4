import { hasWitness } from '../../../core/tx/codec.ts';
import { outputKey, txKey } from '../../../core/tx/txid.ts';
import type { Transaction, Txid, TxKey } from '../../../core/tx/types.ts';
import type { ChainTx } from '../../chain/types.ts';
import type { OwnedDescriptor } from '../keys/ownedDescriptor.ts';
import {
  affectedKeys,
  extractDestination,
  findBookEntry,
  findPrevout,
  isFromMe,
  isMine,
} from '../queries/ownership.ts';
import { markUsed, setLabel } from './addressBook.ts';
import {
  changeRecord,
  changeState,
  dropRecord,
  insertRecord,
  latestRecords,
  noteSpender,
  recordsByArrival,
  touchEach,
} from './recordIndex.ts';
import type { BlockPlace } from './walletRow.ts';
import type { Wallet } from './walletState.ts';
import { newWalletTx, type TxState, type WalletTx } from './walletTx.ts';
import { withCopy } from './witnessCopies.ts';

/** Returns confirmations: 0 outside the chain, negative in conflict with a block. */
export function chainDepth({ row: { tip } }: Wallet, { state }: WalletTx): number {
  if (state.kind !== 'confirmed' && state.kind !== 'conflicted') return 0;
  const depth = tip.height - state.block.height + 1;
  return state.kind === 'confirmed' ? depth : -depth;
}

export interface Arrival {
  readonly state: TxState;
  /** UNIX time. */
  readonly now: number;
  /** During a rescan, the UNIX time to use as the block's. */
  readonly pastTime?: number;
}

/**
 * Returns `undefined` for a transaction that does not involve the wallet.
 * @see Bitcoin Core `CWallet::AddToWalletIfInvolvingMe`
 */
export function addIfInvolvingMe(wallet: Wallet, chainTx: ChainTx, arrival: Arrival): WalletTx | undefined {
  const { state } = arrival;
  if (state.kind === 'confirmed') markRivals(wallet, chainTx, state.block);
  const isKnown = wallet.records.has(chainTx.key);
  const concerns = isKnown || chainTx.tx.outputs.some(({ scriptPubKey }) => isMine(wallet, scriptPubKey));
  if (!concerns && !isFromMe(wallet, chainTx.tx)) return undefined;
  markPaidKeysUsed(wallet, chainTx.tx, arrival.now);
  return record(wallet, chainTx, arrival);
}

/** @see Bitcoin Core `MarkUnusedAddresses` */
function markPaidKeysUsed(wallet: Wallet, { outputs }: Transaction, now: number): void {
  const { descriptors, legacy } = wallet;
  for (const { scriptPubKey } of outputs) {
    if (legacy) useKeys(wallet, scriptPubKey, now);
    for (const place of descriptors?.findPlaces(scriptPubKey) ?? []) {
      const used = descriptors?.use(place) ?? [];
      if (descriptors?.findSide(place.owned) === 'external') labelUsed(wallet, place.owned, used);
    }
  }
}

function useKeys(wallet: Wallet, scriptPubKey: Uint8Array, now: number): void {
  for (const hash of affectedKeys(scriptPubKey, wallet)) wallet.legacy?.hd.use(hash, now);
}

/** Gives used receiving addresses an empty label, so that they do not count as change. */
function labelUsed(wallet: Wallet, { derive }: OwnedDescriptor, indexes: readonly number[]): void {
  for (const index of indexes) {
    const [script] = derive(index).scriptPubKeys;
    const destination = script && extractDestination(wallet, script);
    if (!destination || findBookEntry(wallet, destination)) continue;
    setLabel(wallet, { script: destination, label: '' });
  }
}

/** @see Bitcoin Core `CWallet::AddToWallet` */
export function record(wallet: Wallet, chainTx: ChainTx, arrival: Arrival): WalletTx {
  if (wallet.row.avoidsReuse) markAddressesUsed(wallet, chainTx.tx);
  const wtx = wallet.records.get(chainTx.key);
  const after = wtx ? update(wallet, wtx, { tx: chainTx.tx, state: arrival.state }) : insert(wallet, chainTx, arrival);
  for (const tell of wallet.recorded) tell(wallet, after);
  return after;
}

function markAddressesUsed(wallet: Wallet, { inputs }: Transaction): void {
  for (const input of inputs) {
    const prevout = findPrevout(wallet, input);
    const destination = prevout && extractDestination(wallet, prevout.scriptPubKey);
    if (destination && isMine(wallet, destination)) markUsed(wallet, destination);
  }
}

/** Core's times of 32 bits wrap around in 2106. @see Bitcoin Core `CWalletTx::nTimeReceived` */
const TIME_RANGE = 2 ** 32;

function insert(wallet: Wallet, chainTx: ChainTx, arrival: Arrival): WalletTx {
  const { key, spends } = chainTx;
  const timeReceived = arrival.now % TIME_RANGE;
  const added = newWalletTx(chainTx, {
    state: arrival.state,
    order: wallet.row.nextArrival,
    timeReceived,
    timeSmart: smartTime(wallet, { ...arrival, now: timeReceived }),
  });
  insertRecord(wallet, added);
  for (const spent of spends) {
    const spenders = noteSpender(wallet, spent, key);
    wallet.locked.delete(spent);
    syncTime(wallet, spenders, key);
  }
  const { timeSmart } = wallet.records.get(key) ?? added;
  wallet.change({ birth: Math.min(wallet.row.birth, timeSmart) });
  if (chainTx.isCoinbase) abandonCoinbase(wallet, added);
  return wallet.records.get(key) ?? added;
}

/** Keeps the state unless its kind changes. */
function update(wallet: Wallet, wtx: WalletTx, { tx, state }: Pick<WalletTx, 'tx' | 'state'>): WalletTx {
  const isChanged = wtx.state.kind !== state.kind;
  let after = isChanged ? changeState(wallet, wtx, state) : wtx;
  const copies = wallet.rules.keepsWitnessCopies
    ? withCopy(after, tx, isChanged && state.kind === 'confirmed')
    : hasWitness(tx) && !hasWitness(after.tx) && { tx };
  if (copies) after = changeRecord(wallet, after, copies);
  if (!after.isCoinbase) return after;
  abandonCoinbase(wallet, after);
  return wallet.records.get(after.key) ?? after;
}

/** Abandons a coinbase outside the chain, which can never be mined. @see Bitcoin Core 31 `AddToWallet` */
function abandonCoinbase(wallet: Wallet, coinbase: WalletTx): void {
  const { kind } = coinbase.state;
  if (!wallet.rules.abandonsOrphanedCoinbases || kind === 'confirmed' || kind === 'conflicted') return;
  changeWithDescendants(wallet, coinbase.key, (wtx) => {
    changeState(wallet, wtx, { kind: 'abandoned' });
    return true;
  });
}

/** Tolerated clock error, in seconds. */
const TOLERANCE = 300;

/**
 * Estimates when a transaction was made: at its arrival or, if first seen in a block, at the block's time, but not
 * before earlier records.
 * @see Bitcoin Core `CWallet::ComputeTimeSmart`
 */
function smartTime(wallet: Wallet, { state, now, pastTime }: Arrival): number {
  if (state.kind !== 'confirmed') return now;
  if (pastTime !== undefined) return pastTime;
  const latest = latestTime(wallet, now + TOLERANCE);
  return Math.max(latest, Math.min(state.time, Math.max(now, latest)));
}

/** Returns the time of the latest record that is not later than `end`. */
function latestTime(wallet: Wallet, end: number): number {
  for (const { timeSmart } of latestRecords(wallet)) if (timeSmart <= end) return timeSmart;
  return 0;
}

/**
 * Gives a malleated copy, which differs only in scripts, the time of the first recorded spender.
 * @see Bitcoin Core `CWallet::SyncMetaData`
 */
function syncTime(wallet: Wallet, [name]: readonly TxKey[], added: TxKey): void {
  const [first, wtx] = [name, added].map((key) => (key === undefined ? undefined : wallet.records.get(key)));
  if (!first || !wtx || name === added || !isSameButForScripts(first.tx, wtx.tx)) return;
  changeRecord(wallet, wtx, { timeSmart: first.timeSmart });
}

function isSameButForScripts(a: Transaction, b: Transaction): boolean {
  const withoutScripts = ({ inputs, ...rest }: Transaction): string =>
    JSON.stringify([rest, inputs.map(({ outpoint, sequence }) => [outpoint, sequence])], (_, value) =>
      typeof value === 'bigint' ? `${value}` : value,
    );
  return withoutScripts(a) === withoutScripts(b);
}

function markRivals(wallet: Wallet, { key, spends }: ChainTx, block: BlockPlace): void {
  for (const spent of spends) {
    for (const rival of [...(wallet.spenders.get(spent) ?? [])]) {
      if (rival !== key) markConflicted(wallet, rival, block);
    }
  }
}

/** @see Bitcoin Core `CWallet::MarkConflicted` */
function markConflicted(wallet: Wallet, name: TxKey, block: BlockPlace): void {
  const depth = -(wallet.row.tip.height - block.height + 1);
  if (depth >= 0) return;
  changeWithDescendants(wallet, name, (wtx) => {
    if (depth >= chainDepth(wallet, wtx)) return false;
    changeState(wallet, wtx, { kind: 'conflicted', block });
    return true;
  });
}

/** Applies a change to a record and, as long as it returns true, to its descendants. */
export function changeWithDescendants(wallet: Wallet, name: TxKey, change: (wtx: WalletTx) => boolean): void {
  const waiting = [name];
  const done = new Set<TxKey>();
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const wtx = wallet.records.get(next);
    if (done.has(next) || !wtx) continue;
    done.add(next);
    if (!change(wtx)) continue;
    for (const vout of wtx.tx.outputs.keys()) {
      const spenders = [...(wallet.spenders.get(outputKey(wtx.key, vout)) ?? [])];
      waiting.push(...(wallet.rules.followsFirstSpender ? spenders.slice(0, 1) : spenders));
    }
  }
}

export const canAbandon = (wallet: Wallet, wtx: WalletTx): boolean => chainDepth(wallet, wtx) === 0 && !wtx.isInMempool;

/** Requires {@link canAbandon}. @see Bitcoin Core `CWallet::AbandonTransaction` */
export function abandon(wallet: Wallet, { key }: WalletTx): void {
  changeWithDescendants(wallet, key, (wtx) => {
    const { kind } = wtx.state;
    const isSettled = wallet.rules.tellsConflictsByState ? kind === 'conflicted' : chainDepth(wallet, wtx) !== 0;
    const isChanged = !isSettled && kind !== 'abandoned';
    if (isChanged) changeState(wallet, wtx, { kind: 'abandoned' });
    return isChanged;
  });
}

/**
 * Forgets a record. Its outputs stay spent, and its coins count as unspent; in 0.21 even those that a rival spends,
 * until the wallet is loaded again.
 * @see Bitcoin Core 31 `CWallet::RemoveTxs`, 0.21 `CWallet::ZapSelectTx`
 */
export function removeRecord(wallet: Wallet, wtx: WalletTx): void {
  const { spenders } = wallet;
  dropRecord(wallet, wtx);
  for (const spent of wtx.spends) {
    const others = (spenders.get(spent) ?? []).filter((name) => name !== wtx.key);
    if (others.length === 0 || wallet.rules.forgetsRivalSpends) spenders.delete(spent);
    else spenders.set(spent, others);
  }
}

/** Notes all spends, as loading a wallet does. */
export function restoreSpends(wallet: Wallet): void {
  for (const { key, spends } of recordsByArrival(wallet)) for (const spent of spends) noteSpender(wallet, spent, key);
}

/** Makes the indexes of records that were copied without them. */
export function reindexRecords(wallet: Wallet): void {
  const copied = [...wallet.records.entries()].map(([, wtx]) => wtx).sort((a, b) => a.order - b.order);
  wallet.change({ recordCount: 0, nextArrival: 0 });
  for (const [order, wtx] of copied.entries()) {
    insertRecord(wallet, wtx.changed({ order, settled: undefined }));
    for (const spent of wtx.spends) noteSpender(wallet, spent, wtx.key);
  }
  touchEach(wallet);
}

/** Orders by txid bytes: a key has one character per byte. */
export const compareRecords = (a: WalletTx, b: WalletTx): number => (a.key < b.key ? -1 : 1);

export const findRecord = ({ records }: Wallet, id: Txid): WalletTx | undefined => records.get(txKey(id));
