import { describe, expect, test } from 'vitest';
import { reviewDocument } from '../../../src/shell/page/reviewDocument.ts';
import { textsOf } from '../../support/findingTexts.ts';
import {
  holderOf,
  keyAt,
  quorumOf,
  registered,
  type Spend,
  STRANGER,
  single,
  spend,
} from '../../support/holderPsbts.ts';
import {
  ENGLISH,
  type Finding,
  formatReview,
  type Holder,
  networks,
  type Psbt,
  type PsbtReview,
  type ReviewOptions,
  reportReview,
  reviewPsbt,
  reviewToJson,
  wordLine,
} from '../../support/library.ts';

// The decision table: coins of accounts (A), of a registered wallet (Q), of an unregistered one (U), or of both (X). Each row
// names the role, whether the amount stays, and the findings.

const A84 = single('alice');
const A86 = single('alice', 'm/86h/0h/0h', 'tr');
const FAMILY = quorumOf(2, ['alice', 'bob', 'mallory']);
const OTHER = quorumOf(2, ['alice', 'bob']);
/** The first owner spends at once, Alice after a year. */
const HEIR = `wsh(or_d(pk(${keyAt('bob', 'm/48h/0h/0h/2h')}/<0;1>/*),and_v(v:pkh(${keyAt('alice', 'm/48h/0h/0h/2h')}/<0;1>/*),older(52560))))`;
const NUMS = '50929b74c1a04954b78b4b6035e97a5e078a5a0f28ec96d547bfee9ace803ac0';
const HASH_LOCKED = `tr(${NUMS},and_v(v:pk(${keyAt('alice', 'm/86h/0h/0h')}/<0;1>/*),sha256(${'22'.repeat(32)})))`;

const family = registered(FAMILY, 'Family');
const other = registered(OTHER, 'New');

/** Expects that the page shows the same role and findings of the first output. */
function expectOnPage(psbt: Psbt, holder: Holder, reviewed: PsbtReview): void {
  const { findings, outputs } = reviewed;
  const wallets = { holderFor: () => ({ holder, owners: [] }) };
  const document = { name: undefined, psbt, parts: 1, notes: [] };
  const { review } = reviewDocument(document, { wallets, network: holder.network }).view;
  const [shown] = review.outputs;
  const [output] = outputs;
  expect([shown?.role, shown?.stays]).toEqual([output?.role, output?.stays]);
  const marks = (all: readonly Pick<Finding, 'check' | 'action'>[]) =>
    all.map(({ check, action }) => `${check}: ${action}`);
  expect(marks(review.findings)).toEqual(marks(findings));
  expect(review.report).toEqual(reviewToJson(reviewed).report);
}

/** The verdicts on the first output, in text, JSON and page too. */
function verdict(psbt: Psbt, holder: Holder, options: Omit<ReviewOptions, 'holder'> = {}) {
  const review = reviewPsbt(psbt, { ...options, holder });
  const [output] = review.outputs;
  const json = reviewToJson(review).outputs[0];
  expect([json?.role, json?.stays, json?.owner.kind, json?.owner.root]).toEqual([
    output?.role,
    output?.stays,
    output?.owner.kind,
    output?.owner.root,
  ]);
  const text = formatReview(review).replace(/\s+/g, ' ');
  for (const finding of review.findings) expect(text).toContain(`[${finding.check}`);
  for (const line of reportReview(review))
    expect(text).toContain(wordLine(line, ENGLISH, review.network).replace(/\s+/g, ' '));
  // The page has no place to say whom one means to pay.
  if (!options.pays) expectOnPage(psbt, holder, review);
  return [
    output?.role,
    output?.stays ? 'stays' : 'leaves',
    ...review.findings.map(({ check, action }) => `${check}: ${action}`),
  ];
}

const COINS: Readonly<Record<'A' | 'Q' | 'U' | 'X', Spend['coins']>> = {
  A: [{ of: A84, index: 3 }],
  Q: [{ of: FAMILY, index: 3 }],
  U: [{ of: OTHER, index: 3 }],
  X: [
    { of: A84, index: 3 },
    { of: FAMILY, index: 3 },
    { of: OTHER, index: 3 },
  ],
};
const VALUES = { A: 995_000n, Q: 995_000n, U: 995_000n, X: 2_995_000n };
const holder = holderOf(['alice'], [family, OTHER]);

type Output = { readonly of: string; readonly chain?: number; readonly index?: number };

/** By row of the table: the output, and what it is beside the coins A, Q, U and X. */
const ROWS: readonly (readonly [string, Output, readonly (readonly string[])[]])[] = [
  [
    '5: the registered wallet',
    { of: FAMILY, chain: 1, index: 9 },
    [
      ['wallet', 'leaves', 'wallet-other: warn'],
      ['change', 'stays'],
      ['wallet', 'leaves', 'wallet-other: warn'],
      ['wallet', 'leaves', 'wallets-mixed: refuse'],
    ],
  ],
  [
    '6: the unregistered wallet, once another is registered',
    { of: OTHER, chain: 1, index: 9 },
    [
      ['payment', 'leaves', 'wallet-foreign: refuse'],
      ['payment', 'leaves', 'wallet-foreign: refuse'],
      ['payment', 'leaves', 'wallet-changed: refuse'],
      ['payment', 'leaves', 'wallets-mixed: refuse'],
    ],
  ],
  [
    '8: the account',
    { of: A84, chain: 1, index: 9 },
    [
      ['change', 'stays'],
      ['own', 'leaves'],
      ['own', 'leaves'],
      ['own', 'leaves'],
    ],
  ],
  [
    '8: the account of the same number, with other scripts',
    { of: A86, chain: 1, index: 9 },
    [
      ['change', 'stays'],
      ['own', 'leaves'],
      ['own', 'leaves'],
      ['own', 'leaves'],
    ],
  ],
  [
    '9: another account',
    { of: single('alice', 'm/84h/0h/7h'), index: 9 },
    [
      ['own', 'stays', 'account-other: warn'],
      ['own', 'leaves', 'account-other: warn'],
      ['own', 'leaves', 'account-other: warn'],
      ['own', 'leaves', 'account-other: warn'],
    ],
  ],
  [
    '11: the account, at a far index',
    { of: A84, chain: 1, index: 204 },
    [0, 1, 2, 3].map(() => ['own', 'leaves', 'path-far: warn']),
  ],
  [
    '11: account 100',
    { of: single('alice', 'm/84h/0h/100h'), index: 9 },
    [0, 1, 2, 3].map(() => ['own', 'leaves', 'path-far: warn']),
  ],
  [
    '12: my key at an odd path',
    { of: single('alice', 'm/84h/0h/0h/1234567'), chain: 1, index: 5 },
    [0, 1, 2, 3].map(() => ['own', 'leaves', 'path-unusual: refuse']),
  ],
  [
    '12: my key with another script than its purpose',
    { of: single('alice', 'm/84h/0h/0h', 'pkh'), chain: 1, index: 5 },
    [0, 1, 2, 3].map(() => ['own', 'leaves', 'path-unusual: refuse']),
  ],
  [
    '14: my key among others',
    { of: HASH_LOCKED, chain: 1, index: 5 },
    [
      ['payment', 'leaves', 'change-refuted: refuse'],
      ['payment', 'leaves', 'change-refuted: refuse'],
      ['payment', 'leaves', 'change-unverified: refuse'],
      ['payment', 'leaves', 'change-refuted: refuse'],
    ],
  ],
];

describe.each(ROWS)('row %s', (_, output, expected) => {
  test.each(Object.keys(COINS) as (keyof typeof COINS)[])('beside coins of %s', (kind) => {
    const psbt = spend({ coins: COINS[kind], outputs: [{ ...output, value: VALUES[kind] }] });
    expect(verdict(psbt, holder)).toEqual(expected['AQUX'.indexOf(kind)]);
  });
});

/** The rows whose cells are all alike, with the wallets that they need at hand. */
const THIRD = quorumOf(1, ['alice', 'mallory']);
const FOREIGN = quorumOf(2, ['bob', 'mallory']);
const EQUAL_ROWS: readonly (readonly [string, string, readonly string[]])[] = [
  ['3: a retired wallet', THIRD, ['wallet', 'leaves', 'wallet-retired: refuse']],
  [
    '7: another registered wallet',
    quorumOf(3, ['alice', 'bob', 'mallory']),
    ['wallet', 'leaves', 'wallet-other: warn'],
  ],
  ['13: a wallet that nobody registered', FOREIGN, ['payment', 'leaves', 'wallet-foreign: refuse']],
  ['15: a stranger', single('bob'), ['payment', 'leaves']],
];

describe.each(EQUAL_ROWS)('row %s', (_, of, expected) => {
  const third = registered(quorumOf(3, ['alice', 'bob', 'mallory']), 'Third', { retires: [registeredId(THIRD)] });
  const mine = holderOf(['alice'], [family, OTHER, third, registered(THIRD, 'Old'), FOREIGN]);
  test.each(Object.keys(COINS) as (keyof typeof COINS)[])('beside coins of %s', (kind) => {
    const psbt = spend({ coins: COINS[kind], outputs: [{ of, chain: 1, index: 9, value: VALUES[kind] }] });
    expect(verdict(psbt, mine)).toEqual(expected);
  });
});

describe('row 1: a claim that a key at hand refutes', () => {
  test.each(Object.keys(COINS) as (keyof typeof COINS)[])('beside coins of %s', (kind) => {
    const psbt = spend({ coins: COINS[kind], outputs: [{ of: A84, chain: 1, index: 9, value: VALUES[kind] }] });
    const stolen = { ...psbt, outputs: psbt.outputs.map((output) => ({ ...output, script: STRANGER })) };
    expect(verdict(stolen, holder)).toEqual(['payment', 'leaves', 'change-refuted: refuse']);
  });
});

test('row 6: an unregistered wallet is change with a warning, before any wallet is registered', () => {
  const psbt = spend({ coins: COINS.U, outputs: [{ of: OTHER, chain: 1, index: 9 }] });
  expect(verdict(psbt, holderOf(['alice'], [OTHER]))).toEqual(['change', 'stays', 'wallet-unregistered: warn']);
  expect(verdict(psbt, holderOf(['alice'], [OTHER], { unregistered: 'refuse' }))).toEqual([
    'change',
    'stays',
    'wallet-unregistered: refuse',
  ]);
  expect(textsOf(reviewPsbt(psbt, { holder: holderOf(['alice'], [OTHER]) }))[0]).toContain(
    'others cannot spend without you',
  );
});

test('row 14: without the wallet file, the same is warned of or refused as with an unregistered one', () => {
  const psbt = spend({ coins: COINS.U, outputs: [{ of: HASH_LOCKED, chain: 1, index: 9 }] });
  expect(verdict(psbt, holderOf(['alice'], []))).toContain('change-unverified: warn');
  const strict = holderOf(['alice'], [], { unregistered: 'refuse' });
  expect(verdict(psbt, strict)).toContain('change-unverified: refuse');
});

test('row 7: a registered wallet that --pays names is no finding', () => {
  const psbt = spend({ coins: COINS.A, outputs: [{ of: OTHER, chain: 0, index: 9 }] });
  const mine = holderOf(['alice'], [family, other]);
  expect(verdict(psbt, mine)).toEqual(['wallet', 'leaves', 'wallet-other: warn']);
  expect(verdict(psbt, mine, { pays: [{ wallet: 'New' }] })).toEqual(['wallet', 'leaves']);
  expect(verdict(psbt, mine, { pays: [{ wallet: 'Family' }] })).toEqual([
    'wallet',
    'leaves',
    'wallet-other: warn',
    'pays-other: refuse',
  ]);
});

test('row 3: a wallet that a registration at hand retired takes nothing', () => {
  const id = registeredId(OTHER);
  const mine = holderOf(['alice'], [other, registered(FAMILY, 'Family', { retires: [id] })]);
  for (const coins of [COINS.A, COINS.U, COINS.Q]) {
    const psbt = spend({ coins, outputs: [{ of: OTHER, chain: 1, index: 1 }] });
    expect(verdict(psbt, mine)).toEqual(['wallet', 'leaves', 'wallet-retired: refuse']);
  }
  const alone = spend({ coins: COINS.A, outputs: [{ of: OTHER, chain: 1, index: 1 }] });
  expect(verdict(alone, holderOf(['alice'], [other]))).toEqual(['wallet', 'leaves', 'wallet-other: warn']);
});

const registeredId = (text: string): string => holderOf(['alice'], [text]).wallets[0]?.id ?? '';

describe('row 4: change that others take sooner', () => {
  const heir = registered(HEIR, 'Vault');
  test('an heir leaves no change', () => {
    const coins = [{ of: HEIR, index: 1, sequence: 52560 }];
    const psbt = spend({ coins, outputs: [{ of: HEIR, chain: 1, index: 1 }] });
    expect(verdict(psbt, holderOf(['alice'], [heir]))).toEqual(['wallet', 'leaves', 'change-later: refuse']);
    const whole = spend({ coins, outputs: [{ script: STRANGER }] });
    expect(verdict(whole, holderOf(['alice'], [heir]))).toEqual(['payment', 'leaves']);
  });
  test('the first owner does', () => {
    const vault = registered(HEIR, 'Vault', { by: 'bob' });
    const psbt = spend({ coins: [{ of: HEIR, index: 1 }], outputs: [{ of: HEIR, chain: 1, index: 1 }] });
    expect(verdict(psbt, holderOf(['bob'], [vault]))).toEqual(['change', 'stays']);
  });
});

describe('row 10: odd places', () => {
  const ODD = single('alice', 'm/0h');
  test('are change where all coins come from them', () => {
    const psbt = spend({ coins: [{ of: ODD, index: 1 }], outputs: [{ of: ODD, chain: 1, index: 2 }] });
    expect(verdict(psbt, holderOf(['alice']))).toEqual(['change', 'stays']);
  });
  test('are a ransom where one bait coin does', () => {
    const bait = single('alice', 'm/84h/0h/0h/1234567');
    const coins = [
      { of: A84, index: 3, value: 5_000_000n },
      { of: bait, chain: 0, index: 1, value: 1000n },
    ];
    const psbt = spend({ coins, outputs: [{ of: bait, chain: 1, index: 5, value: 4_990_000n }] });
    expect(verdict(psbt, holderOf(['alice']))).toEqual(['own', 'leaves', 'path-unusual: refuse']);
    const all = spend({ coins: [{ of: bait, index: 1 }], outputs: [{ of: bait, chain: 1, index: 5 }] });
    expect(verdict(all, holderOf(['alice']))).toEqual(['change', 'stays']);
  });
  test('a bait coin at a far index makes no index near', () => {
    const coins = [
      { of: A84, index: 3, value: 5_000_000n },
      { of: A84, index: 99_900, value: 1000n },
    ];
    const psbt = spend({ coins, outputs: [{ of: A84, chain: 1, index: 99_950, value: 4_990_000n }] });
    expect(verdict(psbt, holderOf(['alice']))).toEqual(['own', 'leaves', 'path-far: warn']);
  });
});

test('546 sat of the registered quorum beside coins of an account are no reason for change to it', () => {
  const coins = [
    { of: A84, index: 3, value: 500_000_000n },
    { of: FAMILY, index: 3, value: 546n },
  ];
  const psbt = spend({ coins, outputs: [{ of: FAMILY, chain: 1, index: 4, value: 499_990_000n }] });
  expect(verdict(psbt, holderOf(['alice'], [family]))).toEqual(['wallet', 'leaves', 'wallets-mixed: refuse']);
});

describe('without a key at hand', () => {
  test('listed wallets are taken for the signer’s, and every text says that it is not proven', () => {
    const psbt = spend({ coins: COINS.Q, outputs: [{ of: FAMILY, chain: 1, index: 9 }] });
    const watching = holderOf([], [FAMILY]);
    expect(verdict(psbt, watching)).toEqual(['change', 'stays']);
    expect(formatReview(reviewPsbt(psbt, { holder: watching }))).toContain('not proven: no key at hand');
  });
  test('a watching wallet of several script kinds of one seed has no false alarm', () => {
    const kinds = [single('alice', 'm/44h/0h/0h', 'pkh'), single('alice', 'm/49h/0h/0h', 'sh'), A84, A86];
    const watching = holderOf([], kinds);
    for (const to of kinds) {
      const psbt = spend({ coins: [{ of: A84, index: 1 }], outputs: [{ of: to, chain: 1, index: 2 }] });
      expect(verdict(psbt, watching)).toEqual(['change', 'stays']);
    }
  });
});

test('script kinds are change only at the purpose that has them', () => {
  const purposes = [44, 49, 84, 86];
  const kinds = ['pkh', 'sh', 'wpkh', 'tr'];
  const clean = purposes.map((purpose) =>
    kinds.map((kind) => {
      const to = { of: single('alice', `m/${purpose}h/0h/0h`, kind), chain: 1, index: 2 };
      return verdict(spend({ coins: COINS.A, outputs: [to] }), holderOf(['alice']))[1] === 'stays';
    }),
  );
  expect(clean).toEqual(purposes.map((_, i) => kinds.map((__, j) => i === j)));
});

test('only the chains 0 and 1, in this order, make an unregistered wallet change', () => {
  for (const chains of ['<0;7>', '<1;0>', '<2;3>']) {
    const odd = quorumOf(2, ['alice', 'bob'], chains);
    const psbt = spend({ coins: [{ of: odd, index: 1 }], outputs: [{ of: odd, chain: 1, index: 1 }] });
    expect([chains, ...verdict(psbt, holderOf(['alice'], [odd]))]).toEqual([
      chains,
      'payment',
      'leaves',
      'wallet-foreign: refuse',
    ]);
    const mine = registered(odd, 'Odd');
    expect([chains, ...verdict(psbt, holderOf(['alice'], [mine]))]).toEqual([chains, 'change', 'stays']);
  }
});

test('another network is refused', () => {
  const test84 = single('alice', 'm/84h/1h/0h');
  const psbt = spend({ coins: [{ of: A84, index: 3 }], outputs: [{ of: test84, chain: 1, index: 1 }] });
  expect(verdict(psbt, holderOf(['alice']))).toContain('network-mixed: refuse');
  expect(networks.main.isMain).toBe(true);
});
