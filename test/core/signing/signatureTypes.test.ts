import { describe, expect, test } from 'vitest';
import { concatBytes } from '../../../src/core/bytes/compare.ts';
import { pushMinimally, wrapInWitness } from '../../../src/core/script/build.ts';
import { apparentTypes, signaturesOfSpend } from '../../../src/core/signing/signatureTypes.ts';
import { nobleEcc, OP, SIGHASH, STANDARD_FLAGS, type TxIn, transactionChecker } from '../../support/library.ts';
import { filled, NOTHING } from '../../support/musig2.ts';
import { kinds, SECRETS, signSpend, UNSIGNED } from '../../support/spends.ts';

type Spend = Pick<TxIn, 'scriptSig' | 'witness'>;
/** Has the form of an ECDSA signature, and is valid for nothing. */
const derOf = (sighashType: number): Uint8Array => Uint8Array.of(0x30, 6, 2, 1, 1, 2, 1, 1, sighashType);
const schnorrOf = (sighashType: number): Uint8Array => Uint8Array.of(...filled(7, 64), sighashType);

describe('the apparent types of a spend', () => {
  test.each([
    ['none without items', [], []],
    ['that of an ECDSA signature', [derOf(SIGHASH.ALL)], [SIGHASH.ALL]],
    ['DEFAULT for 64 bytes', [filled(7, 64)], [SIGHASH.DEFAULT]],
    ['the last of 65 bytes', [schnorrOf(SIGHASH.SINGLE)], [SIGHASH.SINGLE]],
    ['none of 65 bytes that end in no type', [schnorrOf(4)], []],
    ['none of 63 or 66 bytes', [filled(1, 63), filled(1, 66)], []],
    ['one for each item', [filled(7, 64), derOf(0x81), schnorrOf(2), derOf(0x81), NOTHING], [0x81, 0x81, 0, 2]],
    ['none of a leaf and its control block', [schnorrOf(1), schnorrOf(2), schnorrOf(3)], [1]],
    ['none of an annex', [schnorrOf(1), Uint8Array.of(0x50, ...filled(7, 63))], [1]],
  ])('are %s', (_, witness, types) => {
    expect(apparentTypes({ scriptSig: NOTHING, witness })).toEqual(types);
  });

  test('include those that a scriptSig pushes', () => {
    const scriptSig = concatBytes(...[derOf(SIGHASH.NONE), filled(1, 33), derOf(SIGHASH.ALL)].map(pushMinimally));
    expect(apparentTypes({ scriptSig, witness: [] })).toEqual([SIGHASH.NONE, SIGHASH.ALL]);
  });
});

describe('the signatures of a spend', () => {
  const value = 1000n;
  const signaturesOf = (scriptPubKey: Uint8Array, spend: Partial<Spend>) => {
    const checker = transactionChecker({
      tx: UNSIGNED,
      inputIndex: 0,
      value,
      prevouts: [{ value, scriptPubKey }],
      ecc: nobleEcc,
    });
    const { scriptSig = NOTHING, witness = [] } = spend;
    return signaturesOfSpend({ scriptSig, witness, scriptPubKey, checker, ecc: nobleEcc, flags: STANDARD_FLAGS });
  };
  const [KEY = NOTHING] = SECRETS.map((secretKey) => nobleEcc.publicKey(secretKey));

  test.each(['pkh', 'wpkh', 'rawtr', 'tr(,pk)'])('of %s have the type that it was signed with', (name) => {
    const kind = kinds[name] ?? expect.fail('no such kind');
    for (const sighashType of [SIGHASH.ALL, SIGHASH.NONE, 0x81]) {
      const [input] = signSpend(UNSIGNED, [{ kind, sighashType, value }]).tx.inputs;
      expect(signaturesOf(kind.scriptPubKey, input ?? {})).toEqual({ isValid: true, sighashTypes: [sighashType] });
      const other = signaturesOf(kinds['pk']?.scriptPubKey ?? NOTHING, { witness: input?.witness ?? [] });
      expect(other.isValid).toBe(false);
    }
  });

  test('of an invalid spend are all that look like signatures', () => {
    const spend = { witness: [derOf(SIGHASH.ALL), KEY] };
    expect(signaturesOf(kinds['wpkh']?.scriptPubKey ?? NOTHING, spend)).toEqual({
      isValid: false,
      sighashTypes: [SIGHASH.ALL],
    });
  });

  test('do not count a Schnorr signature whose type is not defined', () => {
    const { scriptPubKey = NOTHING } = kinds['rawtr'] ?? {};
    expect(signaturesOf(scriptPubKey, { witness: [schnorrOf(4)] })).toEqual({ isValid: false, sighashTypes: [] });
  });

  test('do not count the empty one, which is valid for no key', () => {
    const script = concatBytes(pushMinimally(KEY), Uint8Array.of(OP.CHECKSIG, OP.NOT));
    const spend = { witness: [NOTHING, script] };
    expect(signaturesOf(wrapInWitness(script), spend)).toEqual({ isValid: true, sighashTypes: [] });
  });

  test('of a valid spend may be items that its script drops, if their type leaves something open', () => {
    const script = Uint8Array.of(OP['2DROP'], OP['1']);
    const withItems = (...items: readonly Uint8Array[]) =>
      signaturesOf(wrapInWitness(script), { witness: [...items, script] });
    expect(withItems(derOf(SIGHASH.ALL), derOf(SIGHASH.ALL))).toEqual({ isValid: true, sighashTypes: [] });
    for (const type of [SIGHASH.NONE, SIGHASH.SINGLE, 0x81]) {
      expect(withItems(derOf(SIGHASH.ALL), derOf(type))).toEqual({ isValid: true, sighashTypes: [type] });
    }
  });
});
