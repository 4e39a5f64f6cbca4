import { entropyToMnemonic, mnemonicToEntropy } from '@scure/bip39';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { completeSeedWords } from '../../../src/core/keys/seedCompletion.ts';
import { english, isChecksumRight, parseSeedWords } from '../../../src/core/keys/seedWords.ts';
import { expectRefusal, refusalOf } from '../../support/refusal.ts';

const ABOUT = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about';
const LEGAL = 'legal winner thank year wave sausage worth useful legal winner thank yellow';

const phrases = fc
  .constantFrom(16, 20, 24, 28, 32)
  .chain((size) => fc.uint8Array({ minLength: size, maxLength: size }))
  .map((entropy) => entropyToMnemonic(entropy, [...english]).split(' '));

const isRightByScure = (words: readonly string[]): boolean => {
  try {
    mnemonicToEntropy(words.join(' '), [...english]);
    return true;
  } catch {
    return false;
  }
};

test('the checksum is that of @scure/bip39', () => {
  fc.assert(
    fc.property(phrases, fc.nat(), fc.nat(2047), (words, at, index) => {
      expect(isChecksumRight(words, english)).toBe(true);
      const changed = words.map((word, i) => (i === at % words.length ? (english[index] ?? '') : word));
      expect(isChecksumRight(changed, english)).toBe(isRightByScure(changed));
    }),
  );
});

describe('a phrase is completed', () => {
  test('at a question mark, with all words that fit, in the order of the list', () => {
    const mark = LEGAL.replace('wave', '?');
    const all = completeSeedWords(mark, { most: 3000 });
    const words = all.map((one) => one.words[4] ?? '');
    expect(words).toContain('wave');
    expect(words).toEqual(english.filter((word) => isRightByScure(mark.replace('?', word).split(' '))));
    expect(new Set(all.map(({ position }) => position))).toEqual(new Set([5]));
    expect(completeSeedWords(mark, { most: 3 })).toEqual(all.slice(0, 3));
  });

  test('at an unknown word, the nearest first', () => {
    const [first] = completeSeedWords(LEGAL.replace('sausage', 'suasage'), { most: 1 });
    expect(first).toEqual({ words: LEGAL.split(' '), position: 6 });
    const numbered = LEGAL.split(' ').map((word, i) => `${i + 1}. ${i === 3 ? '???' : word.slice(0, 4)}`);
    const found = completeSeedWords(numbered.join('\n'), { most: 200 }).map(({ words }) => words.join(' '));
    expect(found).toContain(LEGAL);
  });

  test('at an unknown place, each phrase once', () => {
    fc.assert(
      fc.property(phrases, fc.nat(), (words, at) => {
        const place = at % words.length;
        const found = completeSeedWords(words.filter((_, i) => i !== place).join(' '), { most: 100_000 });
        const texts = found.map((one) => one.words.join(' '));
        expect(texts).toContain(words.join(' '));
        expect(new Set(texts).size).toBe(texts.length);
        for (const one of found.slice(0, 20)) expect(parseSeedWords(one.words.join(' '))).toEqual(one.words);
      }),
      { numRuns: 10 },
    );
  });

  test('with what matches only, which is asked for nothing else', () => {
    const asked: string[] = [];
    const found = completeSeedWords(ABOUT.slice('abandon '.length), {
      most: 2,
      matches: (words) => {
        asked.push(words.join(' '));
        return words.join(' ') === ABOUT;
      },
    });
    expect(found.map(({ words }) => words.join(' '))).toEqual([ABOUT]);
    expect(asked.every((text) => isRightByScure(text.split(' ')))).toBe(true);
    expect(asked.length).toBeLessThan((12 * 2048) / 10);
    expect(completeSeedWords(ABOUT.replace('about', '?'), { most: 1, matches: () => false })).toEqual([]);
  });

  test('in at most a few seconds, if the place is unknown among 24', () => {
    const words = 'abandon '.repeat(23);
    const start = performance.now();
    const found = completeSeedWords(words, { most: 100_000 });
    expect(performance.now() - start).toBeLessThan(10_000);
    expect(found.length).toBeGreaterThan(100);
  });
});

describe('a phrase is not completed', () => {
  test.each([
    [LEGAL, 'words/gaps', { gaps: 0 }],
    [LEGAL.replace('winner', '?').replace('useful', 'usefull'), 'words/gaps', { gaps: 2 }],
    [LEGAL.replace('legal winner', '?'), 'words/gaps', { gaps: 2 }],
    [LEGAL.replace('legal winner ', ''), 'words/count', { count: 10 }],
    [`${LEGAL} legal`, 'words/count', { count: 13 }],
    ['', 'words/count', { count: 0 }],
  ] as const)('from %j', (text, code, data) => {
    expectRefusal(() => completeSeedWords(text, { most: 1 }), code, data);
    expect(refusalOf(() => completeSeedWords(text, { most: 1 })).message).not.toMatch(/legal|usefull|sausage/);
  });

  test('by a list of another size', () => {
    const wordlist = english.slice(1);
    expect(refusalOf(() => completeSeedWords(LEGAL, { most: 1, wordlist })).code).toBe('argument/invalid');
  });

  test.each([0, 1.5, Number.NaN])('to %s phrases', (most) => {
    expect(refusalOf(() => completeSeedWords(LEGAL, { most })).code).toBe('argument/invalid');
  });
});
