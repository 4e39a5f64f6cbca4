import fc from 'fast-check';
import { GifReader, GifWriter } from 'omggif';
import { encodeQR } from 'qr';
import { describe, expect, test } from 'vitest';
import { gifPictures, type Picture, type PictureLimits } from '../../src/qr/gifPictures.ts';
import { rounds } from '../support/campaign.ts';

const LIMITS: PictureLimits = { each: 1_000_000, all: 20_000_000 };

/** Copies the pictures of a GIF. */
const picturesOf = (bytes: Uint8Array, limits = LIMITS): readonly Picture[] =>
  Array.from(gifPictures(bytes, limits), ({ data, ...size }) => ({ ...size, data: data.slice() }));

const HANG = 'R0lGODlhyADIAIEAAAAAAAAAAAAAAAAAACwAAAAAyADIAAACDtRlYXFgYMYJiChIEDEDADs=';

const PALETTE = [0x000000, 0xffffff, 0xff0000, 0x00ff00];

interface Part {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly indexes: readonly number[];
  readonly disposal: number;
  readonly transparent: number | undefined;
}

/** Writes an animation with omggif. */
function animationOf(width: number, height: number, parts: readonly Part[]): Uint8Array {
  const buffer = new Uint8Array(1000 + parts.length * (width * height * 2 + 100));
  const writer = new GifWriter(buffer, width, height, { palette: PALETTE, loop: 0 });
  for (const { x, y, width: w, height: h, indexes, disposal, transparent } of parts) {
    writer.addFrame(x, y, w, h, indexes, { delay: 10, disposal, ...(transparent !== undefined && { transparent }) });
  }
  return buffer.slice(0, writer.end());
}

const SIZE = { width: 13, height: 11 } as const;
const part: fc.Arbitrary<Part> = fc
  .record({
    x: fc.nat(12),
    y: fc.nat(10),
    disposal: fc.constantFrom(0, 1),
    transparent: fc.option(fc.nat(3), { nil: undefined }),
  })
  .chain(({ x, y, ...rest }) =>
    fc
      .record({
        width: fc.integer({ min: 1, max: SIZE.width - x }),
        height: fc.integer({ min: 1, max: SIZE.height - y }),
      })
      .chain((size) =>
        fc
          .array(fc.nat(3), { minLength: size.width * size.height, maxLength: size.width * size.height })
          .map((indexes) => ({ x, y, ...size, ...rest, indexes })),
      ),
  );

describe('the pictures of a GIF', () => {
  test('are those that omggif reads', () => {
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), (parts) => {
        const bytes = animationOf(SIZE.width, SIZE.height, parts);
        const reader = new GifReader(bytes);
        const screen = new Uint8Array(4 * SIZE.width * SIZE.height).fill(0xff);
        const expected = parts.map((_, i) => {
          reader.decodeAndBlitFrameRGBA(i, screen);
          return { ...SIZE, data: screen.slice() };
        });
        expect(picturesOf(bytes)).toEqual(expected);
      }),
    );
  });

  test('of many colours and of any size are those that omggif reads, and fill the table of codes', () => {
    const [width, height] = [300, 200];
    const indexes = Array.from({ length: width * height }, (_, i) => ((i * i) >> 3) % 4);
    const bytes = animationOf(width, height, [
      { x: 0, y: 0, width, height, indexes, disposal: 0, transparent: undefined },
    ]);
    const screen = new Uint8Array(4 * width * height);
    new GifReader(bytes).decodeAndBlitFrameRGBA(0, screen);
    expect(picturesOf(bytes)).toEqual([{ width, height, data: screen }]);
  });

  test('go back to white, or to what was there before', () => {
    const whole = { x: 0, y: 0, ...SIZE, indexes: Array(143).fill(2), transparent: undefined };
    const dot = { x: 1, y: 0, width: 1, height: 1, indexes: [0], transparent: undefined, disposal: 0 };
    const colourAt = (disposal: number): readonly number[] => {
      const last = picturesOf(
        animationOf(13, 11, [{ ...whole, disposal: 1 }, { ...whole, indexes: Array(143).fill(3), disposal }, dot]),
      )[2];
      return [...(last?.data.slice(0, 3) ?? [])];
    };
    expect([colourAt(1), colourAt(2), colourAt(3)]).toEqual([
      [0, 255, 0],
      [255, 255, 255],
      [255, 0, 0],
    ]);
  });

  test('are read from the GIF that the package qr writes', () => {
    const [picture] = picturesOf(encodeQR('A CODE', 'gif', { scale: 2 }));
    const rows = encodeQR('A CODE', 'raw');
    expect([picture?.width, picture?.height]).toEqual([2 * rows.length, 2 * rows.length]);
    const dark = rows.map((row, y) => row.map((_, x) => picture?.data[4 * (2 * y * 2 * rows.length + 2 * x)] === 0));
    expect(dark).toEqual(rows);
  });

  test('end where the file is cut off or damaged, whatever is in it', () => {
    const parts = [0, 1, 2].map((color) => ({
      x: 0,
      y: 0,
      ...SIZE,
      indexes: Array(143).fill(color),
      disposal: 0,
      transparent: undefined,
    }));
    const bytes = animationOf(SIZE.width, SIZE.height, parts);
    const whole = picturesOf(bytes);
    for (let size = 0; size < bytes.length; size += 1) {
      const found = picturesOf(bytes.slice(0, size));
      expect(found).toEqual(whole.slice(0, found.length));
    }
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 5 }),
        (changes) => {
          const changed = bytes.slice();
          for (const [at, byte] of changes) changed[at] = byte;
          expect(picturesOf(changed).length).toBeLessThanOrEqual(100);
        },
      ),
      { numRuns: rounds(2000) },
    );
  });

  test('end at a code that is not defined yet, with which omggif never ends', () => {
    // 53 bytes. After a clear code, it follows an entry of the table from before, which leads back to itself.
    const bytes = Buffer.from(HANG, 'base64');
    expect(picturesOf(bytes)).toEqual([]);
  });

  test.each([
    ['too many pixels', [0xff, 0xff, 0xff, 0xff]],
    ['none', [0, 0, 9, 0]],
  ])('are not read if they have %s', (_title, size) => {
    const bytes = animationOf(2, 2, [
      { x: 0, y: 0, width: 2, height: 2, indexes: [0, 1, 2, 3], disposal: 0, transparent: undefined },
    ]);
    bytes.set(size, 6);
    expect(picturesOf(bytes)).toEqual([]);
  });

  test('end with the pixels that are allowed for all', () => {
    const parts = Array(9).fill({
      x: 0,
      y: 0,
      width: 2,
      height: 2,
      indexes: [0, 1, 2, 3],
      disposal: 0,
      transparent: undefined,
    });
    expect(picturesOf(animationOf(2, 2, parts), { each: 100, all: 18 })).toHaveLength(4);
  });
});
