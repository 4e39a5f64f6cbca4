import { BtcError, type PsbtMapKind, type PsbtPlace } from '../errors.ts';

/** A position in a byte string. `place` is the PSBT record being read, for errors inside its value. */
export interface Reader {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  offset: number;
  place?: PsbtPlace;
  /** Set if the bytes are a part of a longer text that holds enough. */
  readonly isPart?: true;
}

/** Bitcoin Core's MAX_SIZE, 32 MiB. */
const MAX_SIZE = 0x02000000;

/** Shared by all empty values, since an empty array cannot be aliased. */
const NO_BYTES = new Uint8Array(0);

export function createReader({ buffer, byteOffset, byteLength }: Uint8Array): Reader {
  // The slices of a plain array are copies; those of a Node `Buffer` would share the caller's bytes.
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  return { bytes, view: new DataView(buffer, byteOffset, byteLength), offset: 0 };
}

export function remaining(reader: Reader): number {
  return reader.bytes.length - reader.offset;
}

/** Returns the data of an error at the reader's offset. */
export function at(reader: Reader): { offset: number } & Partial<PsbtPlace> {
  return { offset: reader.offset, ...reader.place };
}

export function mapText(map: PsbtMapKind, index: number): string {
  return map === 'global' ? 'the global map' : `${map} ${index}`;
}

export function placeText({ offset, map, index = 0, record, field }: ReturnType<typeof at>): string {
  if (map === undefined) return `at offset ${offset}`;
  return `at offset ${offset} (${field === 'unknown' ? `record ${record}` : field} of ${mapText(map, index)})`;
}

const FAULTS = {
  'bytes/end-of-data': { fault: 'The data ends too early', advice: ': copy all of it' },
  'bytes/size-not-minimal': { fault: 'A size takes more bytes than it needs', advice: '' },
  'bytes/size-too-large': { fault: `A size exceeds ${MAX_SIZE}`, advice: ': copy all of it again' },
  'tx/superfluous-witness': { fault: 'The transaction announces witnesses, and all are empty', advice: '' },
  'tx/mweb-body': { fault: 'The transaction has an MWEB part, which is not supported', advice: '' },
  'tx/hogex-without-output': { fault: 'The HogEx transaction has no output', advice: '' },
} as const;

export function errorAt(reader: Reader, code: keyof typeof FAULTS, more?: object): BtcError {
  const place = at(reader);
  const { fault, advice } = FAULTS[code];
  return new BtcError(code, { ...place, ...more }, `${fault}, ${placeText(place)}${advice}`);
}

/** Skips `length` bytes and returns the offset of the first. */
export function take(reader: Reader, length: number): number {
  const start = reader.offset;
  if (length > reader.bytes.length - start) {
    throw errorAt(reader, 'bytes/end-of-data', reader.isPart && { isPart: true });
  }
  reader.offset = start + length;
  return start;
}

export function readBytes(reader: Reader, length: number): Uint8Array {
  if (length === 0) return NO_BYTES;
  const start = take(reader, length);
  return reader.bytes.slice(start, start + length);
}

export function readU8(reader: Reader): number {
  return reader.view.getUint8(take(reader, 1));
}

function readU16(reader: Reader): number {
  return reader.view.getUint16(take(reader, 2), true);
}

export function readU32(reader: Reader): number {
  return reader.view.getUint32(take(reader, 4), true);
}

export function readI64(reader: Reader): bigint {
  return reader.view.getBigInt64(take(reader, 8), true);
}

/** Reads a length or count: in its shortest form, and at most 32 MiB. @see Core `ReadCompactSize` */
export function readCompactSize(reader: Reader): number {
  const first = readU8(reader);
  if (first < 0xfd) return first;
  let size = first === 0xfd ? readU16(reader) : readU32(reader);
  if (first === 0xff) size += readU32(reader) * 0x1_0000_0000;
  const least = first === 0xfd ? 0xfd : first === 0xfe ? 0x1_0000 : 0x1_0000_0000;
  if (size < least) throw errorAt(reader, 'bytes/size-not-minimal');
  if (size > MAX_SIZE) throw errorAt(reader, 'bytes/size-too-large');
  return size;
}

export function readVarBytes(reader: Reader): Uint8Array {
  return readBytes(reader, readCompactSize(reader));
}

export function assertEnd(reader: Reader): void {
  const extra = remaining(reader);
  if (extra === 0) return;
  const place = at(reader);
  const end = place.offset + extra;
  throw new BtcError(
    'bytes/trailing',
    { ...place, extra },
    `The data should end ${placeText(place)}, not at offset ${end}: remove the rest`,
  );
}
