import { entropyToMnemonic, mnemonicToEntropy } from '@scure/bip39';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  english,
  findLastWords,
  parseSeedWords,
  seedOfWords,
  wordsFromEntropy,
} from '../../../src/core/keys/seedWords.ts';
import { formatHex } from '../../support/library.ts';
import { expectRefusal, refusalOf } from '../../support/refusal.ts';

const ABOUT = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about';

describe('seed words', () => {
  test('give the seed that BIP39 lists, with the passphrase TREZOR', () => {
    expect(formatHex(seedOfWords(ABOUT, { passphrase: 'TREZOR' }))).toBe(
      'c55257c360c07c72029aebc1b53c05ed0362ada38ead3e3e9efa3708e53495531f09a6987599d18264c1e1c92f2cf141630c7a3c4ab7c81b2f001698e7463b04',
    );
  });

  test.each([
    ABOUT.toUpperCase(),
    `  ${ABOUT.replaceAll(' ', '\n')}\n`,
    ABOUT.replaceAll(' ', ', '),
    ABOUT.split(' ')
      .map((word, i) => `${i + 1}. ${word}`)
      .join('\n'),
    ABOUT.split(' ')
      .map((word, i) => `${i + 1}) ${word}`)
      .join(' '),
    ABOUT.split(' ')
      .map((word, i) => `${i + 1}- ${word}`)
      .join('\n'),
    ABOUT.split(' ')
      .map((word, i) => `#${i + 1}: “${word}”`)
      .join('\n'),
    JSON.stringify(ABOUT.split(' ')),
    `'${ABOUT}'.`,
    ABOUT.replaceAll(' ', '-'),
    ABOUT.replaceAll(' ', '\u3000'),
    ABOUT.replaceAll('abandon', 'aban').replace('about', 'abou'),
    `${'0000'.repeat(11)}0003`,
    `${'0000 '.repeat(11)}0003\n`,
  ])('are read in any case and spacing, quoted, and from a list', (text) => {
    expect(parseSeedWords(text)).toEqual(ABOUT.split(' '));
  });

  test('are refused with the positions of unknown words, never the words', () => {
    const text = ABOUT.replace('about', 'abuot').replace('abandon', 'abandonn');
    expectRefusal(() => parseSeedWords(text), 'words/unknown', { positions: '1, 12' });
    expect(refusalOf(() => parseSeedWords(text)).message).not.toMatch(/aband|abuot/);
  });

  test('are refused if their number or checksum is wrong', () => {
    expectRefusal(() => parseSeedWords(ABOUT.slice(8)), 'words/count', { count: 11 });
    expectRefusal(() => parseSeedWords(''), 'words/count', { count: 0 });
    expectRefusal(() => parseSeedWords(ABOUT.replace('about', 'abandon')), 'words/checksum', {});
    const swapped = ABOUT.split(' ').reverse().join(' ');
    expectRefusal(() => parseSeedWords(swapped), 'words/checksum', {});
  });

  test('may be cut to any number of letters from four, as each word then stays the only one', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        fc.integer({ min: 4, max: 8 }),
        (entropy, letters) => {
          const words = entropyToMnemonic(entropy, [...english]).split(' ');
          expect(parseSeedWords(words.map((word) => word.slice(0, letters)).join(' '))).toEqual(words);
          const digits = words.map((word) => `${english.indexOf(word)}`.padStart(4, '0')).join('');
          expect(parseSeedWords(digits)).toEqual(words);
        },
      ),
    );
  });

  test('are refused with three letters, or if a SeedQR has a place beyond the list', () => {
    expectRefusal(() => parseSeedWords(ABOUT.replace('about', 'abo')), 'words/unknown', { positions: '12' });
    expectRefusal(() => parseSeedWords(`${'0000'.repeat(11)}2048`), 'words/count', { count: 0 });
  });

  // Seeds of Electrum 4, standard, segwit, and with a second factor.
  test.each([
    'cycle rocket west magnet parrot shuffle foot correct salt library feed song',
    'wild father tree among universe such mobile favorite target dynamic credit identify',
    'science dawn member doll dutch real can brick knife deny drive list',
  ])('of Electrum are named', (text) => {
    expectRefusal(() => parseSeedWords(text), 'words/electrum', {});
  });

  test('of another language are named', () => {
    const spanish = `${'ábaco '.repeat(11)}abierto`;
    expect(refusalOf(() => parseSeedWords(spanish)).message).toMatch(
      /not in the English word list, the only one built in$/,
    );
  });

  test('are made of entropy, and give it back', () => {
    const sizes = fc
      .constantFrom(16, 20, 24, 28, 32)
      .chain((size) => fc.noBias(fc.uint8Array({ minLength: size, maxLength: size })));
    fc.assert(
      fc.property(sizes, (entropy) => {
        const words = wordsFromEntropy(entropy);
        expect(mnemonicToEntropy(words, [...english])).toEqual(entropy);
        expect(parseSeedWords(words).join(' ')).toBe(words);
      }),
    );
    for (const wrong of [new Uint8Array(17), new Uint8Array(0), '00'.repeat(16) as never]) {
      expect(refusalOf(() => wordsFromEntropy(wrong)).code).toBe('argument/invalid');
    }
    expect(refusalOf(() => wordsFromEntropy(new Uint8Array(16))).message).toBe(
      'The entropy is not valid: it has a pattern, 32 of 32 hex digits are the same: take fresh random bytes',
    );
  });

  test('log as [secret]', () => {
    expect(JSON.stringify({ seed: seedOfWords(ABOUT) })).toBe('{"seed":"[secret]"}');
  });
});

test.each([
  [11, 128],
  [14, 64],
  [17, 32],
  [20, 16],
  [23, 8],
])('%i words have %i last words, in the order of the list', (count, all) => {
  const words = Array.from({ length: count }, (_, i) => (i % 2 === 0 ? 'zoo' : 'abandon'));
  const last = findLastWords(words, 1000);
  expect(new Set(last).size).toBe(all);
  expect([...last].sort()).toEqual(last);
  for (const word of last) expect(parseSeedWords([...words, word].join(' '))).toHaveLength(count + 1);
  expect(findLastWords(words, 3)).toEqual(last.slice(0, 3));
});
