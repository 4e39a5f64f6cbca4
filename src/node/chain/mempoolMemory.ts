import type { Transaction } from '../../core/tx/types.ts';

// What a node of 64 bits counts for a transaction, in bytes, as far as it follows from the transaction alone.

/** An entry in its indexes, its transaction, and its place in the random order. */
const ENTRY_SIZE = 584;
/** An input, and the index that finds the spender of its coin. */
const INPUT_SIZE = 168;
const OUTPUT_SIZE = 48;
const WITNESS_ITEM_SIZE = 24;
/** Scripts up to this size lie within inputs and outputs. */
const INLINE_SCRIPT_SIZE = 36;

/** Returns what the system's allocator takes. @see Bitcoin Core `memusage::MallocUsage` */
const allocated = (size: number): number => (size === 0 ? 0 : Math.ceil((size + 16) / 16) * 16);

const scriptMemory = ({ length }: Uint8Array): number => (length > INLINE_SCRIPT_SIZE ? allocated(length) : 0);

const sum = <T>(items: readonly T[], size: (item: T) => number): number =>
  items.reduce((total, item) => total + size(item), 0);

/**
 * Estimates the memory that a node counts for a transaction of its mempool. Leaves out what depends on other transactions.
 * @see Bitcoin Core `CTxMemPool::DynamicMemoryUsage`
 */
export const mempoolMemory = ({ inputs, outputs }: Transaction): number =>
  ENTRY_SIZE +
  sum(
    inputs,
    ({ scriptSig, witness }) =>
      INPUT_SIZE +
      scriptMemory(scriptSig) +
      allocated(witness.length * WITNESS_ITEM_SIZE) +
      sum(witness, (item) => allocated(item.length)),
  ) +
  sum(outputs, ({ scriptPubKey }) => OUTPUT_SIZE + scriptMemory(scriptPubKey));
