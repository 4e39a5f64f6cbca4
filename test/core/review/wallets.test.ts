import { describe, expect, test } from 'vitest';
import { createReviewedWallets } from '../../../src/core/review/wallets.ts';
import { formatHex, nobleEcc } from '../../support/library.ts';
import { ALICE, BOB, MALLORY, parse } from '../../support/psbts.ts';

/** Who can spend the coins of a descriptor, seen by Alice, who holds the keys of U and U2. */

const [U, U2, B, X] = [ALICE.xpub('m/1h'), ALICE.xpub('m/2h'), BOB.xpub('m/1h'), MALLORY.xpub('m/1h')].map(
  (xpub) => `${xpub}/<0;1>/*`,
);
const H = '50929b74c1a04954b78b4b6035e97a5e078a5a0f28ec96d547bfee9ace803ac0';
const OWN = new Set(['m/1h/0/0', 'm/2h/0/0'].map((path) => formatHex(ALICE.keyAt(path))));
const holdsKey = (publicKey: Uint8Array): boolean => OWN.has(formatHex(publicKey));
const PLACE = { descriptor: 0, position: 0, index: 0 };
const at = (text: string) => createReviewedWallets({ descriptors: [parse(text)] }, { holdsKey }, nobleEcc).at(PLACE);

describe('a wallet is controlled', () => {
  test.each([`pkh(${U})`, `tr(${U},pk(${U2}))`, `wsh(multi(2,${U},${U2}))`, `tr(${H},pk(${U}))`, `rawtr(${U})`])(
    'by the keys at hand alone: %s',
    (text) => expect(at(text)).toMatchObject({ control: 'own', hasOwnKey: true }),
  );

  test.each([
    `wsh(multi(2,${U},${B}))`,
    `wsh(sortedmulti(2,${U},${B},${X}))`,
    `wsh(or_d(pk(${U}),and_v(v:pkh(${B}),older(10))))`,
    `tr(${U},and_v(v:pk(${B}),older(10)))`,
    `tr(${H},multi_a(2,${U},${B}))`,
    `wsh(or_i(and_v(v:pk(${U}),after(2000000000)),and_v(v:pkh(${B}),after(2100000000))))`,
    `tr(musig(${U},${B}))`,
  ])('by them with others: %s', (text) => expect(at(text)).toMatchObject({ control: 'shared', hasOwnKey: true }));

  test.each([
    [`wsh(or_d(pk(${U}),and_v(v:pkh(${B}),older(10))))`, 'once they are about 10 blocks old'],
    [`tr(${U},and_v(v:pk(${B}),older(4194306)))`, 'once they are about 2 blocks old'],
    [`tr(${U},and_v(v:pk(${B}),after(2100000000)))`, 'from about 2036-07-18 on'],
    [`tr(${U},{and_v(v:pk(${B}),older(144)),and_v(v:pk(${X}),older(10))})`, 'once they are about 10 blocks old'],
  ])('by the keys at hand, and later by others: %s', (text, othersLater) => {
    expect(at(text)).toMatchObject({ control: 'shared', othersLater });
  });

  test.each([`wsh(multi(2,${U},${B}))`, `wsh(multi(2,${U},${B},${X}))`, `tr(${U},pk(${U2}))`, `tr(${X},pk(${U}))`])(
    'by no one later: %s',
    (text) => expect(at(text).othersLater).toBeUndefined(),
  );

  test.each([
    `tr(${X},pk(${U}))`,
    `tr(${U},pk(${X}))`,
    `wsh(multi(1,${U},${X}))`,
    `tr(${U},and_v(v:pk(${X}),after(1)))`,
    `tr(${H},{pk(${U}),multi_a(2,${B},${X})})`,
    `wsh(or_d(multi(2,${B},${X}),and_v(v:pkh(${U}),older(65535))))`,
    `wsh(or_d(pk(${X}),and_v(v:pkh(${U}),older(10))))`,
    `wsh(or_d(multi(2,${U},${B}),and_v(v:pkh(${X}),older(10))))`,
    `wsh(or_i(and_v(v:pk(${U}),older(10)),and_v(v:pkh(${X}),after(100))))`,
    `wsh(or_i(and_v(v:pk(${U}),older(4194306)),and_v(v:pkh(${X}),older(1))))`,
    `wsh(andor(pk(${U}),sha256(${'00'.repeat(32)}),pk(${X})))`,
  ])('by a stranger alone, sooner or as soon: %s', (text) => {
    expect(at(text)).toMatchObject({ control: 'strangers', hasOwnKey: true });
  });

  test('by strangers if no key is at hand', () => {
    expect(at(`wsh(multi(2,${B},${X}))`)).toMatchObject({ control: 'strangers', hasOwnKey: false });
    expect(at(`addr(bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080)`)).toMatchObject({ control: 'strangers' });
  });
});

test('a key is at hand as a private key of the descriptor, and at its origin', () => {
  const own = `wpkh(${ALICE.xprv('m/1h')}/<0;1>/*)`;
  expect(createReviewedWallets({ descriptors: [parse(own)] }, {}, nobleEcc).at(PLACE).control).toBe('own');
  const publicKeyAt = (): Uint8Array => ALICE.keyAt('m/1h/0/0');
  expect(
    createReviewedWallets({ descriptors: [parse(`wpkh(${U})`)] }, { publicKeyAt }, nobleEcc).at(PLACE).control,
  ).toBe('own');
  expect(
    createReviewedWallets({ descriptors: [parse(`wpkh(${X})`)] }, { publicKeyAt }, nobleEcc).at(PLACE).control,
  ).toBe('strangers');
});

test('descriptors that differ in their chain are one wallet', () => {
  const texts = [`wpkh(${ALICE.xpub('m/1h')}/0/*)`, `wpkh(${ALICE.xpub('m/1h')}/1/*)`, `wpkh(${X})`];
  const { walletName } = createReviewedWallets({ descriptors: texts.map(parse) }, {}, nobleEcc);
  const [receive, change, other] = [0, 1, 2].map((descriptor) => walletName({ descriptor }));
  expect(receive).toBe(change);
  expect(receive).not.toBe(other);
});
