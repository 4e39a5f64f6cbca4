import { compactSizeLength } from '../bytes/writer.ts';
import { countRedeemSigOps, countSigOps, countWitnessSigOps } from '../script/sigops.ts';
import { assertTransaction } from './assertTransaction.ts';
import { hasWitness } from './codec.ts';
import type { Transaction } from './types.ts';

/** Sizes in bytes, weight units and virtual bytes. */
export interface TransactionSize {
  /** With witnesses. */
  readonly size: number;
  /** Without witnesses. */
  readonly strippedSize: number;
  /** Three times the stripped size plus the size. @see BIP141 "Block size" */
  readonly weight: number;
  /** A quarter of the weight, rounded up. */
  readonly vsize: number;
}

export const varBytesLength = (bytes: Uint8Array): number => compactSizeLength(bytes.length) + bytes.length;
const sum = <T>(items: readonly T[], itemSize: (item: T) => number): number =>
  items.reduce((total, item) => total + itemSize(item), 0);

/**
 * Computes the sizes without encoding. Litecoin's HogEx flag counts towards the size, but not the weight.
 * @see BIP141
 *
 * @example
 * ```ts
 * import { decodeTransaction, parseHex, transactionSize } from 'countersign';
 *
 * const hex = `0200000001${'11'.repeat(32)}0000000000ffffffff0100100000000000000000000000`;
 * transactionSize(decodeTransaction(parseHex(hex))).weight; // 240
 * ```
 */
export function transactionSize(tx: Transaction): TransactionSize {
  assertTransaction(tx);
  const strippedSize =
    8 +
    compactSizeLength(tx.inputs.length) +
    sum(tx.inputs, ({ scriptSig }) => 40 + varBytesLength(scriptSig)) +
    compactSizeLength(tx.outputs.length) +
    sum(tx.outputs, ({ scriptPubKey }) => 8 + varBytesLength(scriptPubKey));
  const isExtended = hasWitness(tx);
  const witnessSize = isExtended
    ? 2 + sum(tx.inputs, ({ witness }) => compactSizeLength(witness.length) + sum(witness, varBytesLength))
    : 0;
  const weight = 4 * strippedSize + witnessSize;
  const hogExSize = tx.isHogEx ? (isExtended ? 1 : 3) : 0;
  return { size: strippedSize + witnessSize + hogExSize, strippedSize, weight, vsize: Math.ceil(weight / 4) };
}

/** @see Bitcoin Core `-bytespersigop` */
export const BYTES_PER_SIGOP = 20;
export const WITNESS_SCALE_FACTOR = 4;
const EMPTY = new Uint8Array(0);

/** The scriptPubKeys of spent coins, one per input, as far as they are known. */
type Scripts = readonly (Uint8Array | undefined)[];

/**
 * Computes the virtual size of mempool policy, in which signature checks can outweigh bytes. `prevouts`: scriptPubKeys.
 * @see Core `GetVirtualTransactionSize`
 */
export const policySize = (tx: Transaction, prevouts: Scripts, bytesPerSigOp = BYTES_PER_SIGOP): number =>
  sizeOfWeight(policyWeight(tx, prevouts, bytesPerSigOp));

export const sizeOfWeight = (weight: number): number => Math.ceil(weight / WITNESS_SCALE_FACTOR);

/** Computes the weight that mempool policy uses. @see Core `GetSigOpsAdjustedWeight` */
export const policyWeight = (tx: Transaction, prevouts: Scripts, bytesPerSigOp = BYTES_PER_SIGOP): number =>
  Math.max(transactionSize(tx).weight, sigOpWeight(tx, prevouts, bytesPerSigOp));

/** Converts signature checks to weight. */
export const sigOpWeight = (tx: Transaction, prevouts: Scripts, bytesPerSigOp = BYTES_PER_SIGOP): number =>
  sigOpCost(tx, prevouts) * bytesPerSigOp;

/** Counts signature checks in units of weight. @see Core `GetTransactionSigOpCost` */
export function sigOpCost({ inputs, outputs }: Transaction, prevouts: Scripts): number {
  const spends = inputs.map((input, i) => ({ ...input, scriptPubKey: prevouts[i] ?? EMPTY }));
  const legacy =
    sum(inputs, ({ scriptSig }) => countSigOps(scriptSig, false)) +
    sum(outputs, ({ scriptPubKey }) => countSigOps(scriptPubKey, false)) +
    sum(spends, countRedeemSigOps);
  return legacy * WITNESS_SCALE_FACTOR + sum(spends, countWitnessSigOps);
}
