import type { BlockKey } from '../../chain/blockHeader.ts';
import { activeBlock, activeTip, type Chain, findFork, isActive, txsInBlock } from '../../chain/chainState.ts';
import { lastMissing } from '../../chain/partialChain.ts';
import type { ChainBlock, ChainTx, RemovalReason } from '../../chain/types.ts';
import { isFromMe, isMine } from '../queries/ownership.ts';
import { parentsFirst } from './mempoolOrder.ts';
import { changeRecord, changeState, recordsByArrival, touchEach } from './recordIndex.ts';
import { abandon, addIfInvolvingMe, canAbandon, changeWithDescendants } from './records.ts';
import { findRivals, findTrucSiblings } from './rivals.ts';
import { type BlockPlace, toPlace } from './walletRow.ts';
import type { Wallet } from './walletState.ts';
import type { TxState, WalletTx } from './walletTx.ts';
import { chosenCopies } from './witnessCopies.ts';

/** In seconds. @see Bitcoin Core `TIMESTAMP_WINDOW` */
const TIMESTAMP_WINDOW = 7200;

const UNCONFIRMED: TxState = { kind: 'unconfirmed' };

interface SeenBlock extends BlockPlace {
  /** UNIX time of the header. */
  readonly time: number;
  /** The latest header time up to this block. */
  readonly maxTime: number;
}

export interface MinedTx {
  readonly index: number;
  readonly tx: ChainTx;
}

export interface BlockWithTxs {
  readonly block: SeenBlock;
  readonly txs: Iterable<MinedTx>;
}

export interface Scan {
  readonly blocks: Iterable<BlockWithTxs>;
  readonly mempool: Iterable<ChainTx>;
}

/** From a UNIX time on, or between heights; without `stop`, up to the tip and through the mempool. */
export type ScanRange = { readonly from: number } | { readonly start: number; readonly stop?: number };

export const minedTxs = (txs: readonly ChainTx[]): readonly MinedTx[] => txs.map((tx, index) => ({ index, tx }));

function minedIn(block: SeenBlock): (index: number) => TxState {
  const place = toPlace(block);
  return (index) => ({ kind: 'confirmed', block: place, index, time: block.time });
}

/** Tells whether a transaction is recorded, pays or spends the wallet's coins, or has a recorded rival or sibling. */
export function concerns(wallet: Wallet, entry: ChainTx): boolean {
  const { key, spends, tx } = entry;
  if (findTrucSiblings(wallet, entry).length > 0) return true;
  if (wallet.records.has(key) || spends.some((spent) => wallet.spenders.has(spent))) return true;
  return tx.outputs.some(({ scriptPubKey }) => isMine(wallet, scriptPubKey)) || isFromMe(wallet, tx);
}

/** @see Bitcoin Core `CWallet::transactionAddedToMempool` */
export function transactionAddedToMempool(wallet: Wallet, tx: ChainTx, now: number): void {
  const recorded = addIfInvolvingMe(wallet, tx, { state: UNCONFIRMED, now });
  if (recorded) changeRecord(wallet, recorded, { isInMempool: true });
  if (!wallet.rules.tracksMempoolConflicts) return;
  const siblings = findTrucSiblings(wallet, tx, ({ state }) => state.kind === 'unconfirmed');
  for (const rival of [...findRivals(wallet, tx), ...siblings]) {
    changeWithDescendants(wallet, rival, (wtx) => {
      const { mempoolConflicts } = wtx;
      if (mempoolConflicts.has(tx.key)) return false;
      changeRecord(wallet, wtx, { mempoolConflicts: new Map([...mempoolConflicts, [tx.key, tx.id]]) });
      return true;
    });
  }
}

/** @see Bitcoin Core `CWallet::transactionRemovedFromMempool` */
export function transactionRemovedFromMempool(
  wallet: Wallet,
  tx: ChainTx,
  { reason, now }: { readonly reason: RemovalReason | 'mined'; readonly now: number },
): void {
  const recorded = wallet.records.get(tx.key);
  if (recorded?.isInMempool) changeRecord(wallet, recorded, { isInMempool: false });
  if (reason === 'conflict') addIfInvolvingMe(wallet, tx, { state: UNCONFIRMED, now });
  if (!wallet.rules.tracksMempoolConflicts) return;
  for (const rival of [...findRivals(wallet, tx), ...findTrucSiblings(wallet, tx)]) {
    changeWithDescendants(wallet, rival, (wtx) => {
      const { mempoolConflicts } = wtx;
      if (!mempoolConflicts.has(tx.key)) return false;
      const others = [...mempoolConflicts].filter(([key]) => key !== tx.key);
      changeRecord(wallet, wtx, { mempoolConflicts: new Map(others) });
      return true;
    });
  }
}

/** @see Bitcoin Core `CWallet::blockConnected` */
export function connectBlock(wallet: Wallet, { block, txs }: BlockWithTxs, now: number): void {
  wallet.change({ tip: toPlace(block) });
  if (wallet.rules.skipsBlocksBeforeBirth && block.maxTime < wallet.row.birth - 2 * TIMESTAMP_WINDOW) return;
  const mined = minedIn(block);
  for (const { index, tx } of txs) {
    if (!concerns(wallet, tx)) continue;
    addIfInvolvingMe(wallet, tx, { state: mined(index), now });
    transactionRemovedFromMempool(wallet, tx, { reason: 'mined', now });
  }
}

/** `before`: the parent of the block. @see Bitcoin Core `CWallet::blockDisconnected` */
export function disconnectBlock(
  wallet: Wallet,
  { block, txs, before }: BlockWithTxs & { readonly before: BlockPlace },
  now: number,
): void {
  const { lowersTipFirst, abandonsOrphanedCoinbases, releasesConflicts } = wallet.rules;
  if (lowersTipFirst) wallet.change({ tip: toPlace(before) });
  for (const { tx } of txs) {
    if (!concerns(wallet, tx)) continue;
    const state: TxState = abandonsOrphanedCoinbases && tx.isCoinbase ? { kind: 'abandoned' } : UNCONFIRMED;
    addIfInvolvingMe(wallet, tx, { state, now });
    if (releasesConflicts) releaseRivals(wallet, tx, block.height);
  }
  wallet.change({ tip: toPlace(before) });
}

function releaseRivals(wallet: Wallet, { spends }: ChainTx, height: number): void {
  const free = (wtx: WalletTx): boolean => {
    if (wtx.state.kind !== 'conflicted' || wtx.state.block.height < height) return false;
    changeState(wallet, wtx, UNCONFIRMED);
    return true;
  };
  for (const spent of spends) {
    for (const name of [...(wallet.spenders.get(spent) ?? [])]) changeWithDescendants(wallet, name, free);
  }
}

/** @see Bitcoin Core `CWallet::ScanForWalletTransactions` */
export function scanWithin(chain: Chain, range: ScanRange): Scan {
  const { start, stop } = 'from' in range ? { start: scanHeight(chain, range.from) } : range;
  return { blocks: blocksFrom(chain, start, stop), mempool: stop === undefined ? parentsFirst(chain) : [] };
}

export const scanHeight = (chain: Chain, from: number): number => firstAt(chain, from - TIMESTAMP_WINDOW);

/** Returns the last block that a rescan from a UNIX time on needs, but whose transactions are unknown. */
export const missingFrom = (chain: Chain, from: number): ChainBlock | undefined =>
  lastMissing(chain, scanHeight(chain, from));

/**
 * Returns the UNIX time since which a rescan that lacked a block's transactions was complete.
 * @see Bitcoin Core `CWallet::RescanFromTime`
 */
export const scannedSince = ({ maxTime }: ChainBlock): number => maxTime + TIMESTAMP_WINDOW + 1;

function* blocksFrom(chain: Chain, start: number, stop: number = chain.counts.height): Generator<BlockWithTxs> {
  for (let height = start; height <= stop; height += 1) {
    const block = activeBlock(chain, height);
    yield { block, txs: minedTxs(txsInBlock(chain, block)) };
  }
}

/** @see Bitcoin Core `CWallet::RescanFromTime` */
export function rescan(wallet: Wallet, { blocks, mempool }: Scan, now: number): void {
  for (const block of blocks) rescanBlock(wallet, block, now);
  if (wallet.rules.rescansMempool) readMempool(wallet, mempool, now);
}

function rescanBlock(wallet: Wallet, { block, txs }: BlockWithTxs, now: number): void {
  const pastTime = wallet.rules.datesRescansByBlock ? { pastTime: block.maxTime } : {};
  const mined = minedIn(block);
  for (const { index, tx } of txs) {
    if (!concerns(wallet, tx)) continue;
    addIfInvolvingMe(wallet, tx, { state: mined(index), now, ...pastTime });
  }
}

function readMempool(wallet: Wallet, mempool: Iterable<ChainTx>, now: number): void {
  for (const tx of mempool) if (concerns(wallet, tx)) transactionAddedToMempool(wallet, tx, now);
}

/** Returns the height of the first block whose `maxTime` is at least `time`. */
function firstAt(chain: Chain, time: number): number {
  let [low, high] = [chain.first.height, chain.counts.height + 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (activeBlock(chain, middle).maxTime >= time) high = middle;
    else low = middle + 1;
  }
  return low;
}

export interface Absence extends Scan {
  /** The records' blocks that left the active chain. */
  readonly left: ReadonlySet<BlockKey>;
  readonly tip: BlockPlace;
}

/**
 * Returns what a newly loaded wallet has missed.
 * @see Bitcoin Core `CWallet::AttachChain`; 0.21 `CWallet::CreateWalletFromFile`
 */
export function computeAbsence(wallet: Wallet, chain: Chain): Absence {
  const left = new Set<BlockKey>();
  for (const [, { state }] of wallet.records.entries()) {
    const hasBlock = state.kind === 'confirmed' || state.kind === 'conflicted';
    if (hasBlock && !isActive(chain, state.block)) left.add(state.block.key);
  }
  const blocks = blocksFrom(chain, catchUpStart(wallet, chain));
  return { left, tip: toPlace(activeTip(chain)), blocks, mempool: parentsFirst(chain) };
}

export const saveTip = (wallet: Wallet): void => wallet.change({ written: wallet.row.tip });

const savedTip = ({ rules, row }: Wallet): BlockPlace => (rules.savesTip ? row.tip : row.written);

/** Returns the UNIX time of the oldest key. */
const firstTime = ({ legacy, row }: Wallet): number => legacy?.firstTime() ?? row.birth;

/** Blocks older than the wallet's keys are skipped. */
function catchUpStart(wallet: Wallet, chain: Chain): number {
  const seen = forkHeight(chain, savedTip(wallet));
  const end = chain.counts.height + 1;
  if (wallet.rules.savesTip) return seen + 1;
  if (seen === end - 1) return end;
  const first = firstAt(chain, firstTime(wallet) - TIMESTAMP_WINDOW);
  if (first < end) return Math.max(seen, first);
  return wallet.legacy ? seen : end - 1;
}

/**
 * Returns the last block that the wallet needs to catch up, but whose transactions are unknown. Blocks older than its
 * keys do not count.
 */
export function missedBy(wallet: Wallet, chain: Chain): ChainBlock | undefined {
  const ofKeys = firstAt(chain, firstTime(wallet) - TIMESTAMP_WINDOW);
  const hasSeen = chain.blocks.get(savedTip(wallet).key) !== undefined;
  return lastMissing(chain, Math.max(hasSeen ? catchUpStart(wallet, chain) : chain.first.height, ofKeys));
}

/** @see Bitcoin Core `CWallet::AttachChain` */
export function catchUp(wallet: Wallet, { left, tip, blocks, mempool }: Absence, now: number): void {
  for (const wtx of recordsByArrival(wallet)) forgetMempool(wallet, wtx, left);
  if (wallet.rules.abandonsOrphanedCoinbases) abandonOrphans(wallet);
  wallet.change({ tip });
  touchEach(wallet);
  for (const block of blocks) rescanBlock(wallet, block, now);
  saveTip(wallet);
  readMempool(wallet, mempool, now);
}

/** Also forgets a block that has left the chain. */
function forgetMempool(wallet: Wallet, wtx: WalletTx, left: Absence['left']): void {
  const { state, isInMempool, mempoolConflicts, alternates } = wtx;
  const hasLeft = 'block' in state && left.has(state.block.key);
  if (!hasLeft && !isInMempool && mempoolConflicts.size === 0 && alternates.length === 0) return;
  const change = { isInMempool: false, mempoolConflicts: new Map(), state: hasLeft ? UNCONFIRMED : state };
  changeRecord(wallet, wtx, { ...change, ...chosenCopies({ tx: wtx.tx, alternates, state: change.state }) });
}

/** Abandons coinbases that were orphaned while the wallet was not loaded. @see Bitcoin Core 31 `LoadTxRecords` */
function abandonOrphans(wallet: Wallet): void {
  for (const wtx of recordsByArrival(wallet)) if (wtx.isCoinbase && canAbandon(wallet, wtx)) abandon(wallet, wtx);
}

/** Returns the first height for an unknown block. */
function forkHeight(chain: Chain, { key }: BlockPlace): number {
  const block = chain.blocks.get(key);
  return block ? findFork(chain, block).height : chain.first.height;
}
