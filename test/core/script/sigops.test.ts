import { expect, test } from 'vitest';
import { payToMultisig, pushMinimally, wrapInScriptHash, wrapInWitness } from '../../../src/core/script/build.ts';
import { countRedeemSigOps, countSigOps, countWitnessSigOps } from '../../../src/core/script/sigops.ts';
import { concatBytes, OP, parseHex } from '../../support/library.ts';

const NOTHING = parseHex('');
const bytes = (...opcodes: readonly number[]): Uint8Array => Uint8Array.from(opcodes);
const TWO_OF_THREE = payToMultisig(
  2,
  [2, 3, 4].map((byte) => new Uint8Array(33).fill(byte)),
);
const KEY_HASH = parseHex(`0014${'11'.repeat(20)}`);

test.each([
  [bytes(OP.CHECKSIG, OP.CHECKSIGVERIFY, OP.NOP), 2, 2],
  [TWO_OF_THREE, 20, 3],
  [bytes(OP['1'], OP.CHECKMULTISIG), 20, 1],
  [bytes(OP['16'], OP.CHECKMULTISIGVERIFY), 20, 16],
  [bytes(0, OP.CHECKMULTISIG), 20, 20],
  [bytes(OP.NOP, OP.CHECKMULTISIG), 20, 20],
  [bytes(OP.CHECKMULTISIG), 20, 20],
  // What follows a push that runs past the end does not count.
  [bytes(OP.CHECKSIG, 5, OP.CHECKSIG), 1, 1],
  [NOTHING, 0, 0],
])('%# signature checks are counted, roughly and accurately', (script, rough, accurate) => {
  expect(countSigOps(script, false)).toBe(rough);
  expect(countSigOps(script, true)).toBe(accurate);
});

test('those of a redeem script are counted by the last push of a scriptSig of pushes', () => {
  const scriptPubKey = wrapInScriptHash(TWO_OF_THREE);
  const count = (scriptSig: Uint8Array, of = scriptPubKey): number =>
    countRedeemSigOps({ scriptSig, witness: [], scriptPubKey: of });
  expect(count(concatBytes(bytes(0), pushMinimally(TWO_OF_THREE)))).toBe(3);
  expect(count(concatBytes(pushMinimally(TWO_OF_THREE), bytes(0)))).toBe(0);
  expect(count(concatBytes(bytes(OP.NOP), pushMinimally(TWO_OF_THREE)))).toBe(0);
  expect(count(pushMinimally(TWO_OF_THREE), TWO_OF_THREE)).toBe(0);
  expect(count(NOTHING)).toBe(0);
});

test('those of a witness are counted for version 0, also within P2SH', () => {
  const program = wrapInWitness(TWO_OF_THREE);
  const count = (scriptPubKey: Uint8Array, witness: readonly Uint8Array[], scriptSig = NOTHING): number =>
    countWitnessSigOps({ scriptSig, witness, scriptPubKey });
  expect(count(program, [NOTHING, TWO_OF_THREE])).toBe(3);
  expect(count(program, [])).toBe(0);
  expect(count(KEY_HASH, [])).toBe(1);
  expect(count(wrapInScriptHash(program), [TWO_OF_THREE], pushMinimally(program))).toBe(3);
  expect(count(wrapInScriptHash(KEY_HASH), [], pushMinimally(KEY_HASH))).toBe(1);
  expect(count(wrapInScriptHash(KEY_HASH), [], concatBytes(bytes(OP.NOP), pushMinimally(KEY_HASH)))).toBe(0);
  expect(count(TWO_OF_THREE, [TWO_OF_THREE])).toBe(0);
  expect(count(parseHex(`5120${'11'.repeat(32)}`), [TWO_OF_THREE])).toBe(0);
  expect(count(parseHex('00051111111111'), [TWO_OF_THREE])).toBe(0);
});
