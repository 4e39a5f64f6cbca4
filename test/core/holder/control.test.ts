import { describe, expect, test } from 'vitest';
import { walletControl } from '../../../src/core/holder/control.ts';
import { createHolder, type HeldKey, type HeldWallet, networks, nobleEcc } from '../../support/library.ts';
import { ALICE, BOB, MALLORY, parse } from '../../support/psbts.ts';

/** How soon Alice, who holds the keys of U and U2, spends the coins of a descriptor alone, and others without her. */

const [U, U2, B, X] = [ALICE.xpub('m/1h'), ALICE.xpub('m/2h'), BOB.xpub('m/1h'), MALLORY.xpub('m/1h')].map(
  (xpub) => `${xpub}/<0;1>/*`,
);
const H = '50929b74c1a04954b78b4b6035e97a5e078a5a0f28ec96d547bfee9ace803ac0';
const walletsOf = (texts: readonly string[], keys: readonly HeldKey[] = [ALICE.held]): readonly HeldWallet[] => {
  const wallets = texts.map((text) => ({ descriptor: parse(text) }));
  return createHolder({ network: networks.regtest, ecc: nobleEcc, keys, wallets }).wallets;
};
const walletOf = (text: string, keys?: readonly HeldKey[]): HeldWallet =>
  walletsOf([text], keys)[0] ?? expect.fail('no wallet');
const at = (text: string): readonly number[] => {
  const { alone, others } = walletControl(walletOf(text));
  return [alone, others];
};
const NEVER = Number.POSITIVE_INFINITY;
/** In seconds. */
const BLOCK = 600;

describe('a wallet is controlled', () => {
  test.each([`pkh(${U})`, `tr(${U},pk(${U2}))`, `wsh(multi(2,${U},${U2}))`, `tr(${H},pk(${U}))`, `rawtr(${U})`])(
    'by the keys at hand alone: %s',
    (text) => expect(at(text)).toEqual([0, NEVER]),
  );

  test.each([`wsh(multi(2,${U},${B}))`, `tr(${H},multi_a(2,${U},${B}))`, `tr(musig(${U},${B}))`])(
    'by them with others only: %s',
    (text) => expect(at(text)).toEqual([NEVER, NEVER]),
  );

  test.each<[string, number]>([
    [`wsh(or_d(pk(${U}),and_v(v:pkh(${B}),older(10))))`, 10 * BLOCK],
    [`tr(${U},and_v(v:pk(${B}),older(10)))`, 10 * BLOCK],
    [`tr(${U},and_v(v:pk(${B}),older(4194306)))`, 2 * 512],
    [`tr(${U},{and_v(v:pk(${B}),older(144)),and_v(v:pk(${X}),older(10))})`, 10 * BLOCK],
  ])('by the keys at hand, and later by others: %s', (text, others) => expect(at(text)).toEqual([0, others]));

  test.each<[string, number]>([
    [`tr(${X},pk(${U}))`, 0],
    [`tr(${U},pk(${X}))`, 0],
    [`wsh(multi(1,${U},${X}))`, 0],
    [`tr(${H},{pk(${U}),multi_a(2,${B},${X})})`, 0],
    [`wsh(or_d(multi(2,${B},${X}),and_v(v:pkh(${U}),older(65535))))`, 65_535 * BLOCK],
    [`wsh(or_d(pk(${X}),and_v(v:pkh(${U}),older(10))))`, 10 * BLOCK],
    [`wsh(sortedmulti(2,${U},${B},${X}))`, NEVER],
    // A hash is no key: only others may know what it takes.
    [`wsh(andor(pk(${U}),sha256(${'00'.repeat(32)}),pk(${X})))`, NEVER],
    [
      `wsh(and_v(v:pk(${U}),sha256(${'00'.repeat(32)})))`
        .replace('and_v(v:', 'or_i(and_v(v:')
        .replace(/\)$/, `,pk(${X})))`),
      NEVER,
    ],
  ])('by others at once: %s', (text, alone) => expect(at(text)).toEqual([alone, 0]));

  test.each<[string, readonly number[]]>([
    [`tr(${U},and_v(v:pk(${X}),after(1)))`, [0, 0]],
    [`tr(${U},and_v(v:pk(${B}),after(2100000000)))`, [0, 0]],
    [`wsh(or_i(and_v(v:pk(${U}),after(2000000000)),and_v(v:pkh(${B}),after(2100000000))))`, [NEVER, 0]],
    [`wsh(or_i(and_v(v:pk(${U}),older(10)),and_v(v:pkh(${X}),after(100))))`, [10 * BLOCK, 0]],
  ])(
    'without a clock: an absolute lock has passed for others, and never passes for the keys at hand: %s',
    (text, ages) => expect(at(text)).toEqual(ages),
  );

  test.each<[string, readonly number[]]>([
    [`wsh(or_d(multi(2,${U},${B}),and_v(v:pkh(${X}),older(10))))`, [NEVER, 10 * BLOCK]],
    [`wsh(or_i(and_v(v:pk(${U}),older(4194306)),and_v(v:pkh(${X}),older(1))))`, [2 * 512, BLOCK]],
  ])('by others sooner: %s', (text, ages) => expect(at(text)).toEqual(ages));

  test('by strangers if no key is at hand', () => {
    const text = `wsh(multi(2,${B},${X}))`;
    expect(at(text)).toEqual([NEVER, 0]);
    expect(walletOf(text).mine.size).toBe(0);
  });
});

test('a key is at hand as a private key of the descriptor, and below one that is given', () => {
  const own = `wpkh(${ALICE.xprv('m/1h')}/<0;1>/*)`;
  const { held } = ALICE;
  expect(walletOf(own, [held]).oneKey?.root?.held).toBe(held);
  expect(walletOf(`wpkh(${U})`).oneKey?.root?.held).toBe(held);
  const foreign = walletOf(`wpkh(${X})`);
  expect([foreign.oneKey, foreign.mine.size]).toEqual([undefined, 0]);
});

test('descriptors that differ in 0 and 1 at each key are one wallet, and others are not', () => {
  const key = ALICE.xpub('m/1h');
  const positions = (...texts: readonly string[]) => walletsOf(texts).map((wallet) => wallet.positions);
  expect(positions(`wpkh(${key}/0/*)`, `wpkh(${key}/1/*)`, `wpkh(${X})`)).toEqual([[0, 1], [2]]);
  expect(positions(`wpkh(${key}/0/*)`, `wpkh(${key}/7/*)`)).toEqual([[0], [1]]);
  expect(positions(`wpkh(${key}/<0;1>/*)`, `wpkh(${key}/<0;7>/*)`)).toEqual([[0], [1]]);
});
