import { describe, expect, test } from 'vitest';
import { openSession } from '../../../src/core/psbt/session.ts';
import type { Observation } from '../../../src/core/review/finding.ts';
import { checkInput, commitsToAmounts, type InputFacts } from '../../../src/core/review/inputChecks.ts';
import type { InputReview } from '../../../src/core/review/inputReview.ts';
import { unwrapRecords } from '../../../src/core/review/scripts.ts';
import { findingText, networks, nobleEcc, OP, type PsbtInput, reviewPsbt, SIGHASH } from '../../support/library.ts';
import { filled } from '../../support/musig2.ts';
import { payment, type WalletName } from '../../support/psbts.ts';
import { SECRETS } from '../../support/spends.ts';

const KEY = nobleEcc.publicKey(SECRETS[0] ?? filled(1));
const LONG = nobleEcc.publicKey(SECRETS[0] ?? filled(1), false);

/** Returns the facts about the first input of a payment. */
function factsOf(name: WalletName): InputFacts {
  const psbt = payment([name]);
  const [review] = reviewPsbt(psbt).inputs;
  const [input = {}] = psbt.inputs;
  if (!review?.coin) return expect.fail('no coin');
  const unwrapped = unwrapRecords(review.coin.scriptPubKey, input);
  return {
    session: openSession(psbt, {}),
    input,
    review,
    unwrapped,
    named: undefined,
  };
}
const FACTS = factsOf('wpkh');

interface Changes {
  readonly input?: Partial<PsbtInput>;
  readonly review?: Partial<InputReview>;
  readonly named?: number;
  readonly more?: Partial<InputFacts>;
}
const found = ({ input, review, named, more }: Changes, facts = FACTS) =>
  checkInput({
    ...{ ...facts, named, ...more },
    input: { ...facts.input, ...input },
    review: { ...facts.review, ...review },
  });
const checks = (changes: Changes, facts = FACTS): readonly string[] => found(changes, facts).map(({ check }) => check);
const texts = (changes: Changes, facts = FACTS): readonly string[] => found(changes, facts).map(textOf);
/** The sentence of an observation. */
const textOf = (observation: Observation): string => findingText({ ...observation, action: 'warn' }, networks.regtest);

/** @see BIP143; BIP341 "Common signature message" */
test.each<[WalletName, readonly number[], number, boolean]>([
  ['tr', [0], 2, true],
  ['tr', [0, 1], 2, true],
  ['tr', [1, 0x81], 2, false],
  ['wpkh', [1], 1, true],
  ['wpkh', [1], 2, false],
  ['wpkh', [1, 0x81], 1, false],
  ['shWpkh', [1], 1, true],
  ['pkh', [1], 1, false],
])('signatures of %s with the types %j, of %i inputs, commit to all amounts: %s', (name, types, count, expected) => {
  const { unwrapped, review } = factsOf(name);
  expect(commitsToAmounts({ unwrapped, review: { ...review, sighashTypes: types } }, count)).toBe(expected);
  expect(commitsToAmounts({ unwrapped: undefined, review }, count)).toBe(false);
});

describe('the coin', () => {
  test('raises nothing if its previous transaction shows it', () => {
    for (const name of ['wpkh', 'tr', 'tree', 'multi', 'pkh'] as const) expect(checks({}, factsOf(name))).toEqual([]);
  });

  test('is unknown, or another than the previous transaction has', () => {
    const review = { coin: undefined, amountTrust: 'unknown' } as const;
    const unknown = { more: { unwrapped: undefined } };
    expect(checks({ review, ...unknown })).toEqual(['previous-transaction-mismatch']);
    expect(checks({ review: { ...review, outpoint: undefined }, ...unknown })).toEqual(['coin-unknown']);
  });

  test('is another than it is told to be', () => {
    const { coin } = FACTS.review;
    if (!coin) return expect.fail('no coin');
    const told = (value: bigint, scriptPubKey = coin.scriptPubKey) => ({
      input: { witnessUtxo: { value, scriptPubKey } },
    });
    expect(texts(told(5n))).toEqual([
      'Input 0 claims a coin of 0.00000005, but its previous transaction shows another: 0.01000000.',
    ]);
    expect(texts(told(coin.value, filled(1)))).toEqual([
      'Input 0 claims a coin of 0.01000000, but its previous transaction shows another script.',
    ]);
  });

  test('is only claimed', () => {
    const review = { amountTrust: 'claimed' } as const;
    expect(checks({ review }, factsOf('pkh'))).toEqual(['legacy-unproven']);
    // Whether signatures commit to it, all inputs together tell.
    expect(checks({ review: { ...review, sighashTypes: [0x81] } })).toEqual(['signature-sighash']);
    expect(checks({ review })).toEqual([]);
  });
});

describe('the hash type', () => {
  const { NONE, ALL, SINGLE } = SIGHASH;

  test('is undefined, unnamed, or leaves something open', () => {
    expect(checks({ review: { sighashType: 4, sighashTypes: [] } })).toEqual(['sighash-undefined']);
    const open = { sighashType: NONE, sighashTypes: [NONE] };
    expect(checks({ input: { sighashType: NONE }, review: open })).toEqual(['sighash-unnamed']);
    expect(checks({ input: { sighashType: NONE }, review: open, named: NONE })).toEqual(['sighash-unusual']);
    expect(checks({ review: { sighashType: ALL, sighashTypes: [ALL] } })).toEqual([]);
    for (const sighashType of [0, 1, 0x81]) {
      const review = { sighashType, sighashTypes: [sighashType] };
      expect(checks({ review }, factsOf('tr'))).toEqual(sighashType === 0x81 ? ['sighash-unusual'] : []);
    }
  });

  test('of a final input leaves something open only if it holds such a signature', () => {
    const final = { sighashType: NONE, isFinal: true, isFinalValid: true };
    expect(checks({ review: { ...final, sighashTypes: [NONE] } })).toEqual(['sighash-unusual']);
    expect(checks({ review: { ...final, sighashTypes: [ALL] } })).toEqual([]);
    expect(checks({ review: { ...final, sighashTypes: [] } })).toEqual([]);
    expect(checks({ review: { ...final, sighashTypes: [SINGLE] } })).toEqual(['signature-sighash']);
  });

  test('is other than that of a signature, which may leave something open', () => {
    const named = { named: NONE, review: { sighashType: NONE, sighashTypes: [NONE, ALL] } };
    expect(texts(named)[1]).toBe('Input 0 holds a signature with a hash type other than NONE.');
    expect(texts({ review: { sighashType: ALL, sighashTypes: [ALL, NONE] } })).toEqual([
      'Input 0 holds a signature with a hash type other than ALL. Signatures of input 0 (NONE) commit to no output: whoever gets one can send the coin anywhere.',
    ]);
    expect(checks({ review: { sighashType: 0, sighashTypes: [ALL] } })).toEqual([]);
  });
});

describe('scripts', () => {
  const unwrapped = (template: NonNullable<InputFacts['unwrapped']>['template']): Partial<InputFacts> => ({
    ...(FACTS.unwrapped && { unwrapped: { ...FACTS.unwrapped, template } }),
  });
  const TEXT = 'Input 0 uses an uncompressed or invalid key in segwit, which can never sign there.';

  test('need compressed keys in segwit', () => {
    for (const pubkey of [LONG, Uint8Array.of(2, ...filled(0xff))]) {
      expect(texts({ more: unwrapped({ type: 'pubkey', pubkey }) })).toEqual([TEXT]);
      expect(checks({ more: unwrapped({ type: 'pubkey', pubkey }) })).toEqual(['key-uncompressed']);
      expect(texts({ more: unwrapped({ type: 'multisig', required: 1, pubkeys: [KEY, pubkey] }) })).toEqual([TEXT]);
    }
    expect(texts({ more: unwrapped({ type: 'multisig', required: 1, pubkeys: [KEY] }) })).toEqual([]);
    expect(texts({ more: unwrapped({ type: 'pubkey', pubkey: KEY }) })).toEqual([]);
    const claimed = [{ publicKey: LONG, origin: { fingerprint: filled(1, 4), path: [] } }];
    expect(texts({ review: { claimedKeys: claimed } })).toEqual([TEXT]);
    expect(texts({ review: { claimedKeys: claimed } }, factsOf('pkh'))).toEqual([]);
  });

  test('of taproot lead to the output key, and have only usual leaves', () => {
    const other = { tapInternalKey: KEY.slice(1) };
    expect(texts({ input: other }, factsOf('tr'))).toEqual([
      'Input 0 comes with a key or leaf that its coin does not commit to.',
    ]);
    expect(texts({ input: other })).toEqual([]);
    const facts = factsOf('tree');
    const [leaf] = facts.input.tapLeafScripts ?? [];
    if (!leaf) return expect.fail('no leaf');
    const odd = { ...leaf, script: Uint8Array.of(OP.CODESEPARATOR) };
    const [first, ...others] = [...found({ input: { tapLeafScripts: [odd] } }, facts)].reverse();
    expect(first).toMatchObject({ check: 'leaf-unusual', inputIndex: 0 });
    expect(first && textOf(first)).toMatch(/^A leaf of input 0 .*OP_CODESEPARATOR.*\.$/);
    expect(others.map(({ check }) => check)).toEqual(['taproot-mismatch']);
  });

  test('are those of the coin', () => {
    const mismatch = { ...(FACTS.unwrapped && { unwrapped: { ...FACTS.unwrapped, isMismatch: true } }) };
    expect(checks({ more: mismatch })).toEqual(['script-mismatch']);
  });
});

describe('signatures, locks and owners', () => {
  test('are invalid', () => {
    const signature = { publicKey: KEY, sighashType: 1 };
    expect(checks({ review: { signatures: [{ ...signature, state: 'valid' }] } })).toEqual([]);
    const both = (['valid', 'invalid'] as const).map((state) => ({ ...signature, state }));
    expect(texts({ review: { signatures: both } })).toEqual(['Input 0 holds an invalid signature.']);
    const final = { isFinal: true, isFinalValid: false };
    expect(texts({ review: final })).toEqual(['The final scriptSig and witness of input 0 do not spend its coin.']);
    expect(checks({ review: { ...final, isFinalValid: true } })).toEqual([]);
  });
});
