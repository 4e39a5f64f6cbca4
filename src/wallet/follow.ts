import {
  activeBlock,
  type Chain,
  type ChainBlock,
  type ChainTx,
  forkOf,
  isActive,
  type RemovalReason,
} from './chainState.ts';
import { chooseCopy } from './copies.ts';
import type { LegacyStore } from './legacyStore.ts';
import { abandon, canAbandon, changeWithDescendants, takeNote } from './records.ts';
import type { BlockPlace, TxState, Wallet, WalletTx } from './walletState.ts';

/** How far block times may be from the clock, in seconds. @see Bitcoin Core `TIMESTAMP_WINDOW` */
const TIMESTAMP_WINDOW = 7200;

const UNCONFIRMED: TxState = { kind: 'unconfirmed' };

const placeOf = ({ hash, name, height }: ChainBlock): BlockPlace => ({ hash, name, height });

/** What becomes of the transactions of a block, by their place in it. */
function minedIn(block: ChainBlock): (index: number) => TxState {
  const place = placeOf(block);
  return (index) => ({ kind: 'confirmed', block: place, index, time: block.time });
}

/** @see Bitcoin Core `CWallet::transactionAddedToMempool` */
export function seeTransaction(wallet: Wallet, one: ChainTx, now: number): void {
  const known = takeNote(wallet, one, { state: UNCONFIRMED, now });
  if (known) known.isInMempool = true;
  if (!wallet.rules.isModern) return;
  for (const rival of rivalsOf(wallet, one)) {
    changeWithDescendants(wallet, rival, ({ mempoolConflicts }) => {
      const isNew = !mempoolConflicts.has(one.name);
      mempoolConflicts.set(one.name, one.id);
      return isNew;
    });
  }
}

/** @see Bitcoin Core `CWallet::transactionRemovedFromMempool` */
export function missTransaction(wallet: Wallet, one: ChainTx, reason: RemovalReason | 'mined', now: number): void {
  const known = wallet.records.get(one.name);
  if (known) known.isInMempool = false;
  if (reason === 'conflict') takeNote(wallet, one, { state: UNCONFIRMED, now });
  if (!wallet.rules.isModern) return;
  for (const rival of rivalsOf(wallet, one)) {
    changeWithDescendants(wallet, rival, ({ mempoolConflicts }) => mempoolConflicts.delete(one.name));
  }
}

/** The recorded transactions that spend the same coins. */
function rivalsOf({ spenders }: Wallet, { name, spends }: ChainTx): readonly string[] {
  return spends.flatMap((spent) => [...(spenders.get(spent) ?? [])].filter((rival) => rival !== name));
}

/** @see Bitcoin Core `CWallet::blockConnected` */
export function connectBlock(wallet: Wallet, block: ChainBlock, now: number): void {
  wallet.tip = placeOf(block);
  if (wallet.rules.isModern && block.maxTime < wallet.birth - 2 * TIMESTAMP_WINDOW) return;
  const mined = minedIn(block);
  for (const [index, one] of block.txs.entries()) {
    takeNote(wallet, one, { state: mined(index), now });
    missTransaction(wallet, one, 'mined', now);
  }
}

/** @see Bitcoin Core `CWallet::blockDisconnected` */
export function disconnectBlock(wallet: Wallet, block: ChainBlock, before: ChainBlock, now: number): void {
  const { isModern } = wallet.rules;
  if (!isModern) wallet.tip = placeOf(before);
  for (const one of block.txs) {
    const state: TxState = isModern && one.isCoinbase ? { kind: 'abandoned' } : UNCONFIRMED;
    takeNote(wallet, one, { state, now });
    if (isModern) freeRivals(wallet, one, block.height);
  }
  wallet.tip = placeOf(before);
}

/** What was in conflict with the block is so no more. */
function freeRivals(wallet: Wallet, { spends }: ChainTx, height: number): void {
  const free = (one: WalletTx): boolean => {
    if (one.state.kind !== 'conflicted' || one.state.block.height < height) return false;
    one.state = UNCONFIRMED;
    return true;
  };
  for (const spent of spends) {
    for (const name of [...(wallet.spenders.get(spent) ?? [])]) changeWithDescendants(wallet, name, free);
  }
}

/**
 * Looks through the blocks from a time on once more and, in wallets of descriptors, through the mempool.
 * @see Bitcoin Core `CWallet::RescanFromTime`
 */
export function rescan(wallet: Wallet, chain: Chain, from: number, now: number): void {
  for (let height = firstAt(chain, from - TIMESTAMP_WINDOW); height < chain.active.length; height += 1) {
    rescanBlock(wallet, activeBlock(chain, height), now);
  }
  if (!wallet.rules.isModern) return;
  for (const one of chain.mempool.values()) seeTransaction(wallet, one, now);
}

function rescanBlock(wallet: Wallet, block: ChainBlock, now: number): void {
  const pastTime = wallet.rules.isModern ? { pastTime: block.maxTime } : {};
  const mined = minedIn(block);
  for (const [index, one] of block.txs.entries()) {
    takeNote(wallet, one, { state: mined(index), now, ...pastTime });
  }
}

/** The height of the first block of which the latest time so far is not before a time: found by halving. */
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
 * Brings a wallet that was not loaded for a while up to the chain. A wallet of 0.21 does not write down what it has seen
 * when it is unloaded: it looks again at all since it was loaded, but for what is older than its keys.
 * @see Bitcoin Core `CWallet::AttachChain`; 0.21 `CWallet::CreateWalletFromFile`
 */
export function catchUp(wallet: Wallet, chain: Chain, now: number): void {
  for (const one of wallet.ordered) {
    one.isInMempool = false;
    one.mempoolConflicts.clear();
    const { state } = one;
    const hasBlock = state.kind === 'confirmed' || state.kind === 'conflicted';
    if (hasBlock && !isActive(chain, state.block)) one.state = UNCONFIRMED;
    chooseCopy(one);
  }
  if (wallet.rules.isModern) abandonOrphans(wallet);
  const start = wallet.legacy ? startOfLegacy(wallet, wallet.legacy, chain) : forkHeight(chain, wallet.tip) + 1;
  wallet.tip = placeOf(activeBlock(chain, chain.active.length - 1));
  for (let height = start; height < chain.active.length; height += 1) {
    rescanBlock(wallet, activeBlock(chain, height), now);
  }
  wallet.written = wallet.tip;
  for (const one of chain.mempool.values()) seeTransaction(wallet, one, now);
}

/**
 * Abandons coinbases whose blocks left the chain while the wallet was not loaded, with their descendants.
 * @see Bitcoin Core 31 `LoadTxRecords`
 */
function abandonOrphans(wallet: Wallet): void {
  for (const one of wallet.ordered) if (one.isCoinbase && canAbandon(wallet, one)) abandon(wallet, one);
}

/** From where a wallet of 0.21 looks through the chain when it is loaded. */
function startOfLegacy({ written }: Wallet, legacy: LegacyStore, chain: Chain): number {
  const seen = forkHeight(chain, written);
  const { length } = chain.active;
  if (seen === length - 1) return length;
  const first = firstAt(chain, legacy.firstTime() - TIMESTAMP_WINDOW);
  return first < length ? Math.max(seen, first) : seen;
}

/** The height of the last block that the active chain has in common with the one that ends with a block. */
function forkHeight(chain: Chain, { name }: BlockPlace): number {
  const block = chain.blocks.get(name);
  return block ? forkOf(chain, block).height : 0;
}
