import { compactSizeLength } from '../../core/bytes/writer.ts';
import type { Transaction } from '../../core/tx/types.ts';
import { transactionSize, WITNESS_SCALE_FACTOR } from '../../core/tx/weight.ts';
import { HEADER_SIZE } from './block.ts';

/** In weight units. @see BIP141 "Block size" */
export const MAX_BLOCK_WEIGHT = 4_000_000;
/** The same limit without witnesses, in bytes. */
export const MAX_STRIPPED_SIZE = MAX_BLOCK_WEIGHT / WITNESS_SCALE_FACTOR;
/** In weight units. @see BIP141 "Sigops" */
export const MAX_BLOCK_SIGOPS_COST = 80_000;

/** Returns the sizes of a block of these transactions in bytes, with and without witnesses. */
export function blockSizes(txs: readonly Transaction[]): { readonly strippedsize: number; readonly size: number } {
  let strippedsize = HEADER_SIZE + compactSizeLength(txs.length);
  let size = strippedsize;
  for (const tx of txs) {
    const sizes = transactionSize(tx);
    strippedsize += sizes.strippedSize;
    size += sizes.size;
  }
  return { strippedsize, size };
}

/** @see Bitcoin Core `GetBlockWeight` */
export function blockWeight(txs: readonly Transaction[]): number {
  const { strippedsize, size } = blockSizes(txs);
  return (WITNESS_SCALE_FACTOR - 1) * strippedsize + size;
}
