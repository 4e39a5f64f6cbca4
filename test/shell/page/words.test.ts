import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkWords } from '../../../src/shell/page/words.ts';

const ELEVEN = Array.from({ length: 11 }, () => 'abandon').join(' ');

describe('seed words while they are typed', () => {
  test('of a whole phrase have a right or a wrong checksum', () => {
    expect(checkWords(`${ELEVEN} about`)).toMatchObject({ count: 12, unknown: [], isChecksumRight: true });
    expect(checkWords(`${ELEVEN} abandon`)).toMatchObject({ count: 12, unknown: [], isChecksumRight: false });
    expect(checkWords(ELEVEN).isChecksumRight).toBeUndefined();
    expect(checkWords('')).toEqual({
      count: 0,
      unknown: [],
      near: [],
      isChecksumRight: undefined,
      completions: [],
      lastWords: [],
    });
  });

  test('are completed from the list', () => {
    expect(checkWords('abandon ac').completions).toEqual([
      'access',
      'accident',
      'account',
      'accuse',
      'achieve',
      'acid',
      'acoustic',
      'acquire',
    ]);
    expect(checkWords('abandon ac').unknown).toEqual([]);
    expect(checkWords('abandon act').completions).toEqual(['act', 'action', 'actor', 'actress', 'actual']);
    expect(checkWords('abandon act ').completions).toEqual([]);
  });

  test('that are not in the list are named by their positions', () => {
    expect(checkWords('abandn zoo zooo ').unknown).toEqual([1, 3]);
    expect(checkWords('zoo xq').unknown).toEqual([2]);
    expect(checkWords('zoo ac ').unknown).toEqual([2]);
    expect(checkWords('abandn zoo xqxqxq abuot ').near).toEqual([
      { position: 1, word: 'abandon' },
      { position: 4, word: 'about' },
    ]);
    const many = checkWords('abandn '.repeat(200));
    expect([many.unknown.length, many.near.length]).toEqual([200, 8]);
  });

  test.each([11, 14, 17, 20, 23])('%d in number can be followed by words that make the checksum right', (count) => {
    const words = Array.from({ length: count }, () => 'zoo').join(' ');
    const { lastWords } = checkWords(words);
    expect(lastWords).toHaveLength(8);
    for (const word of lastWords) expect(checkWords(`${words} ${word}`).isChecksumRight).toBe(true);
  });

  test('may be their first four letters', () => {
    expect(checkWords(`${'aban '.repeat(11)}abou `)).toMatchObject({ count: 12, unknown: [], isChecksumRight: true });
  });

  test('may be numbered, and in capital letters', () => {
    const numbered = `${ELEVEN} about`
      .split(' ')
      .map((word, i) => `${i + 1}. ${word.toUpperCase()}`)
      .join('\n');
    expect(checkWords(numbered)).toMatchObject({ count: 12, isChecksumRight: true });
  });

  test('are judged whatever is typed', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' })), (text) => {
        const { count, unknown, completions, lastWords } = checkWords(text);
        expect(unknown.every((position) => position >= 1 && position <= count)).toBe(true);
        expect(Math.max(completions.length, lastWords.length)).toBeLessThanOrEqual(8);
      }),
    );
  });
});
