import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dustThreshold } from '../../../src/core/tx/dust.ts';
import { signedWeight, spendSize } from '../../../src/core/tx/spendSize.ts';
import { sizeOfWeight } from '../../../src/core/tx/weight.ts';
import { antiSnipingLocktime } from '../../../src/kit/coins/antiSniping.ts';
import type { FundingCoin } from '../../../src/kit/coins/coinGroups.ts';
import { feeFor } from '../../../src/kit/coins/feeRate.ts';
import { type FundedPayment, type FundingRequest, fundPayment } from '../../../src/kit/coins/fundPayment.ts';
import { campaign, rounds } from '../../support/campaign.ts';

// The laws of a payment, over random coins and terms: which coins it spends is the algorithm's choice.

const SIZES = {
  bech32: spendSize(new Uint8Array(0), [new Uint8Array(71), new Uint8Array(33)]),
  'p2sh-segwit': spendSize(new Uint8Array(23), [new Uint8Array(71), new Uint8Array(33)]),
  legacy: spendSize(new Uint8Array(106), []),
  bech32m: spendSize(new Uint8Array(0), [new Uint8Array(64)]),
};
const KINDS = Object.keys(SIZES) as (keyof typeof SIZES)[];

/** Numbers that look random, and repeat with their seed. */
function randomFrom(seed: number): (size: number) => Uint8Array {
  let state = seed;
  const next = (): number => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b_3c6d) + 0x6d2b_79f5) | 0;
    return (state >>> 11) & 0xff;
  };
  return (size) => Uint8Array.from({ length: size }, next);
}

const coinAt = (index: number, given: Partial<FundingCoin> & { readonly kind: string }): FundingCoin => ({
  outpoint: { txid: new Uint8Array(32).fill(7) as FundingCoin['outpoint']['txid'], vout: index },
  value: 100_000n,
  scriptPubKey: Uint8Array.of(0, 20, ...new Uint8Array(19), index % 40),
  size: SIZES[given.kind as keyof typeof SIZES],
  depth: 10,
  isFromMe: false,
  ancestors: 0,
  relatives: 0,
  bumpFee: 0n,
  ...given,
});

const coins = fc
  .array(
    fc.record({
      kind: fc.constantFrom(...KINDS),
      value: fc.bigInt({ min: 300n, max: 3_000_000n }),
      depth: fc.constantFrom(0, 1, 6),
      isFromMe: fc.boolean(),
    }),
    { minLength: 1, maxLength: 30 },
  )
  .map((all) =>
    all.map((coin, index) => {
      const ancestors = coin.depth === 0 ? 1 : 0;
      return coinAt(index, { ...coin, ancestors, relatives: ancestors });
    }),
  );

const recipients = fc.array(
  fc.record({
    value: fc.bigInt({ min: 600n, max: 2_000_000n }),
    scriptPubKey: fc.uint8Array({ minLength: 20, maxLength: 20 }).map((hash) => Uint8Array.of(0, 20, ...hash)),
    paysFee: fc.boolean(),
  }),
  { minLength: 1, maxLength: 4 },
);

const CHANGE = Uint8Array.of(0, 20, ...new Uint8Array(20).fill(0xcc));

const LIMITS = {
  ancestorLimit: 25,
  relativeLimit: 25,
  refusesLongChains: true,
  sumsUsableCoins: true,
  sharesSurplus: false,
};

const requests = fc
  .record({
    recipients,
    coins,
    presetCount: fc.nat(3),
    addsCoins: fc.boolean(),
    feeRate: fc.bigInt({ min: 0n, max: 60_000n }),
    rounding: fc.constantFrom('up' as const, 'down' as const),
    groupsByScript: fc.boolean(),
    avoidsMixing: fc.boolean(),
    spendsUnsafe: fc.boolean(),
    spendsOwnUnconfirmed: fc.constant(true),
    position: fc.option(fc.constantFrom(0, 1), { nil: undefined }),
    seed: fc.integer(),
  })
  .map(({ coins: all, presetCount, addsCoins, seed, position, ...terms }): FundingRequest => {
    const available = all.slice(presetCount);
    return {
      ...terms,
      preset: all.slice(0, presetCount),
      available: addsCoins ? available : undefined,
      change: { scriptPubKey: CHANGE, spendVsize: 68, position },
      dustRate: 3000n,
      discardRate: 10_000n,
      longTermRate: 10_000n,
      maxFee: 10_000_000n,
      ...LIMITS,
      random: randomFrom(seed),
    };
  });

const sum = (items: readonly { readonly value: bigint }[]): bigint => items.reduce((all, { value }) => all + value, 0n);
const nameOf = ({ outpoint }: FundingCoin): number => outpoint.vout;

function feeNeeded({ coins: spent, outputs }: FundedPayment, { feeRate, rounding }: FundingRequest): bigint {
  const weight = signedWeight(
    spent.flatMap(({ size }) => size ?? []),
    outputs,
  );
  return feeFor(feeRate, sizeOfWeight(weight), rounding);
}

describe('a funded payment', () => {
  const funded = (check: (payment: FundedPayment, request: FundingRequest) => void): void => {
    let count = 0;
    fc.assert(
      fc.property(requests, (request) => {
        const payment = fundPayment(request);
        if (payment.kind !== 'funded') return;
        count += 1;
        check(payment, request);
      }),
      campaign(400),
    );
    expect(count).toBeGreaterThan(rounds(60));
  };

  test('conserves value', () =>
    funded((payment) => expect(sum(payment.coins)).toBe(sum(payment.outputs) + payment.fee)));

  test('pays exactly what was asked, or less by a share of the fee', () =>
    funded(({ outputs, changePosition, fee }, request) => {
      const paid = outputs.filter((_, index) => index !== changePosition);
      expect(paid).toHaveLength(request.recipients.length);
      request.recipients.forEach(({ value, scriptPubKey, paysFee }, index) => {
        const output = paid[index];
        expect(output?.scriptPubKey).toEqual(scriptPubKey);
        if (!paysFee) expect(output?.value).toBe(value);
        else expect(value - (output?.value ?? 0n)).toBeOneOf(sharesOf(request, paid, fee));
      });
    }));

  const sharesOf = ({ recipients: asked }: FundingRequest, paid: FundedPayment['outputs'], fee: bigint): bigint[] => {
    const charge = sum(asked) - sum(paid);
    expect(charge >= 0n && charge <= fee).toBe(true);
    const count = BigInt(asked.filter(({ paysFee }) => paysFee).length);
    return [charge / count, charge / count + (charge % count)];
  };

  test('pays at least the asked fee rate, and without change at most what change would have cost more', () =>
    funded((payment, request) => {
      const needed = feeNeeded(payment, request);
      expect(payment.fee >= needed).toBe(true);
      const hasPayers = request.recipients.some(({ paysFee }) => paysFee);
      if (payment.changePosition !== undefined && !hasPayers) expect(payment.fee).toBe(needed);
      const dust = BigInt(dustThreshold(CHANGE, 10));
      const inputRounding = BigInt(payment.coins.length + 3) * (request.feeRate / 1000n + 2n);
      const costOfChange = feeFor(request.feeRate, 31, 'up') + feeFor(10_000n, 68, 'up') + dust;
      expect(payment.fee - needed <= costOfChange + inputRounding).toBe(true);
    }));

  test('creates no dust, and puts change where it was asked for', () =>
    funded(({ outputs, changePosition }, { change }) => {
      for (const { value, scriptPubKey } of outputs) {
        expect(value >= BigInt(dustThreshold(scriptPubKey, 3))).toBe(true);
      }
      if (changePosition === undefined) return;
      expect(outputs[changePosition]?.scriptPubKey).toEqual(CHANGE);
      if (change?.position !== undefined) expect(changePosition).toBe(change.position);
    }));

  test('spends the preset coins in their order, then others that are allowed, each once', () =>
    funded(({ coins: spent }, { preset, available = [], spendsUnsafe }) => {
      expect(spent.slice(0, preset.length)).toEqual(preset);
      const others = spent.slice(preset.length);
      for (const coin of others) {
        expect(available).toContain(coin);
        if (!spendsUnsafe) expect(coin.depth > 0 || coin.isFromMe).toBe(true);
      }
      expect(new Set(spent.map(nameOf)).size).toBe(spent.length);
    }));
});

test('a payment is refused as insufficient only if all coins that may be spent do not suffice', () => {
  fc.assert(
    fc.property(requests, (request) => {
      const payment = fundPayment({ ...request, spendsUnsafe: true, refusesLongChains: false });
      if (payment.kind !== 'refused' || !request.available) return;
      if (payment.fault !== 'insufficient') return;
      const all = [...request.preset, ...request.available];
      const hasPayers = request.recipients.some(({ paysFee }) => paysFee);
      const worth = all.map(({ value, size }, index) => {
        const fee =
          hasPayers || !size ? 0n : feeFor(request.feeRate, sizeOfWeight(size.base + (size.witness || 1)), 'up');
        const left = value - fee;
        return index < request.preset.length || left > 0n ? left : 0n;
      });
      const outputs = request.recipients.reduce((bytes, { scriptPubKey }) => bytes + 9 + scriptPubKey.length, 11);
      const fixed = hasPayers ? 0n : feeFor(request.feeRate, outputs, 'up');
      expect(worth.reduce((left, value) => left + value, 0n) < sum(request.recipients) + fixed).toBe(true);
    }),
    campaign(400),
  );
});

test('an exact match of coins leaves no change', () => {
  const fixed = 11 + 31;
  const exact = 50_000n + feeFor(2000n, fixed + 2 * 68, 'up');
  const half = exact / 2n;
  const available = [half, exact - half, 400_000n, 23_456n].map((value, index) =>
    coinAt(index, { kind: 'bech32', value }),
  );
  const payment = fundPayment({
    recipients: [{ value: 50_000n, scriptPubKey: CHANGE, paysFee: false }],
    preset: [],
    available,
    change: { scriptPubKey: CHANGE, spendVsize: 68 },
    ...{ feeRate: 2000n, rounding: 'up', dustRate: 3000n, discardRate: 10_000n, longTermRate: 10_000n },
    ...{ maxFee: 10_000_000n, groupsByScript: false, avoidsMixing: true, spendsUnsafe: false, ...LIMITS },
    spendsOwnUnconfirmed: true,
    random: randomFrom(1),
  });
  expect(payment.kind === 'funded' && payment.coins.map(nameOf).sort()).toEqual([0, 1]);
});

test('a hundred thousand coins take bounded work', () => {
  const available = Array.from({ length: 100_000 }, (_, index) =>
    coinAt(index, { kind: KINDS[index % 4] ?? 'legacy', value: 10_000n + BigInt((index * 7919) % 100_003) }),
  );
  let numbers = 0;
  const random = (size: number): Uint8Array => {
    numbers += size;
    return randomFrom(numbers)(size);
  };
  const payment = fundPayment({
    recipients: [{ value: 12_345_678n, scriptPubKey: CHANGE, paysFee: false }],
    preset: [],
    available,
    change: { scriptPubKey: CHANGE, spendVsize: 68 },
    ...{ feeRate: 2000n, rounding: 'up', dustRate: 3000n, discardRate: 10_000n, longTermRate: 10_000n },
    ...{ maxFee: 10_000_000n, groupsByScript: false, avoidsMixing: true, spendsUnsafe: false, ...LIMITS },
    spendsOwnUnconfirmed: true,
    random,
  });
  expect(payment.kind).toBe('funded');
  // Each of four kinds is shuffled once: the work does not grow with the number of attempts.
  expect(numbers).toBeLessThan(6 * 2 * available.length);
});

describe('the locktime of a payment', () => {
  const tip = { height: 500, time: 1_700_000_000 };
  test('is the last height, now and then up to 99 less', () => {
    const random = randomFrom(5);
    const heights = Array.from({ length: 500 }, () => antiSnipingLocktime(tip, tip.time + 60, random));
    expect(heights.every((height) => height > 400 && height <= 500)).toBe(true);
    const earlier = heights.filter((height) => height < 500).length;
    expect(earlier).toBeGreaterThan(20);
    expect(earlier).toBeLessThan(100);
  });
  test('is 0 if the last block is old', () => {
    expect(antiSnipingLocktime(tip, tip.time + 8 * 3600 + 1, randomFrom(5))).toBe(0);
  });
});
