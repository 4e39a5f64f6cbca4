import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { campaign } from '../../support/campaign.ts';
import { createFrameReader, encodeUr } from '../../support/library.ts';

/** 300 bytes that repeat only after 256. */
const CONTENT = Uint8Array.from({ length: 300 }, (_, i) => (i * 7) % 256);

/** Frames that @ngraveio/bc-ur 1.1.13 makes of that content, in fragments of up to 60 bytes, by their numbers. */
const PEER_FRAMES: Readonly<Record<number, string>> = {
  1: 'ur:bytes/1-6/lpadamcfaddlcylpehfeiyhdeohkaddwaeatbabzcecndrehetfhfggtghhpidinjoktkblplkmunyoypdperprysssbtdtavtvdwyykztaxbkbycsctdsdpeefrfwgarsmusgue',
  6: 'ur:bytes/6-6/lpamamcfaddlcylpehfeiyhdeovewmwzytaeatbabzcecndrehetfhfggtghhpidinjoktkblplkmunyoypdperprysssbtdtavtvdwyykztaxbkbycsctdsdpaeaeaehgmwkgda',
  8: 'ur:bytes/8-6/lpayamcfaddlcylpehfeiyhdeogyhgeheotturttwfwntstteoehdlgygujsktgyguehfhehtettylwntettdleheogyhgjsjkgyhegyeoehtsttwfwnwsttteahbnbweochgmlg',
  12: 'ur:bytes/12-6/lpbnamcfaddlcylpehfeiyhdeoossbyntbeheehefwjngdkgjtinbnktnylppdmulnoyoxgwprutrtwmuetaztvdleykcsaxenbybbfhcpsndyhpglgajzhgkngyeoehveskplny',
};

/** Shows frames to a reader until it has the content. @returns how many, and the content */
function scan(frames: Iterable<string>): { readonly shown: number; readonly content: Uint8Array } {
  const reader = createFrameReader();
  let shown = 0;
  for (const frame of frames) {
    shown += 1;
    const state = reader.add(frame);
    if (state.status === 'complete') return { shown, content: state.scanned.content };
  }
  throw new Error('the frames are not enough');
}

/** Yields the numbers from 1 on, without those that a camera misses. */
function* numbersBut(isMissed: (number: number) => boolean): Generator<number> {
  for (let number = 1; number < 10_000; number += 1) if (!isMissed(number)) yield number;
}

describe('a UR', () => {
  test('has the frames that @ngraveio/bc-ur makes', () => {
    const { count, frame } = encodeUr(CONTENT, { type: 'bytes', fragmentSize: 60 });
    expect(count).toBe(6);
    for (const [number, text] of Object.entries(PEER_FRAMES)) expect(frame(Number(number))).toBe(text.toUpperCase());
  });

  test('of few bytes is one frame, whatever its number', () => {
    const { count, frame } = encodeUr(Uint8Array.of(1, 2, 3), { type: 'bytes' });
    expect([count, frame(1), frame(7)]).toEqual([1, ...Array(2).fill('UR:BYTES/FXADAOAXAOCSJSRT')]);
  });

  test('is read from any frames, whichever are missed, in capital and small letters', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 3000 }),
        fc.integer({ min: 10, max: 300 }),
        fc.func(fc.boolean()),
        (content, fragmentSize, isMissed) => {
          const { count, frame } = encodeUr(content, { fragmentSize });
          fc.pre(count < 100);
          const numbers = numbersBut((number) => number < 5000 && isMissed(number));
          const frames = (function* () {
            for (const number of numbers) yield number % 2 ? frame(number) : frame(number).toLowerCase();
          })();
          expect(scan(frames).content).toEqual(content);
        },
      ),
      campaign(60),
    );
  });

  test('needs its number of frames if none is missed, and few more if a third is', () => {
    const content = Uint8Array.from({ length: 20_000 }, (_, i) => (i * i) % 251);
    const { count, frame } = encodeUr(content, { fragmentSize: 200 });
    const all = [...Array(count).keys()].map((i) => frame(i + 1));
    expect(scan(all).shown).toBe(count);
    const { shown } = scan(
      Array.from({ length: 10 * count }, (_, i) => i + 1)
        .filter((n) => n % 3)
        .map(frame),
    );
    expect(shown).toBeLessThan(1.3 * count);
  });

  test('needs hardly more frames than fragments if all of them combine fragments', () => {
    const content = Uint8Array.from({ length: 20_000 }, (_, i) => (i * i) % 251);
    const { count, frame } = encodeUr(content, { fragmentSize: 200 });
    for (const first of [count + 1, 1000, 54_321]) {
      const mixed = scan(Array.from({ length: 2 * count }, (_, i) => frame(first + i)));
      expect(mixed.content).toEqual(content);
      expect(mixed.shown).toBeLessThan(1.15 * count);
    }
  });

  test.each([
    [{ fragmentSize: 9 }, 'fragmentSize must be a whole number from 10 to 2000'],
    [{ fragmentSize: 10.5 }, 'fragmentSize must be a whole number from 10 to 2000'],
  ])('is refused with the options %j', (options, message) => {
    expect(() => encodeUr(CONTENT, options)).toThrow(message);
  });

  test('of more than 4 MB is refused', () => {
    expect(() => encodeUr(new Uint8Array(4_000_001))).toThrow('content must have at most 4000000 bytes');
  });

  test('of more fragments than readers take is refused', () => {
    const content = new Uint8Array(150_000);
    expect(() => encodeUr(content, { fragmentSize: 10 })).toThrow('fragmentSize must be larger');
    expect(encodeUr(content, { fragmentSize: 20 }).count).toBeLessThanOrEqual(10_000);
  });
});
