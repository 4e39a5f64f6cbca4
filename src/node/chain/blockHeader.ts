import { bytesKey, parseBytesKey } from '../../core/bytes/compare.ts';
import { assertEnd, createReader, readBytes, readU32 } from '../../core/bytes/reader.ts';
import { createWriter, writeBytes, writeU32, written } from '../../core/bytes/writer.ts';
import { sha256d } from '../../core/crypto/hash.ts';

declare const blockKeyBrand: unique symbol;

/** A block hash as a key of a `Map`, made by `blockKey`. */
export type BlockKey = string & { readonly [blockKeyBrand]: true };

/** Hashes are in wire order. */
export interface BlockHeader {
  /** Signed, as Core compares it. */
  readonly version: number;
  readonly previous: Uint8Array;
  readonly merkleRoot: Uint8Array;
  readonly time: number;
  /** `nBits` in Core. */
  readonly bits: number;
  readonly nonce: number;
}

/** @throws `bytes/end-of-data`, `bytes/trailing` */
export function decodeBlockHeader(bytes: Uint8Array): BlockHeader {
  const reader = createReader(bytes);
  const version = readU32(reader) | 0;
  const previous = readBytes(reader, 32);
  const merkleRoot = readBytes(reader, 32);
  const [time, bits, nonce] = [readU32(reader), readU32(reader), readU32(reader)];
  assertEnd(reader);
  return { version, previous, merkleRoot, time, bits, nonce };
}

export function encodeBlockHeader({ version, previous, merkleRoot, time, bits, nonce }: BlockHeader): Uint8Array {
  const writer = createWriter(80);
  writeU32(writer, version >>> 0);
  writeBytes(writer, previous);
  writeBytes(writer, merkleRoot);
  for (const number of [time, bits, nonce]) writeU32(writer, number);
  return written(writer);
}

/** Returns the hash in wire order. */
export const blockHash = (header: Uint8Array): Uint8Array => sha256d(header);

/** `start` and `end`: the place of the hash in `bytes`; by default all of it. */
export const blockKey = (bytes: Uint8Array, start?: number, end?: number): BlockKey =>
  bytesKey(bytes, start, end) as BlockKey;

export const parseBlockKey = (key: BlockKey): Uint8Array => parseBytesKey(key);
