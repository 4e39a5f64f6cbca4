import { describe, expect, test } from 'vitest';
import {
  combineTransactions,
  nobleEcc,
  parseHex,
  SIGHASH,
  signTransaction,
  type Transaction,
} from '../../support/library.ts';
import { kinds, SECRETS, SIGNING_KEYS, UNSIGNED } from '../../support/spends.ts';

const NOTHING = parseHex('');
const prevoutsOf = (kind: string) => [{ value: 1000n, scriptPubKey: kinds[kind]?.scriptPubKey ?? NOTHING }];
const signed = (kind: string, keys: readonly number[], sighashType: number = SIGHASH.ALL): Transaction =>
  signTransaction({
    tx: UNSIGNED,
    prevouts: prevoutsOf(kind),
    keys: SIGNING_KEYS.filter((_, i) => keys.includes(i)),
    scripts: [kinds[kind]?.known?.scriptCode ?? NOTHING, kinds['wsh(multi)']?.scriptPubKey ?? NOTHING],
    sighashType,
  }).tx;

describe('combined transactions', () => {
  test.each(['sh(multi)', 'wsh(multi)', 'sh(wsh(multi))', 'multi'])('hold the signatures of all copies: %s', (kind) => {
    const [first, second] = [signed(kind, [0]), signed(kind, [2])];
    const whole = signed(kind, [0, 2]);
    expect(combineTransactions([first, second], prevoutsOf(kind))).toEqual(whole);
    expect(combineTransactions([second, first], prevoutsOf(kind))).toEqual(whole);
    // The scripts come from any copy that has them.
    expect(combineTransactions([UNSIGNED, first, second], prevoutsOf(kind))).toEqual(whole);
    expect(combineTransactions([UNSIGNED, whole], prevoutsOf(kind))).toEqual(whole);
  });

  test.each(['sh(multi)', 'wsh(multi)'])('hold the first signature of each key: %s', (kind) => {
    const [all, none] = [signed(kind, [0]), signed(kind, [0], SIGHASH.NONE)];
    expect(combineTransactions([all, none], prevoutsOf(kind))).toEqual(all);
    expect(combineTransactions([none, all], prevoutsOf(kind))).toEqual(none);
  });

  test('hold nothing if no copy does, except the padding of a bare multisig', () => {
    expect(combineTransactions([UNSIGNED, UNSIGNED], prevoutsOf('sh(multi)'))).toEqual(UNSIGNED);
    const [input] = combineTransactions([UNSIGNED, UNSIGNED], prevoutsOf('multi')).inputs;
    expect(input?.scriptSig).toEqual(parseHex('0000'));
  });

  test('hold a Schnorr signature, unless the caller counts none as valid', () => {
    const whole = signed('rawtr', [0]);
    expect(nobleEcc.publicKey(SECRETS[0] ?? NOTHING).slice(1)).toEqual(kinds['rawtr']?.scriptPubKey.slice(2));
    expect(combineTransactions([UNSIGNED, whole], prevoutsOf('rawtr'))).toEqual(whole);
    const dropping = combineTransactions([UNSIGNED, whole], prevoutsOf('rawtr'), { verifiesSchnorr: false });
    expect(dropping).toEqual(UNSIGNED);
  });
});
