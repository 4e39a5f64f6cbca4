import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { accountFromWords } from '../../../src/kit/account/index.ts';
import { childFee, type FundingInput, type FundOptions, fundPsbt, scan } from '../../../src/kit/funding/index.ts';
import { campaign } from '../../support/campaign.ts';
import { completed } from '../../support/completing.ts';
import { concatBytes, type Psbt, sha256, transactionSize, unsignedTransaction } from '../../support/library.ts';
import { expectRefusal, refusalOf } from '../../support/refusal.ts';

const network = 'regtest';
const WORDS = `${'abandon '.repeat(11)}about`;
const me = accountFromWords(WORDS, { network });
const taproot = accountFromWords(WORDS, { network, purpose: 86 });
const PAYEE = 'bcrt1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qzf4jry';

/** Bytes that a seed chooses. */
function randomOf(seed: number): (size: number) => Uint8Array {
  let calls = 0;
  return (size) => {
    calls += 1;
    const digests = Array.from({ length: Math.ceil(size / 32) }, (_, i) =>
      sha256(Uint8Array.of(seed & 255, seed >> 8, calls, i)),
    );
    return concatBytes(...digests).slice(0, size);
  };
}

const coinOf = (value: bigint, vout: number, from = me.receive(vout)): FundingInput & { readonly value: bigint } => ({
  ...{ txid: 'ab'.repeat(32), vout, value, from },
});

const fund = (options: Partial<FundOptions> & Pick<FundOptions, 'coins'>): Psbt =>
  fundPsbt({ outputs: { [PAYEE]: 50_000n }, change: me.change(0), feeRate: 2, random: randomOf(1), ...options });

describe('fundPsbt', () => {
  test('never pays less than its rate, creates dust, loses a satoshi or spends a coin twice', () => {
    const wallets = fc.record({
      values: fc.array(fc.bigInt({ min: 300n, max: 200_000n }), { minLength: 1, maxLength: 30 }),
      paid: fc.array(fc.bigInt({ min: 1000n, max: 300_000n }), { minLength: 1, maxLength: 4 }),
      feeRate: fc.constantFrom(0.1, 1, 2.5, 30, 120),
      seed: fc.nat(),
      groupsByAddress: fc.boolean(),
    });
    let funded = 0;
    fc.assert(
      fc.property(wallets, ({ values, paid, feeRate, seed, groupsByAddress }) => {
        const owners = values.map((_, i) => (i % 3 === 0 ? taproot : me).receive(i % 5));
        const coins = values.map((value, i) => coinOf(value, i, owners[i]));
        const outputs = paid.map((value) => ({ to: PAYEE, value }));
        const options = { coins, outputs, feeRate, groupsByAddress, change: me.change(0), random: randomOf(seed) };
        let psbt: Psbt;
        try {
          psbt = fundPsbt(options);
        } catch (error) {
          expect(error).toMatchObject({ code: 'build/insufficient-funds' });
          // What the coins are worth at this rate, change of which nothing is left included, does not suffice.
          const sizes = owners.map((owner) => (owner.scriptPubKey.length === 34 ? 57.5 : 68));
          const worth = values.reduce(
            (sum, value, i) => sum + Math.max(0, Number(value) - (sizes[i] ?? 0) * feeRate),
            0,
          );
          const fixed = 11 + 43 * paid.length;
          expect(worth).toBeLessThan(
            Number(paid.reduce((sum, value) => sum + value, 0n)) + (fixed + 2 * values.length) * feeRate + 2,
          );
          return;
        }
        funded += 1;
        const tx = unsignedTransaction(psbt);
        const vouts = tx.inputs.map(({ outpoint }) => outpoint.vout);
        expect(new Set(vouts).size).toBe(vouts.length);
        const spent = vouts.reduce((sum, vout) => sum + (values[vout] ?? 0n), 0n);
        const out = tx.outputs.map(({ value }) => value);
        expect(out.filter((value) => value < 294n)).toEqual([]);
        expect(out.length - paid.length).toBeLessThanOrEqual(1);
        for (const value of paid) expect(out).toContain(value);
        const fee = spent - out.reduce((sum, value) => sum + value, 0n);
        const spending = vouts.flatMap((vout) => owners[vout]?.derived ?? []);
        const { vsize } = transactionSize(completed(psbt, spending));
        expect(Number(fee)).toBeGreaterThanOrEqual(Math.ceil(vsize * feeRate));
      }),
      campaign(600),
    );
    expect(funded).toBeGreaterThan(0);
  });

  test('chooses the coin that needs no change', () => {
    const coins = [coinOf(200_000n, 0), coinOf(50_000n + 2n * (11n + 43n + 68n), 1), coinOf(90_000n, 2)];
    const tx = unsignedTransaction(fund({ coins }));
    expect(tx.inputs.map(({ outpoint }) => outpoint.vout)).toEqual([1]);
    expect(tx.outputs.length).toBe(1);
  });

  test('puts the change anywhere, by the bytes that the caller gives', () => {
    const coins = [coinOf(100_000n, 0)];
    const places = Array.from({ length: 20 }, (_, seed) => {
      const { outputs } = unsignedTransaction(fund({ coins, random: randomOf(seed) }));
      return outputs.findIndex(({ value }) => value !== 50_000n);
    });
    expect(new Set(places)).toEqual(new Set([0, 1]));
  });

  test('spends named inputs in any case, and unconfirmed coins of others never', () => {
    const inputs = [coinOf(10_000n, 7)];
    const coins = [{ ...coinOf(100_000n, 0), confirmations: 0 }, coinOf(80_000n, 1)];
    const spent = unsignedTransaction(fund({ coins, inputs })).inputs.map(({ outpoint }) => outpoint.vout);
    expect([...spent].sort()).toEqual([1, 7]);
    const onlyForeign = coins.slice(0, 1);
    expectRefusal(() => fund({ coins: onlyForeign }), 'build/insufficient-funds', {
      available: 100_000n,
      needed: 50_000n,
    });
    const own = onlyForeign.map((coin) => ({ ...coin, isOwnChange: true }));
    expect(unsignedTransaction(fund({ coins: own })).inputs.length).toBe(1);
  });

  test('sets a locktime that only the next block satisfies', () => {
    const tip = { height: 900, time: 1_750_000_000, now: 1_750_000_600 };
    const coins = [coinOf(100_000n, 0)];
    const { locktime } = unsignedTransaction(fund({ coins, tip, random: randomOf(3) }));
    expect(locktime).toBeLessThanOrEqual(900);
    expect(locktime).toBeGreaterThan(800);
    expect(unsignedTransaction(fund({ coins, tip: { ...tip, now: tip.now + 86_400 } })).locktime).toBe(0);
  });

  test('refuses what cannot be funded', () => {
    const coins = [coinOf(40_000n, 0)];
    expectRefusal(() => fund({ coins }), 'build/insufficient-funds', { available: 40_000n, needed: 50_000n });
    expectRefusal(() => fund({ coins: [...coins, ...coins] }), 'build/invalid', {
      member: 'inputs[1]',
      reason: 'an earlier input spends the same coin',
    });
  });
});

test.each([
  ['coins[0]', { coins: [null] }],
  ['coins[0].confirmations', { coins: [{ ...coinOf(100_000n, 0), confirmations: 1n }] }],
  ['feeRate', { feeRate: Number.NaN }],
  ['longTermFeeRate', { longTermFeeRate: 'x' }],
  ['keys', { coins: [{ ...coinOf(100_000n, 0), keys: ['02'] }] }],
])('fundPsbt names %s if it has the wrong type', (argument, options) => {
  const call = () => fund({ coins: [coinOf(100_000n, 0)], ...(options as object) });
  expect(refusalOf(call)).toMatchObject({ code: 'argument/invalid', data: { argument } });
});

describe('childFee', () => {
  const parents = [{ fee: 141n, vsize: 141 }];

  test('lifts its parents to the rate', () => {
    expect(childFee({ parents, vsize: 110, feeRate: 20 })).toBe(BigInt(20 * 251 - 141));
  });

  test('is that of the child alone if the parents pay enough', () => {
    expect(childFee({ parents: [{ fee: 10_000n, vsize: 141 }], vsize: 110, feeRate: 20 })).toBe(2200n);
  });

  test('needs sizes and amounts', () => {
    const reason = 'must be a whole number of virtual bytes';
    expectRefusal(() => childFee({ parents, vsize: 0, feeRate: 1 }), 'argument/invalid', { argument: 'vsize', reason });
  });
});

describe('scan', () => {
  const usedAt = (...indexes: readonly number[]) => {
    const asked: string[] = [];
    const used = new Set(indexes.map((index) => me.receive(index).address));
    const lookup = async ({ address }: { readonly address: string }) => {
      asked.push(address);
      return used.has(address) ? address.length : undefined;
    };
    return { asked, lookup };
  };

  test('ends after as many unused addresses as the gap', async () => {
    const { asked, lookup } = usedAt(0, 19, 38, 60);
    const { used, next, isComplete } = await scan(me, lookup);
    expect(used.map(({ address }) => address.index)).toEqual([0, 19, 38]);
    expect(next).toEqual({ receive: 39, change: 0 });
    expect(isComplete).toBe(true);
    expect(asked.length).toBe(59 + 20);
  });

  test('is bounded, and says so', async () => {
    const { used, isComplete } = await scan(me, () => true, { gap: 5, limit: 12 });
    expect(used.length).toBe(24);
    expect(isComplete).toBe(false);
  });

  test('refuses options that there are not', async () => {
    const scanning = scan(me, () => undefined, { gaps: 1 } as object);
    await expect(scanning).rejects.toMatchObject({ code: 'argument/invalid', data: { argument: 'gaps' } });
  });

  test('passes on the error of a lookup', async () => {
    const lookup = () => Promise.reject(new Error('offline'));
    await expect(scan(me, lookup)).rejects.toThrow('offline');
  });
});
