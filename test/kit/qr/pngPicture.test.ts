import fc from 'fast-check';
import { PNG } from 'pngjs';
import { describe, expect, test } from 'vitest';
import { pngPicture } from '../../../src/kit/qr/pngPicture.ts';
import { noise } from '../../support/noise.ts';
import { chunkOf, noisePng, pngOf, withHeader } from '../../support/pngs.ts';

const MOST = 1_000_000;

const KINDS = [
  { colorType: 0, bitDepth: 8 },
  { colorType: 2, bitDepth: 8 },
  { colorType: 4, bitDepth: 8 },
  { colorType: 6, bitDepth: 8 },
] as const;

/** Shows what pngjs reads on white. */
function peerData(bytes: Uint8Array): Uint8Array {
  const { data } = PNG.sync.read(Buffer.from(bytes));
  return Uint8Array.from(data, (value, i) => {
    const alpha = data[i - (i % 4) + 3] ?? 0;
    return i % 4 === 3 ? 255 : 255 + ((value - 255) * alpha) / 255;
  });
}

describe('the picture in a PNG', () => {
  test('is the one that pngjs reads, with any filter and kind of colour', () => {
    const picture = fc.record({
      width: fc.integer({ min: 1, max: 20 }),
      height: fc.integer({ min: 1, max: 20 }),
      seed: fc.nat(),
      kind: fc.constantFrom(...KINDS),
      filterType: fc.constantFrom(-1, 0, 1, 2, 3, 4),
    });
    fc.assert(
      fc.property(picture, ({ width, height, seed, kind, filterType }) => {
        const rgba = noise(4 * width * height + (seed % 7)).slice(seed % 7);
        const bytes = pngOf(width, height, rgba, { ...kind, filterType });
        expect(pngPicture(bytes, MOST)).toEqual({ width, height, data: peerData(bytes) });
      }),
    );
  });

  test.each([1, 2, 4, 8, 16])('is the one that pngjs reads, with grey of %i bits and a palette', (depth) => {
    for (const colours of depth === 16 ? [0, 2, 4, 6] : [0, 3]) {
      const bytes = noisePng({ width: 13, height: 5, depth, colours });
      expect([colours, pngPicture(bytes, MOST)]).toEqual([colours, { width: 13, height: 5, data: peerData(bytes) }]);
    }
  });

  test('is refused before it takes memory if it is too large, and if it is interlaced', () => {
    const bytes = pngOf(2, 2, noise(16));
    expect(pngPicture(withHeader(bytes, 0, [0, 0, 0xff, 0xff, 0, 0, 0xff, 0xff]), MOST)).toBe('too large');
    expect(pngPicture(withHeader(bytes, 12, [1]), MOST)).toBe('interlaced');
  });

  test('is read from more pieces than a call has arguments', () => {
    const png = pngOf(3, 2, noise(24));
    const headed = 8 + 12 + 13;
    const empty = chunkOf('IDAT', new Uint8Array(0));
    const pieces = Buffer.concat([png.slice(0, headed), ...Array(300_000).fill(empty), png.slice(headed)]);
    expect(pngPicture(new Uint8Array(pieces), MOST)).toEqual(pngPicture(png, MOST));
  });

  test('is refused if its data inflates to more than its size', () => {
    const bomb = pngOf(900, 900, new Uint8Array(4 * 900 * 900));
    expect(pngPicture(withHeader(bomb, 0, [0, 0, 0, 9, 0, 0, 0, 9]), MOST)).toBe('damaged');
  });

  test('is refused or read, wherever it is cut off or changed', () => {
    const bytes = pngOf(9, 9, noise(4 * 81));
    for (let size = 0; size < bytes.length; size += 1) {
      const isWhole = size >= bytes.length - 12;
      expect(typeof pngPicture(bytes.slice(0, size), MOST)).toBe(isWhole ? 'object' : 'string');
    }
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.nat(255), (at, byte) => {
        const changed = bytes.slice();
        changed[at] = byte;
        expect(['string', 'object']).toContain(typeof pngPicture(changed, MOST));
      }),
    );
  });
});
