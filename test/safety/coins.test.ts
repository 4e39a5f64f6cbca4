import { describe, expect, test } from 'vitest';
import { someOf } from '../support/corpus.ts';
import { expectFinding } from '../support/expectFinding.ts';
import {
  combinePsbts,
  decodePsbtBytes,
  encodePsbt,
  extractTransaction,
  finalizePsbt,
  type Psbt,
  type PsbtInput,
  SIGHASH,
  signingRequests,
  verifyTransaction,
} from '../support/library.ts';
import {
  ALICE,
  findingsOf,
  make,
  PAYEE,
  parse,
  payment,
  review,
  scriptAt,
  sign,
  signatureCount,
  updated,
  verdictsOf,
  WALLETS,
  type WalletName,
  withInput,
  withOutput,
  without,
} from '../support/psbts.ts';
import { expectRefusal } from '../support/refusal.ts';

/**
 * A signer must refuse or warn of every known class of attack; the numbers are those of docs/safety.md. This file has
 * coins and hash types; the files beside it have scripts and signatures, nonces, amounts and change, and the wire format.
 */

const ONCE: readonly WalletName[] = ['wpkh'];

/** Makes a payment whose coins are shown only by witness UTXOs. */
const claimed = (names: readonly WalletName[], values: readonly bigint[] = []): Psbt =>
  make({
    inputs: names.map((name, index) => ({
      of: WALLETS[name],
      index,
      value: values[index] ?? 1_000_000n,
      shownBy: 'output' as const,
    })),
    outputs: [{ to: PAYEE, value: 999_000n * BigInt(names.length) }],
  });

/** Replaces the previous transaction of an input by a witness UTXO. */
const withoutTransaction = (psbt: Psbt, index = 0): Psbt =>
  withInput(psbt, index, (input): PsbtInput => {
    const coin = input.nonWitnessUtxo?.outputs[1];
    return { ...without(input, 'nonWitnessUtxo'), ...(coin && { witnessUtxo: coin }) };
  });

const withSighashType = (psbt: Psbt, sighashType: number, index = 0): Psbt =>
  withInput(psbt, index, (input) => ({ ...input, sighashType }));

const statuses = (psbt: Psbt, options: Parameters<typeof sign>[1]): readonly string[] =>
  sign(psbt, options).inputs.map(({ status }) => status);

describe('1. an amount that is only claimed', () => {
  test('is warned of where several segwit v0 coins are spent, and refused if the policy says so', () => {
    const psbt = claimed(['wpkh', 'wpkh']);
    expect(expectFinding(psbt, 'amount-unproven')).toMatchObject({ inputIndex: 0 });
    expect(review(psbt).feeTrust).toBe('claimed');
    expect(signatureCount(sign(psbt).psbt)).toBe(2);
    expect(verdictsOf(claimed(['multi', 'shWpkh']))).toContain('amount-unproven: warn');
  });

  test('can hide a fee in two sessions with one lie each', () => {
    // Each session understates one coin; the signature for the other is valid.
    const make2 = (first: bigint, second: bigint): Psbt => {
      const honest = claimed(['wpkh', 'wpkh'], [3_000_000n, 3_000_000n]);
      const values = [first, second];
      const lied = {
        ...honest,
        inputs: honest.inputs.map((input, i): PsbtInput => {
          const coin = input.witnessUtxo ?? { value: 0n, scriptPubKey: PAYEE };
          return { ...input, witnessUtxo: { ...coin, value: values[i] ?? 0n } };
        }),
      };
      return withOutput(lied, 0, (output) => ({ ...output, amount: 3_000_000n }));
    };
    const sessions = [make2(3_000_000n, 2_000n), make2(2_000n, 3_000_000n)];
    const signed = sessions.map((psbt) => {
      expect(review(psbt)).toMatchObject({ fee: 2_000n, feeTrust: 'claimed' });
      expect(verdictsOf(psbt)).toEqual(['amount-unproven: warn']);
      expectRefusal(() => sign(psbt, { policy: { 'amount-unproven': 'refuse' } }), 'policy/refused', {
        checks: 'amount-unproven',
        findings: expect.stringContaining('Only its previous transaction can prove it'),
      });
      return sign(psbt).psbt;
    });
    const [first, second] = signed;
    if (!first || !second) throw new Error('two sessions');
    const stolen = make2(3_000_000n, 3_000_000n);
    const both = {
      ...stolen,
      inputs: stolen.inputs.map((input, i): PsbtInput => {
        const { partialSigs = [] } = (i === 0 ? first : second).inputs[i] ?? {};
        return { ...input, partialSigs };
      }),
    };
    expect(finalizePsbt(both).isComplete).toBe(true);
    expect(review(both).fee).toBe(3_000_000n);
    expect(verdictsOf(both)).toContain('fee-absurd: refuse');
  });

  test('counts as proven where a lie would void every signature: a single input, or only taproot inputs', () => {
    for (const names of [['wpkh'], ['multi'], ['tr', 'tree']] as const) {
      const psbt = claimed(names);
      expect(verdictsOf(psbt).filter((verdict) => verdict.startsWith('amount'))).toEqual([]);
      expect(review(psbt).feeTrust).toBe('proven');
    }
  });

  test('does not count as proven for taproot with ANYONECANPAY, whose signatures commit to their own coin only', () => {
    const sighashType = SIGHASH.ALL | SIGHASH.ANYONECANPAY;
    const psbt = claimed(['tr', 'tr']);
    expect(review(psbt, { sighashType }).feeTrust).toBe('claimed');
    expectFinding(psbt, 'amount-unproven', { sighashType });
  });

  test('is proven by previous transactions', () => {
    expect(review(payment(['wpkh', 'shWpkh', 'pkh']))).toMatchObject({ fee: 2_000n, feeTrust: 'proven' });
  });
});

test('2. a witness UTXO that is not what the previous transaction says', () => {
  const psbt = payment(ONCE);
  const lies: readonly ((coin: NonNullable<PsbtInput['witnessUtxo']>) => NonNullable<PsbtInput['witnessUtxo']>)[] = [
    (coin) => ({ ...coin, value: coin.value - 1n }),
    (coin) => ({ ...coin, value: 2n * coin.value }),
    (coin) => ({ ...coin, scriptPubKey: PAYEE }),
  ];
  for (const lie of lies) {
    const lied = withInput(psbt, 0, (input): PsbtInput => {
      return input.witnessUtxo ? { ...input, witnessUtxo: lie(input.witnessUtxo) } : input;
    });
    expect(expectFinding(lied, 'amount-mismatch')).toMatchObject({ inputIndex: 0 });
    // Even then, the signature commits to the proven coin.
    const { psbt: signed } = sign(lied, { policy: { 'amount-mismatch': 'warn' } });
    expect(review(signed).inputs[0]).toMatchObject({ coin: { value: 1_000_000n }, amountTrust: 'proven' });
    expect(finalizePsbt(signed).isComplete).toBe(true);
  }
});

test('2. a witness UTXO of taproot does not make an update drop the transaction that proves it wrong', () => {
  const taproot = { value: 500_000n, scriptPubKey: scriptAt(WALLETS.tr) };
  for (const name of ['pkh', 'wpkh'] as const) {
    const lied = withInput(payment([name]), 0, (input): PsbtInput => {
      return { ...input, witnessUtxo: taproot, ...(name === 'wpkh' && { sighashType: SIGHASH.DEFAULT }) };
    });
    const [input] = review(updated(lied, [WALLETS[name], WALLETS.tr])).inputs;
    expect(input).toMatchObject({ coin: { value: 1_000_000n }, amountTrust: 'proven' });
    expectFinding(updated(lied, [WALLETS[name], WALLETS.tr]), 'amount-mismatch');
  }
});

test('2. a false witness UTXO is still found after an update', () => {
  for (const name of ['wpkh', 'shWpkh', 'multi'] as const) {
    const lied = withInput(payment([name]), 0, (input): PsbtInput => {
      return { ...input, witnessUtxo: { value: 1_000n, scriptPubKey: scriptAt(WALLETS[name]) } };
    });
    const after = updated(lied, [WALLETS[name]]);
    expectFinding(after, 'amount-mismatch');
    expect(review(after).inputs[0]).toMatchObject({ coin: { value: 1_000_000n }, amountTrust: 'proven' });
  }
});

test('3. a previous transaction other than the one spent', () => {
  for (const version of [0, 2] as const) {
    for (const name of ['pkh', 'wpkh'] as const) {
      const psbt = payment([name], { version });
      const other = withInput(psbt, 0, ({ nonWitnessUtxo, ...input }): PsbtInput => {
        return nonWitnessUtxo ? { ...input, nonWitnessUtxo: { ...nonWitnessUtxo, locktime: 1 } } : input;
      });
      expectRefusal(() => decodePsbtBytes(encodePsbt(other)), 'psbt/utxo-txid-mismatch', { inputIndex: 0 });
      expectFinding(other, 'previous-transaction-mismatch');
      const { psbt: signed, inputs } = sign(other, { policy: { 'previous-transaction-mismatch': 'warn' } });
      expect([inputs[0]?.status, signatureCount(signed)]).toEqual(['no-coin', 0]);
      expect(review(other)).toMatchObject({ fee: undefined, feeTrust: 'unknown' });
    }
  }
});

test('4. an output that the previous transaction does not have', () => {
  for (const outputIndex of [2, 7, 0xffff_ffff]) {
    const psbt = withInput(payment(ONCE), 0, (input) => ({ ...input, outputIndex }));
    const data = { inputIndex: 0, vout: outputIndex, outputs: 2 };
    expectRefusal(() => decodePsbtBytes(encodePsbt(psbt)), 'psbt/utxo-index', data);
    expectFinding(psbt, 'previous-transaction-mismatch');
    expect(statuses(psbt, { policy: { 'previous-transaction-mismatch': 'warn' } })).toEqual(['no-coin']);
  }
});

test('5. a legacy coin without its previous transaction', () => {
  const multi = `sh(multi(1,${ALICE.xprv('m/45h')}/<0;1>/*))`;
  const plan = { inputs: [{ of: multi }], outputs: [{ to: PAYEE, value: 999_000n }] };
  for (const psbt of [payment(['pkh']), make(plan)].map((good) => withoutTransaction(good))) {
    expectFinding(psbt, 'legacy-unproven');
    const { psbt: signed, inputs } = sign(psbt, { policy: { 'legacy-unproven': 'warn' } }, [WALLETS.pkh, multi]);
    expect([inputs[0]?.status, signatureCount(signed)]).toEqual(['unproven-legacy-coin', 0]);
  }
  // Without a redeem script, a P2SH coin may be legacy or segwit.
  const wrapped = withoutTransaction(payment(['shWpkh']));
  expect(verdictsOf(wrapped)).not.toContain('legacy-unproven: refuse');
  expectFinding(
    withInput(wrapped, 0, (input) => without(input, 'redeemScript')),
    'legacy-unproven',
  );
});

describe('6. a hash type that leaves something open', () => {
  const TYPES = [0x02, 0x03, 0x81, 0x82, 0x83];

  test.each(['pkh', 'wpkh', 'tr'] as const)(
    'is refused where a PSBT of %s asks for it but the caller did not name it',
    (name) => {
      for (const type of TYPES) {
        const psbt = withSighashType(payment([name]), type);
        expectFinding(psbt, 'sighash-unnamed');
        const { psbt: signed, inputs } = sign(psbt, { policy: { 'sighash-unnamed': 'warn' } });
        expect([inputs[0]?.status, signatureCount(signed)]).toEqual(['sighash-mismatch', 0]);
      }
    },
  );

  test('is described in a warning where the caller named it', () => {
    const texts = TYPES.map((sighashType) => {
      const psbt = withSighashType(payment(ONCE), sighashType);
      expect(verdictsOf(psbt, { sighashType })).not.toContain('sighash-unnamed: refuse');
      expect(finalizePsbt(sign(psbt, { sighashType }).psbt).isComplete).toBe(true);
      return expectFinding(psbt, 'sighash-unusual', { sighashType }).text;
    });
    expect(texts).toEqual([
      'Signatures of input 0 (NONE) commit to no output: whoever gets one can send the coin anywhere.',
      'Signatures of input 0 (SINGLE) commit to output 0 only: others can change all other outputs.',
      'Signatures of input 0 (ALL|ANYONECANPAY) commit to all outputs, but to no other input: others can add inputs.',
      'Signatures of input 0 (NONE|ANYONECANPAY) commit to no output and no other input: whoever gets one can send the coin anywhere.',
      'Signatures of input 0 (SINGLE|ANYONECANPAY) commit to output 0 only: others can change all other outputs, and add inputs.',
    ]);
  });

  test('is warned of where the caller named it and the PSBT has no sighash type', () => {
    expect(verdictsOf(payment(ONCE), { sighashType: SIGHASH.NONE })).toContain('sighash-unusual: warn');
  });

  test('is found in final fields, without a record of it', () => {
    for (const name of ['pkh', 'wpkh', 'multi', 'tr', 'tree'] as const) {
      for (const sighashType of someOf(TYPES)) {
        const holders = [WALLETS[name], WALLETS.multiOfBob];
        const asked = withSighashType(payment([name]), sighashType);
        const { psbt, isComplete } = finalizePsbt(sign(asked, { sighashType }, holders).psbt);
        expect([name, isComplete]).toEqual([name, true]);
        const final = withInput(psbt, 0, (input) => without(input, 'sighashType'));
        expectFinding(final, 'signature-sighash');
        const descriptors = [parse(WALLETS[name])];
        const reviewed = review(final, { descriptors });
        expect(reviewed).toMatchObject({ feeTrust: 'claimed', feeReason: 'open-signatures' });
        expect(reviewed.outputs[1]).toMatchObject({ role: 'change', stays: false });
        expect([reviewed.leaves, reviewed.stays]).toEqual([1_000_000n, 0n]);
        // If named, it is intended, but the amounts remain claims.
        expectFinding(final, 'sighash-unusual', { sighashType });
        expect(review(final, { sighashType }).feeTrust).toBe('claimed');
      }
    }
  });

  test('proves no amounts even where the caller named it', () => {
    for (const sighashType of TYPES) {
      const reviewed = review(payment(ONCE), { sighashType, descriptors: [parse(WALLETS.wpkh)] });
      expect(reviewed).toMatchObject({ feeTrust: 'claimed', feeReason: 'open-signatures' });
      expect(reviewed.outputs[1]).toMatchObject({ role: 'change', stays: false });
    }
  });

  test('is refused where the caller named another', () => {
    expectFinding(withSighashType(payment(ONCE), SIGHASH.SINGLE), 'sighash-unnamed', { sighashType: SIGHASH.NONE });
    expectFinding(withSighashType(payment(ONCE), SIGHASH.ALL), 'sighash-unnamed', { sighashType: SIGHASH.NONE });
  });
});

test.each([
  ['legacy', 'pkh'],
  ['segwit', 'wpkh'],
  ['taproot', 'tr'],
] as const)('7. SINGLE without an output of the same index: %s', (_, name) => {
  const inputs = [0, 1].map((index) => ({ of: WALLETS[name], index }));
  const psbt = make({ inputs, outputs: [{ to: PAYEE, value: 1_990_000n }] });
  for (const sighashType of [SIGHASH.SINGLE, SIGHASH.SINGLE | SIGHASH.ANYONECANPAY]) {
    expect(expectFinding(psbt, 'single-without-output', { sighashType })).toMatchObject({ inputIndex: 1 });
    // The digest would be the number 1, which is not signed under any policy.
    const policy = { 'single-without-output': 'allow' } as const;
    const { psbt: signed, inputs: outcomes } = sign(psbt, { sighashType, policy });
    expect(outcomes.map(({ status }) => status)).toEqual(['asked', 'single-without-output']);
    expect(signatureCount(signed)).toBe(1);
  }
});

describe('8. a hash type without a meaning', () => {
  test.each(['pkh', 'wpkh', 'tr'] as const)('is refused: %s', (name) => {
    for (const type of [0x04, 0x41, 0x80, 0xff, 0x101, 0x8000_0001]) {
      const asked = withSighashType(payment([name]), type);
      expectFinding(asked, 'sighash-undefined');
      expectFinding(payment([name]), 'sighash-undefined', { sighashType: type });
      expectFinding(asked, 'sighash-undefined', { sighashType: type });
      expect(finalizePsbt(asked).isComplete).toBe(false);
    }
  });

  test('is never signed, even if the caller drives the signing requests', () => {
    for (const name of ['pkh', 'wpkh', 'tr'] as const) {
      for (const sighashType of [0x04, 0x41, 0x101]) {
        const requested = (): number => [...signingRequests(payment([name]), { sighashType })].length;
        let count = 0;
        try {
          count = requested();
        } catch (error) {
          expect(error).toMatchObject({ name: 'BtcError' });
        }
        expect(count, `${name} 0x${sighashType.toString(16)}`).toBe(0);
      }
    }
  });

  test('DEFAULT named for ECDSA is ALL, as in Core', () => {
    const { psbt } = sign(payment(ONCE), { sighashType: SIGHASH.DEFAULT });
    expect(psbt.inputs[0]?.partialSigs?.[0]?.signature.at(-1)).toBe(SIGHASH.ALL);
    expect(finalizePsbt(psbt).isComplete).toBe(true);
  });
});

test('9. an existing signature has another hash type', () => {
  for (const name of ['wpkh', 'multi', 'tr'] as const) {
    const named = sign(payment([name]), { sighashType: SIGHASH.NONE }).psbt;
    const stripped = withInput(named, 0, (input) => without(input, 'sighashType'));
    expectFinding(stripped, 'signature-sighash');
    const { psbt, isComplete, inputs } = finalizePsbt(stripped);
    expect([isComplete, inputs[0]?.status]).toEqual([false, 'sighash-mismatch']);
    expectRefusal(() => extractTransaction(psbt), 'psbt/not-final', { inputIndex: 0 });
    // A cosigner must not add a signature next to one of another type.
    expect(statuses(stripped, { policy: { 'signature-sighash': 'warn' } })).toEqual(['sighash-mismatch']);
  }
});

test('a sound PSBT has no findings and makes a valid transaction', () => {
  for (const version of [0, 2] as const) {
    const psbt = payment(['pkh', 'shWpkh', 'wpkh', 'tr', 'tree'], { version });
    expect(findingsOf(psbt).map(({ check }) => check)).toEqual(['change-unverified']);
    const { psbt: finalized } = finalizePsbt(sign(psbt).psbt);
    const tx = extractTransaction(finalized);
    const prevouts = review(psbt).inputs.flatMap(({ coin }) => coin ?? []);
    expect(verifyTransaction(tx, prevouts)).toMatchObject({ isValid: true });
  }
  const quorum = payment(['multi']);
  const halves = [sign(quorum, {}, [WALLETS.multi]), sign(quorum, {}, [WALLETS.multiOfBob])].map(({ psbt }) => psbt);
  expect(halves.map(signatureCount)).toEqual([1, 1]);
  expect(finalizePsbt(combinePsbts(halves).psbt).isComplete).toBe(true);
  expect(updated(quorum, [WALLETS.multi])).toEqual(quorum);
});
