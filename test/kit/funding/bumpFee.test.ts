import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  accountFromDescriptors,
  accountFromWords,
  buildPsbt,
  signWith,
  updateWith,
} from '../../../src/kit/account/index.ts';
import { bumpFee } from '../../../src/kit/funding/index.ts';
import { campaign } from '../../support/campaign.ts';
import { completed } from '../../support/completing.ts';
import {
  finalizePsbt,
  type Psbt,
  psbtVersion,
  type Transaction,
  transactionSize,
  unsignedTransaction,
} from '../../support/library.ts';
import { expectRefusal } from '../../support/refusal.ts';

const network = 'regtest';
const WORDS = `${'abandon '.repeat(11)}about`;
const me = accountFromWords(WORDS, { network });
const PAYEE = 'bcrt1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qzf4jry';
const coinOf = (value: bigint, vout: number) => ({ txid: 'ab'.repeat(32), vout, value, from: me.receive(vout) });

const VALUES = [100_000n, 30_000n, 5000n];
const COINS = VALUES.map(coinOf);
const payment = (feeRate = 2, paid = 60_000n): Psbt =>
  buildPsbt({ inputs: COINS.slice(0, 1), outputs: { [PAYEE]: paid }, change: me.change(0), feeRate });

const feeOf = (tx: Transaction): bigint =>
  tx.inputs.reduce((sum, { outpoint }) => sum + (VALUES[outpoint.vout] ?? 0n), 0n) -
  tx.outputs.reduce((sum, { value }) => sum + value, 0n);

const complete = (psbt: Psbt): Transaction =>
  completed(
    updateWith(me, psbt),
    COINS.map(({ from }) => from.derived),
  );

describe('bumpFee', () => {
  test('pays the rate from the change, and signals replaceability', () => {
    const tx = complete(bumpFee(payment(), { feeRate: 20, change: me.change(0) }));
    expect(tx.outputs.map(({ value }) => value)).toEqual([60_000n, 40_000n - 20n * 153n]);
    expect(tx.inputs.map(({ sequence }) => sequence)).toEqual([0xffff_fffd]);
  });

  test('takes signed PSBTs of both versions, and drops their signatures', () => {
    const signed = signWith(me, payment()).psbt;
    for (const psbt of [signed, finalizePsbt(signed).psbt]) {
      const bumped = bumpFee(psbt, { feeRate: 20, change: 1 });
      expect(bumped.inputs[0]).not.toHaveProperty('finalScriptWitness');
      expect(feeOf(complete(bumped))).toBe(20n * 153n);
      expect(psbtVersion(bumped)).toBe(psbtVersion(psbt));
    }
  });

  test('pays at least for its own bandwidth', () => {
    const bumped = complete(bumpFee(payment(), { feeRate: 2.1, change: 1 }));
    expect(feeOf(bumped)).toBe(BigInt(2 * 153 + 153));
    const newer = complete(bumpFee(payment(), { feeRate: 2.1, change: 1, incrementalFeeRate: 0.1 }));
    expect(feeOf(newer)).toBe(BigInt(Math.ceil(2.1 * 153)));
  });

  test('adds coins in their order once the change does not suffice', () => {
    const poor = payment(2, 99_000n);
    const { inputs, outputs } = complete(bumpFee(poor, { feeRate: 20, change: 1, coins: COINS.slice(1) }));
    expect(inputs.map(({ outpoint }) => outpoint.vout)).toEqual([0, 1]);
    expect(outputs.length).toBe(2);
    expectRefusal(() => bumpFee(poor, { feeRate: 20, change: 1 }), 'build/invalid', {
      member: 'coins',
      reason: 'do not suffice beside the change: add coins, or choose a lower rate',
    });
    expectRefusal(() => bumpFee(poor, { feeRate: 20, change: 1, coins: COINS }), 'build/invalid', {
      member: 'coins',
      reason: 'name a coin that the payment spends already',
    });
  });

  test('leaves change out that would be dust', () => {
    const bumped = complete(bumpFee(payment(1, 99_000n), { feeRate: 8, change: 1 }));
    expect(bumped.outputs.map(({ value }) => value)).toEqual([99_000n]);
  });

  test('refuses a rate that is not higher, and an output that is not there', () => {
    const reason = 'must be above the 2.000 sat/vB that the payment pays';
    expectRefusal(() => bumpFee(payment(), { feeRate: 2, change: 1 }), 'build/invalid', { member: 'feeRate', reason });
    const wrong = { member: 'change', reason: 'is not an output of the payment' };
    expectRefusal(() => bumpFee(payment(), { feeRate: 3, change: 2 }), 'build/invalid', wrong);
    expectRefusal(() => bumpFee(payment(), { feeRate: 3, change: me.change(5) }), 'build/invalid', wrong);
  });

  test('counts the way that a PSBT leaves open', () => {
    const [first, second] = ['02', '03'].map(
      (byte) => `${byte}79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798`,
    );
    const watching = accountFromDescriptors(`wsh(multi(2,${first},${second}))`, { network });
    const coin = { ...coinOf(100_000n, 0), from: watching.receive(0) };
    const psbt = buildPsbt({ inputs: [coin], outputs: { [PAYEE]: 60_000n }, change: watching.change(0), feeRate: 1 });
    const fees = [psbt, bumpFee(psbt, { feeRate: 10, change: 1 })].map((each) => feeOf(unsignedTransaction(each)));
    expect(fees[1]).toBe(10n * (fees[0] ?? 0n));
  });

  test('keeps the rules of BIP125 for any rate and payment', () => {
    const cases = fc.record({
      paid: fc.bigInt({ min: 1000n, max: 99_000n }),
      rate: fc.constantFrom(0.1, 1, 2.5, 5),
      rise: fc.constantFrom(0.01, 0.5, 3, 30, 400),
      incrementalFeeRate: fc.constantFrom(0.1, 1),
    });
    fc.assert(
      fc.property(cases, ({ paid, rate, rise, incrementalFeeRate }) => {
        const before = payment(rate, paid);
        if (unsignedTransaction(before).outputs.length < 2) return;
        const options = { feeRate: rate + rise, change: 1, coins: COINS.slice(1), incrementalFeeRate };
        let bumped: Psbt;
        try {
          bumped = bumpFee(before, options);
        } catch (error) {
          expect(error).toMatchObject({
            code: 'build/invalid',
            data: { member: expect.stringMatching(/coins|feeRate/) },
          });
          return;
        }
        const [old, tx] = [complete(before), complete(bumped)];
        const { vsize } = transactionSize(tx);
        const [fee, oldFee] = [Number(feeOf(tx)), Number(feeOf(old))];
        expect(fee).toBeGreaterThanOrEqual(oldFee + Math.ceil(vsize * incrementalFeeRate));
        expect(fee / vsize).toBeGreaterThan(oldFee / transactionSize(old).vsize);
        expect(fee).toBeGreaterThanOrEqual(Math.ceil(vsize * (rate + rise)));
        expect(tx.inputs.slice(0, 1)).toMatchObject([{ outpoint: old.inputs[0]?.outpoint }]);
        expect(tx.outputs[0]).toEqual(old.outputs[0]);
      }),
      campaign(400),
    );
  });
});
