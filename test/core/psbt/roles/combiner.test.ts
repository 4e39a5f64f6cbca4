import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { combinePsbts, type Psbt, toPsbtV0 } from '../../../support/library.ts';
import { answerTo, read, text } from '../../../support/psbtCalls.ts';
import { payment, sign, withInput, withOutput, without } from '../../../support/psbts.ts';
import { expectRefusal } from '../../../support/refusal.ts';

const CLAIM = { key: Uint8Array.of(0xf1, 1), value: Uint8Array.of(7) };

describe('the combiner', () => {
  const base = payment(['wpkh', 'tr']);

  test('refuses an empty list, other transactions and other versions', () => {
    expectRefusal(() => combinePsbts([]), 'psbt/empty', {});
    expectRefusal(() => combinePsbts([base, base, payment(['wpkh', 'pkh'])]), 'psbt/different', { psbt: 2 });
    expectRefusal(() => combinePsbts([base, toPsbtV0(base)]), 'psbt/different', { psbt: 1 });
    const otherLocktime = payment(['wpkh', 'tr'], { locktime: 1 });
    expectRefusal(() => combinePsbts([base, otherLocktime]), 'psbt/different', { psbt: 1 });
  });

  test('returns a single PSBT unchanged', () => {
    expect(combinePsbts([base])).toEqual({ psbt: base, conflicts: [] });
    expect(combinePsbts([base, base])).toEqual({ psbt: base, conflicts: [] });
  });

  test('accepts large transactions', () => {
    const outputs = Array.from({ length: 20_000 }, () => ({ to: Uint8Array.of(0x51), value: 1n }));
    const large = payment(['wpkh'], { outputs });
    expect(combinePsbts([large, large]).psbt).toEqual(large);
  });

  test('keeps the first of two different values, and reports a conflict', () => {
    const changed = (value: number): Psbt => {
      const inInput = withInput(base, 1, (input) => ({
        ...input,
        sighashType: value,
        unknown: [{ ...CLAIM, value: Uint8Array.of(value) }],
      }));
      const inOutput = withOutput(inInput, 1, (output) => ({ ...output, witnessScript: Uint8Array.of(value) }));
      return { ...inOutput, global: { ...inOutput.global, unknown: [{ ...CLAIM, value: Uint8Array.of(value) }] } };
    };
    const [first, second] = [changed(1), changed(2)];
    const { psbt, conflicts } = combinePsbts([base, first, second]);
    expect(psbt).toEqual(first);
    expect(conflicts).toEqual([
      { psbt: 2, map: 'global', index: 0, field: 'unknown' },
      { psbt: 2, map: 'input', index: 1, field: 'sighashType' },
      { psbt: 2, map: 'input', index: 1, field: 'unknown' },
      { psbt: 2, map: 'output', index: 1, field: 'witnessScript' },
    ]);
  });

  test('reports two signatures of one key', () => {
    const other = sign(
      withInput(base, 0, (input) => ({ ...input, sighashType: 3 })),
      { sighashType: 3 },
    ).psbt;
    const { conflicts } = combinePsbts([sign(base).psbt, withInput(other, 1, (input) => without(input, 'tapKeySig'))]);
    expect(conflicts).toContainEqual({ psbt: 1, map: 'input', index: 0, field: 'partialSigs' });
  });

  test('combines PSBTs of version 2 with different sequences, and reports these', () => {
    const other = withInput(base, 0, (input) => ({ ...input, sequence: 5 }));
    const { psbt, conflicts } = combinePsbts([base, other]);
    expect(psbt.inputs[0]?.sequence).toBe(0xffff_fffd);
    expect(conflicts).toEqual([{ psbt: 1, map: 'input', index: 0, field: 'sequence' }]);
    expectRefusal(() => combinePsbts([base, other].map(toPsbtV0)), 'psbt/different', { psbt: 1 });
  });

  test.each([
    [undefined, undefined, undefined],
    [3, 3, 3],
    [3, undefined, 0],
    [3, 1, 1],
    [2, 1, 0],
    [7, 2, 6],
    [4, undefined, 4],
    [1, 5, 5],
  ])('combines the modifiable flags %s and %s to %s', (a, b, both) => {
    const flagged = (flags: number | undefined): Psbt => ({
      ...base,
      global: { ...base.global, ...(flags !== undefined && { txModifiable: flags }) },
    });
    for (const pair of [
      [a, b],
      [b, a],
    ]) {
      const { psbt, conflicts } = combinePsbts(pair.map(flagged));
      expect(psbt.global.txModifiable).toBe(both);
      expect(conflicts).toEqual([]);
    }
  });
});

test('tx_modifiable is combined bit by bit: SIGHASH_SINGLE if either sets it, the others if both do', () => {
  const base = payment(['wpkh']);
  const flagged = (txModifiable: number | undefined): Psbt => ({
    ...base,
    global: { ...base.global, ...(txModifiable !== undefined && { txModifiable }) },
  });
  const flags = fc.option(fc.nat({ max: 255 }), { nil: undefined });
  fc.assert(
    fc.property(flags, flags, (a, b) => {
      const combined = combinePsbts([flagged(a), flagged(b)]).psbt.global.txModifiable;
      const isSet = (value: number | undefined, bit: number): boolean => (((value ?? 0) >> bit) & 1) === 1;
      const expected = [...Array(8).keys()].filter((bit) =>
        bit === 2 ? isSet(a, bit) || isSet(b, bit) : isSet(a, bit) && isSet(b, bit),
      );
      const none = a === undefined && b === undefined;
      expect(combined).toBe(none ? undefined : expected.reduce((sum, bit) => sum + 2 ** bit, 0));
    }),
  );
});

describe('combinepsbt keeps leaf scripts apart by control block and script', () => {
  const psbt = payment(['tree']);
  const [leaf] = psbt.inputs[0]?.tapLeafScripts ?? [];
  if (!leaf) throw new Error('a leaf');
  const combined = (...leaves: readonly (typeof leaf)[]): Psbt['inputs'][number]['tapLeafScripts'] => {
    const parts = leaves.map((one) => text(withInput(psbt, 0, (input) => ({ ...input, tapLeafScripts: [one] }))));
    return read(answerTo('combinepsbt', parts)).inputs[0]?.tapLeafScripts;
  };

  test('keeping two control blocks of one script', () => {
    const longer = { ...leaf, controlBlock: Uint8Array.of(...leaf.controlBlock, ...new Uint8Array(32)) };
    expect(combined(leaf, longer)).toEqual([leaf, longer]);
  });

  test('keeping the first of two scripts with the same control block, which is the key', () => {
    expect(combined(leaf, { ...leaf, script: Uint8Array.of(0x51) })).toEqual([leaf]);
    expect(combined(leaf, leaf)).toEqual([leaf]);
  });
});
