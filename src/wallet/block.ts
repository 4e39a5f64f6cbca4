import { equalBytes } from '../bytes/compare.ts';
import { createReader, readBytes, readCompactSize, readU32 } from '../bytes/reader.ts';
import { sha256d } from '../crypto/hash.ts';
import { isCoinbase } from '../tx/check.ts';
import { hasWitness, readTransaction } from '../tx/codec.ts';
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
 * Decodes a block. What it holds is checked in `blockCheck.ts`.
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
  const [first, ...others] = txs;
  const salted = first && isCoinbase(first) ? [withSalt(first), ...others] : txs;
  return { hash, previous, merkleRoot, time, txs: salted, txids: txs.map(txid) };
}

const COMMITMENT_START = Uint8Array.of(0x6a, 0x24, 0xaa, 0x21, 0xa9, 0xed);

/** What a coinbase commits to of all witnesses: 32 bytes, if it does. @see BIP141 "Commitment structure" */
export function witnessCommitment({ outputs }: Transaction): Uint8Array | undefined {
  const { length } = COMMITMENT_START;
  const commitments = outputs.flatMap(({ scriptPubKey }) =>
    scriptPubKey.length >= length + 32 && equalBytes(scriptPubKey.subarray(0, length), COMMITMENT_START)
      ? [scriptPubKey.subarray(length, length + 32)]
      : [],
  );
  return commitments.at(-1);
}

/** A coinbase that leaves out what its commitment is salted with means zeros. @see Core `UpdateUncommittedBlockStructures` */
function withSalt(coinbase: Transaction): Transaction {
  if (hasWitness(coinbase) || !witnessCommitment(coinbase)) return coinbase;
  const inputs = coinbase.inputs.map((input) => ({ ...input, witness: [new Uint8Array(32)] }));
  return { ...coinbase, inputs };
}
