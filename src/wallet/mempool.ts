import { type RelativeLock, relativeLockOf } from '../interpreter/timelock.ts';
import { formatAmount } from '../network/amount.ts';
import type { Network } from '../network/networks.ts';
import { checkInputValues } from '../tx/check.ts';
import { LOCKTIME_THRESHOLD, SEQUENCE_FINAL } from '../tx/locktime.ts';
import { formatTxid } from '../tx/txid.ts';
import type { Transaction, TxOut } from '../tx/types.ts';
import {
  activeBlock,
  type Chain,
  type ChainCoin,
  type ChainTx,
  coinAt,
  medianTimePast,
  outputName,
  type RemovalReason,
  tipOf,
} from './chainState.ts';
import { areMet, areValid, lockPointsOf } from './lockPoints.ts';

const COINBASE_MATURITY = 100;
const SECONDS_PER_UNIT = 512;

/** What stands for the inputs of a transaction that is not there, or not in full. */
export const MISSING_INPUTS = 'bad-txns-inputs-missingorspent';

/** Whether a transaction may be in the next block: its coins are there and old enough, its locks are past. */
const canBeMinedNext = (chain: Chain, one: ChainTx): boolean => mempoolFault(chain, one) === undefined;

/**
 * Why a transaction may not be in the next block, in a node's words and order; `undefined` where it may.
 * @see Bitcoin Core `MemPoolAccept::PreChecks`
 */
export function mempoolFault(chain: Chain, one: ChainTx): string | undefined {
  const { tx } = one;
  const tip = tipOf(chain);
  if (!isFinal(tx, tip.height + 1, medianTimePast(chain, tip))) return 'non-final';
  const coins = coinsSpentBy(chain, one);
  if (coins.length === 0 || coins.length < tx.inputs.length) return MISSING_INPUTS;
  const locks = tx.inputs.map((input) => relativeLockOf(tx, input));
  if (!coins.every((coin, index) => isOldEnough(chain, coin, locks[index]))) return 'non-BIP68-final';
  for (const { isCoinbase, height = 0 } of coins) {
    const depth = tip.height + 1 - height;
    if (!isCoinbase || depth >= COINBASE_MATURITY) continue;
    return `bad-txns-premature-spend-of-coinbase, tried to spend coinbase at depth ${depth}`;
  }
  return undefined;
}

/**
 * Why a transaction cannot pay what it pays, of coins that are there.
 * @see Bitcoin Core `Consensus::CheckTxInputs`
 */
export function valuesFault(chain: Chain, one: ChainTx, network: Network): string | undefined {
  const coins = coinsSpentBy(chain, one);
  const fault = checkInputValues(one.tx, coins, network);
  if (fault !== 'bad-txns-in-belowout') return fault;
  return `${fault}, value in (${money(sumOf(coins))}) < value out (${money(sumOf(one.tx.outputs))})`;
}

/** What a transaction spends, as far as it is there, in the order of its inputs. */
export const coinsSpentBy = (chain: Chain, { spends }: ChainTx): readonly ChainCoin[] =>
  spends.flatMap((name) => coinAt(chain, name) ?? []);

const sumOf = (outputs: readonly TxOut[]): bigint => outputs.reduce((sum, { value }) => sum + value, 0n);

/** With two decimals, or as many as it takes. @see Bitcoin Core `FormatMoney` */
const money = (sats: bigint): string => formatAmount(sats).replace(/0{1,6}$/, '');

/**
 * Why a transaction cannot take the place of those that spend the same coins: it needs one of them.
 * @see Bitcoin Core `MemPoolAccept`
 */
export function rivalFault(chain: Chain, one: ChainTx): string | undefined {
  const rivals = new Set(one.spends.flatMap((name) => chain.spends.get(name) ?? []));
  // Most have none, and ancestors may be many.
  if (rivals.size === 0) return undefined;
  const needed = ancestorsOf(chain, one).find(({ name }) => rivals.has(name));
  if (!needed) return undefined;
  return `bad-txns-spends-conflicting-tx, ${formatTxid(one.id)} spends conflicting transaction ${formatTxid(needed.id)}`;
}

/** Whether the lock on a coin's age is past. @see BIP68 */
function isOldEnough(chain: Chain, coin: ChainCoin, lock: RelativeLock | undefined): boolean {
  if (!lock) return true;
  const tip = tipOf(chain);
  const next = tip.height + 1;
  const height = coin.height ?? next;
  if (lock.kind === 'blocks') return height + lock.value <= next;
  const before = activeBlock(chain, Math.max(height - 1, 0));
  return medianTimePast(chain, before) + lock.value * SECONDS_PER_UNIT <= medianTimePast(chain, tip);
}

/** Whether an absolute lock is past. @see Bitcoin Core `IsFinalTx` */
export function isFinal({ locktime, inputs }: Transaction, height: number, time: number): boolean {
  if (locktime === 0 || locktime < (locktime < LOCKTIME_THRESHOLD ? height : time)) return true;
  return inputs.every(({ sequence }) => sequence === SEQUENCE_FINAL);
}

/** Takes a transaction into the mempool; those that spend the same coins give way. */
export function addTransaction(chain: Chain, one: ChainTx): void {
  if (chain.mempool.has(one.name)) return;
  for (const name of one.spends) {
    const rival = chain.spends.get(name);
    if (rival !== undefined) removeWithDescendants(chain, rival, 'replaced');
  }
  add(chain, one);
}

function add(chain: Chain, one: ChainTx): void {
  remember(chain, one);
  chain.mempool.set(one.name, one);
  for (const name of one.spends) chain.spends.set(name, one.name);
  for (const listener of chain.listeners) listener.transactionAdded(one);
}

function remember(chain: Chain, one: ChainTx): void {
  const points = lockPointsOf(chain, one);
  if (points) chain.lockPoints.set(one.name, points);
  else chain.lockPoints.delete(one.name);
}

/** Whether a transaction in the mempool may stay there, after blocks were disconnected. */
function mayStay(chain: Chain, one: ChainTx): boolean {
  if (!canBeMinedNext(chain, one)) return false;
  const points = chain.lockPoints.get(one.name);
  if (points && areValid(chain, points)) return areMet(chain, points);
  if (points) remember(chain, one);
  return true;
}

function forget(chain: Chain, name: string): ChainTx | undefined {
  const one = chain.mempool.get(name);
  chain.mempool.delete(name);
  chain.lockPoints.delete(name);
  for (const spent of one?.spends ?? []) chain.spends.delete(spent);
  return one;
}

/** Takes a transaction that was mined out of the mempool, and all that it conflicts with. */
export function removeMined(chain: Chain, { name, spends }: ChainTx): void {
  forget(chain, name);
  for (const spent of spends) {
    const rival = chain.spends.get(spent);
    if (rival !== undefined) removeWithDescendants(chain, rival, 'conflict');
  }
}

/** Drops a transaction from the mempool, as nodes do where there is no more room, or it has waited too long. */
export const dropTransaction = (chain: Chain, name: string): void => removeWithDescendants(chain, name, 'dropped');

/** Takes a transaction out of the mempool, and all that spend of it, the last ones first. */
function removeWithDescendants(chain: Chain, name: string, reason: RemovalReason): void {
  const first = chain.mempool.get(name);
  if (first) removeAll(chain, [first, ...descendantsOf(chain, [first])], reason);
}

function removeAll(chain: Chain, family: readonly ChainTx[], reason: RemovalReason): void {
  for (const one of [...family].reverse()) {
    forget(chain, one.name);
    for (const listener of chain.listeners) listener.transactionRemoved(one, reason);
  }
}

/** What in the mempool spends of these, parents before their children. */
function descendantsOf(chain: Chain, roots: readonly ChainTx[]): readonly ChainTx[] {
  const spendersOf = ({ tx, name }: ChainTx): readonly ChainTx[] =>
    [...tx.outputs.keys()].flatMap((vout) => chain.mempool.get(chain.spends.get(outputName(name, vout)) ?? '') ?? []);
  /** How often each is still to be reached. */
  const open = new Map<string, number>();
  for (const one of reachable(roots, spendersOf)) {
    for (const { name } of spendersOf(one)) open.set(name, (open.get(name) ?? 0) + 1);
  }
  const found: ChainTx[] = [];
  const place = (one: ChainTx): void => {
    for (const child of spendersOf(one)) {
      const left = (open.get(child.name) ?? 0) - 1;
      open.set(child.name, left);
      // Reached from all its parents, and by all the outputs of each.
      if (left === 0) found.push(child);
    }
  };
  for (const root of roots) place(root);
  // It grows while it is gone through.
  for (const one of found) place(one);
  return found;
}

/** These and all that is reached from them, each once. */
function reachable(roots: readonly ChainTx[], next: (one: ChainTx) => readonly ChainTx[]): readonly ChainTx[] {
  const found = new Map(roots.map((one) => [one.name, one]));
  // It grows while it is gone through.
  for (const one of found.values()) for (const other of next(one)) found.set(other.name, other);
  return [...found.values()];
}

/**
 * Brings the mempool in line after blocks were disconnected: their transactions come back where they can be mined again,
 * and what can no longer be mined leaves.
 *
 * - `returned`: of the disconnected blocks, the first block's first
 * - `takesBack`: by default they come back; otherwise what spends of them leaves
 *
 * @see Bitcoin Core `MaybeUpdateMempoolForReorg`
 */
export function restoreMempool(chain: Chain, returned: readonly ChainTx[], takesBack = true): void {
  for (const one of returned) {
    const isRival = one.spends.some((name) => chain.spends.has(name));
    if (!takesBack || one.isCoinbase || !canBeMinedNext(chain, one)) {
      removeAll(chain, descendantsOf(chain, [one]), 'reorg');
    } else if (!isRival && !chain.mempool.has(one.name)) {
      add(chain, one);
    }
  }
  for (const one of [...chain.mempool.values()]) {
    if (chain.mempool.has(one.name) && !mayStay(chain, one)) removeWithDescendants(chain, one.name, 'reorg');
  }
}

/**
 * The transactions of the mempool that a transaction in it depends on, all generations of them.
 * @returns without the transaction itself
 */
export function ancestorsOf({ mempool }: Chain, one: ChainTx): readonly ChainTx[] {
  const found = new Map<string, ChainTx>();
  const waiting = [one];
  for (let at = waiting.pop(); at; at = waiting.pop()) {
    for (const spent of at.spends) {
      const parent = mempool.get(spent.slice(0, one.name.length));
      if (!parent || found.has(parent.name)) continue;
      found.set(parent.name, parent);
      waiting.push(parent);
    }
  }
  return [...found.values()];
}
