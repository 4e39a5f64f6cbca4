import { formatReversedHex, parseHex } from '../bytes/hex.ts';
import { sha256d } from '../crypto/hash.ts';
import { BtcError } from '../errors.ts';
import { encodeTransaction, hasWitness } from './codec.ts';
import type { Transaction, Txid } from './types.ts';

const asTxid = (hash: Uint8Array): Txid => hash as Txid;

/** The hash that names a transaction: without witnesses. */
export function txid(tx: Transaction): Txid {
  return asTxid(sha256d(encodeTransaction(tx, { witness: false, mweb: false })));
}

/** The txid of a transaction whose encoding is at hand, so that it need not be encoded again unless it has witnesses. */
export function txidOfBytes(tx: Transaction, encoded: Uint8Array): Txid {
  return hasWitness(tx) || tx.isHogEx ? txid(tx) : asTxid(sha256d(encoded));
}

/** The hash of a transaction with its witnesses; the txid where it has none. @see BIP141 "Transaction ID" */
export function wtxid(tx: Transaction): Txid {
  return asTxid(sha256d(encodeTransaction(tx, { mweb: false })));
}

/** Formats a txid as people see it. */
export function formatTxid(id: Txid): string {
  return formatReversedHex(id);
}

/** Parses a txid as people see it, 64 hex digits. @throws `hex/invalid`, `tx/txid-length` */
export function parseTxid(text: string): Txid {
  const bytes = parseHex(text);
  if (bytes.length !== 32) throw new BtcError('tx/txid-length', { length: bytes.length });
  return asTxid(bytes.reverse());
}
