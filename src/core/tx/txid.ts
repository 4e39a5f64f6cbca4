import { bytesKey, parseBytesKey } from '../bytes/compare.ts';
import { formatReversedHex, parseHex } from '../bytes/hex.ts';
import { sha256d } from '../crypto/hash.ts';
import { BtcError } from '../errors.ts';
import { assertTransaction } from './assertTransaction.ts';
import { encodeTransaction, hasWitness } from './codec.ts';
import type { Outpoint, OutpointKey, Transaction, Txid, TxKey } from './types.ts';

const asTxid = (hash: Uint8Array): Txid => hash as Txid;

/**
 * Computes the txid, the hash of a transaction without its witnesses.
 *
 * @example
 * ```ts
 * import { decodeTransaction, formatTxid, parseHex, txid } from 'countersign';
 *
 * const hex = `0200000001${'11'.repeat(32)}0000000000ffffffff0100100000000000000000000000`;
 * formatTxid(txid(decodeTransaction(parseHex(hex)))).slice(0, 8); // 2b48e462
 * ```
 */
export function txid(tx: Transaction): Txid {
  assertTransaction(tx);
  return asTxid(sha256d(encodeTransaction(tx, { witness: false, mweb: false })));
}

/** Hashes the encoding as it is, unless it has witnesses or Litecoin's HogEx flag. */
export function txidOfBytes(tx: Transaction, encoded: Uint8Array): Txid {
  return hasWitness(tx) || tx.isHogEx ? txid(tx) : asTxid(sha256d(encoded));
}

/**
 * Computes the wtxid, the hash of a transaction with its witnesses; without any, the txid.
 * @see BIP141 "Transaction ID"
 *
 * @example
 * ```ts
 * import { decodeTransaction, formatTxid, parseHex, txid, wtxid } from 'countersign';
 *
 * const hex = `0200000001${'11'.repeat(32)}0000000000ffffffff0100100000000000000000000000`;
 * const tx = decodeTransaction(parseHex(hex));
 * formatTxid(wtxid(tx)) === formatTxid(txid(tx)); // true
 * ```
 */
export function wtxid(tx: Transaction): Txid {
  assertTransaction(tx);
  return asTxid(sha256d(encodeTransaction(tx, { mweb: false })));
}

/**
 * Formats a txid in display order.
 *
 * @example
 * ```ts
 * import { decodeTransaction, formatTxid, parseHex, txid } from 'countersign';
 *
 * const hex = `0200000001${'11'.repeat(32)}0000000000ffffffff0100100000000000000000000000`;
 * formatTxid(txid(decodeTransaction(parseHex(hex)))).slice(0, 8); // 2b48e462
 * ```
 */
export function formatTxid(id: Txid): string {
  return formatReversedHex(id);
}

/**
 * Parses a txid in display order.
 * @throws `hex/invalid`, `tx/txid-length`
 *
 * @example
 * ```ts
 * import { formatHex, parseTxid } from 'countersign';
 *
 * formatHex(parseTxid(`${'00'.repeat(31)}ff`)).slice(0, 4); // ff00
 * ```
 */
export function parseTxid(text: string): Txid {
  const bytes = parseHex(text);
  const { length } = bytes;
  if (length !== 32) throw new BtcError('tx/txid-length', { length }, `A txid has 64 hex digits, not ${2 * length}`);
  return asTxid(bytes.reverse());
}

export const txKey = (id: Txid): TxKey => bytesKey(id) as TxKey;

export const parseTxKey = (key: TxKey): Txid => asTxid(parseBytesKey(key));

export const outpointKey = ({ txid, vout }: Outpoint): OutpointKey => outputKey(txKey(txid), vout);

export const outputKey = (tx: TxKey, vout: number): OutpointKey => `${outputsPrefix(tx)}${vout}` as OutpointKey;

/** Returns the beginning that the keys of all outputs of a transaction share. */
export const outputsPrefix = (tx: TxKey): string => `${tx}:`;

export const parseOutpointKey = (key: OutpointKey): Outpoint => ({
  txid: parseTxKey(outpointTxKey(key)),
  vout: outpointVout(key),
});

const TXID_SIZE = 32;

export const outpointTxKey = (key: OutpointKey): TxKey => key.slice(0, TXID_SIZE) as TxKey;

export const outpointVout = (key: OutpointKey): number => Number(key.slice(TXID_SIZE + 1));
