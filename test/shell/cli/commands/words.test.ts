import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { english, wordsOfEntropy } from '../../../../src/core/keys/seedWords.ts';
import { accountFromWords } from '../../../../src/kit/account/index.ts';
import { type RunInput, run } from '../../../support/io.ts';

const ELEVEN = 'abandon '.repeat(11);
const WORDS = `${ELEVEN}about`;
/** A vector of BIP39. */
const LONG =
  'void come effort suffer camp survey warrior heavy shoot primary clutch crush open amazing screen patrol group space point ten exist slush involve unfold';
const LOST = LONG.replace('warrior', '?');
const check = (seed: string, args: readonly string[] = [], { files, ...world }: RunInput = {}) =>
  run(['words', '--seed-file', 'seed', ...args], { files: { seed, ...files }, ...world });
const candidatesIn = (out: string): readonly string[] => out.match(/^word \d+: [a-z]+$/gm) ?? [];

describe('countersign words', () => {
  test.each([
    [WORDS, '12 words, checksum right: fingerprint 73c5da0a\n'],
    [WORDS.toUpperCase().replaceAll(' ', '\n'), '12 words, checksum right: fingerprint 73c5da0a\n'],
    [`${'0000'.repeat(11)}0003`, '12 words, checksum right: fingerprint 73c5da0a\n'],
    [
      'cycle rocket west magnet parrot shuffle foot correct salt library feed song',
      '12 words of Electrum (standard), checksum right: fingerprint 48adc7a0\n',
    ],
    ['ms10testsxxxxxxxxxxxxxxxxxxxxxxxxxx4nzvca9cmczlw', 'codex32, checksum right: fingerprint 3f3521a6\n'],
  ])('says that a right seed is right, %#', async (seed, said) => {
    expect(await check(seed)).toEqual({ code: 0, out: said, error: '' });
  });

  test('compares a right seed with a fingerprint and an address, with its passphrase', async () => {
    const files = { secret: 'TREZOR\n' };
    const { address } = accountFromWords(WORDS, { passphrase: 'TREZOR', purpose: 49 }).receive(19);
    const args = ['--passphrase-file', 'secret', '--fingerprint', 'b4e3f5ed', '--address', address];
    const { code, out } = await check(WORDS, args, { files });
    expect([code, out]).toEqual([0, expect.stringContaining(': fingerprint b4e3f5ed, with the passphrase\n')]);
    expect(out).toContain('This seed has the fingerprint b4e3f5ed and the address among the first 20 receive');
    const beyond = accountFromWords(WORDS).receive(20).address;
    const other = await check(WORDS, ['--address', beyond]);
    expect([other.code, other.out]).toEqual([2, expect.stringContaining('This seed does not have the address among')]);
  });

  test('names each wrong word by its number, with the words near it', async () => {
    const { code, out, error } = await check(`abandn abuot xqxqxq ${'abandon '.repeat(9)}`);
    expect([code, error]).toEqual([2, '']);
    expect(out).toBe(
      'word 1: not in the list; did you mean abandon?\nword 2: not in the list; did you mean about?\nword 3: not in the list\nOnly one word can be found, but 3 are missing or unknown: look for the others\n',
    );
  });

  test('says that a codex32 string is wrong', async () => {
    const { code, out } = await check('ms10testsxxxxxxxxxxxxxxxxxxxxxxxxxx4nzvca9cmczlx');
    expect([code, out]).toEqual([2, expect.stringContaining('its checksum does not match')]);
  });

  test('advises a question mark where only the checksum is wrong', async () => {
    const { code, out } = await check(`${ELEVEN}zoo`);
    expect([code, out]).toEqual([2, expect.stringMatching(/checksum .*does not match[\s\S]*put a question mark/)]);
  });

  test('lists the words for one that is wrong, the nearest first, at most 20 without --all', async () => {
    const { code, out } = await check(`${ELEVEN}abuot`);
    expect(code).toBe(2);
    expect(out).toContain('\n128 candidates with a right checksum\nword 12: about\n');
    expect(out).toContain('\nand 108 more, which --all lists');
    expect(candidatesIn(out)).toHaveLength(20);
    expect(candidatesIn((await check(`${ELEVEN}abuot`, ['--all'])).out)).toHaveLength(128);
    const short = await check(ELEVEN);
    expect(short.out).toMatch(/not 11\n\d{4} candidates [\s\S]*\nPut "\?" in the place of the missing word/);
  });

  test('finds a lost word by the fingerprint or an address', async () => {
    const { out: right } = await check(LONG);
    const fingerprint = /[0-9a-f]{8}$/.exec(right.trim())?.[0] ?? '';
    const { address } = accountFromWords(LONG, { purpose: 86 }).receive(7);
    for (const args of [
      ['--fingerprint', fingerprint.toUpperCase()],
      ['--address', address],
    ]) {
      const { code, out } = await check(LOST, args);
      expect(code).toBe(2);
      expect(out).toMatch(/^word 7: not given\n\d+ candidates with a right checksum\n1 of them has the /);
      expect(candidatesIn(out)).toEqual(['word 7: warrior']);
    }
    const none = await check(LOST, ['--fingerprint', '00000000']);
    expect([none.code, candidatesIn(none.out)]).toEqual([2, []]);
    expect(none.out).toContain('none of them has the fingerprint 00000000\n');
  });

  test('always lists the word that was there', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 16, maxLength: 16 }), fc.nat(11), async (entropy, at) => {
        const words = wordsOfEntropy(entropy).split(' ');
        const { out } = await check(words.map((word, i) => (i === at ? '?' : word)).join(' '), ['--all']);
        expect(candidatesIn(out)).toContain(`word ${at + 1}: ${words[at]}`);
        for (const line of candidatesIn(out)) expect(english).toContain(line.split(' ')[2]);
      }),
      { numRuns: 10 },
    );
  });

  test('asks for the words, and for the passphrase only when it is needed', async () => {
    const typed = await run(['words'], { typed: [WORDS, 'TREZOR'] });
    expect([typed.code, typed.out]).toEqual([0, expect.stringContaining('b4e3f5ed, with the passphrase')]);
    expect(typed.error).not.toMatch(/abandon|TREZOR/);
    const wrong = await run(['words'], { typed: [LOST] });
    expect(wrong.error).toBe('Seed words, separated by spaces, "?" for a missing one (not shown): \n');
  });

  test.each([
    ['KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn', [], 'words takes seed words, and these are other keys'],
    ['hello', ['--fingerprint', '73c5da'], '--fingerprint takes 8 hex digits'],
    ['hello', ['--address', 'bc1q'], '--address: '],
    ['[1]', [], 'The text is not a key'],
    ['legal ? thank ? wave', [], '2 words are missing, and only one can be found'],
    [WORDS, ['other'], 'words takes no file: give one with --seed-file'],
  ])('refuses %#', async (seed, args, reason) => {
    const { code, out, error } = await check(seed, args);
    expect([code, out]).toEqual([1, '']);
    expect(error).toContain(reason);
  });

  test('needs a terminal or a file', async () => {
    const { code, error } = await run(['words']);
    expect([code, error]).toEqual([1, expect.stringContaining('no terminal to ask for the words on: use --seed-file')]);
  });
});
