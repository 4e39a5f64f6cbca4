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
import { parseTxKey, txKey } from '../../core/tx/txid.ts';
import type { Transaction, Txid, TxKey } from '../../core/tx/types.ts';
import type { PoolEntry } from '../chain/types.ts';

// The file mempool.dat of Bitcoin Core. @see Bitcoin Core `DumpMempool`, `LoadMempool`

/** What a file is made of. */
export interface MempoolContent {
  readonly transactions: readonly Pick<PoolEntry, 'tx' | 'key' | 'time' | 'feeDelta' | 'isUnbroadcast'>[];
  /** What `prioritisetransaction` has added to fees, in satoshi, of these transactions and of others. */
  readonly feeDeltas: Iterable<readonly [TxKey, bigint]>;
}

/** A transaction of the file. */
export interface DumpedTransaction {
  readonly tx: Transaction;
  /** UNIX time of entry. */
  readonly time: number;
  /** In satoshi. */
  readonly feeDelta: bigint;
}

/** Takes the parts of a file, each before the next is read. */
export interface MempoolFileTaker {
  readonly transaction: (dumped: DumpedTransaction) => void;
  /** In satoshi, of transactions that the file lacks. */
  readonly feeDeltas: (deltas: ReadonlyMap<TxKey, bigint>) => void;
  /** The transactions that were sent. */
  readonly unbroadcast: (keys: ReadonlySet<TxKey>) => void;
}

const PLAIN = 1n;
const OBFUSCATED = 2n;
/** In bytes. */
export const KEY_SIZE = 8;
/** The version, and the key with its length. */
const HEAD_SIZE = 17;

/**
 * `key`: 8 random bytes, so that no virus scanner mistakes the data of a transaction for a virus. Without it, the file is
 * of version 1, the only one that nodes before 26 read.
 */
export function encodeMempoolFile(
  { transactions, feeDeltas }: MempoolContent,
  key: Uint8Array | undefined,
): Uint8Array {
  const writer = createWriter();
  writeI64(writer, key ? OBFUSCATED : PLAIN);
  if (key) writeVarBytes(writer, key);
  writeI64(writer, BigInt(transactions.length));
  const others = new Map(feeDeltas);
  for (const { tx, key: id, time, feeDelta = 0n } of transactions) {
    writeTransaction(writer, tx);
    writeI64(writer, BigInt(time));
    writeI64(writer, feeDelta);
    others.delete(id);
  }
  writeCompactSize(writer, others.size);
  for (const id of [...others.keys()].sort()) {
    writeBytes(writer, parseTxKey(id));
    writeI64(writer, others.get(id) ?? 0n);
  }
  const unbroadcast = transactions.filter(({ isUnbroadcast }) => isUnbroadcast).map(({ key: id }) => id);
  writeCompactSize(writer, unbroadcast.length);
  for (const id of unbroadcast.sort()) writeBytes(writer, parseTxKey(id));
  return key ? obfuscated(written(writer), key) : written(writer);
}

/**
 * Reads a file from its beginning.
 * @throws BtcError `bytes/*`, `tx/*`
 * @throws RangeError for another version
 */
export function readMempoolFile(bytes: Uint8Array, take: MempoolFileTaker): void {
  const reader = openDump(bytes);
  for (let count = BigInt.asUintN(64, readI64(reader)); count > 0n; count -= 1n) {
    const tx = readTransaction(reader);
    const time = readI64(reader);
    const feeDelta = readI64(reader);
    take.transaction({
      tx,
      time: Number(time > MOST_TIME ? MOST_TIME : time < -MOST_TIME ? -MOST_TIME : time),
      feeDelta,
    });
  }
  const feeDeltas = new Map<TxKey, bigint>();
  for (let count = readCompactSize(reader); count > 0; count -= 1) {
    const key = readKey(reader);
    const delta = readI64(reader);
    // Of two for one transaction, Core's map keeps the first.
    if (!feeDeltas.has(key)) feeDeltas.set(key, delta);
  }
  take.feeDeltas(feeDeltas);
  const unbroadcast = new Set<TxKey>();
  for (let count = readCompactSize(reader); count > 0; count -= 1) unbroadcast.add(readKey(reader));
  take.unbroadcast(unbroadcast);
}

/** Reads what stands before the transactions. */
function openDump(bytes: Uint8Array): Reader {
  const head = createReader(bytes);
  const version = readI64(head);
  if (version === PLAIN) return head;
  if (version !== OBFUSCATED) throw new RangeError('not a mempool.dat of a known version');
  const key = readVarBytes(head);
  if (key.length !== KEY_SIZE) throw new RangeError('not the key of a mempool.dat');
  const reader = createReader(obfuscated(bytes, key));
  readBytes(reader, HEAD_SIZE);
  return reader;
}

const obfuscated = (bytes: Uint8Array, key: Uint8Array): Uint8Array =>
  bytes.map((byte, at) => (at < HEAD_SIZE ? byte : byte ^ (key[at % KEY_SIZE] ?? 0)));

const readKey = (reader: Reader): TxKey => txKey(readBytes(reader, ID_SIZE) as Txid);

/** As far as a number is exact. */
const MOST_TIME = BigInt(Number.MAX_SAFE_INTEGER);
const ID_SIZE = 32;
