import { RPC_VERIFY_ALREADY_IN_CHAIN, RPC_VERIFY_ERROR, RPC_VERIFY_REJECTED } from '../../answers/method/errorCodes.ts';
import { RpcError } from '../../core/errors.ts';
import { outputKey } from '../../core/tx/txid.ts';
import type { Transaction, Txid } from '../../core/tx/types.ts';
import { transactionSize } from '../../core/tx/weight.ts';
import { chainTx } from '../chain/chainTx.ts';
import { type Arrival, MISSING_INPUTS } from '../chain/mempool.ts';
import type { ChainTx, PoolEntry } from '../chain/types.ts';
import { type Admission, judge } from '../mempool/acceptance.ts';
import { feeOfSize, rejectionText } from '../mempool/mempoolPolicy.ts';
import { nodeMethodRules } from './chainRules.ts';
import type { NodeContext } from './context.ts';
import { createGate } from './gate.ts';

/** Limits the fee rate to `maxFeeRate` satoshi per 1000 virtual bytes, if that is not 0. */
export function submitTransaction(tx: Transaction, maxFeeRate: bigint, context: NodeContext): Txid {
  const entry = chainTx(tx);
  const { marksPooled } = nodeMethodRules[context.dialect.generation];
  if (context.node.chain.mempool.has(entry.key) && !marksPooled) return entry.id;
  addToMempool(tx, assertAcceptable(entry, maxFeeRate, context), context);
  return entry.id;
}

/** Adds a transaction that was judged. `evicted`: what it replaces without spending its coins. */
export function addToMempool(
  tx: Transaction,
  evicted: readonly PoolEntry[],
  { node }: NodeContext,
  arrival: Partial<Arrival> = {},
): void {
  const drops = evicted.map(({ id: txid }) => ({ type: 'drop', txid }) as const);
  node.change(...drops, { type: 'transaction', tx, ...arrival });
}

/** @returns the transactions that it evicts without spending their coins @see Bitcoin Core `BroadcastTransaction` */
function assertAcceptable(entry: ChainTx, maxFeeRate: bigint, context: NodeContext): readonly PoolEntry[] {
  const { chain } = context.node;
  // It counts as sent again.
  if (chain.mempool.has(entry.key)) return [];
  if (entry.tx.outputs.some((_, vout) => chain.coins.has(outputKey(entry.key, vout)))) {
    throw new RpcError(RPC_VERIFY_ALREADY_IN_CHAIN, nodeMethodRules[context.dialect.generation].transactionKnown);
  }
  const verdict = judge(createGate(context), entry);
  if (verdict.kind === 'missing-inputs') throw new RpcError(RPC_VERIFY_ERROR, MISSING_INPUTS);
  if (verdict.kind === 'refused') throw new RpcError(RPC_VERIFY_REJECTED, rejectionText(verdict.rejection));
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
