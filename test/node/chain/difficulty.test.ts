import { describe, expect, test } from 'vitest';
import { type Ancestor, isPermittedTransition, requiredBits } from '../../../src/node/chain/difficulty.ts';
import { paramsOf } from '../../support/headers.ts';
import type { NetworkName } from '../../support/library.ts';

/** Creates an accessor of a chain by the headers that matter; the others have `otherwise`, or are unknown. */
const chainOf =
  (headers: Readonly<Record<number, Ancestor>>, otherwise?: Ancestor) =>
  (height: number): Ancestor | undefined =>
    headers[height] ?? otherwise;

describe('a new period', () => {
  // The rows of Bitcoin Core's and Litecoin Core's pow_tests.
  test.each<[string, NetworkName, number, number, number, number, number, number]>([
    ['unlimited', 'main', 30240, 1261130161, 32255, 1262152739, 0x1d00ffff, 0x1d00d86a],
    ['limited by the network', 'main', 0, 1231006505, 2015, 1233061996, 0x1d00ffff, 0x1d00ffff],
    ['a quarter at least', 'main', 66528, 1279008237, 68543, 1279297671, 0x1c05a3f4, 0x1c0168fd],
    ['four times at most', 'main', 44352, 1263163443, 46367, 1269211443, 0x1c387f6f, 0x1d00e1fd],
    ['unlimited', 'litecoin', 278207, 1358118740, 280223, 1358378777, 0x1c0ac141, 0x1c093f8d],
    ['limited by the network', 'litecoin', 0, 1317972665, 2015, 1318480354, 0x1e0ffff0, 0x1e0fffff],
    ['a quarter at least', 'litecoin', 576575, 1401682934, 578591, 1401757934, 0x1b075cf1, 0x1b01d73c],
    ['four times at most', 'litecoin', 999935, 1463690315, 1001951, 1464900315, 0x1b015318, 0x1b054c60],
  ])('%s on %s, after block %i', (_, name, first, firstTime, last, time, bits, next) => {
    const chain = chainOf({ [first]: { time: firstTime, bits }, [last]: { time, bits } });
    const params = paramsOf(name);
    expect(requiredBits(params, { height: last + 1, time: time + 600 }, chain)).toBe(next);
    expect(isPermittedTransition(params, { height: last + 1, bits: next }, bits)).toBe(true);
  });

  test('is not computed without its first header, but limited', () => {
    const params = paramsOf('main');
    expect(
      requiredBits(params, { height: 32256, time: 0 }, chainOf({ 32255: { time: 1262152739, bits: 0x1d00ffff } })),
    ).toBeUndefined();
    expect(isPermittedTransition(params, { height: 46368, bits: 0x1d00e1fd }, 0x1c387f6f)).toBe(true);
    expect(isPermittedTransition(params, { height: 46368, bits: 0x1d00e1fe }, 0x1c387f6f)).toBe(false);
    expect(isPermittedTransition(params, { height: 68544, bits: 0x1c0168fd }, 0x1c05a3f4)).toBe(true);
    expect(isPermittedTransition(params, { height: 68544, bits: 0x1c0168fc }, 0x1c05a3f4)).toBe(false);
    expect(isPermittedTransition(params, { height: 68545, bits: 0x1c05a3f4 }, 0x1c05a3f4)).toBe(true);
    expect(isPermittedTransition(params, { height: 68545, bits: 0x1c05a3f3 }, 0x1c05a3f4)).toBe(false);
    expect(isPermittedTransition(paramsOf('testnet3'), { height: 68545, bits: 0x1d00ffff }, 0x1c05a3f4)).toBe(true);
  });

  test('changes nothing on regtest', () => {
    for (const name of ['regtest', 'litecoin-regtest'] as const) {
      const chain = chainOf({}, { time: 1, bits: 0x207fffff });
      expect(requiredBits(paramsOf(name), { height: 2016, time: 2 }, chain)).toBe(0x207fffff);
      expect(requiredBits(paramsOf(name), { height: 2017, time: 2_000_000 }, chain)).toBe(0x207fffff);
    }
  });

  test('on testnet3 follows from the last target, on testnet4 from the first', () => {
    const [easy, hard] = [0x1d00ffff, 0x1c00ffff];
    const period = 14 * 86_400;
    const chain = chainOf({ 2016: { time: 1000, bits: hard }, 4031: { time: 1000 + period, bits: easy } });
    expect(requiredBits(paramsOf('testnet3'), { height: 4032, time: 0 }, chain)).toBe(easy);
    expect(requiredBits(paramsOf('testnet4'), { height: 4032, time: 0 }, chain)).toBe(hard);
  });
});

describe('within a period', () => {
  test('the target stays', () => {
    const chain = chainOf({ 100: { time: 1000, bits: 0x1c05a3f4 } });
    for (const name of ['main', 'signet', 'litecoin'] as const) {
      expect(requiredBits(paramsOf(name), { height: 101, time: 1_000_000 }, chain)).toBe(0x1c05a3f4);
    }
  });

  test.each<[NetworkName, number, number]>([
    ['testnet3', 1200, 0x1d00ffff],
    ['testnet4', 1200, 0x1d00ffff],
    ['litecoin-testnet', 300, 0x1e0fffff],
  ])('a late block on %s may have the easiest one, which the next does not keep', (name, wait, easiest) => {
    const params = paramsOf(name);
    const hard = { time: 900, bits: 0x1c05a3f4 };
    const chain = chainOf({ 100: { time: 1000, bits: easiest }, 99: { time: 950, bits: easiest }, 98: hard });
    expect(requiredBits(params, { height: 101, time: 1000 + wait + 1 }, chain)).toBe(easiest);
    expect(requiredBits(params, { height: 101, time: 1000 + wait }, chain)).toBe(hard.bits);
    // The search ends at the first block of the period, whatever it has.
    const first = chainOf({ 2017: { time: 2, bits: easiest }, 2016: { time: 1, bits: easiest } }, hard);
    expect(requiredBits(params, { height: 2018, time: 3 }, first)).toBe(easiest);
    expect(
      requiredBits(params, { height: 101, time: 1000 }, chainOf({ 100: { time: 1000, bits: easiest } })),
    ).toBeUndefined();
    expect(requiredBits(params, { height: 8, time: 1000 }, chainOf({}))).toBeUndefined();
  });
});
