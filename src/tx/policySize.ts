import { countRedeemSigOps, countSigOps, countWitnessSigOps } from '../script/sigops.ts';
import type { Transaction } from './types.ts';
import { transactionSize } from './weight.ts';

const BYTES_PER_SIGOP = 20;
const WITNESS_SCALE_FACTOR = 4;
const EMPTY = new Uint8Array(0);

/**
 * Computes the virtual size that mempool policy uses, in which many signature checks can outweigh the bytes.
 *
 * - `prevouts`: the scriptPubKeys being spent, one per input, `undefined` if unknown
 *
 * @see Bitcoin Core `GetVirtualTransactionSize`
 */
export function policySize(tx: Transaction, prevouts: readonly (Uint8Array | undefined)[]): number {
  const { weight } = transactionSize(tx);
  return Math.ceil(Math.max(weight, sigOpCost(tx, prevouts) * BYTES_PER_SIGOP) / WITNESS_SCALE_FACTOR);
}

/** @see Bitcoin Core `GetTransactionSigOpCost` */
function sigOpCost({ inputs, outputs }: Transaction, prevouts: readonly (Uint8Array | undefined)[]): number {
  const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
  const spends = inputs.map((input, i) => ({ ...input, scriptPubKey: prevouts[i] ?? EMPTY }));
  const legacy =
    sum(inputs.map(({ scriptSig }) => countSigOps(scriptSig, false))) +
    sum(outputs.map(({ scriptPubKey }) => countSigOps(scriptPubKey, false))) +
    sum(spends.map(countRedeemSigOps));
  return legacy * WITNESS_SCALE_FACTOR + sum(spends.map(countWitnessSigOps));
}
