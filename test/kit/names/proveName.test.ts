import { readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { networks } from '../../../src/core/network/networks.ts';
import { type NameOptions, proveName } from '../../../src/kit/names/index.ts';
import { makeNameCases } from '../../support/nameCases.ts';
import {
  ALGORITHM,
  anchorOf,
  DNS,
  type DnsRecord,
  delegation,
  makeZone,
  proofOf,
  txt,
  WINDOW,
} from '../../support/zones.ts';

const hashed = vi.hoisted(() => ({ count: 0 }));
vi.mock('../../../src/core/crypto/hash.ts', async (original) => {
  const all = await original<typeof import('../../../src/core/crypto/hash.ts')>();
  const sha256 = (bytes: Uint8Array): Uint8Array => {
    hashed.count += 1;
    return all.sha256(bytes);
  };
  return { ...all, sha256 };
});

const ADDRESS = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const URI = `bitcoin:${ADDRESS}`;

const root = makeZone('.', ALGORITHM.RSASHA256);
const pay = makeZone('pay.test.', ALGORITHM.ECDSAP256);
const above = [...root.keys, ...root.sign(delegation(pay)), ...pay.keys];
const anchors = [anchorOf(root)];
const NAME = 'alice@pay.test';
const ownerOf = (name: string): string => `${name.split('@')[0]}.user._bitcoin-payment.${name.split('@')[1]}.`;

/** Proves a name by the texts that its domain has for it. */
function prove(
  texts: readonly (readonly string[])[],
  { name = NAME, ...options }: NameOptions & { readonly name?: string } = {},
) {
  const records: readonly DnsRecord[] = texts.map((strings) => txt(ownerOf(name), ...strings));
  return proveName({ name, proof: proofOf(...above, pay.sign(records)) }, { now: WINDOW.now, anchors, ...options });
}

test('a name is proven with its payment, and for how long', () => {
  const { record, payment, ...proof } = { record: undefined, payment: undefined, ...prove([[URI]]) };
  expect(proof).toEqual({
    ...{ status: 'proven', name: NAME, isPunycode: false, isWildcard: false },
    ...{ from: WINDOW.from, until: WINDOW.until, ttl: 300 },
  });
  expect(payment).toMatchObject({ addresses: [ADDRESS], silentPayments: [], network: networks.main });
  expect(record?.name).toEqual(new Uint8Array(Buffer.from(NAME)));
});

describe('of the texts of a name,', () => {
  test.each<[string, readonly (readonly string[])[], object]>([
    [
      'strings are joined',
      [['bitcoin:bc1qw508d6qejxt', 'dg4y5r3zarvary0c5xw7kv8f3t4', '?amount=0.5']],
      { status: 'proven', payment: { amount: 50_000_000n } },
    ],
    ['others are left out', [[URI], ['v=spf1 -all'], ['lightning:lnbc1']], { status: 'proven' }],
    [
      'one asks for what is not understood',
      [[`${URI}?req-somethingyoudontunderstand=50`]],
      { status: 'refuted', fault: 'uri' },
    ],
    [
      'one pays not on the chain',
      [['bitcoin:?lno=lno1x']],
      { status: 'proven', payment: { addresses: [], silentPayments: [] } },
    ],
  ])('%s', (_, texts, outcome) => {
    expect(prove(texts)).toMatchObject(outcome);
  });
});

test('a text that is not UTF-8 is left out', () => {
  const owner = ownerOf(NAME);
  const strange = { ...txt(owner, 'x'), data: Buffer.from([1, 0xff]) };
  const proof = proofOf(...above, pay.sign([txt(owner, URI), strange]));
  expect(proveName({ name: NAME, proof }, { now: WINDOW.now, anchors }).status).toBe('proven');
});

describe('at the time', () => {
  test.each([
    [WINDOW.from - 1, 'early'],
    [WINDOW.from, 'proven'],
    [WINDOW.until, 'proven'],
    [WINDOW.until + 1, 'expired'],
  ])('%s, it is %s', (now, status) => {
    expect(prove([[URI]], { now }).status).toBe(status);
  });

  test('without a clock, it is not called proven', () => {
    const proof = proofOf(...above, pay.sign(txt(ownerOf(NAME), URI)));
    const { from, until } = WINDOW;
    expect(proveName({ name: NAME, proof }, { anchors })).toMatchObject({ status: 'no-clock', from, until });
  });

  test('a signature that is not used counts, too', () => {
    const late = pay.sign(txt('other.pay.test.', 'x'), { from: WINDOW.now + 9 });
    const proof = proofOf(...above, pay.sign(txt(ownerOf(NAME), URI)), late);
    expect(proveName({ name: NAME, proof }, { now: WINDOW.now, anchors }).status).toBe('early');
  });
});

describe('a payment name', () => {
  test.each([
    'alice@pay.test',
    '₿alice@pay.test',
    'ALICE@Pay.Test',
    'a.b.c@pay.test',
    '_x_@pay.test',
    "a'b=c@pay.test",
    `${'a'.repeat(63)}@pay.test`,
  ])('may be %s', (name) => {
    const owner = ownerOf(name.replace('₿', '').toLowerCase());
    const proof = proofOf(...above, pay.sign(txt(owner, URI)));
    expect(proveName({ name, proof }, { now: WINDOW.now, anchors })).toMatchObject({
      status: 'proven',
      name: name.replace('₿', '').toLowerCase(),
    });
  });

  test('of punycode is marked', () => {
    expect(prove([[URI]], { name: 'xn--lice-5na@pay.test' })).toMatchObject({ status: 'proven', isPunycode: true });
  });

  test.each(
    [
      [
        '',
        'alice',
        '@pay.test',
        'alice@',
        'alice@pay@test',
        '.alice@pay.test',
        'alice.@pay.test',
        'alice@pay..test',
        'alice@pay.test.',
      ],
      [
        'al ice@pay.test',
        'älice@pay.test',
        'alice@pay.test\n',
        'al\\046ice@pay.test',
        '\u212Aate@pay.test',
        '₿₿alice@pay.test',
        '*@pay.test',
      ],
      [
        'alice.user._bitcoin-payment.evil@pay.test',
        'alice@evil.user._bitcoin-payment.pay.test',
        'a._BITCOIN-payment@pay.test',
      ],
      [`${'a'.repeat(64)}@pay.test`, `${'a.'.repeat(120)}a@pay.test`],
    ].flat(),
  )('may not be %j', (name) => {
    const proof = proofOf(...above, pay.sign(txt(ownerOf(NAME), URI)));
    expect(proveName({ name, proof }, { now: WINDOW.now, anchors })).toEqual({ status: 'refuted', fault: 'name' });
  });

  test('has no ₿ in a record', () => {
    const proof = proofOf(...above, pay.sign(txt(ownerOf(NAME), URI)));
    const name = new Uint8Array(Buffer.from('₿alice@pay.test'));
    expect(proveName({ name, proof }, { now: WINDOW.now, anchors })).toEqual({ status: 'refuted', fault: 'name' });
  });
});

describe('what cannot be read', () => {
  const whole = proofOf(...above, pay.sign(txt(ownerOf(NAME), URI)));
  const at = (proof: Uint8Array) => proveName({ name: NAME, proof }, { now: WINDOW.now, anchors });

  test('a proof that is cut ends in each place without a name', () => {
    for (let length = 0; length < whole.length; length += 1) {
      const { status } = at(whole.slice(0, length));
      if (status !== 'refuted' && status !== 'unreadable') expect.unreachable(`${status} at ${length}`);
    }
  });

  test.each<[string, Uint8Array]>([
    ['bytes after the records', new Uint8Array([...whole, 0])],
    ['a name that is compressed', new Uint8Array([0xc0, 0x0c, ...whole])],
    ['records of another class', proofOf({ ...txt('x.', 'x'), class: 3 })],
    [
      'a signature whose time is none',
      proofOf(...above, pay.sign(txt(ownerOf(NAME), URI), { from: WINDOW.until, until: WINDOW.from })),
    ],
    ['a signature of another century', proofOf(...above, pay.sign(txt(ownerOf(NAME), URI), { from: 0 }))],
  ])('%s', (_, proof) => {
    expect(at(proof)).toMatchObject({ status: 'unreadable', fault: 'malformed' });
  });

  test('too many records, and too many bytes', () => {
    const many = Array.from({ length: 301 }, (_, i) => txt(`x${i}.`, 'x'));
    expect(at(proofOf(...many))).toEqual({ status: 'unreadable', fault: 'size' });
    expect(at(new Uint8Array(65_536))).toEqual({ status: 'unreadable', fault: 'size' });
  });
});

test('a text whose strings do not add up cannot be read', () => {
  const broken = { ...txt(ownerOf(NAME), 'x'), data: Buffer.from([9, 0x61]) };
  const proof = proofOf(...above, pay.sign(broken));
  expect(proveName({ name: NAME, proof }, { now: WINDOW.now, anchors })).toEqual({
    status: 'unreadable',
    fault: 'malformed',
  });
});

test('a payment that is not UTF-8 counts as one, and one behind a byte order mark does not', () => {
  const owner = ownerOf(NAME);
  const record = (bytes: Buffer): DnsRecord => ({
    ...txt(owner, 'x'),
    data: Buffer.concat([Buffer.from([bytes.length]), bytes]),
  });
  const strange = record(Buffer.from('bitcoin:?label=\xff', 'latin1'));
  const marked = record(Buffer.from(`\ufeff${URI}`));
  const at = (...records: readonly DnsRecord[]) =>
    proveName({ name: NAME, proof: proofOf(...above, pay.sign(records)) }, { now: WINDOW.now, anchors });
  expect(at(strange)).toMatchObject({ status: 'refuted', fault: 'uri' });
  expect(at(strange, txt(owner, URI))).toMatchObject({ status: 'refuted', fault: 'several' });
  expect(at(marked)).toMatchObject({ status: 'refuted', fault: 'none' });
  expect(at(marked, txt(owner, URI))).toMatchObject({ status: 'proven' });
});

test('many keys and digests under one tag cost no more than their bytes', () => {
  // As many as a proof holds, in a zone with a long name: each key is hashed once for each type of digest.
  const zone = { ...makeZone(`${'a.'.repeat(60)}pay.test.`, ALGORITHM.ECDSAP256) };
  const crowd = (type: number, make: (i: number) => Buffer): readonly DnsRecord[] =>
    Array.from({ length: 120 }, (_, i) => ({ owner: zone.name, type, data: make(i) }));
  const keys = crowd(DNS.DNSKEY, (i) => Buffer.concat([Buffer.from([1, 1, 3, 13]), Buffer.alloc(64, i)]));
  const digests = crowd(DNS.DS, (i) => Buffer.concat([Buffer.from([0x12, 0x34, 13, 2]), Buffer.alloc(32, i)]));
  const name = `alice@${zone.name.slice(0, -1)}`;
  const proof = proofOf(...above, pay.sign(digests), keys, zone.sign(txt(ownerOf(name), URI)));
  const start = hashed.count;
  expect(proveName({ name, proof }, { now: WINDOW.now, anchors }).status).toBe('refuted');
  expect(hashed.count - start).toBeLessThan(2 * 120 + 20);
});

test('a hostile proof ends before it costs much', () => {
  // A chain of zones below each other, each with a signature of P-384: the deepest would cost 4 for each of three sets.
  const zones = Array.from({ length: 12 }, (_, i) => makeZone(`${'z.'.repeat(i + 1)}`, ALGORITHM.ECDSAP384));
  const records = zones.flatMap((zone, i) => [...(zones[i - 1] ?? root).sign(delegation(zone)), ...zone.keys]);
  const deepest = zones.at(-1) ?? root;
  const name = `alice@${'z.'.repeat(12).slice(0, -1)}`;
  const proof = proofOf(...root.keys, ...records, deepest.sign(txt(ownerOf(name), URI)));
  expect(proveName({ name, proof }, { now: WINDOW.now, anchors })).toMatchObject({
    status: 'unreadable',
    fault: 'work',
  });
});

test('the cases of the chain are judged by the real roots, too, which know none of them', () => {
  const { cases } = makeNameCases();
  for (const { records, question } of cases) {
    const [user = '', domain = ''] = question.replace(/\.$/, '').split('.user._bitcoin-payment.');
    if (domain === '') continue;
    const { status } = proveName({ name: `${user}@${domain}`, proof: proofOf(...records) }, { now: WINDOW.now });
    expect(status === 'refuted' || status === 'unreadable').toBe(true);
  }
});

interface Published {
  readonly name: string;
  readonly from: number;
  readonly until: number;
  readonly pays?: string;
  readonly proof: string;
}

const published: readonly Published[] = JSON.parse(
  readFileSync(new URL('../../../vectors/bip353.json', import.meta.url), 'utf8'),
);

test.each(published)('the proof of $name that BIP353 publishes', ({ name, from, until, pays, proof }) => {
  const at = (now: number) => proveName({ name, proof: new Uint8Array(Buffer.from(proof, 'base64')) }, { now });
  if (pays === undefined) return expect(at(from)).toEqual({ status: 'refuted', fault: 'several' });
  expect(at(from)).toMatchObject({ status: 'proven', name, from, until, payment: { addresses: [pays] } });
  expect(at(until + 1).status).toBe('expired');
});

test('a time in milliseconds is refused', () => {
  expect(() => prove([[URI]], { now: Date.now() })).toThrow('Unix time in seconds');
});
