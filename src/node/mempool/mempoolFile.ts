import {
  createReader,
  type Reader,
  readBytes,
  readCompactSize,
  readI64,
  readVarBytes,
} from '../../core/bytes/reader.ts';
import {
  createWriter,
  writeBytes,
  writeCompactSize,
  writeI64,
  writeVarBytes,
  written,
} from '../../core/bytes/writer.ts';
import { readTransaction, writeTransaction } from '../../core/tx/codec.ts';
import { txKey } from '../../core/tx/txid.ts';
import type { Transaction, Txid, TxKey } from '../../core/tx/types.ts';

// The file mempool.dat of Bitcoin Core. @see Bitcoin Core `DumpMempool`

/** A transaction of the file. */
export interface DumpedTransaction {
  readonly tx: Transaction;
  /** UNIX time of entry. */
  readonly time: number;
}

const PLAIN = 1n;
const OBFUSCATED = 2n;
/** In bytes. */
export const KEY_SIZE = 8;
/** The version, and the key with its length. */
const HEAD_SIZE = 17;

/** `key`: 8 random bytes, so that no virus scanner mistakes the data of a transaction for a virus. */
export function encodeMempoolFile(
  transactions: readonly (DumpedTransaction & { readonly id: Txid; readonly isUnbroadcast: boolean })[],
  key: Uint8Array,
): Uint8Array {
  const writer = createWriter();
  writeI64(writer, OBFUSCATED);
  writeVarBytes(writer, key);
  writeI64(writer, BigInt(transactions.length));
  for (const { tx, time } of transactions) {
    writeTransaction(writer, tx);
    writeI64(writer, BigInt(time));
    // Fee delta.
    writeI64(writer, 0n);
  }
  // Fee deltas of transactions that are not here.
  writeCompactSize(writer, 0);
  const unbroadcast = transactions.filter(({ isUnbroadcast }) => isUnbroadcast);
  writeCompactSize(writer, unbroadcast.length);
  for (const { id } of unbroadcast) writeBytes(writer, id);
  return obfuscated(written(writer), key);
}

/**
 * Reads a file from its beginning: hands over each transaction before it reads the next, and returns those that were
 * sent.
 * @throws BtcError `bytes/*`, `tx/*`
 * @throws RangeError for another version
 */
export function readMempoolFile(bytes: Uint8Array, take: (dumped: DumpedTransaction) => void): ReadonlySet<TxKey> {
  const head = createReader(bytes);
  const version = readI64(head);
  if (version === PLAIN) return readDump(head, take);
  if (version !== OBFUSCATED) throw new RangeError('not a mempool.dat of a known version');
  const key = readVarBytes(head);
  if (key.length !== KEY_SIZE) throw new RangeError('not the key of a mempool.dat');
  const reader = createReader(obfuscated(bytes, key));
  readBytes(reader, HEAD_SIZE);
  return readDump(reader, take);
}

const obfuscated = (bytes: Uint8Array, key: Uint8Array): Uint8Array =>
  bytes.map((byte, at) => (at < HEAD_SIZE ? byte : byte ^ (key[at % KEY_SIZE] ?? 0)));

function readDump(reader: Reader, take: (dumped: DumpedTransaction) => void): ReadonlySet<TxKey> {
  for (let count = BigInt.asUintN(64, readI64(reader)); count > 0n; count -= 1n) {
    const tx = readTransaction(reader);
    const time = readI64(reader);
    readI64(reader);
    take({ tx, time: Number(time > MOST_TIME ? MOST_TIME : time < -MOST_TIME ? -MOST_TIME : time) });
  }
  for (let count = readCompactSize(reader); count > 0; count -= 1) readBytes(reader, ID_SIZE + DELTA_SIZE);
  const unbroadcast = new Set<TxKey>();
  for (let count = readCompactSize(reader); count > 0; count -= 1)
    unbroadcast.add(txKey(readBytes(reader, ID_SIZE) as Txid));
  return unbroadcast;
}

/** As far as a number is exact. */
const MOST_TIME = BigInt(Number.MAX_SAFE_INTEGER);
const ID_SIZE = 32;
const DELTA_SIZE = 8;
