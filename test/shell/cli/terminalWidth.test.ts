import { describe, expect, test } from 'vitest';
import { keyAt, quorumOf, STRANGER, single, spend, WORDS } from '../../support/holderPsbts.ts';
import { run } from '../../support/io.ts';
import { encodePsbt } from '../../support/library.ts';

const FAMILY = quorumOf(2, ['alice', 'bob', 'mallory']);
const FORGED = FAMILY.replace(keyAt('mallory', 'm/48h/0h/0h/2h'), keyAt('mallory', 'm/48h/0h/9h/2h'));
const MANY = Array.from({ length: 12 }, (_, index) => index);
const many = (of: string, to: string) =>
  encodePsbt(
    spend({
      coins: MANY.map((index) => ({ of, index })),
      outputs: [
        { script: STRANGER, value: 1_000_000n },
        ...MANY.slice(0, 3).map((index) => ({ of: to, chain: 1, index, value: 1_000_000n })),
        { of, chain: 1, value: 7_990_000n },
      ],
    }),
  );
const FILES = { words: WORDS.alice, family: FAMILY, forged: `${FAMILY}\n${FORGED}` };
/** What a person sees at a terminal of 80 columns. */
const watched = (args: readonly string[], psbt: Uint8Array) =>
  run(args, { files: { ...FILES, 'spend.psbt': psbt }, isTerminal: true, isWatched: true, typed: ['yes', 'yes'] });

describe('a terminal of 80 columns shows whole lines', () => {
  test.each([
    ['one key', single('alice'), single('bob'), []],
    ['a quorum', FAMILY, FAMILY, ['--descriptors-file', 'family']],
    ['a false wallet', FAMILY, FORGED, ['--descriptors-file', 'forged']],
  ])('of many inputs of %s, as it signs or refuses', async (_, of, to, more) => {
    const { error } = await watched(['sign', 'spend.psbt', '--seed-file', 'words', ...more], many(of, to));
    const lines = error.split('\n').map((line) => line.replace(/\u001b\[\d+m/g, ''));
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(lines.length).toBeGreaterThan(30);
  });

  test('and findings of the same text once, the worst first', async () => {
    const { error } = await watched(
      ['sign', 'spend.psbt', '--seed-file', 'words', '--descriptors-file', 'forged'],
      many(FAMILY, FORGED),
    );
    const text = error.replace(/\u001b\[\d+m/g, '').replace(/\s+/g, ' ');
    expect(text.match(/(?<!see )\[wallet-foreign/g)).toHaveLength(1);
    expect(text).toMatch(/\[wallet-foreign, also outputs? 2[^\]]*\]/);
    expect(text.indexOf('REFUSED: ')).toBeLessThan(text.indexOf('Warning: '));
  });
});
