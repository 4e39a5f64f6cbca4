import { equalBytes } from '../../core/bytes/compare.ts';
import { formatReversedHex, isHex, parseHex } from '../../core/bytes/hex.ts';
import { createReader, readBytes, readCompactSize, readU32 } from '../../core/bytes/reader.ts';
import { createWriter, writeBytes, writeCompactSize, written } from '../../core/bytes/writer.ts';
import { sha256d } from '../../core/crypto/hash.ts';
import { isCoinbase } from '../../core/tx/check.ts';
import { encodeTransaction, hasWitness, readTransaction } from '../../core/tx/codec.ts';
import { txid } from '../../core/tx/txid.ts';
import type { Transaction, Txid } from '../../core/tx/types.ts';

/** A decoded block. Hashes are in wire order. */
export interface Block {
  readonly hash: Uint8Array;
  readonly previous: Uint8Array;
  readonly merkleRoot: Uint8Array;
  readonly time: number;
  readonly txs: readonly Transaction[];
  readonly txids: readonly Txid[];
}

/**
 * Decodes a block without checking it; `blockRules.ts` does that. Like Core, ignores trailing bytes, such as
 * Litecoin's MWEB extension block.
 * @throws `bytes/*`, `tx/*`
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
  const completed = first && isCoinbase(first) ? [withReservedValue(first), ...others] : txs;
  return { hash, previous, merkleRoot, time, txs: completed, txids: txs.map(txid) };
}

/** Encodes a block of an 80-byte header and its transactions. */
export function encodeBlock(header: Uint8Array, txs: readonly Transaction[]): Uint8Array {
  const writer = createWriter();
  writeBytes(writer, header);
  writeCompactSize(writer, txs.length);
  for (const tx of txs) writeBytes(writer, encodeTransaction(tx));
  return written(writer);
}

export const HEADER_SIZE = 80;
const PREVIOUS = 4;
const HASH_SIZE = 32;

/** In display byte order. */
interface HeaderHashes {
  readonly hash: string;
  readonly previous: string;
}

export function readHeaderHashes(bytes: Uint8Array): HeaderHashes {
  const header = bytes.subarray(0, HEADER_SIZE);
  return {
    hash: formatReversedHex(sha256d(header)),
    previous: formatReversedHex(header.subarray(PREVIOUS, PREVIOUS + HASH_SIZE)),
  };
}

/** Returns `undefined` for text shorter than a header. */
export function parseHeaderHashes(hex: string): HeaderHashes | undefined {
  const text = hex.slice(0, 2 * HEADER_SIZE);
  return text.length === 2 * HEADER_SIZE && isHex(text) ? readHeaderHashes(parseHex(text)) : undefined;
}

const COMMITMENT_START = Uint8Array.of(0x6a, 0x24, 0xaa, 0x21, 0xa9, 0xed);

/** @see BIP141 "Commitment structure" */
export function witnessCommitment({ outputs }: Transaction): Uint8Array | undefined {
  const { length } = COMMITMENT_START;
  const commitments = outputs.flatMap(({ scriptPubKey }) =>
    scriptPubKey.length >= length + 32 && equalBytes(scriptPubKey.subarray(0, length), COMMITMENT_START)
      ? [scriptPubKey.subarray(length, length + 32)]
      : [],
  );
  return commitments.at(-1);
}

/** Completes a coinbase that omits its witness reserved value. @see Bitcoin Core `UpdateUncommittedBlockStructures` */
function withReservedValue(coinbase: Transaction): Transaction {
  if (hasWitness(coinbase) || !witnessCommitment(coinbase)) return coinbase;
  const inputs = coinbase.inputs.map((input) => ({ ...input, witness: [new Uint8Array(32)] }));
  return { ...coinbase, inputs };
}
