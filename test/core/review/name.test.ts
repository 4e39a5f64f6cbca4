import { describe, expect, test } from 'vitest';
import {
  accountFromWords,
  buildPsbt,
  reviewWith,
  signWith,
  silentPaymentsFromWords,
} from '../../../src/kit/account/index.ts';
import { type NameFault, type NameOptions, type ProveName, proveName } from '../../../src/kit/names/index.ts';
import { findPayment } from '../../../src/kit/payment/index.ts';
import { drawReview } from '../../../src/kit/picture/index.ts';
import { computedPayment, hiding, payee } from '../../support/hiddenPayment.ts';
import { formatQuestion, formatReview, type Psbt, type PsbtReview, reviewToJson } from '../../support/library.ts';
import { ALGORITHM, anchorOf, delegation, makeZone, proofOf, txt, WINDOW } from '../../support/zones.ts';

const network = 'regtest';
const me = accountFromWords(`${'abandon '.repeat(11)}about`, { network });
const stranger = accountFromWords(`${'zoo '.repeat(11)}wrong`, { network });
const silent = silentPaymentsFromWords(`${'zoo '.repeat(11)}wrong`, { network });
const ADDRESS = stranger.receive(0).address;

const root = makeZone('.', ALGORITHM.RSASHA256);
const pay = makeZone('pay.test.', ALGORITHM.ECDSAP256);
const owner = (user: string): string => `${user}.user._bitcoin-payment.pay.test.`;
const proofFor = (uri: string, user = 'alice'): Uint8Array =>
  proofOf(...root.keys, ...root.sign(delegation(pay)), ...pay.keys, ...pay.sign(txt(owner(user), uri)));
const trusting: NameOptions = { network, anchors: [anchorOf(root)] };
const at =
  (now: number | undefined = WINDOW.now): ProveName =>
  (record) =>
    proveName(record, { ...trusting, ...(now !== undefined && { now }) });
const withoutClock: ProveName = (record) => proveName(record, trusting);

/** A payment of 60,000 sat by a name that asks for what a URI says. */
function byName(uri: string, user?: string): Psbt {
  const proven = proveName(
    { name: `${user ?? 'alice'}@pay.test`, proof: proofFor(uri, user) },
    { ...trusting, now: WINDOW.now },
  );
  return build([{ to: proven, value: 60_000n }]);
}

const build = (outputs: Parameters<typeof buildPsbt>[0]['outputs']): Psbt =>
  buildPsbt({
    inputs: [{ txid: '11'.repeat(32), vout: 0, value: 100_000n, from: me.receive(0) }],
    outputs,
    change: me.change(0),
    feeRate: 2,
    network,
  });

/** Puts a record that says anything on the first output. */
function claiming(psbt: Psbt, uri: string, { user = 'alice', proof = proofFor(uri, user) } = {}): Psbt {
  const [first, ...others] = psbt.outputs;
  const name = new Uint8Array(Buffer.from(`${user}@pay.test`));
  return { ...psbt, outputs: [{ ...first, dnssecProof: { name, proof } }, ...others] };
}

const reviewed = (
  psbt: Psbt,
  proveBy: ProveName | undefined = at(),
  more: Parameters<typeof reviewWith>[2] = {},
): PsbtReview => reviewWith(me, psbt, { ...(proveBy && { proveName: proveBy }), ...more });
const namesIn = ({ findings }: PsbtReview) =>
  findings
    .filter(({ check }) => check.startsWith('name-'))
    .map(({ check, action, data, outputIndex }) => ({ check, action, data, outputIndex }));
const paid = build([{ to: ADDRESS, value: 60_000n }]);

describe('an output with a proven name', () => {
  const review = reviewed(byName(`bitcoin:${ADDRESS}`));

  test('is shown by it, with the address beside it', () => {
    expect(namesIn(review)).toEqual([]);
    expect(review.isRefused).toBe(false);
    expect(review.outputs[0]?.name).toEqual({
      name: 'alice@pay.test',
      isPunycode: false,
      isWildcard: false,
      from: WINDOW.from,
      until: WINDOW.until,
    });
    const text = formatReview(review);
    expect(text).toContain('₿alice@pay.test\n');
    expect(text.replace(/\s+/g, ' ')).toContain('name proven by DNSSEC until 2027-01-01');
    expect(formatQuestion(review)).toContain('to ₿alice@pay.test, fee');
    expect(drawReview(review)).toContain('₿alice@pay.test');
    expect(reviewToJson(review).outputs[0]).toMatchObject({ name: { name: 'alice@pay.test' } });
  });

  test('is written into the PSBT, of version 0 and 2, and survives signing', () => {
    const psbt = byName(`bitcoin:${ADDRESS}`);
    expect(signWith(me, psbt, { proveName: at() }).psbt.outputs[0]?.dnssecProof).toEqual(psbt.outputs[0]?.dnssecProof);
  });

  test('pays what its name asks for', () => {
    expect(namesIn(reviewed(byName(`bitcoin:${ADDRESS}?amount=0.0006`)))).toEqual([]);
    expect(() => byName(`bitcoin:${ADDRESS}?amount=0.0007`)).toThrow('differs from the 70000 sat');
  });

  test('may pay any of its addresses', () => {
    const psbt = claiming(paid, `bitcoin:${stranger.receive(5).address}?bcrt=${ADDRESS}`);
    expect(reviewed(psbt).outputs[0]?.name?.name).toBe('alice@pay.test');
  });

  test('of punycode is marked', () => {
    const text = formatReview(reviewed(claiming(paid, `bitcoin:${ADDRESS}`, { user: 'xn--lice-5na' })));
    expect(text).toContain('₿xn--lice-5na@pay.test');
    expect(text).toContain('the name has letters that are not of ASCII');
  });
});

describe('an output with a name that is not proven', () => {
  test.each<[string, ProveName | undefined, object]>([
    ['not checked', undefined, { reason: 'not-checked' }],
    ['without a clock', withoutClock, { reason: 'no-clock', from: WINDOW.from, until: WINDOW.until }],
    ['too early', at(WINDOW.from - 1), { reason: 'early', from: WINDOW.from, until: WINDOW.until }],
    ['too late', at(WINDOW.until + 1), { reason: 'expired', from: WINDOW.from, until: WINDOW.until }],
  ])('%s: a warning, and no name', (_, proveBy, data) => {
    const review = reviewWith(me, byName(`bitcoin:${ADDRESS}`), proveBy ? { proveName: proveBy } : {});
    expect(namesIn(review)).toEqual([{ check: 'name-unproven', action: 'warn', data, outputIndex: 0 }]);
    expect(review.isRefused).toBe(false);
    expect(review.outputs[0]).not.toHaveProperty('name');
    expect(`${formatReview(review)}${drawReview(review)}${formatQuestion(review)}`).not.toContain('alice@');
  });

  test('that cannot be read, or pays not on the chain', () => {
    const unread = reviewed(claiming(paid, '', { proof: Uint8Array.of(1, 2, 3) }));
    expect(namesIn(unread)).toMatchObject([
      { check: 'name-unproven', data: { reason: 'unreadable', fault: 'malformed' } },
    ]);
    const offChain = reviewed(claiming(paid, 'bitcoin:?lno=lno1x'));
    expect(namesIn(offChain)).toMatchObject([{ check: 'name-unproven', data: { reason: 'no-address' } }]);
  });
});

describe('an output with a false name is refused', () => {
  test.each<[string, string, object]>([
    ['another address', `bitcoin:${stranger.receive(1).address}`, { reason: 'address' }],
    ['an own address', `bitcoin:${me.receive(1).address}`, { reason: 'address' }],
    ['another amount', `bitcoin:${ADDRESS}?amount=0.0007`, { reason: 'amount', asked: 70_000n, paid: 60_000n }],
    ['a silent payment', `bitcoin:?sp=${silent.address()}`, { reason: 'address' }],
    ['no payment', 'v=spf1', { reason: 'proof', fault: 'none' }],
    [
      'an address of another network',
      'bitcoin:bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
      { reason: 'proof', fault: 'uri' },
    ],
  ])('that asks for %s', (_, uri, data) => {
    const review = reviewed(claiming(paid, uri));
    expect(namesIn(review)).toEqual([{ check: 'name-refuted', action: 'refuse', data, outputIndex: 0 }]);
    expect(review.isRefused).toBe(true);
    expect(review.outputs[0]).not.toHaveProperty('name');
  });

  test('also if its proof has expired', () => {
    const other = claiming(paid, `bitcoin:${stranger.receive(1).address}`);
    expect(namesIn(reviewed(other, at(WINDOW.until + 1)))).toMatchObject([{ data: { reason: 'address' } }]);
  });

  test('of somebody else', () => {
    const psbt = claiming(paid, '', { user: 'bob', proof: proofFor(`bitcoin:${ADDRESS}`) });
    expect(namesIn(reviewed(psbt))).toMatchObject([
      { data: { reason: 'proof', fault: 'missing' satisfies NameFault } },
    ]);
  });
});

describe('a silent payment with a name', () => {
  const uri = `bitcoin:?sp=${silent.address()}`;
  const psbt = byName(uri);

  test('is proven before and after its script is computed', () => {
    const open = reviewed(psbt);
    expect(open.outputs[0]).toMatchObject({ silentPayment: { status: 'open' }, name: { name: 'alice@pay.test' } });
    expect(namesIn(open)).toEqual([]);
    const signed = reviewed(signWith(me, psbt, { proveName: at() }).psbt);
    expect(signed.outputs[0]).toMatchObject({ silentPayment: { status: 'proven' }, name: { name: 'alice@pay.test' } });
    expect(formatReview(signed)).toContain('₿alice@pay.test\n');
  });

  test('is refused for another address of silent payments', () => {
    const other = silentPaymentsFromWords(`${'abandon '.repeat(11)}about`, { network });
    const review = reviewed(claiming(psbt, `bitcoin:?sp=${other.address()}`));
    expect(namesIn(review)).toMatchObject([{ check: 'name-refuted', data: { reason: 'address' } }]);
  });

  test('is refused where the script is only claimed to be of its address', () => {
    const [first, ...others] = psbt.outputs;
    const script = stranger.receive(3).scriptPubKey;
    const claimed = reviewed({ ...psbt, outputs: [{ ...first, script }, ...others] });
    expect(namesIn(claimed)).toMatchObject([{ check: 'name-refuted', data: { reason: 'address' } }]);
  });
});

describe('what is to be paid may be a name', () => {
  const psbt = byName(`bitcoin:${ADDRESS}`);
  const other = ({ findings }: PsbtReview) => findings.filter(({ check }) => check === 'pays-other').length;

  test.each(['alice@pay.test', '₿alice@pay.test', 'Alice@PAY.test'])('%s', (name) => {
    expect(other(reviewed(psbt, at(), { pays: [{ name }] }))).toBe(0);
  });

  test('but only a proven one', () => {
    expect(other(reviewed(psbt, at(), { pays: [{ name: 'bob@pay.test' }] }))).toBe(1);
    expect(other(reviewed(psbt, at(WINDOW.until + 1), { pays: [{ name: 'alice@pay.test' }] }))).toBe(1);
    expect(other(reviewWith(me, psbt, { pays: [{ name: 'alice@pay.test' }] }))).toBe(1);
    expect(other(reviewed(paid, at(), { pays: [{ name: 'alice@pay.test' }] }))).toBe(1);
  });

  test('and its proof names the output for payments, too', () => {
    const proven = proveName(
      { name: 'alice@pay.test', proof: proofFor(`bitcoin:${ADDRESS}`) },
      { ...trusting, now: WINDOW.now },
    );
    if (proven.status !== 'proven') return expect.unreachable(proven.status);
    expect(findPayment(reviewed(psbt), proven.payment)).toMatchObject({ kind: 'paid', outputIndex: 0 });
  });
});

test('names are proven once for each record, and only so many of them', () => {
  let proven = 0;
  const counting: ProveName = (record, of) => {
    proven += 1;
    return at()(record, of);
  };
  const many = (count: number, nameOf: (i: number) => string): Psbt => {
    const psbt = build(Array.from({ length: count }, (_, i) => ({ to: stranger.receive(i).address, value: 600n })));
    const outputs = psbt.outputs.map((output, i) => {
      const name = new Uint8Array(Buffer.from(nameOf(i)));
      return { ...output, dnssecProof: { name, proof: Uint8Array.of(1) } };
    });
    return { ...psbt, outputs };
  };
  reviewed(
    many(20, () => 'alice@pay.test'),
    counting,
  );
  expect(proven).toBe(1);
  const review = reviewed(
    many(120, (i) => `a${i}@pay.test`),
    counting,
  );
  expect(proven).toBe(101);
  const reasons = namesIn(review).map(({ data }) => (data as { readonly reason: string }).reason);
  expect(reasons.filter((reason) => reason === 'too-many')).toHaveLength(21);
});

test('a conditional silent payment is not what was to be paid, though its name is proven', () => {
  const psbt = claiming(computedPayment(payee.address(), hiding), `bitcoin:?sp=${payee.address()}`);
  const review = reviewWith(me, psbt, { proveName: at(), pays: [{ name: 'alice@pay.test' }] });
  expect(review.outputs[0]).toMatchObject({
    silentPayment: { status: 'conditional' },
    name: { name: 'alice@pay.test' },
  });
  expect(review.findings.some(({ check, outputIndex }) => check === 'pays-other' && outputIndex === 0)).toBe(true);
});

test('a name on change is not shown in the place of the wallet', () => {
  const [payment, change] = paid.outputs;
  const name = new Uint8Array(Buffer.from('alice@pay.test'));
  const proof = proofFor(`bitcoin:${me.change(0).address}`);
  const review = reviewed({ ...paid, outputs: [{ ...payment }, { ...change, dnssecProof: { name, proof } }] });
  expect(review.outputs[1]).toMatchObject({ role: 'change', stays: true });
  expect(review.outputs[1]).not.toHaveProperty('name');
});

test('a picture shortens a name from its beginning', () => {
  const namesOf = (user: string): string => drawReview(reviewed(byName(`bitcoin:${ADDRESS}`, user)), { width: 280 });
  expect(namesOf('alice-with-a-long-name')).toContain('ame@pay.test');
});

test('only a proven name is paid', () => {
  const proof = proofFor(`bitcoin:${ADDRESS}`);
  for (const now of [WINDOW.from - 1, WINDOW.until + 1]) {
    const to = proveName({ name: 'alice@pay.test', proof }, { ...trusting, now });
    expect(() => build([{ to, value: 60_000n }])).toThrow('is a payment name that is not proven at the time');
  }
  const refuted = proveName({ name: 'bob@pay.test', proof }, { ...trusting, now: WINDOW.now });
  expect(() => build([{ to: refuted, value: 60_000n }])).toThrow('not proven');
});
