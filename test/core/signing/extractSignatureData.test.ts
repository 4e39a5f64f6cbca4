import { describe, expect, test } from 'vitest';
import { payToMultisig, pushMinimally, wrapInScriptHash, wrapInWitness } from '../../../src/core/script/build.ts';
import { concatBytes, nobleEcc, OP, parseHex, signTransaction, type Transaction } from '../../support/library.ts';
import { kinds, SECRETS, SIGNING_KEYS, UNSIGNED } from '../../support/spends.ts';

const NOTHING = parseHex('');
const SCRIPT = payToMultisig(
  3,
  SECRETS.map((secretKey) => nobleEcc.publicKey(secretKey)),
);
const withSpend = (scriptSig: Uint8Array, witness: readonly Uint8Array[]): Transaction => ({
  ...UNSIGNED,
  inputs: UNSIGNED.inputs.map((input) => ({ ...input, scriptSig, witness })),
});

const ORDERS = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
];

describe.each([
  ['sh', wrapInScriptHash(SCRIPT)],
  ['wsh', wrapInWitness(SCRIPT)],
  ['sh(wsh)', wrapInScriptHash(wrapInWitness(SCRIPT))],
  ['bare', SCRIPT],
])('signatures of a multisig, %s', (_, scriptPubKey) => {
  const prevouts = [{ value: 1000n, scriptPubKey }];
  const sign = (tx: Transaction, keys: readonly number[]): Transaction =>
    signTransaction({
      tx,
      prevouts,
      keys: SIGNING_KEYS.filter((_, i) => keys.includes(i)),
      scripts: [SCRIPT, wrapInWitness(SCRIPT)],
    }).tx;
  const whole = sign(UNSIGNED, [0, 1, 2]);

  test.each(ORDERS)('are kept, whoever signs first: %i, %i, %i', (...order) => {
    const one = order.reduce((tx, key) => sign(tx, [key]), UNSIGNED);
    expect(one).toEqual(whole);
    expect(sign(sign(UNSIGNED, order.slice(0, 2)), order.slice(2))).toEqual(whole);
  });
});

test('signatures are found beside items that are none, in the order of their keys', () => {
  const prevouts = [{ value: 1000n, scriptPubKey: wrapInWitness(SCRIPT) }];
  const sign = (tx: Transaction, keys = SIGNING_KEYS): Transaction =>
    signTransaction({ tx, prevouts, keys, scripts: [SCRIPT] }).tx;
  const whole = sign(UNSIGNED);
  const [, first = NOTHING, second = NOTHING, third = NOTHING] = whole.inputs[0]?.witness ?? [];
  const holding = (...items: readonly Uint8Array[]): Transaction => withSpend(NOTHING, [NOTHING, ...items, SCRIPT]);
  const junk = first.map((byte, i) => (i === 20 ? byte ^ 1 : byte));
  for (const items of [
    [first, junk, second],
    [junk, first, second],
    [first, second, NOTHING],
  ]) {
    expect(sign(holding(...items), SIGNING_KEYS.slice(2))).toEqual(whole);
  }
  expect(sign(holding(second, third, NOTHING), SIGNING_KEYS.slice(0, 1))).toEqual(whole);
  // Like Core, does not look back for a key before the last that was found.
  expect(sign(holding(NOTHING, third, first), SIGNING_KEYS.slice(1, 2))).not.toEqual(whole);
});

test.each(['pkh', 'wpkh', 'pk'])('an invalid signature of another script is replaced: %s', (name) => {
  const scriptPubKey = kinds[name]?.scriptPubKey ?? NOTHING;
  const prevouts = [{ value: 1000n, scriptPubKey }];
  const { tx } = signTransaction({ tx: UNSIGNED, prevouts, keys: SIGNING_KEYS });
  const spoiled = { ...tx, outputs: [{ value: 400n, scriptPubKey: Uint8Array.of(OP.RETURN) }] };
  const again = signTransaction({ tx: spoiled, prevouts, keys: SIGNING_KEYS });
  expect(again.isComplete).toBe(true);
  expect(again.inputs).toMatchObject([{ signed: [{}] }]);
  const without = signTransaction({ tx: spoiled, prevouts, keys: [] });
  expect(without.isComplete).toBe(false);
});

test('a scriptSig is run for what it leaves, even if it is more than pushes', () => {
  const prevouts = [{ value: 1000n, scriptPubKey: wrapInScriptHash(SCRIPT) }];
  const given = { prevouts, keys: SIGNING_KEYS.slice(0, 2), scripts: [SCRIPT] };
  const [signed] = signTransaction({ tx: UNSIGNED, ...given }).tx.inputs;
  // Outside of segwit, OP_IF takes any number for true.
  const branch = concatBytes(Uint8Array.of(OP['1'] + 1, OP.IF), signed?.scriptSig ?? NOTHING, Uint8Array.of(OP.ENDIF));
  const { tx } = signTransaction({ tx: withSpend(branch, []), prevouts, keys: SIGNING_KEYS.slice(2) });
  const whole = signTransaction({ tx: UNSIGNED, prevouts, keys: SIGNING_KEYS, scripts: [SCRIPT] });
  expect([whole.isComplete, tx]).toEqual([true, whole.tx]);
});

test('a scriptSig that ends in an empty push shows no redeem script', () => {
  const prevouts = [{ value: 1000n, scriptPubKey: wrapInScriptHash(SCRIPT) }];
  const tx = withSpend(concatBytes(pushMinimally(SCRIPT), pushMinimally(NOTHING)), []);
  const { inputs } = signTransaction({ tx, prevouts, keys: SIGNING_KEYS });
  expect(inputs).toMatchObject([{ kind: 'incomplete', missing: [{ kind: 'redeem-script' }] }]);
});
