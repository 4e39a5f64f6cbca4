import { deflateSync } from 'node:zlib';
import { PNG } from 'pngjs';
import { crc32 } from '../../src/kit/qr/crc32.ts';
import { noise } from './noise.ts';

/** Writes a PNG with pngjs. `rgba`: four bytes for each pixel. */
export function pngOf(width: number, height: number, rgba: Uint8Array, options: object = {}): Uint8Array {
  const png = new PNG({ width, height });
  png.data = Buffer.from(rgba);
  return PNG.sync.write(png, { colorType: 6, inputColorType: 6, inputHasAlpha: true, ...options });
}

/** Writes a chunk of a PNG. */
export function chunkOf(type: string, data: Uint8Array): Buffer {
  const [head, end] = [Buffer.alloc(4), Buffer.alloc(4)];
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  head.writeUInt32BE(data.length);
  end.writeUInt32BE(crc32(body));
  return Buffer.concat([head, body, end]);
}

/** Changes bytes of the header of a PNG, and makes its checksum right. */
export function withHeader(png: Uint8Array, at: number, bytes: readonly number[]): Uint8Array {
  const changed = Buffer.from(png);
  changed.set(bytes, 16 + at);
  changed.writeUInt32BE(crc32(changed.subarray(12, 29)), 29);
  return new Uint8Array(changed);
}

/** Writes a PNG of noise with any number of bits for each sample, which pngjs writes only with 8 and 16. */
export function noisePng({
  width,
  height,
  depth,
  colours,
}: Readonly<Record<'width' | 'height' | 'depth' | 'colours', number>>): Uint8Array {
  const samples = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }[colours] ?? 1;
  const rowSize = Math.ceil((width * samples * depth) / 8);
  const bytes = noise(rowSize * height, `${depth} ${colours}`);
  // Samples of 16 bits repeat their first eight, so that all ways to round them agree.
  const rows = Array.from({ length: height }, (_, y) => [
    0,
    ...bytes.slice(y * rowSize, (y + 1) * rowSize).map((byte, i, row) => (depth === 16 ? (row[i & ~1] ?? 0) : byte)),
  ]);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, colours, 0, 0, 0], 8);
  const size = 2 ** Math.min(depth, 8);
  const palette = [chunkOf('PLTE', noise(3 * size, 'palette')), chunkOf('tRNS', noise(Math.ceil(size / 2), 'alpha'))];
  return Buffer.concat([
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunkOf('IHDR', header),
    ...(colours === 3 ? palette : []),
    chunkOf('IDAT', deflateSync(Uint8Array.from(rows.flat()))),
    chunkOf('IEND', new Uint8Array(0)),
  ]);
}
