import { joinBytes } from '../bytes/joinBytes.ts';
import { createReader, type Reader, readU8, remaining, take } from '../bytes/reader.ts';
import { unlessRefused } from '../errors.ts';

/** A picture: four bytes for each pixel, red, green, blue and alpha. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** The most to read of an animation. */
export interface PictureLimits {
  /** Pixels of one picture. */
  readonly each: number;
  /** Pixels of all pictures. */
  readonly all: number;
}

const [EXTENSION, IMAGE, GRAPHIC_CONTROL] = [0x21, 0x2c, 0xf9] as const;

/**
 * Reads the pictures of a GIF, each composed as viewers show it; what shows through is white. All share one array, so use
 * each before taking the next. Ends where the file is cut off or damaged, and before a picture beyond the limits.
 *
 * omggif, the usual library, never returns for some damaged files: it follows codes that were not defined yet.
 * @see GIF89a specification
 */
export function* gifPictures(bytes: Uint8Array, limits: PictureLimits): Generator<Picture> {
  const reader = createReader(bytes);
  const screen = unlessRefused(() => readScreen(reader, limits));
  if (!screen) return;
  const { width, height, data } = screen;
  const pixels = width * height;
  for (let shown = pixels; shown <= limits.all; shown += pixels) {
    const before = data.slice();
    const image = unlessRefused(() => nextImage(reader, screen));
    if (!image) return;
    drawImage(screen, image);
    yield { width, height, data };
    if (image.disposal === RESTORE_BEFORE) data.set(before);
    else if (image.disposal === RESTORE_BACKGROUND) clear(screen, image);
  }
}

const [RESTORE_BACKGROUND, RESTORE_BEFORE] = [2, 3] as const;

/** Three bytes for each colour. */
type Palette = Uint8Array;

interface Screen extends Picture {
  readonly palette: Palette | undefined;
}

const readU16 = (reader: Reader): number => readU8(reader) + 0x100 * readU8(reader);

/** Reads the table of colours that flags announce. */
function readPalette(reader: Reader, flags: number): Palette | undefined {
  if (!(flags & 0x80)) return undefined;
  const size = 3 * 2 ** ((flags & 7) + 1);
  const start = take(reader, size);
  return reader.bytes.subarray(start, start + size);
}

function readScreen(reader: Reader, { each }: PictureLimits): Screen | undefined {
  take(reader, 'GIF89a'.length);
  const [width, height, flags] = [readU16(reader), readU16(reader), readU8(reader)];
  take(reader, 2);
  if (width * height === 0 || width * height > each) return undefined;
  const data = new Uint8Array(4 * width * height).fill(0xff);
  return { width, height, palette: readPalette(reader, flags), data };
}

/** One image of a GIF, which covers a part of the screen. */
interface Image {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly isInterlaced: boolean;
  readonly palette: Palette;
  readonly transparent: number | undefined;
  readonly disposal: number;
  /** One byte for each pixel: its place in the table of colours. */
  readonly indexes: Uint8Array;
}

/** Reads the next image; `undefined` at the end, and for an image that is damaged or does not fit on the screen. */
function nextImage(reader: Reader, screen: Screen): Image | undefined {
  let control: Pick<Image, 'transparent' | 'disposal'> = { transparent: undefined, disposal: 0 };
  while (remaining(reader) > 0) {
    const kind = readU8(reader);
    if (kind === IMAGE) return readImage(reader, screen, control);
    if (kind !== EXTENSION) return undefined;
    const isControl = readU8(reader) === GRAPHIC_CONTROL;
    const data = readBlocks(reader);
    const [flags = 0, , , transparent] = data;
    if (isControl) control = { transparent: flags & 1 ? transparent : undefined, disposal: (flags >> 2) & 7 };
  }
  return undefined;
}

function readImage(
  reader: Reader,
  screen: Screen,
  control: Pick<Image, 'transparent' | 'disposal'>,
): Image | undefined {
  const [left, top, width, height] = [readU16(reader), readU16(reader), readU16(reader), readU16(reader)];
  const flags = readU8(reader);
  const palette = readPalette(reader, flags) ?? screen.palette;
  const codeSize = readU8(reader);
  const isInside = left + width <= screen.width && top + height <= screen.height && width * height > 0;
  if (!isInside || !palette || codeSize < 2 || codeSize > 8) return undefined;
  const indexes = decompress(readBlocks(reader), codeSize, width * height);
  const place = { left, top, width, height, isInterlaced: (flags & 0x40) !== 0 };
  return indexes && { ...place, ...control, palette, indexes };
}

/** Reads blocks, each after its size, up to an empty one. */
function readBlocks(reader: Reader): Uint8Array {
  const blocks: Uint8Array[] = [];
  for (let size = readU8(reader); size > 0; size = readU8(reader)) {
    const start = take(reader, size);
    blocks.push(reader.bytes.subarray(start, start + size));
  }
  return joinBytes(blocks);
}

const MOST_BITS = 12;
const MOST_CODES = 2 ** MOST_BITS;

/** Returns the codes of compressed data, whose sizes grow with the table of the reader. */
function createCodes(data: Uint8Array): (size: number) => number | undefined {
  let [offset, bits, held] = [0, 0, 0];
  return (size) => {
    while (held < size) {
      if (offset === data.length) return undefined;
      bits |= (data[offset++] ?? 0) << held;
      held += 8;
    }
    const code = bits & ((1 << size) - 1);
    bits >>>= size;
    held -= size;
    return code;
  };
}

/** Bytes that a code stands for: `size` of them from `start` in the result, or a single one. */
type Text = { readonly start: number; readonly size: number } | { readonly byte: number; readonly size: 1 };

/** The codes that are defined, each by the place of its bytes in the result. */
function createTable(codeSize: number): {
  readonly clearCode: number;
  /** Returns the number of bits of the next code. */
  readonly bits: () => number;
  readonly clear: () => void;
  /** Looks up a code whose bytes will follow at `at`, and defines the next code; `undefined` if it is not defined. */
  readonly textAt: (code: number, at: number) => Text | undefined;
} {
  const clearCode = 1 << codeSize;
  const [endCode, first] = [clearCode + 1, clearCode + 2];
  const [starts, sizes] = [new Uint32Array(MOST_CODES), new Uint16Array(MOST_CODES)];
  let [next, bits, before] = [first, codeSize + 1, 0];
  return {
    clearCode,
    bits: () => bits,
    clear: () => {
      [next, bits, before] = [first, codeSize + 1, 0];
    },
    textAt: (code, at) => {
      // A new code stands for the bytes before and the first of those that follow.
      if (before > 0 && next < MOST_CODES) {
        [starts[next], sizes[next]] = [at - before, before + 1];
        next += 1;
      }
      if (next === 1 << bits && bits < MOST_BITS) bits += 1;
      if (code === endCode || code >= next) return undefined;
      before = code < clearCode ? 1 : (sizes[code] ?? 0);
      return code < clearCode ? { byte: code, size: 1 } : { start: starts[code] ?? 0, size: before };
    },
  };
}

/**
 * Decompresses `count` bytes.
 * @returns `undefined` for a code that is not defined yet, or for another number of bytes
 * @see GIF89a specification, appendix F
 */
function decompress(data: Uint8Array, codeSize: number, count: number): Uint8Array | undefined {
  const [nextCode, table] = [createCodes(data), createTable(codeSize)];
  const result = new Uint8Array(count);
  for (let at = 0; at < count; ) {
    const code = nextCode(table.bits());
    if (code === table.clearCode) {
      table.clear();
      continue;
    }
    const text = code === undefined ? undefined : table.textAt(code, at);
    if (!text || at + text.size > count) return undefined;
    // Byte by byte: the text of a code that was defined just now goes on with the first byte that is written here.
    for (let i = 0; i < text.size; i += 1) result[at + i] = 'byte' in text ? text.byte : (result[text.start + i] ?? 0);
    at += text.size;
  }
  return result;
}

/** The rows of an interlaced image come in four passes. @see GIF89a specification, appendix E */
const PASSES: readonly (readonly [first: number, step: number])[] = [
  [0, 8],
  [4, 8],
  [2, 4],
  [1, 2],
];

function rowsOf({ height, isInterlaced }: Image): readonly number[] {
  const passes = isInterlaced ? PASSES : [[0, 1] as const];
  return passes.flatMap(([first, step]) =>
    Array.from({ length: Math.max(0, Math.ceil((height - first) / step)) }, (_, i) => first + i * step),
  );
}

function drawImage(screen: Screen, image: Image): void {
  const { left, top, width, palette, transparent, indexes } = image;
  for (const [i, row] of rowsOf(image).entries()) {
    for (let x = 0; x < width; x += 1) {
      const index = indexes[i * width + x] ?? 0;
      if (index === transparent) continue;
      const to = 4 * ((top + row) * screen.width + left + x);
      for (let part = 0; part < 3; part += 1) screen.data[to + part] = palette[3 * index + part] ?? 0;
    }
  }
}

function clear(screen: Screen, { left, top, width, height }: Image): void {
  for (let y = top; y < top + height; y += 1) {
    const start = 4 * (y * screen.width + left);
    screen.data.fill(0xff, start, start + 4 * width);
  }
}
