import { entropyToMnemonic } from '@scure/bip39';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isElectrumAndBip39Seed,
  masterOfElectrumSeed,
  parseElectrumSeed,
} from '../../../src/core/keys/electrumSeed.ts';
import { normalizeElectrum } from '../../../src/core/keys/electrumVersion.ts';
import { english, parseSeedWords } from '../../../src/core/keys/seedWords.ts';
import vectors from '../../../vectors/electrum-seeds.json' with { type: 'json' };
import { derivePath, formatAddress, formatXprv, hash160, masterKey, parseHex } from '../../support/library.ts';
import { expectRefusal, refusalOf } from '../../support/refusal.ts';

const STANDARD = 'cycle rocket west magnet parrot shuffle foot correct salt library feed song';
const SEGWIT = 'bitter grass shiver impose acquire brush forget axis eager alone wine silver';
const HARDENED = 0x8000_0000;

const scriptOf = (isSegwit: boolean, publicKey: Uint8Array): Uint8Array => {
  const hash = hash160(publicKey);
  return Uint8Array.from(isSegwit ? [0, 20, ...hash] : [0x76, 0xa9, 20, ...hash, 0x88, 0xac]);
};

const firstAddresses = (words: string, passphrase?: string): readonly (string | undefined)[] => {
  const isSegwit = parseElectrumSeed(words)?.type === 'segwit';
  const master = masterOfElectrumSeed(words, passphrase === undefined ? {} : { passphrase });
  return [0, 1].map((branch) => {
    const key = derivePath(master, [...(isSegwit ? [HARDENED] : []), branch, 0]);
    return formatAddress(scriptOf(isSegwit, key.publicKey), 'main');
  });
};

describe('seeds of Electrum', () => {
  test('have vectors', () => {
    expect([vectors.seeds.length, vectors.kinds.length]).toEqual([10, 24]);
  });

  test.each(vectors.seeds)('give the seed that Electrum derives: $name', ({ words, passphrase, type, seed }) => {
    expect(parseElectrumSeed(words)).toMatchObject({ type });
    expect(masterOfElectrumSeed(words, { passphrase })).toEqual(masterKey(parseHex(seed)));
  });

  // Electrum's cheat sheets of two words are for its developers; seeds of before 2.0 have words of another list.
  test.each(vectors.kinds)('%j is of type %s', (words = '', type = '') => {
    const isSeed = words.trim().split(/\s+/).length >= 12 && type !== 'old';
    expect(parseElectrumSeed(words)?.type).toBe(isSeed && type !== '' ? type.replace('_', '-') : undefined);
  });

  const [horror = ''] = vectors.seeds
    .filter(({ name }) => name === 'japanese_with_passphrase')
    .map((one) => one.passphrase);

  test.each([
    [STANDARD, undefined, '1NNkttn1YvVGdqBW4PR6zvc3Zx3H5owKRf', '1KSezYMhAJMWqFbVFB2JshYg69UpmEXR4D'],
    [SEGWIT, undefined, 'bc1q3g5tmkmlvxryhh843v4dz026avatc0zzr6h3af', 'bc1qdy94n2q5qcp0kg7v9yzwe6wvfkhnvyzje7nx2p'],
    [SEGWIT, horror, 'bc1qx94dutas7ysn2my645cyttujrms5d9p57f6aam', 'bc1qcywwsy87sdp8vz5rfjh3sxdv6rt95kujdqq38g'],
  ])('have the first addresses of Electrum: %s', (words, passphrase, receiving, change) => {
    expect(firstAddresses(words, passphrase)).toEqual([receiving, change]);
  });

  test('give the master key that Electrum shows', () => {
    expect(formatXprv(masterOfElectrumSeed(STANDARD), 'main')).toBe(
      'xprv9s21ZrQH143K32jECVM729vWgGq4mUDJCk1ozqAStTphzQtCTuoFmFafNoG1g55iCnBTXUzz3zWnDb5CVLGiFvmaZjuazHDL8a81cPQ8KL6',
    );
  });

  test('are read in any case, from a list, cut to four letters, and in Chinese without spaces', () => {
    const words = STANDARD.split(' ');
    for (const text of [
      STANDARD.toUpperCase(),
      words.map((word, i) => `${i + 1}. ${word}`).join('\n'),
      words.map((word) => word.slice(0, 4)).join(' '),
      JSON.stringify(words),
    ]) {
      expect(parseElectrumSeed(text)).toEqual({ words, type: 'standard' });
    }
    const [chinese = ''] = vectors.seeds.filter(({ name }) => name === 'chinese').map((one) => one.words);
    expect(parseElectrumSeed(chinese.replaceAll(' ', ''))).toEqual(parseElectrumSeed(chinese));
  });

  test('with a second factor are refused with the way out', () => {
    const kinds = [
      ['kiss live scene rude gate step hip quarter bunker oxygen motor glove', '2fa'],
      ['universe topic remind silver february ranch shine worth innocent cattle enhance wise', '2fa-segwit'],
    ] as const;
    for (const [words, type] of kinds) {
      expect(parseElectrumSeed(words)?.type).toBe(type);
      expectRefusal(() => masterOfElectrumSeed(words), 'words/second-factor', {});
      expect(refusalOf(() => masterOfElectrumSeed(words)).message).toMatch(
        /with that factor disabled, and send the coins/,
      );
    }
  });

  test('are refused if a word is wrong, without the word', () => {
    const wrong = STANDARD.replace('rocket', 'rabbit');
    expect(parseElectrumSeed(wrong)).toBeUndefined();
    expectRefusal(() => masterOfElectrumSeed(wrong), 'words/checksum', {});
    expect(refusalOf(() => masterOfElectrumSeed(wrong)).message).not.toMatch(/rabbit|cycle/);
  });

  test('of before 2.0 are named as what they may be', () => {
    const old = 'powerful random nobody notice nothing important anyway look away hidden message over';
    expect(refusalOf(() => parseSeedWords(old)).message).toMatch(
      /A seed of Electrum before 2\.0 has other words: export/,
    );
    expect(parseElectrumSeed(old)).toBeUndefined();
    const longest = `${'zzzzz '.repeat(24)}`;
    expect(refusalOf(() => parseSeedWords(longest)).message).toMatch(/A seed of Electrum before 2\.0/);
  });
});

describe('words of both kinds', () => {
  test('are told, and are one of 200 phrases', () => {
    let both = 0;
    const count = 2000;
    for (let i = 0; i < count; i += 1) {
      const entropy = Uint8Array.from({ length: 16 }, (_, at) => ((i * 7919 + at * 104_729) >> (at % 5)) & 0xff);
      const words = entropyToMnemonic(entropy, [...english]);
      const type = parseElectrumSeed(words)?.type;
      expect(isElectrumAndBip39Seed(words)).toBe(type !== undefined);
      if (type !== undefined) both += 1;
    }
    expect(both).toBeGreaterThan(count / 500);
    expect(both).toBeLessThan(count / 80);
  });

  test.each([STANDARD, SEGWIT, 'abandon '.repeat(12), ''])('are not %j', (text) => {
    expect(isElectrumAndBip39Seed(text)).toBe(false);
  });
});

describe('the normalization of Electrum', () => {
  test.each([
    ['  A\u00e9\u3000b\tc ', 'ae b c'],
    ['か が', 'かか'],
    ['한 글 a 한', '한글 a 한'.normalize('NFKD')],
    ['e\u0345\u0334', 'e'],
    ['и\u0489', 'и\u0489'],
    ['', ''],
  ])('of %j is %j', (text, normalized) => {
    expect(normalizeElectrum(text)).toBe(normalized);
  });

  test('is stable', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        const once = normalizeElectrum(text);
        expect(normalizeElectrum(once)).toBe(once);
      }),
    );
  });
});
