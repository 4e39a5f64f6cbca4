import { bytesKey } from '../../bytes/compare.ts';
import { at, type Reader } from '../../bytes/reader.ts';
import type { Writer } from '../../bytes/writer.ts';
import { isValidPublicKey } from '../../crypto/publicKey.ts';
import { BtcError, type PsbtPlace, type PsbtValueFault } from '../../errors.ts';
import type { PsbtFormatRules } from '../../generations.ts';
import type { Transaction, Txid } from '../../tx/types.ts';
import type { PsbtGeneration } from './types.ts';

/** Decoder state of one PSBT. */
interface DecodeSession {
  readonly generation: PsbtGeneration;
  readonly rules: PsbtFormatRules;
  /** Whether previous transactions may carry Litecoin's MWEB flag. */
  readonly mweb: boolean;
  /** Public keys already found valid. The same key occurs in many records, and a check costs more than a lookup. */
  readonly knownKeys: Set<string>;
  /** The txids of previous transactions, computed while their bytes are at hand. */
  readonly txids: Map<Transaction, Txid>;
}

/** A reader inside one record of a PSBT. */
export interface RecordReader extends Reader {
  place: { -readonly [N in keyof PsbtPlace]: PsbtPlace[N] };
  readonly session: DecodeSession;
}

/** Creates a reader of one key or value: from `start` to the present offset of the given reader. */
export function readerOfPart({ bytes, view, offset, place, session }: RecordReader, start: number): RecordReader {
  return { bytes: bytes.subarray(0, offset), view, offset: start, place, session };
}

/** How the key of a record, after its type, is read and written. `size` counts the whole key. */
export interface KeyCodec<K> {
  readonly read: (reader: RecordReader, size: number) => K;
  readonly write: (writer: Writer, entry: K) => void;
}

/**
 * How the value of a record is read and written, without its length. `size` is the length that the record states. A
 * reader may consume another number of bytes, as a node's does; the caller then throws `psbt/value-size`.
 */
export interface ValueCodec<V> {
  readonly read: (reader: RecordReader, size: number) => V;
  readonly write: (writer: Writer, value: V) => void;
  /** Checks a value once it has been read in full and has the stated size. */
  readonly check?: (reader: RecordReader, value: V) => void;
}

export function refuseValue(reader: RecordReader, reason: PsbtValueFault): never {
  throw new BtcError('psbt/value-invalid', { ...reader.place, offset: reader.offset, reason });
}

export function refuseKey(reader: RecordReader, reason: 'pubkey' | 'aggregate-pubkey' | 'participant-pubkey'): never {
  throw new BtcError('psbt/key-invalid', { ...reader.place, offset: reader.offset, reason });
}

/** Checks the size of the whole key, its type included. @throws `psbt/key-size` */
export function assertKeySize(reader: RecordReader, size: number, ...allowed: readonly number[]): void {
  if (allowed.includes(size)) return;
  throw new BtcError('psbt/key-size', { ...reader.place, ...at(reader), size, expected: allowed.join(' or ') });
}

/** Tells whether bytes are a valid public key. Checks each key once per PSBT. */
export function isKnownOrValidKey(reader: RecordReader, pubkey: Uint8Array): boolean {
  const key = bytesKey(pubkey);
  if (reader.session.knownKeys.has(key)) return true;
  const isValid = isValidPublicKey(pubkey);
  if (isValid) reader.session.knownKeys.add(key);
  return isValid;
}
