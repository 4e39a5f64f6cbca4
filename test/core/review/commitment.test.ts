import { describe, expect, test } from 'vitest';
import { decidingTypes, isFixed, isOwn } from '../../../src/core/review/commitment.ts';
import { SIGHASH } from '../../support/library.ts';
import { filled } from '../../support/musig2.ts';

const [ALL, NONE, OPEN] = [SIGHASH.ALL, SIGHASH.NONE, 0x81];
const OWNER = { descriptor: 0, position: 0, index: 0 };
const theirs = { hasOwnKey: false, sighashTypes: [ALL], isFinal: false, isFinalValid: false };
const mine = { ...theirs, verifiedOwner: OWNER };

describe('a transaction is fixed', () => {
  test.each([
    ['by an own input that is signed or to be signed', true, [theirs, mine]],
    ['by any input if none is known to be own', true, [theirs]],
    ['by an input whose key is available', true, [{ ...theirs, hasOwnKey: true }, theirs]],
    ['with DEFAULT', true, [{ ...mine, sighashTypes: [SIGHASH.DEFAULT] }]],
    ['by a valid final input', true, [{ ...mine, isFinal: true, isFinalValid: true }]],
    ['not by an invalid final input', false, [{ ...mine, isFinal: true }, theirs]],
    ['not by the input of another', false, [theirs, { ...mine, sighashTypes: [] }]],
    ['not without signatures', false, [{ ...theirs, sighashTypes: [] }]],
    ['not if a signature of any input leaves something open', false, [mine, { ...theirs, sighashTypes: [ALL, OPEN] }]],
    ['not without inputs', false, []],
  ])('%s', (_, expected, inputs) => {
    expect(isFixed(inputs)).toBe(expected);
  });

  test('where own inputs are those of a descriptor or an available key', () => {
    expect([mine, theirs, { ...theirs, hasOwnKey: true }].map(isOwn)).toEqual([true, false, true]);
  });
});

describe('the types that decide', () => {
  const der = (type: number): Uint8Array => Uint8Array.of(0x30, 6, 2, 1, 1, 2, 1, 1, type);
  const holding = (...types: readonly number[]) => ({
    partialSigs: types.map((type) => ({ pubkey: filled(2, 33), signature: der(type) })),
  });
  const given = { sighashType: ALL, ofSpend: undefined, ofHeld: [] };

  test('are those of the signature to be made and of valid ones, each once', () => {
    expect(decidingTypes({}, undefined, given)).toEqual([ALL]);
    expect(decidingTypes({}, undefined, { ...given, ofHeld: [NONE, ALL, NONE] })).toEqual([NONE, ALL]);
  });

  test('are those of the final fields, to which nothing is added', () => {
    expect(decidingTypes({}, undefined, { ...given, ofSpend: [NONE], ofHeld: [OPEN] })).toEqual([NONE]);
    expect(decidingTypes({}, undefined, { ...given, ofSpend: [] })).toEqual([]);
  });

  test('are none for an anchor, which takes no signature', () => {
    expect(decidingTypes({}, { type: 'anchor' }, given)).toEqual([]);
    expect(decidingTypes({}, { type: 'nonstandard' }, given)).toEqual([ALL]);
  });

  test('include that of an invalid signature, if it leaves something open', () => {
    expect(decidingTypes(holding(ALL, OPEN), undefined, given)).toEqual([ALL, OPEN]);
    expect(decidingTypes(holding(ALL), undefined, { ...given, sighashType: NONE })).toEqual([NONE]);
  });
});
