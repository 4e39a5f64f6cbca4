import { concatBytes, equalBytes } from '../bytes/compare.ts';
import { createReader, readBytes, readCompactSize, readU32 } from '../bytes/reader.ts';
import { sha256d } from '../crypto/hash.ts';
import { isCoinbase } from '../tx/check.ts';
import { readTransaction } from '../tx/codec.ts';
import { txid } from '../tx/txid.ts';
import type { Transaction, Txid } from '../tx/types.ts';

/** A block, decoded. Hashes are in wire order. */
export interface Block {
  readonly hash: Uint8Array;
  readonly previous: Uint8Array;
  /** What the header says of the transactions. */
  readonly merkleRoot: Uint8Array;
  /** UNIX time of the header. */
  readonly time: number;
  readonly txs: readonly Transaction[];
  /** Of each transaction. */
  readonly txids: readonly Txid[];
}

const HEADER_SIZE = 80;

/**
 * Decodes a block. What it holds is checked by {@link contentFault}.
 *
 * - `mweb`: whether Litecoin's transactions of its extension are known
 *
 * What follows the transactions is passed over: Litecoin's extension block, or anything, as nodes do it.
 * @throws `bytes/*`, `tx/*`
 * @see Bitcoin Core `CBlock`
 */
export function decodeBlock(bytes: Uint8Array, { mweb = false }: { readonly mweb?: boolean } = {}): Block {
  const reader = createReader(bytes);
  readU32(reader);
  const previous = readBytes(reader, 32);
  const merkleRoot = readBytes(reader, 32);
  const time = readU32(reader);
  readBytes(reader, 8);
  const count = readCompactSize(reader);
  const txs: Transaction[] = [];
  for (let index = 0; index < count; index += 1) txs.push(readTransaction(reader, { mweb }));
  const hash = sha256d(bytes.subarray(0, HEADER_SIZE));
  return { hash, previous, merkleRoot, time, txs, txids: txs.map(txid) };
}

/** What is wrong with a block whatever comes before it, in BIP22's words. */
type ContentFault = 'bad-txnmrklroot' | 'bad-txns-duplicate' | 'bad-blk-length' | 'bad-cb-missing' | 'bad-cb-multiple';

/**
 * Why a block cannot be what its header stands for, `undefined` where it can: its transactions are not those that the
 * header commits to, or not one coinbase and then others.
 * @see Bitcoin Core `CheckBlock`
 */
export function contentFault({ merkleRoot, txs, txids }: Block): ContentFault | undefined {
  const { root, isAmbiguous } = merkleRootOf(txids);
  if (!equalBytes(root, merkleRoot)) return 'bad-txnmrklroot';
  if (isAmbiguous) return 'bad-txns-duplicate';
  const [first, ...others] = txs;
  if (!first) return 'bad-blk-length';
  if (!isCoinbase(first)) return 'bad-cb-missing';
  return others.some(isCoinbase) ? 'bad-cb-multiple' : undefined;
}

/**
 * An odd one out is paired with itself, so that a block which names its last transactions twice may have the header of
 * one that does not: it is ambiguous.
 * @see Bitcoin Core `ComputeMerkleRoot`; CVE-2012-2459
 */
function merkleRootOf(hashes: readonly Uint8Array[]): { readonly root: Uint8Array; readonly isAmbiguous: boolean } {
  let level = hashes;
  let isAmbiguous = false;
  while (level.length > 1) {
    const next: Uint8Array[] = [];
    for (let i = 0; i < level.length; i += 2) {
      const [left = new Uint8Array(32), pair] = [level[i], level[i + 1]];
      if (pair && equalBytes(left, pair)) isAmbiguous = true;
      next.push(sha256d(concatBytes(left, pair ?? left)));
    }
    level = next;
  }
  return { root: level[0] ?? new Uint8Array(32), isAmbiguous };
}
