import { describe, expect, test } from 'vitest';
import { decodePsbtBytes, extractTransaction, finalizePsbt, parseBase64 } from '../../support/library.ts';
import { ask, text } from '../../support/psbtCalls.ts';
import { payment, sign, WALLETS, withInput, without } from '../../support/psbts.ts';
import { expectRefusal } from '../../support/refusal.ts';

const KINDS = ['pkh', 'shWpkh', 'wpkh', 'tr', 'tree', 'multi'] as const;
const CLAIM = { key: Uint8Array.of(0xf1, 1), value: Uint8Array.of(7) };

describe('the finalizer and the extractor', () => {
  test('finalize the complete inputs even if another lacks a signature', () => {
    const psbt = payment(['wpkh', 'multi', 'tr']);
    const { psbt: partly, inputs, isComplete } = finalizePsbt(sign(psbt).psbt);
    expect([isComplete, inputs.map(({ status }) => status)]).toEqual([true, ['complete', 'complete', 'complete']]);
    const some = finalizePsbt(sign(psbt, {}, [WALLETS.wpkh, WALLETS.multi, WALLETS.tr]).psbt);
    expect([some.isComplete, some.inputs.map(({ status }) => status)]).toEqual([
      false,
      ['complete', 'incomplete', 'complete'],
    ]);
    expectRefusal(() => extractTransaction(some.psbt), 'psbt/not-final', { inputIndex: 1 });
    expect(finalizePsbt(partly).psbt).toEqual(partly);
    // The missing signatures can still be added.
    const rest = finalizePsbt(sign(some.psbt, {}, [WALLETS.multiOfBob]).psbt);
    expect(extractTransaction(rest.psbt)).toEqual(extractTransaction(partly));
  });

  test('leave only the coin, the outpoint and unknown records in a final input', () => {
    const psbt = withInput(payment(['multi']), 0, (input) => ({ ...input, unknown: [CLAIM] }));
    const [input = {}] = finalizePsbt(sign(psbt).psbt).psbt.inputs;
    expect(Object.keys(input).sort()).toEqual(
      [
        'nonWitnessUtxo',
        'witnessUtxo',
        'finalScriptWitness',
        'previousTxid',
        'outputIndex',
        'sequence',
        'unknown',
      ].sort(),
    );
  });

  test('neither accept nor repair invalid final fields', () => {
    for (const name of KINDS) {
      const { psbt } = finalizePsbt(sign(payment([name])).psbt);
      const spoilt = withInput(psbt, 0, ({ finalScriptWitness = [], finalScriptSig, ...rest }) => ({
        ...rest,
        ...(finalScriptSig && { finalScriptSig: finalScriptSig.map((byte, i) => (i === 40 ? byte ^ 1 : byte)) }),
        finalScriptWitness: finalScriptWitness.map((item) => item.map((byte, i) => (i === 30 ? byte ^ 1 : byte))),
      }));
      expectRefusal(() => extractTransaction(spoilt), 'psbt/not-final', { inputIndex: 0 });
      expect(finalizePsbt(spoilt)).toMatchObject({ psbt: spoilt, isComplete: false });
      const unproven = withInput(psbt, 0, (input) => without(input, 'witnessUtxo', 'nonWitnessUtxo'));
      expectRefusal(() => extractTransaction(unproven), 'psbt/not-final', { inputIndex: 0 });
    }
  });

  test('do not extract an unsigned transaction', () => {
    expectRefusal(() => extractTransaction(payment(KINDS)), 'psbt/not-final', { inputIndex: 0 });
    const { psbt } = sign(payment(KINDS));
    expectRefusal(() => extractTransaction(psbt), 'psbt/not-final', { inputIndex: 0 });
    expect(sign(psbt).psbt).toEqual(psbt);
  });
});

test('previous transactions are kept if a finalized taproot input was signed with ANYONECANPAY', () => {
  const names = ['DEFAULT', 'ALL', 'NONE', 'ALL|ANYONECANPAY', 'NONE|ANYONECANPAY', 'SINGLE|ANYONECANPAY'];
  // Next to a segwit v0 input, previous transactions are kept.
  const mixed = payment(['tr', 'tree', 'wpkh']);
  const psbt = { ...mixed, inputs: mixed.inputs.slice(0, 2) };
  for (const name of names) {
    for (const finalize of [true, false]) {
      const descriptors = [WALLETS.tr, WALLETS.tree].map((desc) => ({ desc, range: 2 }));
      const answer = ask('descriptorprocesspsbt', text(psbt), descriptors, name, true, finalize);
      const { psbt: processed, complete } = answer as { psbt: string; complete: boolean };
      const { inputs } = decodePsbtBytes(parseBase64(processed));
      const isKept = name.includes('ANYONECANPAY');
      expect([complete, ...inputs.map(({ nonWitnessUtxo }) => nonWitnessUtxo !== undefined)]).toEqual([
        finalize,
        isKept,
        isKept,
      ]);
    }
  }
});
