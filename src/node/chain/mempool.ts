import { isFinalTransaction } from '../../core/tx/absoluteLock.ts';
import { outpointTxKey, outputKey } from '../../core/tx/txid.ts';
import type { OutpointKey, TxKey } from '../../core/tx/types.ts';
import { policyWeight, sizeOfWeight } from '../../core/tx/weight.ts';
import { orderKey } from '../store/orderKey.ts';
import { activeTip, type Chain, coinAt, countPooled, medianTimePast, withFeeDelta } from './chainState.ts';
import type { Fault } from './fault.ts';
import { calculateLockPoints, lockPointsApply, lockPointsMet } from './lockPoints.ts';
import { raiseFloor } from './mempoolFloor.ts';
import { maturityFault, meetsRelativeLocks, totalValue } from './spendRules.ts';
import type { ChainCoin, ChainTx, PoolEntry, RemovalReason } from './types.ts';

function canBeMinedNext(chain: Chain, entry: ChainTx): boolean {
  const coins = coinsSpentBy(chain, entry);
  const isComplete = coins.length > 0 && coins.length === entry.tx.inputs.length;
  return isFinalNext(chain, entry) && isComplete && placeFault(chain, entry, coins) === undefined;
}

export function isFinalNext(chain: Chain, { tx }: Pick<ChainTx, 'tx'>): boolean {
  const tip = activeTip(chain);
  return isFinalTransaction(tx, tip.height + 1, medianTimePast(chain, tip));
}

/**
 * Checks the rules that depend on where the coins are: relative locks and coinbase maturity.
 * @see Bitcoin Core `MemPoolAccept::PreChecks`, `Consensus::CheckTxInputs`
 */
export function placeFault(chain: Chain, { tx }: ChainTx, coins: readonly ChainCoin[]): Fault | undefined {
  return meetsRelativeLocks(chain, tx, coins) ? maturityFault(chain, coins) : { reason: 'non-BIP68-final' };
}

const coinsSpentBy = (chain: Chain, { spends }: ChainTx): readonly ChainCoin[] =>
  spends.flatMap((key) => coinAt(chain, key) ?? []);

/** How a transaction came to the mempool. Default: it was sent now. */
export type Arrival = Pick<PoolEntry, 'time' | 'isUnbroadcast'>;

/** `mayExceed`: others of its package follow, and then the limit of the mempool's memory is kept. */
type Addition = Partial<Arrival> & { readonly mayExceed?: boolean };

/** Replaces the transactions that spend the same coins. One that is in the mempool already counts as sent again. */
export function addTransaction(chain: Chain, entry: ChainTx, addition: Addition = {}): void {
  const { time = chain.now, isUnbroadcast = true, mayExceed = false } = addition;
  const existing = chain.mempool.get(entry.key);
  if (existing) {
    markUnbroadcast(chain, existing);
    return;
  }
  for (const key of entry.spends) {
    const rival = chain.spends.get(key);
    if (rival !== undefined) removeWithDescendants(chain, rival, 'replaced');
  }
  const pooled = { ...createPoolEntry(chain, entry), time, isUnbroadcast };
  insert(chain, pooled);
  if (!mayExceed) limitMempool(chain);
  // As in Core, nobody hears of a transaction that a full mempool does not keep.
  if (chain.mempool.has(entry.key)) tellAdded(chain, pooled);
}

function markUnbroadcast(chain: Chain, previous: PoolEntry): void {
  if (previous.isUnbroadcast) return;
  const entry = { ...previous, isUnbroadcast: true };
  countPooled(chain, previous, -1);
  countPooled(chain, entry, 1);
  chain.mempool.set(entry.key, entry);
  chain.pooled.set(pooledKey(chain, entry.key), { entry, points: chain.lockPoints.get(entry.key) });
}

/** Makes the entry of a transaction that was sent. */
export function newEntry(chain: Chain, tx: ChainTx, coins: readonly (ChainCoin | undefined)[]): PoolEntry {
  const knownCoins = coins.filter((coin) => coin !== undefined);
  const scripts = coins.map((coin) => coin?.scriptPubKey);
  return withFeeDelta(chain, {
    ...tx,
    time: chain.now,
    height: activeTip(chain).height,
    fee: knownCoins.length === coins.length ? totalValue(knownCoins) - totalValue(tx.tx.outputs) : undefined,
    policyWeight: policyWeight(tx.tx, scripts, chain.bytesPerSigOp),
    isUnbroadcast: true,
  });
}

const createPoolEntry = (chain: Chain, tx: ChainTx): PoolEntry =>
  newEntry(
    chain,
    tx,
    tx.spends.map((key) => coinAt(chain, key)),
  );

function insert(chain: Chain, entry: PoolEntry): void {
  chain.poolTotals.updates += 1;
  const { pooled } = chain.counts;
  chain.counts = { ...chain.counts, pooled: pooled + 1 };
  chain.pooledOrders.set(entry.key, pooled);
  remember(chain, entry);
  chain.mempool.set(entry.key, entry);
  countPooled(chain, entry, 1);
  for (const key of entry.spends) chain.spends.set(key, entry.key);
}

function tellAdded(chain: Chain, entry: PoolEntry): void {
  const sequence = takeSequence(chain);
  for (const listener of chain.listeners) listener.transactionAdded?.(entry, sequence);
}

/** Takes the number of an addition or a removal, in a block or not. */
function takeSequence({ poolTotals }: Chain): number {
  poolTotals.sequence += 1;
  return poolTotals.sequence - 1;
}

function remember(chain: Chain, entry: PoolEntry): void {
  const points = calculateLockPoints(chain, entry);
  if (points) chain.lockPoints.set(entry.key, points);
  else chain.lockPoints.delete(entry.key);
  chain.pooled.set(pooledKey(chain, entry.key), { entry, points });
}

/** In bytes. */
const POOLED_KEY_SIZE = 6;

const pooledKey = ({ pooledOrders }: Chain, key: TxKey): string =>
  orderKey(pooledOrders.get(key) ?? 0, POOLED_KEY_SIZE);

/** Tells whether a mempool transaction may stay after a reorg, and refreshes its lock points. */
function canStay(chain: Chain, entry: PoolEntry): boolean {
  if (!canBeMinedNext(chain, entry)) return false;
  const points = chain.lockPoints.get(entry.key);
  if (points && lockPointsApply(chain, points)) return lockPointsMet(chain, points);
  if (points) remember(chain, entry);
  return true;
}

function forget(chain: Chain, key: TxKey): PoolEntry | undefined {
  const entry = chain.mempool.get(key);
  if (!entry) return undefined;
  chain.poolTotals.updates += 1;
  chain.mempool.delete(key);
  countPooled(chain, entry, -1);
  chain.lockPoints.delete(key);
  chain.pooled.delete(pooledKey(chain, key));
  chain.pooledOrders.delete(key);
  for (const spent of entry.spends) chain.spends.delete(spent);
  return entry;
}

/** The most that 64 bits hold. */
const MAX_DELTA = 2n ** 63n - 1n;

/** Adds to the fee of a transaction, for policy and miners. @see Bitcoin Core `PrioritiseTransaction` */
export function prioritise(chain: Chain, key: TxKey, added: bigint, keepsZero: boolean): void {
  const sum = (chain.feeDeltas.get(key) ?? 0n) + added;
  const delta = sum > MAX_DELTA ? MAX_DELTA : sum < -MAX_DELTA - 1n ? -MAX_DELTA - 1n : sum;
  if (delta === 0n && !keepsZero) chain.feeDeltas.delete(key);
  else chain.feeDeltas.set(key, delta);
  const entry = chain.mempool.get(key);
  if (!entry) return;
  chain.poolTotals.updates += 1;
  chain.mempool.set(key, withFeeDelta(chain, entry));
}

export function removeMined(chain: Chain, { key, spends }: ChainTx): void {
  if (forget(chain, key)) takeSequence(chain);
  chain.feeDeltas.delete(key);
  for (const spent of spends) {
    const rival = chain.spends.get(spent);
    if (rival !== undefined) removeWithDescendants(chain, rival, 'conflict');
  }
}

export const dropTransaction = (chain: Chain, key: TxKey): void => removeWithDescendants(chain, key, 'dropped');

function removeWithDescendants(chain: Chain, key: TxKey, reason: RemovalReason): void {
  const first = chain.mempool.get(key);
  if (first) removeAll(chain, [first, ...mempoolDescendants(chain, [first])], reason);
}

function removeAll(chain: Chain, family: readonly ChainTx[], reason: RemovalReason): void {
  for (const entry of [...family].reverse()) remove(chain, entry, reason);
}

function remove(chain: Chain, entry: ChainTx, reason: RemovalReason): void {
  forget(chain, entry.key);
  const sequence = takeSequence(chain);
  for (const listener of chain.listeners) listener.transactionRemoved?.(entry, reason, sequence);
}

export function findSpender({ mempool, spends }: Chain, outpoint: OutpointKey): PoolEntry | undefined {
  const spender = spends.get(outpoint);
  return spender === undefined ? undefined : mempool.get(spender);
}

/** Parents come before children. */
export function mempoolDescendants(chain: Chain, roots: readonly ChainTx[]): readonly PoolEntry[] {
  const findSpenders = ({ tx, key }: ChainTx): readonly PoolEntry[] =>
    [...tx.outputs.keys()].flatMap((vout) => findSpender(chain, outputKey(key, vout)) ?? []);
  /** The spent outputs through which each descendant is still to be reached. */
  const open = new Map<TxKey, number>();
  for (const entry of reachable(roots, findSpenders)) {
    for (const { key } of findSpenders(entry)) open.set(key, (open.get(key) ?? 0) + 1);
  }
  const descendants: PoolEntry[] = [];
  const place = (entry: ChainTx): void => {
    for (const child of findSpenders(entry)) {
      const remaining = (open.get(child.key) ?? 0) - 1;
      open.set(child.key, remaining);
      if (remaining === 0) descendants.push(child);
    }
  };
  for (const root of roots) place(root);
  // The loop visits the entries that it adds.
  for (const entry of descendants) place(entry);
  return descendants;
}

function reachable(roots: readonly ChainTx[], next: (entry: ChainTx) => readonly ChainTx[]): readonly ChainTx[] {
  const entries = new Map(roots.map((entry) => [entry.key, entry]));
  for (const entry of entries.values()) for (const other of next(entry)) entries.set(other.key, other);
  return [...entries.values()];
}

/**
 * Updates the mempool after a disconnection.
 *
 * - `returned`: transactions of the disconnected blocks, in chain order
 * - `takesBack`: false drops them and their descendants instead
 *
 * @see Bitcoin Core `MaybeUpdateMempoolForReorg`
 */
export function restoreMempool(chain: Chain, returned: readonly ChainTx[], takesBack = true): void {
  const added = new Set<TxKey>();
  for (const entry of returned) {
    const isRival = entry.spends.some((key) => chain.spends.has(key));
    if (!takesBack || entry.isCoinbase || !canBeMinedNext(chain, entry) || !chain.mayReturn(entry, added)) {
      removeAll(chain, mempoolDescendants(chain, [entry]), 'reorg');
    } else if (!isRival && !chain.mempool.has(entry.key)) {
      const pooled = { ...createPoolEntry(chain, entry), isUnbroadcast: false };
      insert(chain, pooled);
      tellAdded(chain, pooled);
      added.add(entry.key);
    }
  }
  for (const key of chain.overflowing(added)) removeWithDescendants(chain, key, 'reorg');
  for (const entry of [...chain.mempool.values()]) {
    if (chain.mempool.has(entry.key) && !canStay(chain, entry)) removeWithDescendants(chain, entry.key, 'reorg');
  }
  limitMempool(chain);
}

/** Removes what is worth least while the mempool takes too much memory. @see Bitcoin Core `LimitMempoolSize` */
export function limitMempool(chain: Chain): void {
  for (let excess = chain.excess(); excess; excess = chain.excess()) {
    raiseFloor(chain, excess.rate);
    for (const entry of excess.entries) remove(chain, entry, 'dropped');
  }
}

/** Stops once it has found `most`. */
export function mempoolAncestors(
  { mempool }: Chain,
  entry: ChainTx,
  most: number = Number.POSITIVE_INFINITY,
): readonly PoolEntry[] {
  const ancestors = new Map<TxKey, PoolEntry>();
  const waiting: ChainTx[] = [entry];
  for (let at = waiting.pop(); at && ancestors.size < most; at = waiting.pop()) {
    for (const spent of at.spends) {
      const parent = mempool.get(outpointTxKey(spent));
      if (!parent || ancestors.has(parent.key)) continue;
      ancestors.set(parent.key, parent);
      waiting.push(parent);
    }
  }
  return [...ancestors.values()];
}

/** Compares the bytes of txids, by which a node sorts. */
export function compareById(a: PoolEntry, b: PoolEntry): number {
  return a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
}

/** The size is in virtual bytes. */
export interface FamilyTotals {
  readonly count: number;
  readonly size: number;
  readonly fees: bigint;
}

/** Returns the fee that counts for policy and miners: 0, with what is added to it, if the chain lacks a coin. */
export const modifiedFee = ({ fee = 0n, feeDelta = 0n }: Pick<PoolEntry, 'fee' | 'feeDelta'>): bigint => fee + feeDelta;

export const familyTotals = (family: readonly PoolEntry[]): FamilyTotals => ({
  count: family.length,
  size: family.reduce((sum, { policyWeight }) => sum + sizeOfWeight(policyWeight), 0),
  fees: family.reduce((sum, entry) => sum + modifiedFee(entry), 0n),
});
