import { bytesKey } from '../../bytes/compare.ts';
import { at, placeText, type Reader } from '../../bytes/reader.ts';
import type { Writer } from '../../bytes/writer.ts';
import { isValidPublicKey } from '../../crypto/publicKey.ts';
import { BtcError, type PsbtPlace, type PsbtValueFault } from '../../errors.ts';
import type { Transaction, Txid } from '../../tx/types.ts';
import type { PsbtFormatRules } from './psbtFormatRules.ts';
import type { PsbtGeneration } from './types.ts';

interface DecodeSession {
  readonly generation: PsbtGeneration;
  readonly rules: PsbtFormatRules;
  readonly mweb: boolean;
  /** Keys found valid: the same key occurs in many records. */
  readonly knownKeys: Set<string>;
  readonly txids: Map<Transaction, Txid>;
}

export interface RecordReader extends Reader {
  place: { -readonly [N in keyof PsbtPlace]: PsbtPlace[N] };
  readonly session: DecodeSession;
}

/** Reads a key, or a value that Core reads as a whole first. */
export function readerOfPart({ bytes, view, offset, place, session }: RecordReader, start: number): RecordReader {
  return { bytes: bytes.subarray(0, offset), view, offset: start, place, isPart: true, session };
}

/**
 * Codec of a value, or of a key after its type. `read` may consume other than the stated `size`, as Core's does; the
 * caller then throws `psbt/value-size`.
 */
export interface PartCodec<V> {
  readonly read: (reader: RecordReader, size: number) => V;
  readonly write: (writer: Writer, value: V) => void;
  /** Runs once the size is checked. */
  readonly check?: (reader: RecordReader, value: V) => void;
}

export function refuseValue(reader: RecordReader, reason: PsbtValueFault): never {
  const place = { ...reader.place, offset: reader.offset, reason };
  throw new BtcError('psbt/value-invalid', place, `The value ${placeText(place)} ${VALUE_FAULTS[reason]}`);
}

const VALUE_FAULTS: Readonly<Record<PsbtValueFault, string>> = {
  'signature-encoding': 'is not a DER signature with its sighash type',
  'too-short': 'is too short',
  'too-long': 'is too long',
  empty: 'is empty',
  'key-path-length': 'is not a fingerprint and a path',
  'taproot-path-length': 'is not a list of leaf hashes, a fingerprint and a path',
  pubkey: 'is not a public key',
  'participant-pubkey': 'holds a participant that is not a public key',
  'participants-length': 'is not a list of public keys',
  'not-66-bytes': 'does not have 66 bytes',
  'time-locktime': 'is not a time: it is below 500000000',
  'height-locktime': 'is not a height: it is not below 500000000',
  'zero-height': 'is a height of 0',
  'tree-depth': 'holds a leaf below depth 128',
  'tree-leaf-version': 'holds a leaf of an odd version',
  'tree-malformed': 'is not a complete tree',
};

export function refuseKey(reader: RecordReader, reason: 'pubkey' | 'aggregate-pubkey' | 'participant-pubkey'): never {
  const place = { ...reader.place, offset: reader.offset, reason };
  const what = reason.replace('-', ' ').replace('pubkey', 'public key');
  throw new BtcError(
    'psbt/key-invalid',
    place,
    `The key of the record ${placeText(place)} does not hold a valid ${what}`,
  );
}

/** Checks the size of a key with its type. */
export function assertKeySize(reader: RecordReader, size: number, ...allowed: readonly number[]): void {
  if (allowed.includes(size)) return;
  const expected = allowed.join(' or ');
  const place = { ...reader.place, ...at(reader), size, expected };
  const message = `The key of the record ${placeText(place)} has ${size} bytes instead of ${expected}`;
  throw new BtcError('psbt/key-size', place, message);
}

export function isKnownOrValidKey(reader: RecordReader, pubkey: Uint8Array): boolean {
  const key = bytesKey(pubkey);
  if (reader.session.knownKeys.has(key)) return true;
  const isValid = isValidPublicKey(pubkey);
  if (isValid) reader.session.knownKeys.add(key);
  return isValid;
}
