import { joinBytes } from '../../core/bytes/joinBytes.ts';
import { crc32 } from './crc32.ts';
import { inflate } from './inflate.ts';

/** RGBA. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

export type PngFault = 'damaged' | 'too large' | 'interlaced';

const SIGNATURE_SIZE = 8;
const [HEAD_SIZE, CHECKSUM_SIZE] = [8, 4] as const;

interface Header {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly colours: number;
}

/** Samples a pixel, by colour type: grey, RGB, palette index, grey and alpha, RGBA. */
const SAMPLES: ReadonlyMap<number, number> = /* @__PURE__ */ new Map([
  [0, 1],
  [2, 3],
  [3, 1],
  [4, 2],
  [6, 4],
]);
const PALETTE = 3;
const DEPTHS: readonly number[] = [1, 2, 4, 8, 16];

/**
 * Reads a PNG that is not interlaced, on white. Checks `mostPixels` before it takes memory. The library pngjs relies on
 * internals of Node's zlib, and inflates interlaced pictures without a limit.
 * @see PNG specification, third edition
 */
export function pngPicture(bytes: Uint8Array, mostPixels: number): Picture | PngFault {
  const chunks = readChunks(bytes);
  const header = readHeader(chunks);
  if (typeof header === 'string') return header;
  const { width, height, depth, colours } = header;
  if (width * height > mostPixels) return 'too large';
  const bitsPerPixel = depth * (SAMPLES.get(colours) ?? 0);
  const rowSize = Math.ceil((width * bitsPerPixel) / 8);
  const all = joinBytes(chunkData(chunks, 'IDAT'));
  const rows = inflate(all, { most: height * (rowSize + 1), raw: false, windowBits: 15 });
  if (rows?.length !== height * (rowSize + 1)) return 'damaged';
  const pixels = unfiltered(rows, { height, rowSize, pixelSize: Math.ceil(bitsPerPixel / 8) });
  const [palette = new Uint8Array(0)] = chunkData(chunks, 'PLTE');
  const [alphas = new Uint8Array(0)] = chunkData(chunks, 'tRNS');
  if (!pixels) return 'damaged';
  const samples = unpackSamples(pixels, header, rowSize);
  const data =
    colours === PALETTE
      ? onWhite(lookedUp(samples, { palette, alphas }), 4)
      : onWhite(samples, SAMPLES.get(colours) ?? 1);
  return { width, height, data };
}

interface Chunk {
  readonly type: string;
  readonly data: Uint8Array;
}

/** Stops at the first damaged chunk. */
function readChunks(bytes: Uint8Array): readonly Chunk[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const chunks: Chunk[] = [];
  for (let at = SIGNATURE_SIZE; at + HEAD_SIZE + CHECKSUM_SIZE <= bytes.length; ) {
    const end = at + HEAD_SIZE + view.getUint32(at);
    if (end + CHECKSUM_SIZE > bytes.length) break;
    if (crc32(bytes.subarray(at + 4, end)) !== view.getUint32(end)) break;
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + HEAD_SIZE));
    chunks.push({ type, data: bytes.subarray(at + HEAD_SIZE, end) });
    at = end + CHECKSUM_SIZE;
  }
  return chunks;
}

const chunkData = (chunks: readonly Chunk[], name: string): readonly Uint8Array[] =>
  chunks.flatMap(({ type, data }) => (type === name ? [data] : []));

function readHeader(chunks: readonly Chunk[]): Header | PngFault {
  const [first] = chunks;
  if (first?.type !== 'IHDR' || first.data.length !== 13) return 'damaged';
  const view = new DataView(first.data.buffer, first.data.byteOffset, first.data.length);
  const [depth, colours, method, filter, interlace] = [8, 9, 10, 11, 12].map((at) => view.getUint8(at));
  const [width, height] = [view.getUint32(0), view.getUint32(4)];
  const isKnown = SAMPLES.has(colours ?? -1) && DEPTHS.includes(depth ?? 0) && method === 0 && filter === 0;
  if (!isKnown || depth === undefined || colours === undefined || width * height === 0) return 'damaged';
  return interlace === 0 ? { width, height, depth, colours } : 'interlaced';
}

interface Sizes {
  readonly height: number;
  readonly rowSize: number;
  readonly pixelSize: number;
}

/** Returns `undefined` for an unknown filter. */
function unfiltered(rows: Uint8Array, { height, rowSize, pixelSize }: Sizes): Uint8Array | undefined {
  const pixels = new Uint8Array(height * rowSize);
  let above: Uint8Array = new Uint8Array(rowSize);
  for (let y = 0; y < height; y += 1) {
    const from = y * (rowSize + 1);
    const filter = FILTERS[rows[from] ?? -1];
    if (!filter) return undefined;
    const row = pixels.subarray(y * rowSize, (y + 1) * rowSize);
    for (let x = 0; x < rowSize; x += 1) {
      const before = x - pixelSize;
      row[x] = (rows[from + 1 + x] ?? 0) + filter(row[before] ?? 0, above[x] ?? 0, above[before] ?? 0);
    }
    above = row;
  }
  return pixels;
}

/** @see PNG specification, "Filter types for filter method 0" */
const FILTERS: readonly ((left: number, above: number, corner: number) => number)[] = [
  () => 0,
  (left) => left,
  (_, above) => above,
  (left, above) => (left + above) >> 1,
  (left, above, corner) => {
    const estimate = left + above - corner;
    const [a, b, c] = [Math.abs(estimate - left), Math.abs(estimate - above), Math.abs(estimate - corner)];
    if (a <= b && a <= c) return left;
    return b <= c ? above : corner;
  },
];

/** Scales samples to bytes, except palette indexes. */
function unpackSamples(pixels: Uint8Array, { width, height, depth, colours }: Header, rowSize: number): Uint8Array {
  const count = width * (SAMPLES.get(colours) ?? 1);
  const samples = new Uint8Array(count * height);
  const scale = colours === PALETTE || depth >= 8 ? 1 : 255 / (2 ** depth - 1);
  for (let y = 0; y < height; y += 1) {
    for (let i = 0; i < count; i += 1) {
      const bit = i * depth;
      const byte = pixels[y * rowSize + (bit >> 3)] ?? 0;
      // Of 16 bits, the upper eight.
      const value = depth >= 8 ? byte : (byte >> (8 - depth - (bit & 7))) & ((1 << depth) - 1);
      samples[y * count + i] = value * scale;
    }
  }
  return samples;
}

/** RGB triples, and an alpha each. */
interface Palette {
  readonly palette: Uint8Array;
  readonly alphas: Uint8Array;
}

function lookedUp(indexes: Uint8Array, { palette, alphas }: Palette): Uint8Array {
  const samples = new Uint8Array(4 * indexes.length);
  for (const [i, index] of indexes.entries()) {
    samples.set(palette.subarray(3 * index, 3 * index + 3), 4 * i);
    samples[4 * i + 3] = alphas[index] ?? 255;
  }
  return samples;
}

/** Blends with white. `perPixel`: 1 or 2 samples of grey, 3 or 4 of colours. */
function onWhite(samples: Uint8Array, perPixel: number): Uint8Array {
  const data = new Uint8Array(4 * (samples.length / perPixel)).fill(0xff);
  const step = perPixel < 3 ? 0 : 1;
  for (let at = 0, to = 0; at < samples.length; at += perPixel, to += 4) {
    const alpha = perPixel % 2 === 0 ? (samples[at + perPixel - 1] ?? 255) : 255;
    for (let part = 0; part < 3; part += 1) {
      data[to + part] = 255 + (((samples[at + part * step] ?? 0) - 255) * alpha) / 255;
    }
  }
  return data;
}
