import { concatBytes, equalBytes } from '../../core/bytes/compare.ts';
import { formatReversedHex, isHex, parseHex } from '../../core/bytes/hex.ts';
import { createReader, readBytes, readCompactSize, readU32 } from '../../core/bytes/reader.ts';
import { createWriter, writeBytes, writeCompactSize, written } from '../../core/bytes/writer.ts';
import { sha256d } from '../../core/crypto/hash.ts';
import { isCoinbase } from '../../core/tx/check.ts';
import { encodeTransaction, hasWitness, readTransaction } from '../../core/tx/codec.ts';
import { txid } from '../../core/tx/txid.ts';
import type { Transaction, Txid } from '../../core/tx/types.ts';
import { blockHash, decodeBlockHeader } from './blockHeader.ts';

/** A decoded block. Hashes are in wire order. */
export interface Block {
  readonly hash: Uint8Array;
  readonly previous: Uint8Array;
  readonly merkleRoot: Uint8Array;
  readonly time: number;
  readonly txs: readonly Transaction[];
  readonly txids: readonly Txid[];
  /** Of the header and transactions, in bytes. */
  readonly size: number;
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
  return { hash, previous, merkleRoot, time, txs, txids: txs.map(txid), size: reader.offset };
}

/** Encodes a block of an 80-byte header and its transactions. */
export function encodeBlock(header: Uint8Array, txs: readonly Transaction[]): Uint8Array {
  const writer = createWriter();
  writeBytes(writer, header);
  writeCompactSize(writer, txs.length);
  for (const tx of txs) writeBytes(writer, encodeTransaction(tx));
  return written(writer);
}

/** Makes a block of an 80-byte header and its transactions, whose txids the caller has. */
export function makeBlock(header: Uint8Array, { txs, txids }: Pick<Block, 'txs' | 'txids'>): EncodedBlock {
  const bytes = encodeBlock(header, txs);
  const { previous, merkleRoot, time } = decodeBlockHeader(header);
  return { block: { hash: blockHash(header), previous, merkleRoot, time, txs, txids, size: bytes.length }, bytes };
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

/** Returns the place of the output that commits to the witnesses; -1 without one. @see BIP141 "Commitment structure" */
export const commitmentIndex = ({ outputs }: Transaction): number =>
  outputs
    .map(
      ({ scriptPubKey }) =>
        scriptPubKey.length >= COMMITMENT_START.length + HASH_SIZE &&
        equalBytes(scriptPubKey.subarray(0, COMMITMENT_START.length), COMMITMENT_START),
    )
    .lastIndexOf(true);

export function witnessCommitment(coinbase: Transaction): Uint8Array | undefined {
  const { length } = COMMITMENT_START;
  return coinbase.outputs[commitmentIndex(coinbase)]?.scriptPubKey.subarray(length, length + HASH_SIZE);
}

/** Builds the script of the output that commits to the witnesses. */
export const commitmentScript = (commitment: Uint8Array): Uint8Array => concatBytes(COMMITMENT_START, commitment);

/** A block and its bytes. */
export interface EncodedBlock {
  readonly block: Block;
  readonly bytes: Uint8Array;
}

/**
 * Completes a coinbase that omits its witness reserved value, in a block whose witnesses count.
 * @see Bitcoin Core `UpdateUncommittedBlockStructures`
 */
export function completeBlock({ block, bytes }: EncodedBlock): EncodedBlock {
  const [coinbase, ...others] = block.txs;
  if (!coinbase || !isCoinbase(coinbase) || hasWitness(coinbase) || !witnessCommitment(coinbase))
    return { block, bytes };
  const inputs = coinbase.inputs.map((input) => ({ ...input, witness: [new Uint8Array(32)] }));
  const txs = [{ ...coinbase, inputs }, ...others];
  const encoded = encodeBlock(bytes.subarray(0, HEADER_SIZE), txs);
  return {
    block: { ...block, txs, size: encoded.length },
    bytes: concatBytes(encoded, bytes.subarray(block.size)),
  };
}
