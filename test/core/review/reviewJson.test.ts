import { describe, expect, test } from 'vitest';
import {
  findingText,
  formatAddress,
  formatHex,
  formatReview,
  networks,
  type Psbt,
  type PsbtReview,
  reviewToJson,
  SIGHASH,
} from '../../support/library.ts';
import {
  make,
  PAYEE,
  parse,
  payment,
  review,
  scriptAt,
  sign,
  WALLETS,
  withInput,
  without,
} from '../../support/psbts.ts';

const bare = (psbt: Psbt, index = 0): Psbt => withInput(psbt, index, (input) => without(input, 'nonWitnessUtxo'));

/** Reviews of every kind of trust in amounts and fees. */
const REVIEWS: Readonly<Record<string, PsbtReview>> = {
  'previous transactions': review(payment(['wpkh', 'multi']), { descriptors: [parse(WALLETS.wpkh)] }),
  signatures: review(payment(['tr', 'tree'])),
  'both proofs': review(withInput(payment(['tr', 'tree']), 0, (input) => without(input, 'witnessUtxo'))),
  'one claimed amount': review(bare(payment(['wpkh', 'pkh']))),
  'an open signature': review(payment(['wpkh']), { sighashType: SIGHASH.NONE }),
  'an unknown coin': review(withInput(bare(payment(['wpkh', 'wpkh'])), 0, (input) => without(input, 'witnessUtxo'))),
  'a half signed quorum': review(sign(payment(['multi']), {}, [WALLETS.multi]).psbt),
  'leaf scripts': review(sign(payment(['tree']), {}, [WALLETS.tree]).psbt),
  'data and locks': review(
    make({
      inputs: [{ of: WALLETS.wpkh, value: 1_000_000n }],
      outputs: [
        { to: Uint8Array.of(0x6a, 1, 7), value: 0n },
        { to: PAYEE, value: 990_000n },
      ],
      locktime: 800_000,
    }),
  ),
};
const CASES = Object.entries(REVIEWS);

describe('the text of a review', () => {
  test.each(CASES)('calls the fee proven only if every amount is: %s', (_, reviewed) => {
    const text = formatReview(reviewed);
    const isProven = /^Fee .*, proven$/m.test(text);
    expect(isProven).toBe(reviewed.feeTrust === 'proven');
    expect(text.includes('only claimed') && isProven).toBe(false);
  });

  test.each(CASES)('explains each word for trust that it uses, once: %s', (_, reviewed) => {
    const text = formatReview(reviewed).replaceAll('only\n         claimed', 'only claimed');
    const count = (pattern: string): number => text.match(new RegExp(pattern, 'gm'))?.length ?? 0;
    for (const word of ['proven', 'only claimed']) {
      expect(count(`^  amount ${word}: .+$`)).toBe(Math.min(1, count(`[ ]amount ${word}$`)));
      expect(count(`^  fee ${word}: .+$`)).toBe(count(`^Fee .*, ${word}$`));
    }
  });

  test('explains why a fee is only claimed although all amounts are proven', () => {
    const text = formatReview(REVIEWS['an open signature'] as PsbtReview);
    expect(text).toContain('  amount proven: its previous transaction shows it\n');
    expect(text).toContain('  fee only claimed: the signatures let others change outputs or add inputs\n');
  });

  test('has colours only on demand', () => {
    const plain = formatReview(REVIEWS['signatures'] as PsbtReview);
    const coloured = formatReview(REVIEWS['signatures'] as PsbtReview, { hasColours: true });
    expect(plain).not.toContain('\u001b');
    expect(coloured).toContain('\u001b[1mFee      \u001b[0m');
  });
});

describe('a review as JSON', () => {
  test.each(CASES)('is plain and complete: %s', (_, reviewed) => {
    const json = reviewToJson(reviewed);
    expect(JSON.parse(JSON.stringify(json))).toEqual(json);
    const worded = reviewed.findings.map((finding) => ({ ...finding, text: findingText(finding, reviewed.network) }));
    expect(json.findings).toEqual(worded);
    expect(json.inputs.map(({ value }) => value)).toEqual(reviewed.inputs.map(({ coin }) => coin?.value.toString()));
    expect(json.outputs.map(({ value }) => value)).toEqual(reviewed.outputs.map(({ value }) => String(value)));
  });

  test.each(CASES)('holds every address, outpoint, fingerprint and leaf of the text: %s', (_, reviewed) => {
    const [json, text] = [JSON.stringify(reviewToJson(reviewed)), formatReview(reviewed)];
    const found = (pattern: RegExp): readonly string[] => [...text.matchAll(pattern)].map(([, part = '']) => part);
    const wanted = [
      ...found(/ BTC {2}(bcrt [\w ]+(?:\n {21}[\w ]+)*)/g).map(
        (groups) => `"address":"${groups.replaceAll(/\s/g, '')}"`,
      ),
      ...found(/^ {5}([0-9a-f]{64}):\d+$/gm).map((txid) => `"txid":"${txid}"`),
      ...found(/signed by \[(\w+)/g).map((fingerprint) => `"fingerprint":"${fingerprint}"`),
      ...found(/for the leaf (.+)$/gm).map((leaf) => `"leaf":"${leaf}"`),
    ];
    expect(wanted.length).toBeGreaterThan(0);
    expect(wanted.filter((part) => !json.includes(part))).toEqual([]);
  });

  test('gives amounts as decimal strings, bytes in hex and paths as text', () => {
    const json = reviewToJson(review(payment(['wpkh']), { descriptors: [parse(WALLETS.wpkh)] }));
    expect(json).toMatchObject({
      network: 'regtest',
      version: 2,
      isRefused: false,
      fee: '2000',
      feeTrust: 'proven',
      feeReason: 'previous-transactions',
      feeShare: { percent: 0.5, of: 'payments' },
      leaves: '402000',
      stays: '598000',
      lockedUntil: { kind: 'none' },
      outputs: [
        { value: '400000', scriptPubKey: formatHex(PAYEE), address: formatAddress(PAYEE, networks.regtest) },
        {
          value: '598000',
          role: 'change',
          stays: true,
          owner: { kind: 'account', root: 'key', path: '84h/1h/0h/1/0', chain: 1, index: 0 },
        },
      ],
      feeRate: expect.closeTo(14.2, 1),
    });
    expect(json.report).toContainEqual({
      role: 'note',
      tone: 'good',
      key: 'role',
      data: {
        role: 'change',
        stays: true,
        owner: { kind: 'account', root: 'key', path: '84h/1h/0h/1/0', title: 'descriptor 1' },
      },
      outputIndex: 1,
      text: 'change, verified (descriptor 1, 84h/1h/0h/1/0)',
    });
    const [input] = json.inputs;
    expect(input).toMatchObject({
      txid: expect.stringMatching(/^[0-9a-f]{64}$/),
      vout: 1,
      value: '1000000',
      isOwn: true,
      canSign: true,
      amountTrust: 'proven',
      amountProof: 'previous-transaction',
      scriptPubKey: formatHex(scriptAt(WALLETS.wpkh)),
      missingSignatures: [{ claimedOrigin: { fingerprint: '58be68cb', path: 'm/84h/1h/0h/0/0' } }],
    });
  });

  test('says that the policy refuses', () => {
    const json = reviewToJson(review(payment(['wpkh']), { policy: { 'change-unverified': 'refuse' } }));
    expect(json.isRefused).toBe(true);
    expect(json.findings).toMatchObject([{ check: 'change-unverified', action: 'refuse', outputIndex: 1 }]);
  });

  test('tells an unknown coin by absent members', () => {
    const { inputs, ...json } = reviewToJson(REVIEWS['an unknown coin'] as PsbtReview);
    expect(inputs[0]).not.toHaveProperty('value');
    expect(inputs[0]).toMatchObject({ amountTrust: 'unknown', vout: expect.any(Number) });
    expect(json).not.toHaveProperty('fee');
  });
});

test('the JSON form holds the size, the rate and each signature, where they are known', () => {
  const half = REVIEWS['a half signed quorum'];
  const whole = reviewToJson(review(sign(payment(['tree']), {}, [WALLETS.tree]).psbt));
  expect(whole).toMatchObject({ fee: '2000', feeShare: { of: 'payments' }, vsize: expect.any(Number) });
  expect(whole.feeRate).toBe(2000 / (whole.vsize ?? 0));
  const wanted = whole.inputs[0]?.missingSignatures[0];
  expect(wanted?.leaf).toBe(`pk(${wanted?.leafScript?.slice(2, 66)})`);
  if (!half) throw new Error('a half signed quorum');
  const [input] = reviewToJson(half).inputs;
  expect(input?.signatures).toMatchObject([{ sighashType: 1, state: 'valid', publicKey: expect.any(String) }]);
  const unknown = reviewToJson(
    review(withInput(payment(['wpkh']), 0, (of) => without(of, 'nonWitnessUtxo', 'witnessUtxo'))),
  );
  for (const name of ['fee', 'feeShare', 'feeRate', 'vsize']) expect(unknown).not.toHaveProperty(name);
});

test('what is not known is left out', () => {
  const json = reviewToJson(review(payment(['wpkh'])));
  expect(json).not.toHaveProperty('leaves');
  const data = make({ inputs: [{ of: WALLETS.wpkh }], outputs: [{ to: Uint8Array.of(0x6a), value: 0n }] });
  expect(reviewToJson(review(data)).outputs[0]).not.toHaveProperty('address');
});
