import { describe, expect, test } from 'vitest';
import { UNSPENDABLE_KEY } from '../../../src/core/script/tapTree.ts';
import { textsOf } from '../../support/findingTexts.ts';
import {
  concatBytes,
  deriveForPsbt,
  finalizePsbt,
  formatHex,
  formatPath,
  formatReview,
  formatXpub,
  hash160,
  networks,
  type Psbt,
  type PsbtInput,
  type PsbtReview,
} from '../../support/library.ts';
import {
  ALICE,
  BOB,
  make,
  PAYEE,
  parse,
  payment,
  review,
  type SignerFacts,
  scriptAt,
  sign,
  verdictsOf,
  WALLETS,
  type WalletName,
  withInput,
  withOutput,
  without,
} from '../../support/psbts.ts';

const own = (...names: readonly WalletName[]): SignerFacts => ({
  descriptors: names.map((name) => parse(WALLETS[name])),
});
const ALL = Object.keys(WALLETS) as readonly WalletName[];
/** A key at hand proves its coins whatever file it comes with. */
const SAME_KEYS: readonly (readonly WalletName[])[] = [
  ...ALL.map((name) => [name]),
  ['tr', 'tree'],
  ['multi', 'multiOfBob'],
];

describe('the owner of an output', () => {
  test.each(ALL)('is verified where a descriptor derives it: %s', (name) => {
    for (const version of [0, 2] as const) {
      const psbt = payment([name], { version });
      const { outputs, inputs } = review(psbt, own(name));
      expect(outputs[0]).toMatchObject({ owner: { kind: 'none', root: 'none' }, role: 'payment', stays: false });
      expect(outputs[0]?.claimedKeys).toEqual([]);
      const isOfOneKey = ['pkh', 'shWpkh', 'wpkh', 'tr'].includes(name);
      // The second of `<0;1>/*`.
      const [from, to] = [0, 1].map((chain) =>
        isOfOneKey
          ? { kind: 'account', root: 'key', place: { number: 0, chain, index: 0 } }
          : { kind: 'wallet', root: 'none', wallet: { positions: [0] }, place: { position: chain, index: 0 } },
      );
      expect(outputs[1]).toMatchObject({ owner: to, role: 'change', stays: true });
      expect(inputs[0]).toMatchObject({ owner: from, canSign: true });
    }
  });

  test.each(ALL)('is only claimed without a descriptor, or with another: %s', (name) => {
    const psbt = payment([name]);
    const others = ALL.filter((other) => !SAME_KEYS.some((names) => names.includes(name) && names.includes(other)));
    for (const facts of [{}, own(...others)]) {
      const { outputs, inputs, findings, leaves, stays } = review(psbt, facts);
      expect(outputs[1]).toMatchObject({ owner: { kind: 'none' }, role: 'payment', stays: false });
      expect(outputs[1]?.claimedKeys.length).toBeGreaterThan(0);
      expect(inputs[0]).toMatchObject({ owner: { kind: 'none' }, canSign: false });
      // With keys at hand, the claims are those of others: nothing of this PSBT is the signer's.
      expect(findings).toMatchObject(
        facts.descriptors ? [] : [{ check: 'change-unverified', action: 'warn', outputIndex: 1 }],
      );
      expect([leaves, stays]).toEqual([undefined, 0n]);
    }
  });

  test('can be verified with public keys alone', () => {
    const text = `wpkh(${ALICE.xpub('m/84h/1h/0h')}/<0;1>/*)`;
    const { outputs } = review(payment(['wpkh']), { descriptors: [parse(text)] });
    expect(outputs[1]).toMatchObject({
      owner: { kind: 'account', root: 'listed', place: { number: 0, chain: 1, index: 0 } },
      role: 'change',
      stays: true,
    });
  });

  test('is shown with the descriptor and the index', () => {
    const inputs = [
      { of: WALLETS.tr, index: 4 },
      { of: WALLETS.multi, index: 70_000 },
    ];
    const outputs = [
      { to: WALLETS.tree, index: 3, value: 1_000_000n },
      { to: PAYEE, value: 990_000n },
    ];
    const { inputs: spent, outputs: paid } = review(make({ inputs, outputs }), own('wpkh', 'tr', 'tree', 'multi'));
    expect(spent.map(({ owner }) => owner)).toMatchObject([
      { kind: 'account', title: 'descriptor 2', place: { chain: 0, index: 4 } },
      { kind: 'wallet', wallet: { title: 'descriptor 4' }, place: { position: 0, index: 70_000 } },
    ]);
    expect(paid[0]).toMatchObject({
      owner: { kind: 'wallet', wallet: { title: 'descriptor 3' }, place: { position: 1, index: 3 } },
      role: 'payment',
      stays: false,
    });
  });

  test('has index 0 in a descriptor without a wildcard', () => {
    const text = `wsh(multi(2,${ALICE.xprv('m/48h/1h/0h')}/5/6,${BOB.xpub('m/48h/1h/0h')}/5/6))`;
    const psbt = make({ inputs: [{ of: text }], outputs: [{ to: scriptAt(text), value: 999_000n }] });
    const { inputs, outputs } = review(psbt, { descriptors: [parse(text)] });
    const owner = { kind: 'wallet', place: { position: 0, index: 0 } };
    expect(inputs[0]).toMatchObject({ owner });
    // A wallet that is not registered has the chains 0 and 1, or verifies nothing.
    expect(outputs[0]).toMatchObject({ owner, role: 'payment', stays: false });
    expect(verdictsOf(psbt, { descriptors: [parse(text)] })).toEqual(['wallet-foreign: refuse']);
  });

  test('of one key is its path, also without a wildcard', () => {
    const text = `wpkh(${ALICE.xprv('m/84h/1h/0h')}/1/6)`;
    const psbt = make({ inputs: [{ of: text }], outputs: [{ to: scriptAt(text), value: 999_000n }] });
    const { outputs, findings } = review(psbt, { descriptors: [parse(text)] });
    expect(outputs[0]).toMatchObject({ owner: { place: { chain: 1, index: 6 } }, role: 'change', stays: true });
    expect(findings).toEqual([]);
  });

  test('is searched only at the indexes that the PSBT names', () => {
    const psbt = payment(['multi'], { outputs: [{ to: WALLETS.multi, index: 9_000, value: 990_000n }] });
    const indexes = deriveForPsbt(psbt, [parse(WALLETS.multi)]).flatMap(({ keys }) =>
      keys.map(({ origin }) => origin?.path.at(-1)),
    );
    expect([...new Set(indexes)].sort()).toEqual([0, 9_000]);
  });
});

describe('the fee', () => {
  const spoil = (psbt: Psbt, change: (input: PsbtInput) => PsbtInput): Psbt => withInput(psbt, 0, change);

  test('is proven by previous transactions, or by signatures that commit to every amount', () => {
    for (const names of [['pkh', 'wpkh', 'multi'], ['tr', 'tree'], ['wpkh']] as const) {
      expect(review(payment(names))).toMatchObject({ fee: 2_000n, feeTrust: 'proven' });
    }
    const proofs = (names: readonly WalletName[]): readonly unknown[] =>
      review(payment(names)).inputs.map(({ amountTrust, amountProof }) => [amountTrust, amountProof]);
    expect(proofs(['tr', 'tree'])).toEqual([1, 2].map(() => ['proven', 'signatures']));
    expect(proofs(['wpkh'])).toEqual([['proven', 'previous-transaction']]);
  });

  test('is claimed if one of several amounts is', () => {
    const psbt = spoil(payment(['wpkh', 'pkh']), (input) => without(input, 'nonWitnessUtxo'));
    expect(review(psbt)).toMatchObject({ fee: 2_000n, feeTrust: 'claimed' });
    expect(review(psbt).inputs.map(({ amountTrust }) => amountTrust)).toEqual(['claimed', 'proven']);
  });

  test('is claimed where no signature would commit to it: taproot within P2SH, or a future witness version', () => {
    const inner = scriptAt(WALLETS.tr);
    const scripts: readonly (readonly [Uint8Array, PsbtInput, string])[] = [
      [
        concatBytes(Uint8Array.of(0xa9, 20), hash160(inner), Uint8Array.of(0x87)),
        { redeemScript: inner },
        'legacy-unproven: refuse',
      ],
      // A witness program is no legacy coin.
      [concatBytes(Uint8Array.of(0x52, 32), new Uint8Array(32)), {}, 'amount-unproven: warn'],
    ];
    for (const [scriptPubKey, known, verdict] of scripts) {
      const psbt = spoil(payment(['wpkh']), (input) => ({
        ...without(input, 'nonWitnessUtxo'),
        ...known,
        witnessUtxo: { value: 1_000_000n, scriptPubKey },
      }));
      const { feeTrust, findings } = review(psbt);
      expect(feeTrust).toBe('claimed');
      expect(findings.map(({ check, action }) => `${check}: ${action}`)).toContain(verdict);
    }
  });

  test('is unknown if a coin is, as is the amount that leaves the descriptors', () => {
    const psbt = spoil(payment(['wpkh', 'pkh']), (input) => without(input, 'nonWitnessUtxo', 'witnessUtxo'));
    const found = review(psbt, own('wpkh', 'pkh'));
    expect(found).toMatchObject({ fee: undefined, feeTrust: 'unknown', vsize: undefined });
    expect(found.findings).toContainEqual({
      check: 'coin-unknown',
      action: 'warn',
      inputIndex: 0,
      data: {},
    });
    expect(found.leaves).toBeUndefined();
  });

  test('comes with the size of the signed transaction', () => {
    for (const name of ALL) {
      const psbt = payment([name]);
      const { vsize = 0 } = review(psbt);
      const after = review(finalizePsbt(sign(psbt).psbt).psbt).vsize ?? 0;
      expect(Math.abs(after - vsize), name).toBeLessThanOrEqual(1);
    }
  });

  test('is not the amount that leaves the descriptors, which also counts payments', () => {
    const psbt = payment(['wpkh', 'tr']);
    expect(review(psbt, own('wpkh', 'tr')).leaves).toBe(402_000n);
    // A foreign coin contributes.
    expect(review(psbt, own('wpkh')).leaves).toBe(1_000_000n - 1_598_000n);
    expect(review(psbt, own('multi')).leaves).toBeUndefined();
  });
});

describe('amounts and limits at their edges', () => {
  const MAX = networks.main.maxMoney;
  const spending = (values: readonly bigint[], paid: bigint, more: object = {}): Psbt =>
    make({
      inputs: values.map((value, index) => ({ of: WALLETS.wpkh, index, value })),
      outputs: [{ to: PAYEE, value: paid }],
      ...more,
    });
  const checksOf = (psbt: Psbt, facts: SignerFacts = {}): readonly string[] =>
    review(psbt, facts).findings.map(({ check }) => check);

  test('all coins may be spent, but no more', () => {
    expect(checksOf(spending([MAX], MAX - 1000n))).toEqual([]);
    expect(checksOf(spending([MAX], MAX))).toEqual(['fee-low']);
    expect(checksOf(spending([MAX, 1000n], MAX))).toEqual(['amount-impossible']);
    expect(checksOf(spending([-1n, 1_000_000n], 999_000n))).toEqual(['amount-impossible']);
    expect(checksOf(spending([0n], -5n))).not.toContain('fee-absurd');
  });

  test('a fee is absurd above the rate or the share, and negative below 0', () => {
    expect(checksOf(spending([100_000_000n], 99_000_000n))).toEqual(['fee-absurd']);
    expect(checksOf(spending([100_000n], 100_000n))).toEqual(['fee-low']);
    expect(checksOf(spending([100_000n], 100_001n))).toEqual(['fee-negative']);
    const { vsize = 0 } = review(spending([5000n], 4000n));
    const exact = spending([5000n], 5000n - 10n * BigInt(vsize));
    expect(review(exact, { limits: { maxFeeRate: 10, maxFeePercent: 90, warnFeePercent: 90 } }).findings).toEqual([]);
    // So small a fee is never too large a share.
    expect(review(exact, { limits: { maxFeeRate: 10 } }).findings).toEqual([]);
    expect(textsOf(review(exact, { limits: { warnFeeRate: 9.99 } }))[0]).toMatch(/ 10 sat\/vB, above 9.99\./);
  });

  test('a locktime needs an input that enables it', () => {
    const at = (locktime: number, ...sequences: readonly number[]): readonly string[] =>
      checksOf(
        make({
          inputs: sequences.map((sequence, index) => ({ of: WALLETS.wpkh, index, sequence })),
          outputs: [{ to: PAYEE, value: 1_000_000n * BigInt(sequences.length) - 1000n }],
          locktime,
        }),
      );
    const [FINAL, OPEN] = [0xffff_ffff, 0xffff_fffe];
    expect([at(9, FINAL), at(0, FINAL), at(9, FINAL, OPEN), at(9, FINAL, FINAL)]).toEqual([
      ...[['locktime-unusual'], [], [], ['locktime-unusual']],
    ]);
  });

  test('versions are 1 to 3', () => {
    const found = [0, 1, 2, 3, 4].map((txVersion) => checksOf(spending([1_000_000n], 999_000n, { txVersion })));
    expect(found).toEqual([['version-unusual'], [], [], [], ['version-unusual']]);
    expect([0, 2].map((version) => review(payment(['wpkh'], { version: version as 0 | 2 })).version)).toEqual([0, 2]);
  });

  test('signatures prove claimed amounts only if each commits to all', () => {
    const making = (...names: readonly WalletName[]): Psbt =>
      make({
        inputs: names.map((name, index) => ({ of: WALLETS[name], index, shownBy: 'output' })),
        outputs: [{ to: PAYEE, value: 1_000_000n * BigInt(names.length) - 1000n }],
      });
    const claimed = (...names: readonly WalletName[]): PsbtReview => review(making(...names));
    // Beside an input of segwit version 0, the previous transaction of the first is kept.
    const [{ nonWitnessUtxo } = {}] = payment(['tr', 'wpkh']).inputs;
    if (!nonWitnessUtxo) return expect.fail('no previous transaction');
    const { feeReason, inputs } = review(withInput(making('tr', 'tr'), 0, (input) => ({ ...input, nonWitnessUtxo })));
    expect([feeReason, ...inputs.map(({ amountProof }) => amountProof)]).toEqual([
      ...['signatures', 'previous-transaction', 'signatures'],
    ]);
    expect(claimed('tr', 'wpkh').feeReason).toBe('claims');
    expect(claimed('wpkh', 'tr').feeReason).toBe('claims');
  });

  test('the size is that of a usual signature, whatever is there', () => {
    const plain = payment(['wpkh']);
    const [{ pubkey = PAYEE } = {}] = plain.inputs[0]?.bip32Derivations ?? [];
    // Its type is not that of the input.
    const signature = Uint8Array.of(0x30, 6, 2, 1, 1, 2, 1, 1, 2);
    const held = withInput(plain, 0, (input) => ({ ...input, partialSigs: [{ pubkey, signature }] }));
    expect(review(held).vsize).toBe(review(plain).vsize);
  });

  test('the size is known for an input that names its hash type', () => {
    for (const name of ['tr', 'wpkh'] as const) {
      const plain = payment([name]);
      const named = withInput(plain, 0, (input) => ({ ...input, sighashType: 1 }));
      const { vsize = 0 } = review(named);
      expect(vsize - (review(plain).vsize ?? 0)).toBeLessThanOrEqual(1);
      expect(vsize).toBeGreaterThan(100);
    }
  });
});

describe('signatures', () => {
  const quorum = payment(['multi']);
  const keyOf = (person: typeof ALICE) => ({
    publicKey: person.keyAt('m/48h/1h/0h/0/0'),
    claimedOrigin: { fingerprint: person.fingerprint, path: expect.anything() },
  });

  test('are all missing at first', () => {
    const [input] = review(quorum).inputs;
    expect(input).toMatchObject({ isFinal: false, isFinalValid: false, signatures: [], sighashType: 1 });
    expect(input?.missingSignatures).toHaveLength(2);
    expect(input?.missingSignatures).toEqual(
      expect.arrayContaining([keyOf(ALICE), keyOf(BOB)].map((key) => expect.objectContaining(key))),
    );
    expect(formatPath(input?.missingSignatures[0]?.claimedOrigin?.path ?? [])).toBe('/48h/1h/0h/0/0');
  });

  test('of one cosigner of two are present', () => {
    const { psbt } = sign(quorum, {}, [WALLETS.multi]);
    const [input] = review(psbt).inputs;
    expect(input?.signatures).toMatchObject([{ ...keyOf(ALICE), state: 'valid', sighashType: 1 }]);
    expect(input?.missingSignatures).toMatchObject([keyOf(BOB)]);
  });

  test('that are invalid count as missing', () => {
    const { psbt } = sign(quorum, {}, [WALLETS.multi]);
    const other = withOutput(psbt, 0, (output) => ({ ...output, amount: 399_000n }));
    const [input] = review(other).inputs;
    expect(input?.signatures).toMatchObject([{ ...keyOf(ALICE), state: 'invalid' }]);
    expect(input?.missingSignatures).toHaveLength(2);
  });

  test('are missing for the key path and for the leaves of taproot', () => {
    const [key, tree] = review(payment(['tr', 'tree'])).inputs;
    expect(key?.missingSignatures).toMatchObject([
      { publicKey: ALICE.keyAt('m/86h/1h/0h/0/0').slice(1), claimedOrigin: { fingerprint: ALICE.fingerprint } },
    ]);
    // The key path, and two leaves: Alice's and Bob's.
    const signers = tree?.missingSignatures.map(({ claimedOrigin }) => claimedOrigin?.fingerprint ?? new Uint8Array(0));
    const { fingerprint } = ALICE;
    expect(signers?.map((signer) => formatHex(signer)).sort()).toEqual(
      [fingerprint, fingerprint, BOB.fingerprint].map((signer) => formatHex(signer)).sort(),
    );
    const { psbt } = sign(payment(['tr', 'tree']));
    for (const { signatures } of review(psbt).inputs)
      expect(signatures).toMatchObject([{ state: 'valid', sighashType: 0 }]);
  });

  const H = Uint8Array.of(2, ...UNSPENDABLE_KEY);
  const belowH = formatXpub(
    {
      depth: 0,
      parentFingerprint: new Uint8Array(4),
      childNumber: 0,
      chainCode: new Uint8Array(32).fill(1),
      publicKey: H,
    },
    networks.regtest,
  );

  test.each([
    ["BIP341's point", formatHex(UNSPENDABLE_KEY)],
    ['a key below it', `${belowH}/<0;1>/*`],
  ])('are not expected of an internal key that nobody has: %s', (_, key) => {
    const of = `tr(${key},{pk(${ALICE.xpub('m/87h')}/<0;1>/*),and_v(v:pk(${BOB.xpub('m/87h')}/<0;1>/*),older(9))})`;
    const psbt = make({ inputs: [{ of }], outputs: [{ to: PAYEE, value: 998_000n }] });
    const reviewed = review(psbt, { descriptors: [parse(of)] });
    expect(reviewed.inputs[0]?.quorums.map(({ isKeyPath, wanted }) => [isKeyPath, wanted.length])).toEqual([
      [false, 1],
      [false, 1],
    ]);
    expect(reviewed.inputs[0]?.missingSignatures).toHaveLength(2);
    expect(formatReview(reviewed)).toContain('\nSigned   input 0: 0 of 1\n');
    // Only the descriptor shows what the key is derived from.
    expect(review(psbt).inputs[0]?.quorums).toHaveLength(key.endsWith('*') ? 3 : 2);
  });

  test('are not listed for final inputs', () => {
    for (const name of ALL) {
      const [input] = review(finalizePsbt(sign(payment([name])).psbt).psbt).inputs;
      expect(input, name).toMatchObject({ isFinal: true, isFinalValid: true, signatures: [], missingSignatures: [] });
    }
  });

  test('are missing for keys without an origin, too', () => {
    const bare = withInput(quorum, 0, (input) => without(input, 'bip32Derivations'));
    for (const signer of review(bare).inputs[0]?.missingSignatures ?? [])
      expect(signer).not.toHaveProperty('claimedOrigin');
    expect(review(bare).inputs[0]?.missingSignatures).toHaveLength(2);
  });
});

describe('limits', () => {
  test('depend on the network', () => {
    const paying = (value: bigint): Psbt =>
      make({ inputs: [{ of: WALLETS.wpkh, value: value + 1_000n }], outputs: [{ to: PAYEE, value }] });
    const more = 2_200_000_000_000_000n;
    expect(verdictsOf(paying(more))).toEqual(['amount-impossible: refuse']);
    expect(verdictsOf(paying(more), { network: networks['litecoin-testnet'] })).toEqual([]);
    expect(verdictsOf(paying(4n * more), { network: networks['litecoin-testnet'] })).toEqual([
      'amount-impossible: refuse',
    ]);
    expect(verdictsOf(paying(30_000n), { network: networks['litecoin-testnet'] })).toEqual([]);
    const small = withOutput(paying(30_000n), 0, (output) => ({ ...output, amount: 2_939n }));
    const policy = { 'fee-absurd': 'allow', 'fee-high': 'allow' } as const;
    expect(verdictsOf(small, { network: networks['litecoin-testnet'], policy })).toEqual(['dust: warn']);
    expect(
      verdictsOf(
        withOutput(small, 0, (output) => ({ ...output, amount: 2_940n })),
        { network: networks['litecoin-testnet'], policy },
      ),
    ).toEqual([]);
  });

  test('appear in findings with the currency of the network', () => {
    const psbt = make({ inputs: [{ of: WALLETS.wpkh }], outputs: [{ to: PAYEE, value: 800_000n }] });
    expect(textsOf(review(psbt, { network: networks['litecoin-testnet'] }))[0]).toContain('0.00200000 LTC');
  });
});

describe('the policy', () => {
  test('changes only the checks that it names', () => {
    const psbt = make({ inputs: [{ of: WALLETS.wpkh }], outputs: [{ to: PAYEE, value: 100n }] });
    expect(verdictsOf(psbt)).toEqual(['dust: warn', 'fee-absurd: refuse']);
    expect(verdictsOf(psbt, { policy: { dust: 'refuse' } })).toEqual(['dust: refuse', 'fee-absurd: refuse']);
    expect(verdictsOf(psbt, { policy: { dust: 'allow', 'fee-absurd': 'warn' } })).toEqual(['fee-absurd: warn']);
  });

  test('leaves the PSBT unchanged', () => {
    const psbt = payment(['wpkh', 'tr', 'multi']);
    const before = structuredClone(psbt);
    review(psbt, own('wpkh', 'tr'));
    expect(psbt).toEqual(before);
  });
});
