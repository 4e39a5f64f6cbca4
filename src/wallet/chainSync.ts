import {
  activeBlock,
  type Chain,
  type ChainBlock,
  type ChainTx,
  forkOf,
  isActive,
  type RemovalReason,
} from '../chain/chainState.ts';
import type { LegacyStore } from './legacyStore.ts';
import { abandon, addIfInvolvingMe, canAbandon, changeWithDescendants } from './records.ts';
import type { BlockPlace, TxState, Wallet, WalletTx } from './walletState.ts';
import { chooseCopy } from './witnessCopies.ts';

/** The most by which block times may differ from the clock, in seconds. @see Bitcoin Core `TIMESTAMP_WINDOW` */
const TIMESTAMP_WINDOW = 7200;

const UNCONFIRMED: TxState = { kind: 'unconfirmed' };

const toBlockPlace = ({ hash, key, height }: ChainBlock): BlockPlace => ({ hash, key, height });

/** Returns a function from a transaction's index in a block to its confirmed state. */
function minedIn(block: ChainBlock): (index: number) => TxState {
  const place = toBlockPlace(block);
  return (index) => ({ kind: 'confirmed', block: place, index, time: block.time });
}

/** Handles a new mempool transaction. @see Bitcoin Core `CWallet::transactionAddedToMempool` */
export function transactionAddedToMempool(wallet: Wallet, tx: ChainTx, now: number): void {
  const known = addIfInvolvingMe(wallet, tx, { state: UNCONFIRMED, now });
  if (known) known.isInMempool = true;
  if (!wallet.rules.tracksMempoolConflicts) return;
  for (const rival of rivalsOf(wallet, tx)) {
    changeWithDescendants(wallet, rival, ({ mempoolConflicts }) => {
      const isNew = !mempoolConflicts.has(tx.key);
      mempoolConflicts.set(tx.key, tx.id);
      return isNew;
    });
  }
}

/** Handles a transaction that left the mempool. @see Bitcoin Core `CWallet::transactionRemovedFromMempool` */
export function transactionRemovedFromMempool(
  wallet: Wallet,
  tx: ChainTx,
  reason: RemovalReason | 'mined',
  now: number,
): void {
  const known = wallet.records.get(tx.key);
  if (known) known.isInMempool = false;
  if (reason === 'conflict') addIfInvolvingMe(wallet, tx, { state: UNCONFIRMED, now });
  if (!wallet.rules.tracksMempoolConflicts) return;
  for (const rival of rivalsOf(wallet, tx)) {
    changeWithDescendants(wallet, rival, ({ mempoolConflicts }) => mempoolConflicts.delete(tx.key));
  }
}

/** Returns the keys of the other recorded transactions that spend the same coins. */
function rivalsOf({ spenders }: Wallet, { key, spends }: ChainTx): readonly string[] {
  return spends.flatMap((spent) => [...(spenders.get(spent) ?? [])].filter((rival) => rival !== key));
}

/** Handles a block that joined the active chain. @see Bitcoin Core `CWallet::blockConnected` */
export function connectBlock(wallet: Wallet, block: ChainBlock, now: number): void {
  wallet.tip = toBlockPlace(block);
  if (wallet.rules.skipsBlocksBeforeBirth && block.maxTime < wallet.birth - 2 * TIMESTAMP_WINDOW) return;
  const mined = minedIn(block);
  for (const [index, tx] of block.txs.entries()) {
    addIfInvolvingMe(wallet, tx, { state: mined(index), now });
    transactionRemovedFromMempool(wallet, tx, 'mined', now);
  }
}

/**
 * Handles a block that left the active chain; `before` is its parent.
 * @see Bitcoin Core `CWallet::blockDisconnected`
 */
export function disconnectBlock(wallet: Wallet, block: ChainBlock, before: ChainBlock, now: number): void {
  const { lowersTipFirst, abandonsOrphanedCoinbases, releasesConflicts } = wallet.rules;
  if (lowersTipFirst) wallet.tip = toBlockPlace(before);
  for (const tx of block.txs) {
    const state: TxState = abandonsOrphanedCoinbases && tx.isCoinbase ? { kind: 'abandoned' } : UNCONFIRMED;
    addIfInvolvingMe(wallet, tx, { state, now });
    if (releasesConflicts) releaseRivals(wallet, tx, block.height);
  }
  wallet.tip = toBlockPlace(before);
}

/** Makes transactions that conflicted with a disconnected one unconfirmed again. */
function releaseRivals(wallet: Wallet, { spends }: ChainTx, height: number): void {
  const free = (wtx: WalletTx): boolean => {
    if (wtx.state.kind !== 'conflicted' || wtx.state.block.height < height) return false;
    wtx.state = UNCONFIRMED;
    return true;
  };
  for (const spent of spends) {
    for (const name of [...(wallet.spenders.get(spent) ?? [])]) changeWithDescendants(wallet, name, free);
  }
}

/**
 * Rescans the blocks from a UNIX time on and, by the rules of Core 31, the mempool.
 * @see Bitcoin Core `CWallet::RescanFromTime`
 */
export function rescan(wallet: Wallet, chain: Chain, from: number, now: number): void {
  for (let height = firstAt(chain, from - TIMESTAMP_WINDOW); height < chain.active.length; height += 1) {
    rescanBlock(wallet, activeBlock(chain, height), now);
  }
  if (!wallet.rules.rescansMempool) return;
  for (const tx of chain.mempool.values()) transactionAddedToMempool(wallet, tx, now);
}

function rescanBlock(wallet: Wallet, block: ChainBlock, now: number): void {
  const pastTime = wallet.rules.datesRescansByBlock ? { pastTime: block.maxTime } : {};
  const mined = minedIn(block);
  for (const [index, tx] of block.txs.entries()) {
    addIfInvolvingMe(wallet, tx, { state: mined(index), now, ...pastTime });
  }
}

/** Finds the first block whose `maxTime` is at least `time`, by binary search. @returns its height */
function firstAt(chain: Chain, time: number): number {
  let [low, high] = [0, chain.active.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (activeBlock(chain, middle).maxTime >= time) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * Brings a newly loaded wallet up to date with the chain. A wallet of 0.21 does not save its best block when unloaded: it
 * rescans everything since it was last loaded, except blocks older than its keys.
 * @see Bitcoin Core `CWallet::AttachChain`; 0.21 `CWallet::CreateWalletFromFile`
 */
export function catchUp(wallet: Wallet, chain: Chain, now: number): void {
  for (const wtx of wallet.ordered) {
    wtx.isInMempool = false;
    wtx.mempoolConflicts.clear();
    const { state } = wtx;
    const hasBlock = state.kind === 'confirmed' || state.kind === 'conflicted';
    if (hasBlock && !isActive(chain, state.block)) wtx.state = UNCONFIRMED;
    chooseCopy(wtx);
  }
  if (wallet.rules.abandonsOrphanedCoinbases) abandonOrphans(wallet);
  const start = wallet.legacy ? startOfLegacy(wallet, wallet.legacy, chain) : forkHeight(chain, wallet.tip) + 1;
  wallet.tip = toBlockPlace(activeBlock(chain, chain.active.length - 1));
  for (let height = start; height < chain.active.length; height += 1) {
    rescanBlock(wallet, activeBlock(chain, height), now);
  }
  wallet.written = wallet.tip;
  for (const tx of chain.mempool.values()) transactionAddedToMempool(wallet, tx, now);
}

/**
 * Abandons coinbases whose blocks left the chain while the wallet was not loaded, and their descendants.
 * @see Bitcoin Core 31 `LoadTxRecords`
 */
function abandonOrphans(wallet: Wallet): void {
  for (const wtx of wallet.ordered) if (wtx.isCoinbase && canAbandon(wallet, wtx)) abandon(wallet, wtx);
}

/** Returns the height from which a 0.21 wallet rescans when loaded. */
function startOfLegacy({ written }: Wallet, legacy: LegacyStore, chain: Chain): number {
  const seen = forkHeight(chain, written);
  const { length } = chain.active;
  if (seen === length - 1) return length;
  const first = firstAt(chain, legacy.firstTime() - TIMESTAMP_WINDOW);
  return first < length ? Math.max(seen, first) : seen;
}

/** Returns the height at which a block's chain forks from the active one; 0 for an unknown block. */
function forkHeight(chain: Chain, { key }: BlockPlace): number {
  const block = chain.blocks.get(key);
  return block ? forkOf(chain, block).height : 0;
}
