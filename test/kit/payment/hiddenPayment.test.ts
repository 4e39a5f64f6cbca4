import { describe, expect, test } from 'vitest';
import {
  accountFromWords,
  addSilentPaymentShares,
  buildPsbt,
  createDescriptorProvider,
  decodeTransaction,
  deriveForPsbt,
  extractTransaction,
  formatReview,
  networks,
  type Psbt,
  type PsbtReview,
  parseHex,
  reviewToJson,
  reviewWith,
  shareSigner,
  signWith,
  verifySilentPayments,
} from '../../../src/index.ts';
import { findPayment, parsePaymentUri } from '../../../src/kit/payment/index.ts';
import {
  computedPayment,
  FUNDING,
  hiding,
  PAYER_WORDS,
  payee,
  payingSilently,
  uriOf,
} from '../../support/hiddenPayment.ts';
import { parseSilentPaymentAddress } from '../../support/library.ts';
import { refusalOf } from '../../support/refusal.ts';

const me = accountFromWords(PAYER_WORDS, { network: 'regtest' });
const asked = parsePaymentUri(uriOf(payee.address()), { network: 'regtest' });
const statuses = ({ outputs }: PsbtReview) => outputs.flatMap(({ silentPayment }) => silentPayment?.status ?? []);
const checks = ({ findings }: PsbtReview): readonly string[] =>
  findings.map(({ check, action }) => `${check}: ${action}`);
const foundIn = (hex = '') => payee.findCoins(decodeTransaction(parseHex(hex)), FUNDING.outputs);
const both = [payee.address(), hiding];

describe('a payment beside a stranger’s spend key', () => {
  test('is not found by its receiver, who would find it alone', () => {
    const paid = (to: readonly string[]) => foundIn(signWith(me, payingSilently(...to), { sameReceiver: to }).hex);
    expect(paid(both)).toEqual([]);
    expect(paid([payee.address()])).toMatchObject([{ vout: 0 }]);
  });

  test('is not called proven once its script is computed', () => {
    const psbt = computedPayment(...both);
    expect(verifySilentPayments(psbt)).toMatchObject([
      { status: 'conditional', fault: { reason: 'receivers' } },
      { status: 'conditional', fault: { reason: 'receivers' } },
    ]);
    const review = reviewWith(me, psbt);
    expect(statuses(review)).toEqual(['conditional', 'conditional']);
    expect(checks(review)).toEqual(['silent-payment-conditional: warn', 'silent-payment-conditional: warn']);
    expect(findPayment(review, asked)).toEqual({ kind: 'conditional', outputIndex: 0, address: payee.address() });
    const text = formatReview(review);
    expect(text).toContain('silent payment, not proven');
    expect(text).not.toContain('silent payment, proven');
    expect(reviewToJson(review).outputs[0]?.silentPayment).toEqual({ address: payee.address(), status: 'conditional' });
  });

  test('is signed with a warning once others have computed its script', () => {
    expect(signWith(me, computedPayment(...both)).isComplete).toBe(true);
    const refusal = refusalOf(() =>
      signWith(me, computedPayment(...both), { policy: { 'silent-payment-conditional': 'refuse' } }),
    );
    expect(refusal.code).toBe('policy/refused');
  });

  test('is another amount before it is conditional', () => {
    const review = reviewWith(me, computedPayment(...both));
    expect(findPayment(review, { ...asked, amount: 1n })).toMatchObject({ kind: 'other-amount', value: 60_000n });
  });

  const open = payingSilently(...both);

  test('is not signed before its script is computed, by whatever policy', () => {
    const review = reviewWith(me, open);
    expect(statuses(review)).toEqual(['open', 'open']);
    expect(checks(review)).toEqual(['silent-payment-receivers: refuse', 'silent-payment-receivers: refuse']);
    expect(refusalOf(() => signWith(me, open)).code).toBe('policy/refused');
    const policy = { 'silent-payment-receivers': 'allow' } as const;
    expect(refusalOf(() => signWith(me, open, { policy })).code).toBe('account/nothing-signed');
  });

  test('gets no shares', () => {
    const signer = shareSigner(createDescriptorProvider(deriveForPsbt(open, me.descriptors)));
    expect(addSilentPaymentShares(open, signer)).toBe(open);
    const sameReceiver = both.map((text) => parseSilentPaymentAddress(text, networks.regtest));
    expect(addSilentPaymentShares(open, signer, { sameReceiver: sameReceiver.slice(0, 1) })).toBe(open);
    const shared = addSilentPaymentShares(open, signer, { sameReceiver });
    expect(verifySilentPayments(shared, { sameReceiver }).map(({ status }) => status)).toEqual(['proven', 'proven']);
    expect(verifySilentPayments(shared).map(({ status }) => status)).toEqual(['conditional', 'conditional']);
  });

  test('is not built, unless the payer names both addresses as those of one receiver', () => {
    const inputs = [{ txid: '11'.repeat(32), vout: 0, value: 100_000n, from: me.receive(0) }];
    const build = (sameReceiver?: readonly string[]) =>
      buildPsbt({
        inputs,
        outputs: { [payee.address()]: 60_000n, [hiding]: 1000n },
        change: me.change(0),
        feeRate: 2,
        ...(sameReceiver && { sameReceiver }),
      });
    for (const named of [undefined, [], [payee.address()], [hiding, payee.address(1)]]) {
      expect(refusalOf(() => build(named))).toMatchObject({ code: 'build/invalid', data: { member: 'sameReceiver' } });
    }
    expect(build(both).outputs).toHaveLength(3);
    expect(refusalOf(() => build(['sprt1'])).code).toBe('address/invalid');
    expect(refusalOf(() => build('x' as never)).code).toBe('argument/invalid');
  });
});

describe('payments to labels of one receiver', () => {
  const labeled = [payee.address(1), payee.address(2)];

  test('are proven if the payer says so, and found', () => {
    const { review, hex } = signWith(me, payingSilently(...labeled), { sameReceiver: labeled });
    expect(statuses(review)).toEqual(['proven', 'proven']);
    expect(checks(review)).toEqual([]);
    expect(findPayment(review, { ...asked, silentPayments: labeled.slice(0, 1) })).toMatchObject({ kind: 'paid' });
    expect(foundIn(hex).map(({ vout }) => vout)).toEqual([0, 1]);
  });

  test('need no word of the payer if the wallet is the receiver', () => {
    const own = accountFromWords(`${'zoo '.repeat(11)}wrong`, { network: 'regtest' });
    const psbt = computedPayment(...labeled);
    expect(statuses(reviewWith(own, psbt))).toEqual(['proven', 'proven']);
    expect(statuses(reviewWith(me, psbt))).toEqual(['conditional', 'conditional']);
    expect(statuses(reviewWith(me, psbt, { sameReceiver: labeled }))).toEqual(['proven', 'proven']);
  });

  test('may go to one address twice', () => {
    const { review, hex } = signWith(me, payingSilently(payee.address(1), payee.address(1)));
    expect(statuses(review)).toEqual(['proven', 'proven']);
    expect(foundIn(hex).map(({ vout }) => vout)).toEqual([0, 1]);
  });
});

describe('payments to one scan key', () => {
  const psbt = computedPayment(payee.address(), payee.address());
  const changing = (change: (output: Psbt['outputs'][number]) => Psbt['outputs'][number]): Psbt => ({
    ...psbt,
    outputs: psbt.outputs.map((output, i) => (i === 1 ? change(output) : output)),
  });

  test('are all refuted if the script of one is false: the receiver stops there', () => {
    const changed = changing((output) => ({ ...output, script: me.receive(9).scriptPubKey }));
    expect(statuses(reviewWith(me, changed))).toEqual(['refuted', 'refuted']);
    expect(refusalOf(() => signWith(me, changed)).code).toBe('policy/refused');
  });

  test('are all open if one lacks its script', () => {
    const changed = changing(({ script: _, ...output }) => output);
    expect(statuses(reviewWith(me, changed))).toEqual(['open', 'open']);
    const { review, psbt: signed } = signWith(me, changed);
    expect(statuses(review)).toEqual(['proven', 'proven']);
    expect(extractTransaction(signed).outputs[1]?.scriptPubKey).toEqual(psbt.outputs[1]?.script);
  });
});

describe('findPayment', () => {
  test('says that an address is the payer’s own', () => {
    const psbt = buildPsbt({
      inputs: [{ txid: '11'.repeat(32), vout: 0, value: 100_000n, from: me.receive(0) }],
      outputs: [
        { to: me.receive(3), value: 50_000n },
        { to: payee.address(), value: 10_000n },
      ],
      change: me.change(0),
      feeRate: 2,
    });
    const { review } = signWith(me, psbt);
    const found = (uri: string) => findPayment(review, parsePaymentUri(uri, { network: 'regtest' }));
    for (const [outputIndex, { address }] of [
      [0, me.receive(3)],
      [2, me.change(0)],
    ] as const) {
      expect(found(`bitcoin:${address}`)).toEqual({ kind: 'paid', outputIndex, address, isOwn: true });
    }
    expect(found(`bitcoin:?sp=${payee.address()}`)).toEqual({ kind: 'paid', outputIndex: 1, address: payee.address() });
  });
});
