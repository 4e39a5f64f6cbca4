import { describe, expect, test } from 'vitest';
import type { Owner } from '../../../src/core/holder/owner.ts';
import { decidingTypes, isFixed, isOwn } from '../../../src/core/review/commitment.ts';
import { type HeldKey, SIGHASH } from '../../support/library.ts';
import { filled } from '../../support/musig2.ts';
import { ALICE, BOB, MALLORY, make, PAYEE, parse, review } from '../../support/psbts.ts';

/** Returns the owner of a coin of a wallet, which is given with these keys. */
function ownerOf(of: string, keys: readonly HeldKey[] = []): Owner {
  const psbt = make({ inputs: [{ of }], outputs: [{ to: PAYEE, value: 990_000n }] });
  const [input] = review(psbt, { descriptors: [parse(of)], keys }).inputs;
  return input?.owner ?? expect.fail('no input');
}

const [ALL, NONE, OPEN] = [SIGHASH.ALL, SIGHASH.NONE, 0x81];
const theirs = {
  owner: { kind: 'none', root: 'none' } as const,
  sighashTypes: [ALL],
  isFinal: false,
  isFinalValid: false,
};
const mine = { ...theirs, owner: ownerOf(`wpkh(${ALICE.xpub('m/84h/1h/0h')}/<0;1>/*)`) };
const withKey = { ...theirs, owner: { kind: 'key', root: 'key' } as const };

describe('a transaction is fixed', () => {
  test.each([
    ['by an own input that is signed or to be signed', true, [theirs, mine]],
    ['by any input if none is known to be own', true, [theirs]],
    ['by an input whose key is available', true, [withKey, theirs]],
    ['with DEFAULT', true, [{ ...mine, sighashTypes: [SIGHASH.DEFAULT] }]],
    ['by a valid final input', true, [{ ...mine, isFinal: true, isFinalValid: true }]],
    ['not by an invalid final input', false, [{ ...mine, isFinal: true }, theirs]],
    ['not by the input of another', false, [theirs, { ...mine, sighashTypes: [] }]],
    ['not without signatures', false, [{ ...theirs, sighashTypes: [] }]],
    ['whatever others leave open', true, [mine, { ...theirs, sighashTypes: [ALL, OPEN] }]],
    ['not if a signature of an own input leaves something open', false, [mine, { ...mine, sighashTypes: [ALL, OPEN] }]],
    ['not if any does, and none is known to be own', false, [theirs, { ...theirs, sighashTypes: [OPEN] }]],
    ['not without inputs', false, []],
  ])('%s', (_, expected, inputs) => {
    expect(isFixed(inputs)).toBe(expected);
  });

  test('where own inputs are those of a key at hand, of a listed wallet, or of one with a key at hand', () => {
    const shared = `wsh(multi(2,${ALICE.xpub('m/48h')}/<0;1>/*,${BOB.xpub('m/48h')}/<0;1>/*))`;
    const [listed, withMine] = [[], [ALICE.held]].map((keys) => ({ ...theirs, owner: ownerOf(shared, keys) }));
    const foreign = { ...theirs, owner: ownerOf(shared, [MALLORY.held]) };
    expect([mine, theirs, withKey, listed, withMine, foreign].map((one) => one && isOwn(one))).toEqual([
      ...[true, false, true, true, true, false],
    ]);
  });
});

describe('the types that decide', () => {
  const der = (type: number): Uint8Array => Uint8Array.of(0x30, 6, 2, 1, 1, 2, 1, 1, type);
  const holding = (...types: readonly number[]) => ({
    partialSigs: types.map((type) => ({ pubkey: filled(2, 33), signature: der(type) })),
  });
  const given = { sighashType: ALL, ofSpend: undefined, ofHeld: [] };

  test('are those of the signature to be made and of valid ones, each once', () => {
    expect(decidingTypes({}, given)).toEqual([ALL]);
    expect(decidingTypes({}, { ...given, ofHeld: [NONE, ALL, NONE] })).toEqual([NONE, ALL]);
  });

  test('are those of the final fields, to which nothing is added', () => {
    expect(decidingTypes({}, { ...given, ofSpend: [NONE], ofHeld: [OPEN] })).toEqual([NONE]);
    expect(decidingTypes({}, { ...given, ofSpend: [] })).toEqual([]);
  });

  test('are none for a coin that takes no signature', () => {
    expect(decidingTypes({}, { ...given, sighashType: undefined })).toEqual([]);
  });

  test('include that of an invalid signature, if it leaves something open', () => {
    expect(decidingTypes(holding(ALL, OPEN), given)).toEqual([ALL, OPEN]);
    expect(decidingTypes(holding(ALL), { ...given, sighashType: NONE })).toEqual([NONE]);
  });
});
