import { BtcError } from '../errors.ts';
import { assertBytes } from './assertBytes.ts';
import { type Reader, readBytes, readCompactSize, readI64, readU8, readU32, readVarBytes } from './reader.ts';
import {
  createWriter,
  type Writer,
  writeBytes,
  writeCompactSize,
  writeI64,
  writeU8,
  writeU32,
  writeVarBytes,
  written,
} from './writer.ts';

export interface Codec<T> {
  readonly read: (reader: Reader) => T;
  readonly write: (writer: Writer, value: T) => void;
}

export const u8: Codec<number> = { read: readU8, write: writeU8 };
export const u32le: Codec<number> = { read: readU32, write: writeU32 };
export const i64le: Codec<bigint> = { read: readI64, write: writeI64 };
export const compactSize: Codec<number> = { read: readCompactSize, write: writeCompactSize };
export const varBytes: Codec<Uint8Array> = { read: readVarBytes, write: writeVarBytes };

/** Byte strings of exactly `length` bytes, without a prefix. */
export function fixedBytes(length: number): Codec<Uint8Array> {
  return {
    read: (reader) => readBytes(reader, length),
    write: (writer, value) => {
      assertBytes('bytes', value);
      if (value.length !== length) {
        const [what, actual] = [`${length} bytes`, `${value.length} bytes`];
        throw new BtcError('bytes/out-of-range', { what, value: actual }, `A value has ${actual} instead of ${what}`);
      }
      writeBytes(writer, value);
    },
  };
}

export const bytes32: Codec<Uint8Array> = /* @__PURE__ */ fixedBytes(32);

/** A CompactSize count and its items. The count allocates nothing, so that a false one ends in `bytes/end-of-data`. */
export function vector<T>(item: Codec<T>): Codec<readonly T[]> {
  return {
    read: (reader) => {
      const count = readCompactSize(reader);
      const items: T[] = [];
      for (let i = 0; i < count; i += 1) items.push(item.read(reader));
      return items;
    },
    write: (writer, items) => {
      writeCompactSize(writer, items.length);
      for (const value of items) item.write(writer, value);
    },
  };
}

export function encode<T>(codec: Codec<T>, value: T): Uint8Array {
  const writer = createWriter();
  codec.write(writer, value);
  return written(writer);
}
