import { describe, expect, test } from 'vitest';
import { openJob, reviewJob, signJob } from '../../../src/core/job/job.ts';
import { createAccount } from '../../../src/kit/account/account.ts';
import { accountPartsFromMaster } from '../../../src/kit/account/accountKeys.ts';
import { buildPsbt } from '../../../src/kit/account/index.ts';
import {
  createHolder,
  type Ecc,
  HARDENED,
  heldKeyOf,
  keyFingerprint,
  masterKey,
  networks,
  nobleEcc,
  type Psbt,
  type PsbtReview,
} from '../../support/library.ts';

/**
 * Counts the work of updating, reviewing and signing with seed words, of which the command line implies the first account
 * of each purpose. Nothing here is timed.
 */

const network = networks.regtest;
const MASTER = masterKey(new Uint8Array(32).fill(7));
const OTHER = createAccount(accountPartsFromMaster(masterKey(new Uint8Array(32).fill(8)), { network }));
const ACCOUNTS = ([44, 49, 84, 86] as const).map((purpose) =>
  createAccount(accountPartsFromMaster(MASTER, { network, purpose })),
);
const me = createAccount(accountPartsFromMaster(MASTER, { network }));
const FINGERPRINT = keyFingerprint(MASTER);
const FIRST_FRESH = 10;

type Claim = NonNullable<Psbt['outputs'][number]['bip32Derivations']>[number];
type Claiming = (map: number, key: number) => Pick<Claim, 'fingerprint' | 'path'>;

const times = <T>(count: number, make: (i: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, i) => make(i));
const PUBKEYS = times(8, (i) => OTHER.receive(i).derived.keys[0]?.publicKey ?? new Uint8Array());
const pathOf = (purpose: number, chain: number, index: number): readonly number[] => [
  purpose + HARDENED,
  1 + HARDENED,
  HARDENED,
  chain,
  index,
];

const COIN = { txid: '11'.repeat(32), vout: 0, value: 100_000_000n, from: me.receive(3) };
const SPEND = buildPsbt({
  inputs: [COIN],
  outputs: { [OTHER.receive(5).address]: 60_000n },
  change: me.change(0),
  feeRate: 2,
  version: 2,
});

/** Adds outputs that claim so many keys each. */
function withClaims(outputs: number, keys: number, claiming: Claiming): Psbt {
  const [payment = {}] = SPEND.outputs;
  const added = times(outputs, (map) => ({
    ...payment,
    bip32Derivations: PUBKEYS.slice(0, keys).map((pubkey, key) => ({ pubkey, ...claiming(map, key) })),
  }));
  return { ...SPEND, outputs: [...SPEND.outputs, ...added] };
}

/** What honest PSBTs do not do, and those with many claims do. */
const ACCEPTED = {
  'amount-impossible': 'allow',
  'fee-negative': 'allow',
  'change-refuted': 'allow',
  'key-contradicted': 'allow',
  'search-cut': 'warn',
} as const;

/** Updates, reviews and signs, and counts every call of elliptic curve arithmetic. */
function costOf(psbt: Psbt): { readonly calls: number; readonly review: PsbtReview } {
  let calls = 0;
  const counted = <A extends readonly unknown[], R>(work: (...args: A) => R) => {
    return (...args: A): R => {
      calls += 1;
      return work(...args);
    };
  };
  const ecc: Ecc = {
    ...nobleEcc,
    publicKey: counted(nobleEcc.publicKey),
    tweakPublicKey: counted(nobleEcc.tweakPublicKey),
    signEcdsa: counted(nobleEcc.signEcdsa),
    verifyEcdsa: counted(nobleEcc.verifyEcdsa),
  };
  const wallets = ACCOUNTS.flatMap((account) => account.descriptors).map((descriptor) => ({ descriptor }));
  const key = heldKeyOf(MASTER);
  const holder = createHolder({ network, ecc, wallets, keys: key ? [key] : [] });
  // One holder is for many PSBTs.
  calls = 0;
  const job = openJob(psbt, holder);
  const review = reviewJob(job, { policy: ACCEPTED });
  expect(signJob(job, review, { finalize: true }).isComplete).toBe(true);
  return { calls, review };
}

const honest: Claiming = (map) => ({ fingerprint: FINGERPRINT, path: pathOf(84, map % 2, FIRST_FRESH + map) });
const fresh = (map: number, key: number): number => FIRST_FRESH + 8 * map + key;
const HOSTILE: Readonly<Record<string, Claiming>> = {
  'at fresh indexes of one account': (map, key) => ({
    fingerprint: FINGERPRINT,
    path: pathOf(84, map % 2, fresh(map, key)),
  }),
  'at one index of every chain': (map, key) => ({
    fingerprint: FINGERPRINT,
    path: pathOf([44, 49, 84, 86][key % 4] ?? 0, key >> 2, FIRST_FRESH + map),
  }),
  'with the fingerprint of another wallet': (map, key) => ({
    fingerprint: new Uint8Array(4),
    path: pathOf(84, map % 2, fresh(map, key)),
  }),
};
const ELSEWHERE: Readonly<Record<string, Claiming>> = {
  'in other accounts': (map, key) => ({ fingerprint: FINGERPRINT, path: pathOf(77, map % 2, fresh(map, key)) }),
  'in an account for each key': (map, key) => ({ fingerprint: FINGERPRINT, path: pathOf(fresh(map, key), 0, 0) }),
  'at hardened indexes': (map, key) => ({
    fingerprint: FINGERPRINT,
    path: pathOf(84, 0, HARDENED + fresh(map, key)),
  }),
};
const MAPS = 300;

describe('a PSBT whose outputs claim eight keys each', () => {
  const usual = costOf(withClaims(MAPS, 1, honest));

  test.each(Object.entries(HOSTILE))('costs at most twice an honest one: %s', (_, claiming) => {
    expect(costOf(withClaims(MAPS, 8, claiming)).calls).toBeLessThanOrEqual(2 * usual.calls);
  });

  test.each(Object.entries({ ...HOSTILE, ...ELSEWHERE }))('costs a few calls for each output: %s', (_, claiming) => {
    for (const maps of [0, MAPS / 3, MAPS]) {
      expect(costOf(withClaims(maps, 8, claiming)).calls).toBeLessThanOrEqual(500 + 4 * (maps + 3));
    }
  });

  test('is searched in every output, and warned of where claims are left out', () => {
    const { review } = costOf(withClaims(MAPS, 8, HOSTILE['at fresh indexes of one account'] ?? honest));
    expect(review.inputs[0]?.owner).toMatchObject({ kind: 'account', place: { number: 0, chain: 0, index: 3 } });
    expect(review.outputs.filter(({ stays }) => stays)).toHaveLength(1);
    const cut = review.findings.filter(({ check }) => check === 'search-cut');
    expect(cut).toHaveLength(MAPS);
    expect(cut.at(-1)).toEqual({
      check: 'search-cut',
      action: 'warn',
      outputIndex: MAPS + 1,
      data: {},
    });
  });
});

test('each output of an honest PSBT costs one derivation', () => {
  const [none, some] = [0, MAPS].map((maps) => costOf(withClaims(maps, 1, honest)));
  // The signature may need another try for a low R.
  expect(Math.abs((some?.calls ?? 0) - (none?.calls ?? 0) - MAPS)).toBeLessThan(5);
  expect(some?.review.findings.filter(({ check }) => check === 'search-cut')).toEqual([]);
});
