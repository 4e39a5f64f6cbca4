import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createFrameReader, encodeBbqr } from '../../support/library.ts';
import { noise } from '../../support/noise.ts';

/** Reads frames in the order given. @returns the last state */
function scan(frames: readonly string[]) {
  const reader = createFrameReader();
  return frames.map((frame) => reader.add(frame)).at(-1);
}

describe('BBQr', () => {
  test('writes base32 where that is shorter, and deflates what repeats', () => {
    expect(encodeBbqr(Uint8Array.of(1, 2, 3), { type: 'binary' })).toEqual(['B$2B0100AEBAG']);
    const [only = '', ...others] = encodeBbqr(new Uint8Array(5000));
    expect([only.slice(0, 8), others]).toEqual(['B$ZP0100', []]);
    expect(only.length).toBeLessThan(100);
  });

  test('divides a content into frames of nearly one size, whose data are whole bytes', () => {
    const content = noise(2000);
    const frames = encodeBbqr(content, { type: 'transaction', frameSize: 400 });
    expect(frames.length).toBeGreaterThan(3);
    for (const [i, frame] of frames.entries()) {
      expect(frame.slice(0, 8)).toMatch(new RegExp(`^B\\$[2Z]T0${frames.length}0${i}$`));
      expect(frame.length).toBeLessThanOrEqual(400);
      if (i < frames.length - 1) expect((frame.length - 8) % 8).toBe(0);
    }
  });

  test('is read in any order, with frames repeated', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 3000 }),
        fc.integer({ min: 24, max: 600 }),
        fc.array(fc.nat()),
        (content, frameSize, places) => {
          const frames = encodeBbqr(content, { frameSize });
          const shown = [...places.map((place) => frames[place % frames.length] ?? ''), ...[...frames].reverse()];
          const reader = createFrameReader();
          const states = shown.map((frame) => reader.add(frame));
          const [first] = states.filter(({ status }) => status === 'complete');
          expect(first).toEqual({ status: 'complete', scanned: { format: 'bbqr', type: 'psbt', content } });
        },
      ),
    );
  });

  // Frames of the Python library that the specification comes with: `split_qrs` of 40 bytes of 0x61.
  test('reads hex, too', () => {
    const hex = '61'.repeat(40).toUpperCase();
    const state = scan([`B$HU0200${hex.slice(0, 40)}`, `B$HU0201${hex.slice(40)}`]);
    expect(state).toEqual({
      status: 'complete',
      scanned: { format: 'bbqr', type: 'text', content: new Uint8Array(40).fill(0x61) },
    });
  });

  test('does not inflate a bomb', () => {
    const bomb = encodeBbqr(new Uint8Array(4_000_001), { frameSize: 4296 });
    expect(scan(bomb)).toEqual({ status: 'ignored', reason: 'damaged' });
  });

  test.each([
    [{ frameSize: 23 }, 'frameSize must be a whole number from 24 to 4296'],
    [{ frameSize: Number.NaN }, 'frameSize must be a whole number from 24 to 4296'],
  ])('is refused with the options %j', (options, message) => {
    expect(() => encodeBbqr(Uint8Array.of(1), options)).toThrow(message);
  });

  test('is refused if it takes more frames than two digits count', () => {
    const content = noise(14_000);
    expect(() => encodeBbqr(content, { frameSize: 24 })).toThrow(
      'content needs more than 1295 frames: raise frameSize',
    );
  });
});
