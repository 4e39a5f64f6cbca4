import { describe, expect, test } from 'vitest';
import { guideFiles } from '../../support/guides.ts';
import { computedPayment, hiding, PAYER_WORDS, payee, payingSilently, uriOf } from '../../support/hiddenPayment.ts';
import { STRANGER, single, spend, WORDS } from '../../support/holderPsbts.ts';
import { run } from '../../support/io.ts';
import { encodePsbt, formatAddress, networks, parseHex } from '../../support/library.ts';

const PAID = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
const OTHER = parseHex(`0014${'22'.repeat(20)}`);
const on = (...args: readonly string[]) => run(args, { files: guideFiles });
const pays = (uri: string) => on('review', 'spend.psbt', '--descriptors-file', 'wallet.txt', '--pays', uri);

describe('--pays', () => {
  test('says which output pays a payment URI', async () => {
    const { code, error } = await pays(`bitcoin:${PAID}?amount=0.0006&label=Coffee%20%1b[2J`);
    expect([code, error]).toEqual([0, `output 0 pays the payment URI: 0.0006 BTC to ${PAID} (Coffee ?[2J)\n`]);
    expect((await pays(`bitcoin:${PAID}`)).code).toBe(0);
  });

  test.each([
    [`bitcoin:${PAID}?amount=0.06`, 'output 0 pays the payment URI: 0.0006 BTC, not the 0.06 BTC that you asked for'],
    ['bitcoin:bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'no output pays the payment URI'],
    ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'no output pays the address'],
    [
      'wallet:Family',
      'no output pays the wallet "Family": pass its file with --descriptors-file, and the key that registered it',
    ],
    ['wallet:', '--pays wallet:NAME needs the name of a registered wallet'],
    [`bitcoin:${PAID}?amount=1&amount=1`, 'The payment URI has its parameter "amount" twice'],
    [
      `bitcoin:${PAID}?req-pop=app%3a`,
      'The payment URI requires "pop", which is not understood here: pay with another wallet',
    ],
    [`${'abandon '.repeat(11)}about`, 'this is not an address of main: copy all of it'],
  ])('refuses %s, and shows nothing else', async (uri, reason) => {
    expect(await pays(uri)).toEqual({
      code: 1,
      out: '',
      error: `error: ${reason.startsWith('--pays') ? '' : '--pays: '}${reason}\n`,
    });
  });

  const WIF = 'L1aW4aubDFB7yfras2S1mN3bqg9nwySY8nkoLmJebSLD5BWv3ENZ';
  test.each([`wallet:${WIF}`, `wallet:${'zoo '.repeat(11)}wrong`, `bitcoin:${PAID}?label=${WIF}`])(
    'shows no secret that stands in the wrong place',
    async (given) => {
      const { out, error } = await pays(given);
      expect(`${out}${error}`).not.toMatch(/L1aW4|zoo zoo/);
    },
  );

  test('counts one output for one payment', async () => {
    const invoice = (name: string) => ['--pays', `bitcoin:${PAID}?amount=0.0006&label=${name}`];
    const args = ['review', 'spend.psbt', '--descriptors-file', 'wallet.txt', ...invoice('A'), ...invoice('B')];
    const { code, error } = await on(...args);
    expect([code, error]).toEqual([
      1,
      'error: --pays: output 0 pays 2 of those that you named: name each payment once\n',
    ]);
  });

  test('stops before anything is signed', async () => {
    const args = ['sign', 'spend.psbt', '--seed-file', 'words.txt', '--yes', '--pays'];
    const { code, out, error } = await on(...args, `bitcoin:${PAID}?amount=1`);
    expect([code, out]).toEqual([1, '']);
    expect(error).toContain('--pays: output 0 pays the payment URI: 0.0006 BTC, not the 1.00 BTC that you asked for');
    expect((await on(...args, `bitcoin:${PAID}?amount=0.0006`)).code).toBe(0);
  });
});

describe('--pays, which is all that is meant to be paid,', () => {
  const two = encodePsbt(
    spend({
      coins: [{ of: single('alice') }],
      outputs: [
        { script: STRANGER, value: 100_000n },
        { script: OTHER, value: 800_000n },
        { of: single('alice'), chain: 1, value: 90_000n },
      ],
    }),
  );
  const files = { 'spend.psbt': two, words: WORDS.alice };
  const [first, second] = [STRANGER, OTHER].map((script) => formatAddress(script, networks.main) ?? '');
  const signs = (...args: readonly string[]) =>
    run(['sign', 'spend.psbt', '--seed-file', 'words', '--yes', ...args], { files });

  test('takes a pasted address, and refuses whatever else leaves', async () => {
    const one = await signs('--pays', `${first}`);
    expect([one.code, one.out]).toEqual([1, '']);
    expect(one.error).toContain(`output 0 pays the address: 0.001 BTC to ${first}\n`);
    expect(one.error).toMatch(/REFUSED: Output 1 pays [0-9.]+ BTC that you have not asked for\.\s\[pays-other\]/);
    expect(one.error).toMatch(
      /\nnot signed\. Name all that you mean to pay, or create the PSBT again without the rest \(--pays\)\./,
    );
    expect(one.error).not.toMatch(/Output [02] pays [0-9.]+ BTC that you/);
    expect((await signs('--pays', `${first}`, '--pays', `bitcoin:${second}?amount=0.008`)).code).toBe(0);
    expect((await signs('--pays', `${first}`, '--pays', `bitcoin:${second}?amount=0.009`)).code).toBe(1);
    expect((await signs()).code).toBe(0);
  });
});

describe('--pays, of a silent payment,', () => {
  const files = { 'words.txt': PAYER_WORDS, 'open.psbt': encodePsbt(payingSilently(payee.address())) };

  test.each([payee.address(), uriOf(payee.address())])('counts before its script is computed: %s', async (pays) => {
    const line = ['review', 'open.psbt', '--network', 'regtest', '--seed-file', 'words.txt', '--pays', pays];
    const { error, out } = await run(line, { files });
    expect(error).toMatch(/\noutput 0 pays the (?:payment URI|address): 0\.0006 BTC to sprt1/);
    expect(out).not.toContain('[pays-other]');
  });
});

describe('--pays, of a silent payment beside a stranger’s spend key', () => {
  const both = [payee.address(), hiding] as const;
  const files = {
    'words.txt': PAYER_WORDS,
    'open.psbt': encodePsbt(payingSilently(...both)),
    'computed.psbt': encodePsbt(computedPayment(...both)),
    'labels.psbt': encodePsbt(payingSilently(payee.address(), payee.address(1))),
  };
  const sign = (file: string, ...more: readonly string[]) =>
    run(['sign', file, '--network', 'regtest', '--seed-file', 'words.txt', '--yes', ...more], { files });
  const asked = ['--pays', uriOf(payee.address())];
  const same = (...addresses: readonly string[]) => addresses.flatMap((address) => ['--same-receiver', address]);

  test('stops before the script is computed, and says what to do', async () => {
    const { code, out, error } = await sign('open.psbt');
    expect([code, out]).toEqual([1, '']);
    expect(error).toContain('[silent-payment-receivers');
    expect(error).toContain(
      'if one receiver gave you all of them, name each as an address of that receiver (--same-receiver).',
    );
    expect(error).not.toContain('silent payment, proven');
    const stopped = await sign('open.psbt', ...asked);
    expect([stopped.code, stopped.out]).toEqual([1, '']);
    expect(stopped.error).toMatch(/REFUSED: Output 1 [\s\S]*\[pays-other\][\s\S]*\[silent-payment-receivers/);
    expect((await sign('open.psbt', ...asked, ...same(payee.address()))).code).toBe(1);
  });

  test('stops once it is computed, as its receiver may not find it', async () => {
    const { code, out, error } = await sign('computed.psbt', ...asked);
    expect([code, out]).toEqual([1, '']);
    expect(error).toMatch(
      /\nerror: --pays: no output is proven to pay the payment URI\. The receiver [^\n]* only if [^\n]* addresses\.\n$/,
    );
    const unasked = await sign('computed.psbt');
    expect(unasked.code).toBe(0);
    expect(unasked.error).toContain('silent payment, not proven');
    const reviewed = await run(['review', 'computed.psbt', '--network', 'regtest', '--json'], { files });
    expect(JSON.parse(reviewed.out).outputs[0].silentPayment.status).toBe('conditional');
  });

  test('goes on if the payer names all addresses of the receiver', async () => {
    const all = [...asked, '--pays', payee.address(1)];
    const { code, error } = await sign('labels.psbt', ...all, ...same(payee.address(), payee.address(1)));
    expect([code, error.split('\n')[1]]).toEqual([
      0,
      `output 0 pays the payment URI: 0.0006 BTC to ${payee.address()}`,
    ]);
    expect(error).toContain('silent payment, proven');
    const mistyped = await sign('labels.psbt', ...same(PAYER_WORDS));
    expect(mistyped.error).toMatch(/error: --same-receiver: The address of a silent payment has a wrong checksum/);
    expect(mistyped.error).not.toContain('abandon');
  });
});

describe('--pays, of an own address', () => {
  test('says so', async () => {
    const { out } = await on('addresses', 'wallet.txt', '--change', '--count', '1');
    const { code, error, out: shown } = await pays(`bitcoin:${out.trim().split(/\s+/).at(-1)}`);
    expect([code, error]).toEqual([
      1,
      expect.stringMatching(/^output 1 pays the payment URI: .*, which is yours \(descriptor 1, 84h\/0h\/0h\/1\/0/),
    ]);
    expect(shown).toMatch(/REFUSED: Output 0 [\s\S]*\[pays-other\]/);
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
    [['inspect', 'bitcoin:?amount=1'], 'the argument: The payment URI names nobody to pay: it needs an address'],
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
