import { readFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createBitPredictor } from '../../src/page/packing/bitPredictor.ts';
import { createUnpacker, pack } from '../../src/page/packing/packing.ts';

function unpack(packed: Uint8Array, size: number): Uint8Array {
  const nextByte = createUnpacker(packed);
  return Uint8Array.from({ length: size }, nextByte);
}

/** Each case fills 20 MB of histories twice. */
const options = { numRuns: 15 };

const repeating = fc
  .tuple(fc.uint8Array({ minLength: 1, maxLength: 60 }), fc.integer({ min: 1, max: 60 }))
  .map(([part, times]) => new Uint8Array(part.length * times).map((_, i) => part[i % part.length] ?? 0));

describe('packed bytes', () => {
  test('are what they were', () => {
    const bytes = fc.oneof(fc.uint8Array({ maxLength: 3000 }), repeating);
    fc.assert(
      fc.property(bytes, (given) => {
        expect(unpack(pack(given), given.length)).toEqual(given);
      }),
      options,
    );
  });

  test.each([
    ['none', new Uint8Array(0)],
    ['zeros', new Uint8Array(5000)],
    ['ones', new Uint8Array(5000).fill(255)],
  ])('are what they were: %s', (_, given) => {
    expect(Buffer.compare(unpack(pack(given), given.length), given)).toBe(0);
  });

  test('of a script are fewer than those of Brotli', () => {
    const script = readFileSync(new URL('../../src/page/texts.ts', import.meta.url));
    expect(pack(script).length).toBeLessThan(brotliCompressSync(script).length);
  });
});

test('what was not packed unpacks to other bytes, as many as are asked for', () => {
  const packed = pack(new TextEncoder().encode('This was packed. '.repeat(50)));
  fc.assert(
    fc.property(fc.nat(packed.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const damaged = packed.map((byte, i) => (i === at ? byte ^ change : byte));
      expect(unpack(damaged, 900)).toHaveLength(900);
    }),
    options,
  );
});

test('a prediction is never certain', () => {
  const { predict, learn } = createBitPredictor();
  for (let i = 0; i < 40_000; i += 1) {
    const probability = predict();
    expect(probability > 0 && probability < 1).toBe(true);
    learn(i % 3000 === 2999 ? 0 : 1);
  }
});
