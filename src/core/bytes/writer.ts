import { BtcError } from '../errors.ts';
import { assertBytes } from './assertBytes.ts';

/** The buffer doubles when full. It has no DataView: creating one costs more than a short write. */
export interface Writer {
  bytes: Uint8Array;
  offset: number;
}

export function createWriter(capacity = 256): Writer {
  return { bytes: new Uint8Array(capacity), offset: 0 };
}

/** Returns the writer's own buffer if it is exactly full. */
export function written(writer: Writer): Uint8Array {
  return writer.offset === writer.bytes.length ? writer.bytes : writer.bytes.slice(0, writer.offset);
}

export function compactSizeLength(size: number): number {
  return size < 0xfd ? 1 : size <= 0xffff ? 3 : 5;
}

/** Makes room for `length` bytes and returns the offset of the first. */
function claim(writer: Writer, length: number): number {
  const start = writer.offset;
  const end = start + length;
  if (end > writer.bytes.length) {
    const grown = new Uint8Array(Math.max(end, writer.bytes.length * 2));
    grown.set(writer.bytes.subarray(0, start));
    writer.bytes = grown;
  }
  writer.offset = end;
  return start;
}

function assertWithin(what: string, value: number, most: number): void {
  if (!Number.isInteger(value) || value < 0 || value > most) {
    // A text given for a number may be a secret.
    const shown = typeof value === 'number' ? String(value) : `of type ${typeof value}`;
    const message = `The value must be a whole number from 0 to ${most}, not ${shown}`;
    throw new BtcError('bytes/out-of-range', { what, value: shown }, message);
  }
}

export function writeBytes(writer: Writer, bytes: Uint8Array): void {
  assertBytes('bytes', bytes);
  const start = claim(writer, bytes.length);
  writer.bytes.set(bytes, start);
}

export function writeU8(writer: Writer, value: number): void {
  assertWithin('u8', value, 0xff);
  const start = claim(writer, 1);
  writer.bytes[start] = value;
}

export function writeU32(writer: Writer, value: number): void {
  assertWithin('u32', value, 0xffff_ffff);
  putBytes(writer, value, 4);
}

/** Writes the `count` low bytes, little-endian. */
function putBytes(writer: Writer, value: number, count: number): void {
  const start = claim(writer, count);
  for (let i = 0; i < count; i += 1) writer.bytes[start + i] = value >>> (8 * i);
}

export function writeI64(writer: Writer, value: bigint): void {
  if (BigInt.asIntN(64, value) !== value)
    throw new BtcError(
      'bytes/out-of-range',
      { what: 'i64', value: String(value) },
      `The number ${value} does not fit in 64 bits`,
    );
  putBytes(writer, Number(BigInt.asUintN(32, value)), 4);
  putBytes(writer, Number(BigInt.asUintN(32, value >> 32n)), 4);
}

export function writeCompactSize(writer: Writer, size: number): void {
  assertWithin('size', size, 0xffff_ffff);
  if (size < 0xfd) {
    writeU8(writer, size);
  } else if (size <= 0xffff) {
    writeU8(writer, 0xfd);
    putBytes(writer, size, 2);
  } else {
    writeU8(writer, 0xfe);
    writeU32(writer, size);
  }
}

export function writeVarBytes(writer: Writer, bytes: Uint8Array): void {
  assertBytes('bytes', bytes);
  writeCompactSize(writer, bytes.length);
  writeBytes(writer, bytes);
}
