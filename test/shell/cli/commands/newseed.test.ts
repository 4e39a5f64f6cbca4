import { createHash } from 'node:crypto';
import { entropyToMnemonic } from '@scure/bip39';
import { describe, expect, test } from 'vitest';
import { english } from '../../../../src/core/keys/seedWords.ts';
import { run } from '../../../support/io.ts';

/** 102 rolls of a die. */
const ROLLS = '354126512433615264415632156341262543165324416253613442516365124311652436254161532463512645312143625614';
const newseed = (args: readonly string[], text = '') => run(['newseed', ...args], { files: { own: text } });
const wordsOf = (hex: string): string => `${entropyToMnemonic(Buffer.from(hex, 'hex'), [...english])}\n`;

describe('countersign newseed', () => {
  test.each([
    [[], 24],
    [['--words', '12'], 12],
  ])('makes words of random numbers, with their fingerprint: %j', async (args, count) => {
    const { code, out, error } = await newseed(args);
    expect([code, out.trim().split(' ')]).toMatchObject([0, { length: count }]);
    const same = await run(['addresses', '--seed-file', 'words', '--count', '1'], { files: { words: out } });
    expect(same.code).toBe(0);
    expect(error).toMatch(/^master key: fingerprint [0-9a-f]{8}, without a passphrase\n$/);
  });

  test('makes words of dice as SHA-256 of the digits', async () => {
    const hash = createHash('sha256').update(ROLLS).digest('hex');
    const spaced = `${ROLLS.replaceAll('6', '6, ')}\n`;
    expect((await newseed(['--dice-file', 'own'], spaced)).out).toBe(wordsOf(hash));
    expect((await newseed(['--dice-file', 'own', '--words', '12'], spaced)).out).toBe(wordsOf(hash.slice(0, 32)));
    expect((await run(['newseed', '--dice-file', '-'], { stdin: ROLLS })).out).toBe(wordsOf(hash));
  });

  test('shows the fingerprint with a passphrase, which is typed twice', async () => {
    const own = createHash('sha256').update('passphrase').digest('hex').slice(0, 32);
    const world = { files: { own } };
    const args = ['newseed', '--words', '12', '--entropy-file', 'own', '--passphrase-prompt'];
    const { code, out, error } = await run(args, { ...world, typed: ['TREZOR', 'TREZUR', 'TREZOR', 'TREZOR'] });
    expect(code).toBe(0);
    const files = { words: out, secret: 'TREZOR' };
    const check = await run(['words', '--seed-file', 'words', '--passphrase-file', 'secret'], { files });
    const fingerprint = /fingerprint ([0-9a-f]{8}), with the passphrase\n$/.exec(check.out)?.[1];
    expect(error).toContain('The two passphrases differ.\n');
    expect(error.endsWith(`master key: fingerprint ${fingerprint}, with the passphrase\n`)).toBe(true);
    expect(error).not.toContain('TREZ');
  });

  test('makes words of entropy in hex', async () => {
    for (const [args, size] of [[['--words', '12'], 32] as const, [[], 64] as const]) {
      const digits = createHash('sha256').update('entropy').digest('hex').slice(0, size);
      expect((await newseed(['--entropy-file', 'own', ...args], digits)).out).toBe(wordsOf(digits));
    }
  });

  test.each([
    [['--words', '13'], '', '--words must be 12 or 24'],
    [['spend.psbt'], '', 'newseed takes no file'],
    [['--dice-file', 'own', '--entropy-file', 'own'], '', 'not both'],
    [['--dice-file', 'own'], ROLLS.slice(0, 98), 'holds 98 rolls, and 24 words need at least 99'],
    [['--dice-file', 'own', '--words', '12'], ROLLS.slice(0, 49), 'holds 49 rolls, and 12 words need at least 50'],
    [['--dice-file', 'own'], `${ROLLS}7`, 'must hold only the digits 1 to 6'],
    [['--dice-file', 'own'], ROLLS.repeat(100), 'holds 10200 rolls: give at most 10000'],
    [['--dice-file', 'own'], '1'.repeat(99), '--dice-file has a pattern, 99 of 99 rolls are the same: roll a die'],
    [['--dice-file', 'own'], '123456'.repeat(17), 'a pattern, 101 of 102 rolls follow from the one 1 before'],
    [['--dice-file', 'own'], ROLLS.replaceAll('6', '1'), 'a pattern, only 5 of 6 values occur in 102 rolls'],
    [
      ['--entropy-file', 'own'],
      '0'.repeat(64),
      '--entropy-file: The entropy is not valid: it has a pattern, 64 of 64 hex',
    ],
    [['--entropy-file', 'own', '--words', '12'], '5af1'.repeat(8), 'only 4 of 16 values occur in 32 hex digits'],
    [['--entropy-file', 'own'], '00'.repeat(16), 'must hold 64 hex digits, for 24 words'],
    [['--entropy-file', 'own'], 'zz'.repeat(32), 'must hold 64 hex digits'],
    [['--seed-file', 'own'], '', '--seed-file does not apply to newseed'],
  ])('refuses %j', async (args, text, reason) => {
    const { code, out, error } = await newseed(args, text);
    expect([code, out]).toEqual([1, '']);
    expect(error).toContain(reason);
    if (text !== '') expect(error).not.toContain(text.slice(0, 12));
  });
});
