import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createFrameReader, type ScanState } from '../../../src/kit/qr/frameReader.ts';
import { joinOldUr, parseOldUrPart } from '../../../src/kit/qr/urVersion1.ts';

const FILE = readFileSync(new URL('../../../vectors/open/ur-version-1-psbt.txt', import.meta.url), 'utf8').trim();
const [FIRST = '', SECOND = ''] = FILE.split('\n');

const statesOf = (...frames: readonly string[]): readonly ScanState[] => {
  const reader = createFrameReader();
  return frames.map((frame) => reader.add(frame));
};
const lastOf = (...frames: readonly string[]): ScanState | undefined => statesOf(...frames).at(-1);

describe('a UR of version 1', () => {
  test('is read in any order, repeated, and in either case', () => {
    const whole = lastOf(FIRST, SECOND);
    expect(whole).toMatchObject({ status: 'complete', scanned: { format: 'ur', type: 'bytes' } });
    for (const frames of [
      [SECOND, FIRST],
      [FIRST, FIRST, SECOND],
      [FIRST.toLowerCase(), SECOND],
    ]) {
      expect(lastOf(...frames)).toEqual(whole);
    }
  });

  test('names what is missing', () => {
    expect(lastOf(SECOND)).toEqual({ status: 'partial', format: 'ur', count: 2, missing: [0] });
  });

  test('is not mixed with another content, another type, or another count', () => {
    const other = FIRST.replace('C3YV8V6Z', 'C3YV8V6L');
    for (const frame of [other, FIRST.replace('UR:BYTES', 'UR:CRYPTO-PSBT'), FIRST.replace('1OF2', '1OF3')]) {
      expect(lastOf(SECOND, frame)).toEqual({ status: 'ignored', reason: 'other' });
    }
    expect(lastOf(FIRST, FIRST.replace('TYZPJ', 'TYZPP'))).toEqual({ status: 'ignored', reason: 'other' });
  });

  test('is damaged if a character is, and the reader begins anew', () => {
    fc.assert(
      fc.property(fc.nat(FIRST.length - 1), fc.constantFrom(...'QPZRY9X8'), (at, letter) => {
        const frame = FIRST.slice(0, at) + letter + FIRST.slice(at + 1);
        fc.pre(frame !== FIRST);
        const states = statesOf(SECOND, frame);
        expect(states.at(-1)?.status).toBe('ignored');
      }),
    );
    expect(statesOf(SECOND, FIRST.replace('TYZPJ', 'TYZPP'), FIRST, SECOND).map(({ status }) => status)).toEqual([
      'partial',
      'ignored',
      'partial',
      'complete',
    ]);
  });

  test.each(['ur:bytes/0of2/', 'ur:bytes/3of2/', 'ur:bytes/1of0/', 'ur:bytes/1of99999/', 'ur:bytes/-1of2/'])(
    'is not one with the numbers %s',
    (start) => {
      const [, , digest, text] = FIRST.toLowerCase().split('/');
      expect(parseOldUrPart(`${start}${digest}/${text}`)).toBeUndefined();
    },
  );

  test('of many parts needs its digest, and only lists what is missing', () => {
    const [, , digest, text] = FIRST.toLowerCase().split('/');
    expect(parseOldUrPart(`ur:bytes/1of9999/${text}`)).toBeUndefined();
    const reader = createFrameReader();
    const begun = performance.now();
    for (let i = 1; i <= 500; i += 1) reader.add(`ur:bytes/${i}of9999/${digest}/${text}`);
    expect(performance.now() - begun).toBeLessThan(5000);
    expect(reader.add(`ur:bytes/501of9999/${digest}/${text}`)).toMatchObject({ status: 'partial', count: 9999 });
  });

  test('of one part has a checksum of its own', () => {
    expect(parseOldUrPart('ur:bytes/qqqqqqqqqqqqqq')).toBeUndefined();
    const [first = '', second = ''] = [FIRST, SECOND].map((frame) => frame.toLowerCase().split('/')[3]);
    expect(joinOldUr([first, second], undefined)).toBeDefined();
    expect(parseOldUrPart(`ur:bytes/${first}${second}`)).toMatchObject({ index: 0, count: 1 });
    expect(joinOldUr([second, first], undefined)).toBeUndefined();
    expect(joinOldUr([], undefined)).toBeUndefined();
  });
});
