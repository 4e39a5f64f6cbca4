import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  accountFromWords,
  buildPsbt,
  networks,
  reviewWith,
  signWith,
  silentPaymentsFromWords,
} from '../../../src/index.ts';
import {
  findPayment,
  formatPaymentUri,
  type PaymentRequest,
  type PaymentUri,
  parsePaymentUri,
} from '../../../src/kit/payment/index.ts';
import { refusalIfAny, refusalOf } from '../../support/refusal.ts';

const network = 'regtest';
const words = `${'abandon '.repeat(11)}about`;
const me = accountFromWords(words, { network });
const shop = accountFromWords(words, { network, account: 1 });
const silent = silentPaymentsFromWords(words, { network });
const [first, second] = [shop.receive(0).address, shop.receive(1).address];

const faultOf = (work: () => unknown): string => refusalOf(work).message;
const parse = (text: string, serves?: readonly string[]): PaymentUri =>
  parsePaymentUri(text, { network, ...(serves && { serves }) });

const request: fc.Arbitrary<PaymentRequest> = fc.record(
  {
    addresses: fc.subarray([first, second]),
    silentPayments: fc.subarray([silent.address(), silent.address(1)], { minLength: 1 }),
    amount: fc.bigInt(0n, networks.main.maxMoney),
    label: fc.string({ unit: 'grapheme' }),
    message: fc.string({ unit: 'grapheme' }),
    pop: fc.string(),
    others: fc.array(
      fc.record({ key: fc.constantFrom('lightning', 'pay', 'lno', 'x', 'req-y', 'a=b&c'), value: fc.string() }),
    ),
  },
  { requiredKeys: ['silentPayments'] },
);

describe('a payment URI', () => {
  test('is read as the request that was formatted', () => {
    fc.assert(
      fc.property(request, (asked) => {
        const serves = (asked.others ?? []).map(({ key }) => key.replace('req-', ''));
        const { network: read, ...rest } = parse(formatPaymentUri({ ...asked, network }), serves);
        expect(read).toBe(networks.regtest);
        expect(rest).toEqual({ addresses: [], others: [], ...asked });
      }),
    );
  });

  test('of any text is parsed, or refused with a code', () => {
    const texts = fc.oneof(
      fc.string(),
      fc.string().map((text) => `bitcoin:${first}?${text}`),
    );
    fc.assert(fc.property(texts, (text) => void refusalIfAny(() => parse(text))));
  });

  test.each([
    ['.5', 50_000_000n],
    ['0', 0n],
    ['5.', 500_000_000n],
    ['20999999.9769', 2_099_999_997_690_000n],
    ['0.00000001', 1n],
  ])('asks for %s', (amount, sats) => {
    expect(parse(`bitcoin:${first}?amount=${amount}`).amount).toBe(sats);
  });

  test.each(['', '.', '-1', '+1', '1e3', '1,000', '0x10', '1.000000001', '21000001', '٣'])(
    'refuses the amount %j',
    (amount) => {
      expect(faultOf(() => parse(`bitcoin:${first}?amount=${amount}`))).toBe(
        'The payment URI has an amount that is not a number of BTC such as 0.0015, with at most eight decimals, within the supply',
      );
    },
  );

  test.each([
    [`bitcoin://${first}`, 'has "//" after "bitcoin:": leave it out'],
    [`litecoin:${first}`, 'does not begin with "bitcoin:", as those of the network regtest do'],
    [first, 'does not begin with "bitcoin:", as those of the network regtest do'],
    [`bitcoin:${first}?label=%zz`, 'has a "%" that does not begin an encoded character in its parameter "label"'],
    [`bitcoin:${first}?label=#1`, 'has a "#", which must be written as %23'],
    [`bitcoin:${first}?${'x'.repeat(10_000)}`, 'has more than 10000 characters'],
    [`bitcoin:${first}?req-lightning=x`, 'requires "lightning", which is not understood here: pay with another wallet'],
    ['bitcoin:?amount=1', 'names nobody to pay: it needs an address'],
    [
      `bitcoin:${first}?req-${'K'.repeat(60)}=1`,
      'requires "...", which is not understood here: pay with another wallet',
    ],
  ])('%s is refused', (text, reason) => {
    expect(faultOf(() => parse(text))).toBe(`The payment URI ${reason}`);
  });

  test('may require what the caller serves', () => {
    expect(parse(`bitcoin:${first}?req-pop=app%3a`, ['pop']).pop).toBe('app:');
  });

  test('of another network says which', () => {
    expect(faultOf(() => parse('bitcoin:bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'))).toMatch(/main/);
  });

  test('is not formatted if it could not be read', () => {
    expect(faultOf(() => formatPaymentUri({ network, addresses: ['x'] }))).toMatch(/not valid/);
    expect(faultOf(() => formatPaymentUri({ network }))).toMatch(/names nobody to pay/);
    expect(faultOf(() => formatPaymentUri({ network, addresses: [first], label: '\ud800' }))).toMatch(/half a char/);
    const others = [{ key: 'amount', value: '1' }];
    expect(faultOf(() => formatPaymentUri({ network, addresses: [first], amount: 1n, others }))).toMatch(/twice/);
    const own = [{ key: networks.regtest.hrp, value: second }];
    expect(faultOf(() => formatPaymentUri({ network, addresses: [first], others: own }))).toMatch(/member of its own/);
    expect(faultOf(() => formatPaymentUri({ network, addresses: [first], amount: 5 as never }))).toMatch(/bigint/);
  });
});

describe('a PSBT', () => {
  const coin = { txid: '11'.repeat(32), vout: 0, value: 100_000n, from: me.receive(0) };
  const pay = (text: string, value?: bigint) =>
    buildPsbt({
      inputs: [coin],
      outputs: [{ to: parse(text), ...(value !== undefined && { value }) }],
      change: me.change(0),
      feeRate: 2,
    });

  test('pays what a payment URI asks for, and the review finds it', () => {
    const uri = parse(`bitcoin:${first}?amount=0.0006&${networks.regtest.hrp}=${second}`);
    const review = reviewWith(me, pay(`bitcoin:${first}?amount=0.0006`));
    expect(review.outputs[0]?.value).toBe(60_000n);
    expect(findPayment(review, uri)).toEqual({ kind: 'paid', outputIndex: 0, address: first });
    expect(findPayment(review, { ...uri, amount: 60_001n })).toMatchObject({ kind: 'other-amount', value: 60_000n });
    expect(findPayment(review, { ...uri, addresses: [second] })).toEqual({ kind: 'missing' });
    const twice = { outputs: [0, 1].flatMap(() => review.outputs.slice(0, 1)) };
    expect(findPayment(twice, uri)).toMatchObject({ kind: 'repeated' });
  });

  test('pays the amount of the caller, unless the payment URI has another', () => {
    expect(reviewWith(me, pay(`bitcoin:${first}`, 50_000n)).outputs[0]?.value).toBe(50_000n);
    expect(faultOf(() => pay(`bitcoin:${first}`))).toMatch(/outputs\[0\]\.value .*the payment URI has no amount/);
    expect(faultOf(() => pay(`bitcoin:${first}?amount=0.0006`, 1n))).toMatch(/differs from the 60000 sat/);
    expect(faultOf(() => pay('bitcoin:?lightning=x', 1n))).toMatch(/has no address on the chain/);
  });

  test('takes no payment URI as text', () => {
    const text = `bitcoin:${first}?amount=0.0006`;
    for (const outputs of [[{ to: text, value: 1n }], { [text]: 60_000n }]) {
      expect(faultOf(() => buildPsbt({ inputs: [coin], outputs, change: me.change(0), feeRate: 2 }))).toMatch(
        /parsePaymentUri/,
      );
    }
  });

  test('of another network than the payment URI is refused', () => {
    const to = parsePaymentUri('bitcoin:bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4?amount=0.0006');
    expect(faultOf(() => buildPsbt({ inputs: [coin], outputs: [{ to }], change: me.change(0), feeRate: 2 }))).toMatch(
      /an address on main cannot be used on regtest/,
    );
  });

  test('pays a silent payment that a payment URI asks for, which counts before its script is computed, and not for another address', () => {
    const text = `bitcoin:?sp=${silent.address(1)}&amount=0.0006`;
    const psbt = pay(text);
    const open = reviewWith(me, psbt);
    expect(open.outputs[0]?.silentPayment?.status).toBe('open');
    expect(findPayment(open, parse(`bitcoin:?sp=${silent.address(2)}&amount=0.0006`))).toEqual({ kind: 'missing' });
    expect(findPayment(open, parse(text))).toMatchObject({ kind: 'paid', address: silent.address(1) });
    expect(findPayment(signWith(me, psbt).review, parse(text))).toMatchObject({
      kind: 'paid',
      address: silent.address(1),
    });
  });
});
