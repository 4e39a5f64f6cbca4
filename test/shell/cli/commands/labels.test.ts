import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { run } from '../../../support/io.ts';
import { temporaryDirectory } from '../../../support/temporary.ts';

const directory = temporaryDirectory();
const AT = ['--network', 'regtest', '--dialect', 'core-32', '--wallet-dir', directory];
const labels = (args: readonly string[], file?: string) =>
  run(['labels', ...args, ...AT], { files: { ...(file !== undefined && { 'labels.jsonl': file }) } });

test('labels writes those of a wallet, and reads a file of them', async () => {
  await run(['createwallet', 'w', ...AT]);
  const address = (await run(['getnewaddress', ...AT])).out.trim();
  const line = (label: string): string => `{"type":"addr","ref":"${address}","label":"${label}"}\n`;
  expect(await labels([])).toEqual({ code: 0, out: '', error: '' });

  const foreign = line('x').replace(address, 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080');
  expect(await labels(['labels.jsonl'], `${line('Rent')}${foreign}`)).toEqual({
    code: 0,
    out: '',
    error: '1 label written, 0 conflicts; 1 record not of this wallet, or that a node cannot keep\n',
  });
  expect((await labels([])).out).toBe(line('Rent'));

  const conflict = await labels(['labels.jsonl'], line('Flat'));
  expect(conflict.error).toBe(
    `conflict: addr ${address} has another label in the wallet, or twice in the file, which was kept\n0 labels written, 1 conflict\n`,
  );
  expect((await labels([])).out).toBe(line('Rent'));
  await labels(['labels.jsonl', '--overwrite'], line('Flat'));
  expect((await labels([])).out).toBe(line('Flat'));

  expect(await labels(['labels.jsonl'], `${line('Rent')}{"type":"xpub"}`)).toMatchObject({
    code: 1,
    error: 'error: Line 2 of the label file lacks "type" or "ref" as text\n',
  });
  expect((await labels([])).out).toBe(line('Flat'));
});

test('a conflict names a coin and an address, and no secret', async () => {
  await run(['createwallet', 'w', ...AT]);
  const conflicting = (type: string, ref: string): string =>
    ['a', 'b'].map((label) => `${JSON.stringify({ type, ref, label })}\n`).join('');
  const coin = `${'1f3a'.repeat(16)}:0`;
  const shown = async (type: string, ref: string): Promise<string> =>
    (await labels(['labels.jsonl'], conflicting(type, ref))).error.split(' has another')[0] ?? '';
  expect(await shown('output', coin)).toBe(`conflict: output ${coin}`);
  expect(await shown('addr', 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080')).toMatch(/ bcrt1qw508d6qej\w+$/);
  for (const [type, secret] of [
    ['addr', 'ms10testsxxxxxxxxxxxxxxxxxxxxxxxxxx4nzvca9cmczlw'],
    ['key', '1f3a'.repeat(16)],
    ['words', 'abandon ability able about above absent absorb abstract absurd abuse access accident'],
  ] as const) {
    expect(await shown(type, secret)).toBe(`conflict: ${type} ...`);
  }
});

test.each([
  [['labels'], 'labels needs the wallet: pass --wallet-dir or --wallet-store'],
  [['labels', 'a', 'b', ...AT], 'labels takes one file'],
  [['labels', '--overwrite', ...AT], '--overwrite needs a file with labels'],
  [['labels', '--wallet-dir', 'mistyped'], '--wallet-dir: there is no such directory'],
  [['labels', 'mistyped', ...AT], 'cannot read mistyped: no such file'],
  [['labels', '--rpcwallet', 'mistyped', ...AT], 'Requested wallet does not exist or is not loaded'],
])('%j is refused', async (args, reason) => {
  expect(await run(args)).toEqual({ code: 1, out: '', error: `error: ${reason}\n` });
  expect(existsSync('mistyped')).toBe(false);
});
