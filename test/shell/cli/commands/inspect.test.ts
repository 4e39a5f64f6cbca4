import { describe, expect, test } from 'vitest';
import { type RunInput, run } from '../../../support/io.ts';
import {
  createRpc,
  encodePsbt,
  encodeTransaction,
  formatBase64,
  formatHex,
  unsignedTransaction,
} from '../../../support/library.ts';
import { ALICE, payment } from '../../../support/psbts.ts';

const PSBT = encodePsbt(payment(['wpkh']));
const TX = encodeTransaction(unsignedTransaction(payment(['wpkh'])));
const DESCRIPTOR = `wpkh(${ALICE.xpub('m/84h/1h/0h')}/0/*)`;
const WORDS = `${'abandon '.repeat(11)}about`;
const FILES = {
  'a.psbt': PSBT,
  'a.txn': formatHex(TX),
  'a.bin': TX,
  'a.json': JSON.stringify({ hex: formatHex(TX), complete: true }),
  descriptor: `${DESCRIPTOR}\n`,
  script: '6a',
  words: WORDS,
};
const inspect = (args: readonly string[], world: RunInput = {}) =>
  run(['inspect', '--network', 'regtest', ...args], { files: FILES, ...world });
const rpc = createRpc({ network: 'regtest' });

describe('countersign inspect', () => {
  test('finds out what a file is, and prints what a node says of it', async () => {
    const decoded = rpc.call('decoderawtransaction', [formatHex(TX)]);
    const expected = {
      'a.psbt': ['a PSBT', rpc.call('decodepsbt', [formatBase64(PSBT)])],
      'a.txn': ['a transaction', decoded],
      'a.bin': ['a transaction', decoded],
      'a.json': ['a transaction', decoded],
      descriptor: ['a descriptor', rpc.call('getdescriptorinfo', [DESCRIPTOR])],
      script: ['a script', rpc.call('decodescript', ['6a'])],
    };
    for (const [name, [kind, answer]] of Object.entries(expected)) {
      const { code, out, error } = await inspect([name]);
      expect([name, code, error]).toEqual([name, 0, `${name}: ${kind}\n`]);
      expect(out).toContain('\n  "');
      expect(JSON.parse(out)).toEqual(JSON.parse(JSON.stringify(answer)));
      const line = await inspect([name, '--json']);
      expect(line.out.trimEnd()).not.toContain('\n');
    }
  });

  test('reads arguments and standard input', async () => {
    const { out } = await inspect(['a.psbt']);
    expect((await inspect([formatBase64(PSBT)])).out).toBe(out);
    expect((await inspect(['-'], { stdin: PSBT })).out).toBe(out);
  });

  test.each([
    ['words', 'error: words is seed words; commands that sign take them with --seed-file\n'],
    ['damaged', /^error: damaged: [^\n]+\n$/],
    ['noise', 'error: noise is not a PSBT, transaction, script, descriptor or wallet file\n'],
    ['a', 'error: cannot read a: no such file\n'],
  ])('refuses %s with one line', async (name, text) => {
    const { code, out, error } = await inspect([name], {
      files: { ...FILES, damaged: PSBT.slice(0, 60), noise: Uint8Array.of(0xff, 0xfe, 1) },
    });
    expect([code, out]).toEqual([1, '']);
    if (typeof text === 'string') expect(error).toBe(text);
    else expect(error).toMatch(text);
  });

  test('never shows a private key or seed in hex', async () => {
    const key = 'd3'.repeat(32);
    const files = { key, both: JSON.stringify({ hex: key }), seed: 'd3'.repeat(64), entropy: 'd3'.repeat(16) };
    for (const name of Object.keys(files)) {
      const { code, out, error } = await inspect([name], { files });
      expect([code, out]).toEqual([1, '']);
      expect(error).toMatch(
        /^error: \w+ is (?:hex of a hash.* or of a key or seed|JSON whose "hex" is not a transaction)/,
      );
    }
  });

  test.each([12, 15, 18, 21, 24])(
    'names a SeedQR of %i words, however it is written, and shows no digit',
    async (count) => {
      const groups = Array.from({ length: count }, (_, i) => String((i * 409) % 2048).padStart(4, '0'));
      const digits = groups.join('');
      const whole = { plain: digits, spaced: groups.join(' '), quoted: `"${digits}"`, lines: groups.join('\n') };
      const files: Record<string, string> = whole;
      for (const name of Object.keys(files)) {
        for (const command of ['inspect', 'qr']) {
          const { code, out, error } = await run([command, name], { files });
          expect([code, out, error]).toEqual([
            1,
            '',
            `error: ${name} is a SeedQR, which stands for seed words; commands that sign take it with --seed-file\n`,
          ]);
        }
      }
      const damaged = {
        cut: digits.slice(0, -2),
        wrong: `${digits.slice(0, -4)}2999`,
        numbers: groups.map(Number).join(' '),
      };
      for (const name of Object.keys(damaged)) {
        const { code, out, error } = await inspect([name], { files: damaged });
        expect([code, out]).toEqual([1, '']);
        expect(error).toMatch(
          /^error: \w+ (?:is numbers like those of seed words|is hex of a hash.* or of a key or seed|is JSON)/,
        );
      }
    },
  );

  test('shows a script and a public key that have nothing but decimal digits', async () => {
    const files = { program: `0014${'12'.repeat(20)}`, key: `pkh(02${'01'.repeat(32)})` };
    for (const name of Object.keys(files)) expect((await inspect([name], { files })).code).toBe(0);
  });

  test('takes no script longer than Core does', async () => {
    const files = { most: '51'.repeat(10_000), more: '51'.repeat(10_001) };
    expect((await inspect(['most'], { files })).error).toBe('most: a script\n');
    expect((await inspect(['more'], { files })).error).toBe('error: more is hex, but not of a PSBT or a transaction\n');
  });

  test('prints no seed words and no escapes for the terminal that a wallet file or its name holds', async () => {
    const walletOf = (label: string): string => JSON.stringify({ label, blockheight: 0, descriptor: DESCRIPTOR });
    const name = 'a\u001b[2J\n.json';
    const files = { [name]: walletOf('a\u009b31m\u202eb'), words: walletOf(WORDS) };
    const { code, out, error } = await inspect([name], { files });
    expect([code, error]).toEqual([0, 'a?[2J?.json: a wallet file (Specter wallet file)\n']);
    expect(out).toContain('"name": "a\\u009b31m\\u202eb"');
    expect(JSON.parse(out).name).toBe('a\u009b31m\u202eb');
    expect(JSON.parse((await inspect(['words'], { files })).out).name).toBe('...');
  });
});
