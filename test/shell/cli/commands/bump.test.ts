import { describe, expect, test } from 'vitest';
import { accountFromWords, buildPsbt, reviewWith, signWith } from '../../../../src/kit/account/index.ts';
import { startRegtest } from '../../../../src/shell/regtest/index.ts';
import { type RunInput, run, runForFiles } from '../../../support/io.ts';
import { encodePsbt, formatPsbt, parsePsbt } from '../../../support/library.ts';

const WORDS = `${'abandon '.repeat(11)}about`;
const me = accountFromWords(WORDS, { network: 'regtest' });
const other = accountFromWords('legal winner thank year wave sausage worth useful legal winner thank yellow', {
  network: 'regtest',
});
const WATCHING =
  'wpkh([73c5da0a/84h/1h/0h]tpubDC8msFGeGuwnKG9Upg7DM2b4DaRqg3CUZa5g8v2SRQ6K4NSkxUgd7HsL2XVWbVm39yBA4LAxysQAm397zwQSQoQgewGiYZqrA9DsP4zbQ1M/<0;1>/*)';
/** The key of the generator. */
const FOREIGN = 'wpkh(0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798)';
const chain = startRegtest();
chain.mine(1);
const fund = (index: number, value: bigint) => {
  const from = me.receive(index);
  const outpoint = chain.fund(from.address, value);
  const hex = chain.rpc.call('getrawtransaction', [outpoint.txid, false, chain.rpc.call('getbestblockhash')]);
  return { coin: { ...outpoint, value, from }, hex: String(hex) };
};
const { coin, hex: paying } = fund(0, 100_000n);
const { coin: spare } = fund(1, 50_000n);

/** The payment of 60 000 sat at 2 sat/vB, unsigned and as it was sent. */
const unsigned = buildPsbt({
  inputs: [coin],
  outputs: { [other.receive(0).address]: 60_000n },
  change: me.change(0),
  feeRate: 2,
});
const sent = signWith(me, unsigned);
const sentId = chain.rpc.call('sendrawtransaction', [sent.hex ?? '']);
const accepts = (hex: string): unknown => JSON.parse(JSON.stringify(chain.rpc.call('testmempoolaccept', [[hex]])))[0];

const bump = (args: readonly string[], files: RunInput['files'] = {}) =>
  run(['bump', '--network', 'regtest', ...args], {
    files: {
      ...{ words: WORDS, wallet: WATCHING, foreign: FOREIGN },
      ...{ 'spend.psbt': encodePsbt(unsigned), 'signed.psbt': encodePsbt(sent.psbt), sent: sent.hex ?? '', paying },
      ...files,
    },
  });
const sign = async (psbt: string): Promise<string> => {
  const signed = await run(['sign', '-', '--network', 'regtest', '--seed-file', 'words', '--yes'], {
    files: { words: WORDS },
    stdin: psbt,
  });
  expect(signed.error).toContain('complete: ');
  return signed.out.trim();
};
const OWN = ['--descriptors-file', 'wallet', '--fee-rate', '20'];

describe('countersign bump', () => {
  test.each([
    ['an unsigned PSBT', ['spend.psbt']],
    ['a signed one', ['signed.psbt']],
    ['the transaction, with that which paid its coin', ['sent', '--tx-file', 'paying']],
  ])('replaces %s in the mempool', async (_, of) => {
    const { code, out, error } = await bump([...of, ...OWN]);
    expect([code, error]).toEqual([
      0,
      'replaces a fee of 282 sat, fee 0.0000282 BTC. Next: review it, then sign it (countersign sign FILE)\n',
    ]);
    expect(reviewWith(me, out)).toMatchObject({ fee: 2820n, outputs: [{ role: 'payment' }, { role: 'change' }] });
    expect(accepts(await sign(out))).toMatchObject({ allowed: true });
  });

  test('takes seed words for the wallet, or the change by its address alone', async () => {
    const bySeed = await bump(['spend.psbt', '--seed-file', 'words', '--fee-rate', '20']);
    const byAddress = await bump(['spend.psbt', '--change-to', me.change(0).address, '--fee-rate', '20']);
    expect([bySeed.code, byAddress.code]).toEqual([0, 0]);
    for (const { out } of [bySeed, byAddress]) expect(reviewWith(me, out).fee).toBe(2820n);
  });

  test('writes beside the PSBT, in its version', async () => {
    const { files, error } = await runForFiles(['bump', 'spend-signed.psbt', '--network', 'regtest', ...OWN], {
      files: { 'spend-signed.psbt': formatPsbt(sent.psbt), wallet: WATCHING },
      isTerminal: true,
    });
    expect(error).toContain('countersign sign spend-bumped.psbt');
    expect(Object.keys(files)).toEqual(['spend-bumped.psbt']);
    expect(parsePsbt(files['spend-bumped.psbt'] ?? '').global.unsignedTx).toBeDefined();
  });

  test('adds confirmed coins where the change does not suffice, and none that it replaces', async () => {
    const change = { txid: String(sentId), vout: 1, address: me.change(0).address, value: 39_718 };
    const unconfirmed = { ...listed(spare), txid: '44'.repeat(32), confirmations: 0 };
    const coins = (...list: readonly object[]) => ({ coins: JSON.stringify(list) });
    const args = ['spend.psbt', '--descriptors-file', 'wallet', '--fee-rate', '400', '--coins-file', 'coins'];
    expect(await bump(args, coins(change, unconfirmed, listed(coin)))).toMatchObject({
      code: 1,
      error: expect.stringContaining('the coins do not suffice beside the change: add coins, or choose a lower rate'),
    });
    const { code, out, error } = await bump(args, coins(change, unconfirmed, listed(coin), listed(spare)));
    expect([code, error]).toEqual([0, expect.stringMatching(/^replaces a fee of 282 sat with 1 more coin,/)]);
    expect(parsePsbt(out).inputs).toHaveLength(2);
    expect(accepts(await sign(out))).toMatchObject({ allowed: true });
  });

  test.each<[string, readonly string[], string]>([
    [
      'a rate that is not higher',
      ['spend.psbt', '--descriptors-file', 'wallet', '--fee-rate', '2'],
      '--fee-rate must be above the 2.000 sat/vB that the payment pays',
    ],
    ['an unknown change', ['spend.psbt', '--fee-rate', '20'], 'bump needs the change'],
    [
      'a change that is not there',
      ['spend.psbt', '--fee-rate', '20', '--change-to', other.receive(5).address],
      '--change-to: no output of the payment pays this address',
    ],
    [
      'the wallet of another',
      ['spend.psbt', '--descriptors-file', 'foreign', '--fee-rate', '20'],
      'no output is change of the wallet',
    ],
    [
      'a transaction without its coins',
      ['sent', ...OWN],
      'the coin that input 0 spends is not known: give the transaction ',
    ],
    [
      'a transaction without its wallet',
      ['sent', '--tx-file', 'paying', '--fee-rate', '20'],
      'pass its wallet with --descriptors-file',
    ],
    [
      'a wallet in the place of a payment',
      ['wallet', ...OWN],
      'wallet is neither a PSBT nor a transaction: it is a wallet file',
    ],
    ['seed words in its place', ['words', ...OWN], 'it is seed words; commands that sign take them with --seed-file'],
    [
      'a rate beyond all reason',
      ['spend.psbt', '--descriptors-file', 'wallet', '--fee-rate', '10000'],
      'above 0 and up to 1000',
    ],
  ])('refuses %s', async (_, args, reason) => {
    const { code, out, error } = await bump(args);
    expect([code, out, error]).toEqual([1, '', expect.stringMatching(/^error: [^\n]*\n$/)]);
    expect(error).toContain(reason);
    expect(error).not.toContain('abandon');
  });
});

const listed = ({ txid, vout, value, from }: typeof coin) => ({
  txid,
  vout,
  address: from.address,
  value: Number(value),
});

describe('countersign bump --child', () => {
  test.each([
    ['the transaction', ['sent', '--tx-file', 'paying']],
    ['its PSBT', ['signed.psbt']],
  ])('pays for a parent: %s', async (_, of) => {
    const { code, out, error } = await bump([...of, ...OWN, '--child']);
    expect([code, error]).toEqual([0, expect.stringMatching(/^spends [0-9a-f]{64}:1, fee 0\.\d+ BTC\./)]);
    const review = reviewWith(me, out);
    expect(review.outputs).toMatchObject([{ role: 'change' }]);
    const together = Number(282n + (review.fee ?? 0n)) / (141 + (review.vsize ?? 0));
    expect(together).toBeGreaterThanOrEqual(20);
    expect(together).toBeLessThan(20.2);
    expect(accepts(await sign(out))).toMatchObject({ allowed: true });
  });

  test.each<[string, readonly string[], string]>([
    ['a parent that is not signed', ['spend.psbt', ...OWN], 'spend.psbt is not signed by all'],
    ['a parent without its coins', ['sent', ...OWN], 'the coin that input 0 spends is not known'],
    ['no wallet', ['signed.psbt', '--fee-rate', '20'], '--child needs the wallet'],
    [
      'a rate that the parent has',
      ['signed.psbt', '--descriptors-file', 'wallet', '--fee-rate', '2'],
      '--fee-rate must be above the 2.000 sat/vB',
    ],
    [
      'more than the output holds',
      ['signed.psbt', '--descriptors-file', 'wallet', '--fee-rate', '900'],
      'your output holds 39718 sat, and the child would pay ',
    ],
    [
      'a parent that pays the wallet nothing',
      ['signed.psbt', '--seed-file', 'words', '--account', '7', '--fee-rate', '20'],
      'no output of the payment is of the wallet',
    ],
  ])('refuses %s', async (_, args, reason) => {
    const { code, out, error } = await bump([...args, '--child']);
    expect([code, out]).toEqual([1, '']);
    expect(error).toContain(reason);
  });
});
