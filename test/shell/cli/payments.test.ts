import { describe, expect, test } from 'vitest';
import { guideFiles } from '../../support/guides.ts';
import { run } from '../../support/io.ts';

const PAID = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
const on = (...args: readonly string[]) => run(args, { files: guideFiles });
const pays = (uri: string) => on('review', 'spend.psbt', '--descriptors-file', 'wallet.txt', '--pays', uri);

describe('--pays', () => {
  test('says which output pays a payment URI', async () => {
    const { code, error } = await pays(`bitcoin:${PAID}?amount=0.0006&label=Coffee%20%1b[2J`);
    expect([code, error]).toEqual([0, `output 0 pays the payment URI: 0.0006 BTC to ${PAID} (Coffee ?[2J)\n`]);
    expect((await pays(`bitcoin:${PAID}`)).code).toBe(0);
  });

  test.each([
    [`bitcoin:${PAID}?amount=0.06`, 'output 0 pays 0.0006 BTC, but the payment URI asks for 0.06 BTC'],
    ['bitcoin:bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'no output pays an address of the payment URI'],
    [`bitcoin:${PAID}?amount=1&amount=1`, 'The payment URI has its parameter "amount" twice'],
    [
      `bitcoin:${PAID}?req-pop=app%3a`,
      'The payment URI requires "pop", which is not understood here: pay with another wallet',
    ],
    [PAID, 'The payment URI does not begin with "bitcoin:", as those of the network main do'],
    [
      `${'abandon '.repeat(11)}about`,
      'The payment URI does not begin with "bitcoin:", as those of the network main do',
    ],
  ])('refuses %s, and shows nothing else', async (uri, reason) => {
    expect(await pays(uri)).toEqual({ code: 1, out: '', error: `error: --pays: ${reason}\n` });
  });

  test('stops before anything is signed', async () => {
    const args = ['sign', 'spend.psbt', '--seed-file', 'words.txt', '--yes', '--pays'];
    const { code, out, error } = await on(...args, `bitcoin:${PAID}?amount=1`);
    expect([code, out]).toEqual([1, '']);
    expect(error).toContain('--pays: output 0 pays 0.0006 BTC, but the payment URI asks for 1.00 BTC');
    expect((await on(...args, `bitcoin:${PAID}?amount=0.0006`)).code).toBe(0);
  });
});

describe('payment URIs', () => {
  test('are made for addresses, and shown', async () => {
    const args = ['addresses', 'wallet.txt', '--count', '1', '--uri', '--amount', '0.0015', '--label', 'Coffee & cake'];
    const { out } = await on(...args);
    const uri = out.trim().split(/\s+/)[1] ?? '';
    expect(uri).toMatch(/^bitcoin:bc1q\w+\?amount=0\.0015&label=Coffee%20%26%20cake$/);
    const [row] = JSON.parse((await on(...args, '--json')).out);
    expect(row).toEqual({ index: 0, address: uri.slice(8, 50), uri });
    const shown = await on('inspect', uri);
    expect(shown.error).toBe('the argument: a payment URI\n');
    const asked = { network: 'main', addresses: [row.address], amount: '150000', label: 'Coffee & cake' };
    expect(JSON.parse(shown.out)).toEqual(asked);
  });

  test.each([
    [['addresses', 'wallet.txt', '--amount', '1'], '--amount needs --uri'],
    [
      ['addresses', 'wallet.txt', '--uri', '--amount', '1,5'],
      '--amount is a number of BTC such as 0.0015, above 0 and within the supply',
    ],
    [
      ['addresses', 'wallet.txt', '--uri', '--amount', '22000000'],
      '--amount is a number of BTC such as 0.0015, above 0 and within the supply',
    ],
    [['inspect', 'bitcoin:?amount=1'], 'The payment URI names nobody to pay: it needs an address'],
    [
      ['review', 'bitcoin:bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
      /it is a payment URI; "countersign inspect" shows/,
    ],
  ])('%j: %s', async (args, reason) => {
    const { code, out, error } = await on(...args);
    expect([code, out]).toEqual([1, '']);
    expect(error.replace(/^error: |\n$/g, '')).toEqual(
      typeof reason === 'string' ? reason : expect.stringMatching(reason),
    );
  });
});
