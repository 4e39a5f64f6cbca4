import { concatBytes, equalBytes } from '../bytes/compare.ts';
import { createReader, readBytes, readCompactSize, readU32 } from '../bytes/reader.ts';
import { sha256d } from '../crypto/hash.ts';
import { BtcError } from '../errors.ts';
import { readTransaction } from '../tx/codec.ts';
import { txid } from '../tx/txid.ts';
import type { Transaction, Txid } from '../tx/types.ts';

/** A block, decoded. Hashes are in wire order. */
export interface Block {
  readonly hash: Uint8Array;
  readonly previous: Uint8Array;
  /** UNIX time of the header. */
  readonly time: number;
  readonly txs: readonly Transaction[];
  /** Of each transaction. */
  readonly txids: readonly Txid[];
}

const HEADER_SIZE = 80;

/**
 * Decodes a block, and checks that its transactions are those that its header commits to.
 *
 * - `mweb`: whether Litecoin's transactions of its extension are known
 *
 * What follows the transactions is passed over: Litecoin's extension block, or anything, as nodes do it.
 * @throws `bytes/*`, `tx/*`, `block/empty`, `block/merkle-root`
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
  if (txs.length === 0) throw new BtcError('block/empty', {});
  const txids = txs.map(txid);
  if (!equalBytes(merkleRootOf(txids), merkleRoot)) throw new BtcError('block/merkle-root', {});
  return { hash: sha256d(bytes.subarray(0, HEADER_SIZE)), previous, time, txs, txids };
}

/** An odd one out is paired with itself; a block that uses this to name a transaction twice is not told apart. */
function merkleRootOf(hashes: readonly Uint8Array[]): Uint8Array {
  let level = hashes;
  while (level.length > 1) {
    const next: Uint8Array[] = [];
    for (let i = 0; i < level.length; i += 2) {
      const [left = new Uint8Array(32), right = left] = [level[i], level[i + 1]];
      next.push(sha256d(concatBytes(left, right)));
    }
    level = next;
  }
  return level[0] ?? new Uint8Array(32);
}
