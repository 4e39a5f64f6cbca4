import { beforeAll, describe, expect, test } from 'vitest';
import { withAnnotations } from '../../../../src/core/descriptors/annotations.ts';
import { accountFromWords, buildPsbt, signWith, silentPaymentsFromWords } from '../../../../src/kit/account/index.ts';
import { startRegtest } from '../../../../src/shell/regtest/index.ts';
import { type RunInput, run } from '../../../support/io.ts';
import { temporaryPaths } from '../../../support/temporary.ts';

const WORDS = `${'abandon '.repeat(11)}about`;
const me = silentPaymentsFromWords(WORDS, { network: 'regtest' });
const sender = accountFromWords(WORDS, { network: 'regtest' });
const chain = startRegtest();
const newPath = temporaryPaths();
const directory = newPath();
const FILES = { words: WORDS, watching: me.descriptor(), wallet: sender.receive(0).address };

const rpc = async (...args: readonly string[]) =>
  (await run([...args, '--network', 'regtest', '--wallet-dir', directory])).out.trim();
const coins = (args: readonly string[], world: RunInput = {}) =>
  run(['coins', '--network', 'regtest', ...args], { files: FILES, ...world });
const IN = ['--wallet-dir', directory];

/** Feeds the blocks of the chain that are new to the directory. */
async function feed(): Promise<number> {
  const height = chain.rpc.call('getblockcount');
  for (let next = Number(await rpc('getblockcount')) + 1; next <= height; next += 1) {
    expect(
      await rpc('submitblock', String(chain.rpc.call('getblock', [chain.rpc.call('getblockhash', [next]), 0]))),
    ).toBe('null');
  }
  return height;
}

let paid = 0;
beforeAll(async () => {
  chain.mine(1);
  const coin = { ...chain.fund(sender.receive(0).address, 200_000n), value: 200_000n, from: sender.receive(0) };
  const sameReceiver = [me.address(), me.address(7)];
  const outputs = sameReceiver.map((to, i) => ({ to, value: 50_000n + BigInt(i) }));
  const payment = buildPsbt({ inputs: [coin], outputs, change: sender.change(0), feeRate: 2, sameReceiver });
  const { hex = '' } = signWith(sender, payment, { sameReceiver });
  chain.rpc.call('sendrawtransaction', [hex]);
  chain.mine();
  paid = await feed();
});

describe('countersign coins', () => {
  test('lists those of seed words, and of a descriptor that only finds them', async () => {
    const { code, out, error } = await coins(['--seed-file', 'words', ...IN]);
    expect([code, error]).toEqual([0, `2 coins, 0.00100001 BTC\nsearched blocks 1 to ${paid}\n`]);
    expect(out.split('\n').sort()).toEqual(
      [
        '',
        expect.stringMatching(new RegExp(`^[0-9a-f]{64}:\\d  0.00050000  block ${paid}$`)),
        expect.stringMatching(new RegExp(`^[0-9a-f]{64}:\\d  0.00050001  block ${paid}  label 7$`)),
      ].sort(),
    );
    expect((await coins(['watching', ...IN, '--start', String(paid)])).out).toBe(out);
    const annotated = withAnnotations(me.descriptor(), { birthHeight: paid, maxLabel: 100 });
    const born = await coins(['annotated', ...IN], { files: { ...FILES, annotated } });
    expect([born.out, born.error]).toEqual([out, error.replace('blocks 1 to', `blocks ${paid} to`)]);
    const later = withAnnotations(me.descriptor(), { birthHeight: 0 });
    expect(await coins(['annotated', ...IN], { files: { ...FILES, annotated: later } })).toMatchObject({ out, error });
    expect((await coins(['watching', ...IN, '--labels', '6'])).out).not.toContain('label');
    const other = await coins(['--seed-file', 'words', '--account', '1', ...IN]);
    expect([other.code, other.out]).toEqual([0, '']);
  });

  test('sends all of them elsewhere', async () => {
    const { address } = sender.receive(1);
    const { out: psbt } = await coins(['watching', ...IN, '--sweep-to', address, '--fee-rate', '2']);
    const files = { ...FILES, spending: me.descriptor({ isPrivate: true }), 'sweep.psbt': psbt };
    const review = (name: string) =>
      run(['review', 'sweep.psbt', '--network', 'regtest', '--descriptors-file', name], { files });
    expect((await review('watching')).out).toContain('yours (silent payments)');
    const bySpendKey = await run(['sign', '-', '--network', 'regtest', '--descriptors-file', 'spending', '--yes'], {
      files,
      stdin: psbt,
    });
    expect(bySpendKey.code).toBe(0);
    expect(
      (await run(['sign', '-', '--network', 'main', '--descriptors-file', 'watching', '--yes'], { files, stdin: psbt }))
        .error,
    ).toMatch(/--descriptors-file: watching: .*is for testnet3 .*, not for main/);
    const signed = await run(['sign', '-', '--network', 'regtest', '--seed-file', 'words', '--yes'], {
      files: FILES,
      stdin: psbt,
    });
    expect(signed.code).toBe(0);
    expect(signed.out).toBe(bySpendKey.out);
    chain.rpc.call('sendrawtransaction', [signed.out.trim()]);
    chain.mine();
    await feed();
    expect((await coins(['watching', ...IN, '--json'])).out.trim()).toBe('[]');
    expect(await coins(['watching', ...IN, '--sweep-to', address, '--fee-rate', '2'])).toMatchObject({
      code: 1,
      error: 'error: there are no coins to send\n',
    });
  });

  test.each([
    ['without blocks', ['watching'], 'coins needs the blocks'],
    [
      'of a wallet of another kind',
      ['wpkh(02e493dbf1c10d80f3581e4904930b1404cc6c13900ee0758474fa94abe8c4cd13)', ...IN],
      'give an sp() descriptor or seed words',
    ],
    ['beyond the chain', ['watching', ...IN, '--start', '9999'], 'there is no block 9999'],
    ['with a misspelt number', ['watching', ...IN, '--labels', 'x'], '--labels must be a number'],
    [
      'in a directory that is not there',
      ['watching', '--wallet-dir', newPath()],
      '--wallet-dir: there is no such directory',
    ],
    [
      'to an address of another network',
      ['watching', ...IN, '--fee-rate', '1', '--sweep-to', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'],
      'is of main, not of regtest',
    ],
    [
      'to a private key',
      ['watching', ...IN, '--fee-rate', '1', '--sweep-to', me.descriptor()],
      '--sweep-to: this is not a valid address',
    ],
    [
      'at no fee rate',
      ['watching', ...IN, '--fee-rate', '0', '--sweep-to', sender.receive(0).address],
      '--fee-rate must be',
    ],
    [
      'at a high fee rate',
      ['watching', ...IN, '--fee-rate', '1001', '--sweep-to', sender.receive(0).address],
      '--fee-rate must be',
    ],
    [
      'as JSON and as a PSBT',
      ['watching', ...IN, '--json', '--sweep-to', 'x', '--fee-rate', '1'],
      '--json contradicts',
    ],
    ['without a fee rate', ['watching', ...IN, '--sweep-to', sender.receive(0).address], '--sweep-to needs --fee-rate'],
    ['with a fee rate for nothing', ['watching', ...IN, '--fee-rate', '1'], '--fee-rate needs --sweep-to'],
  ])('refuses a call %s', async (_, args, text) => {
    const { code, out, error } = await coins(args);
    expect([code, out]).toEqual([1, '']);
    expect(error).toContain(text);
    expect(error).not.toMatch(/abandon|spscan/);
  });
});
