import { BtcError } from '../errors.ts';

/** Bytes being written; the buffer doubles when it is full. */
export interface Writer {
  bytes: Uint8Array;
  view: DataView;
  offset: number;
}

export function createWriter(capacity = 256): Writer {
  const bytes = new Uint8Array(capacity);
  return { bytes, view: new DataView(bytes.buffer), offset: 0 };
}

/** What was written, in a buffer of its own. */
export function written(writer: Writer): Uint8Array {
  return writer.bytes.slice(0, writer.offset);
}

/** Makes room for `length` bytes and returns the offset of the first. */
function claim(writer: Writer, length: number): number {
  const start = writer.offset;
  const end = start + length;
  if (end > writer.bytes.length) {
    const grown = new Uint8Array(Math.max(end, writer.bytes.length * 2));
    grown.set(writer.bytes.subarray(0, start));
    writer.bytes = grown;
    writer.view = new DataView(grown.buffer);
  }
  writer.offset = end;
  return start;
}

/** @throws `bytes/out-of-range` unless `value` is a whole number in `least..most` */
function assertWithin(what: string, value: number, least: number, most: number): void {
  if (!Number.isInteger(value) || value < least || value > most) {
    throw new BtcError('bytes/out-of-range', { what, value: String(value) });
  }
}

export function writeBytes(writer: Writer, bytes: Uint8Array): void {
  const start = claim(writer, bytes.length);
  writer.bytes.set(bytes, start);
}

export function writeU8(writer: Writer, value: number): void {
  assertWithin('u8', value, 0, 0xff);
  const start = claim(writer, 1);
  writer.view.setUint8(start, value);
}

export function writeU32(writer: Writer, value: number): void {
  assertWithin('u32', value, 0, 0xffff_ffff);
  const start = claim(writer, 4);
  writer.view.setUint32(start, value, true);
}

export function writeI64(writer: Writer, value: bigint): void {
  if (BigInt.asIntN(64, value) !== value)
    throw new BtcError('bytes/out-of-range', { what: 'i64', value: String(value) });
  const start = claim(writer, 8);
  writer.view.setBigInt64(start, value, true);
}

/** Writes a length or count in its shortest form. */
export function writeCompactSize(writer: Writer, size: number): void {
  assertWithin('size', size, 0, 0xffff_ffff);
  if (size < 0xfd) {
    writeU8(writer, size);
  } else if (size <= 0xffff) {
    const start = claim(writer, 3);
    writer.view.setUint8(start, 0xfd);
    writer.view.setUint16(start + 1, size, true);
  } else {
    writeU8(writer, 0xfe);
    writeU32(writer, size);
  }
}

export function writeVarBytes(writer: Writer, bytes: Uint8Array): void {
  writeCompactSize(writer, bytes.length);
  writeBytes(writer, bytes);
}
