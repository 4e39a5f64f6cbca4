import { RPC_VERIFY_ALREADY_IN_CHAIN, RPC_VERIFY_ERROR, RPC_VERIFY_REJECTED } from '../../answers/method/errorCodes.ts';
import { RpcError } from '../../core/errors.ts';
import type { Transaction, Txid } from '../../core/tx/types.ts';
import { transactionSize } from '../../core/tx/weight.ts';
import { chainTx } from '../chain/chainTx.ts';
import { isMined, MISSING_INPUTS } from '../chain/connectRules.ts';
import { faultText } from '../chain/fault.ts';
import type { Arrival } from '../chain/mempool.ts';
import type { ChainTx, PoolEntry } from '../chain/types.ts';
import { type Admission, judge } from '../mempool/acceptance.ts';
import { feeOfSize } from '../mempool/mempoolPolicy.ts';
import { nodeMethodRules } from './chainRules.ts';
import type { NodeContext } from './context.ts';
import { createBroadcastGate, createGate } from './gate.ts';

/** Limits the fee rate to `maxFeeRate` satoshi per 1000 virtual bytes, if that is not 0. */
export function submitTransaction(tx: Transaction, maxFeeRate: bigint, context: NodeContext): Txid {
  const entry = chainTx(tx);
  const { marksPooled } = nodeMethodRules[context.dialect.generation];
  if (context.node.chain.mempool.has(entry.key) && !marksPooled) return entry.id;
  addToMempool(tx, assertAcceptable(entry, maxFeeRate, context), context);
  if (!context.node.chain.mempool.has(entry.key)) throw new RpcError(RPC_VERIFY_REJECTED, 'mempool full');
  return entry.id;
}

/** Adds a transaction that was judged. `evicted`: what it replaces without spending its coins. */
export function addToMempool(
  tx: Transaction,
  evicted: readonly PoolEntry[],
  { node, mempool }: NodeContext,
  addition: Partial<Arrival> & { readonly mayExceed?: boolean } = {},
): void {
  const dropped = (entries: readonly PoolEntry[]) => entries.map(({ id: txid }) => ({ type: 'drop', txid }) as const);
  const oldest = node.now() - mempool.expiry;
  const expired = [...node.chain.mempool.values()].filter(({ time }) => time < oldest);
  node.change(...dropped(evicted), { type: 'transaction', tx, ...addition }, ...dropped(expired));
}

interface Readmission extends Arrival {
  /** The most that it may pay, in satoshi. Default: any. */
  readonly maxFee?: bigint;
}

/** Adds a transaction that was in a mempool before, unless it has expired or is refused now. */
export function readmit(entry: ChainTx, { maxFee, ...arrival }: Readmission, context: NodeContext): void {
  if (arrival.time <= context.node.now() - context.mempool.expiry) return;
  const verdict = judge(createGate(context), entry);
  if (verdict.kind !== 'accepted') return;
  const { fee = 0n } = verdict.admission.entry;
  if (maxFee !== undefined && fee > maxFee) return;
  addToMempool(entry.tx, evictedBy(verdict.admission), context, arrival);
}

/** @returns the transactions that it evicts without spending their coins @see Bitcoin Core `BroadcastTransaction` */
function assertAcceptable(entry: ChainTx, maxFeeRate: bigint, context: NodeContext): readonly PoolEntry[] {
  const { chain } = context.node;
  // It counts as sent again.
  if (chain.mempool.has(entry.key)) return [];
  if (isMined(chain, entry)) {
    throw new RpcError(RPC_VERIFY_ALREADY_IN_CHAIN, nodeMethodRules[context.dialect.generation].transactionKnown);
  }
  const verdict = judge(createBroadcastGate(context), entry);
  if (verdict.kind === 'missing-inputs') throw new RpcError(RPC_VERIFY_ERROR, MISSING_INPUTS);
  if (verdict.kind === 'refused') throw new RpcError(RPC_VERIFY_REJECTED, faultText(verdict.rejection));
  if (verdict.kind === 'unknown-coins') return [];
  const { fee = 0n } = verdict.admission.entry;
  const most = feeOfSize(maxFeeRate, transactionSize(entry.tx).vsize, context.mempool.rules);
  if (most > 0n && fee > most) {
    const message = 'Fee exceeds maximum configured by user (e.g. -maxtxfee, maxfeerate)';
    throw new RpcError(RPC_VERIFY_ERROR, message);
  }
  return evictedBy(verdict.admission);
}

/** Returns the sibling that a transaction replaces without spending its coins, if any. */
export const evictedBy = ({ replacement: { conflicts, evictsSibling } }: Admission): readonly PoolEntry[] =>
  evictsSibling ? conflicts.slice(-1) : [];
