import { describe, expect, test } from 'vitest';
import { createPsbt, extractTransaction, finalizePsbt, toPsbtV2 } from '../../support/library.ts';
import { payment, sign } from '../../support/psbts.ts';
import { expectRefusal } from '../../support/refusal.ts';

describe('the creator', () => {
  test('makes a PSBT of version 2 unless asked for version 0', () => {
    const tx = extractTransaction(finalizePsbt(sign(payment(['wpkh'])).psbt).psbt);
    const unsigned = { ...tx, inputs: tx.inputs.map((input) => ({ ...input, witness: [] })) };
    expect(createPsbt(unsigned).global).toMatchObject({ version: 2, txVersion: 2 });
    expect(createPsbt(unsigned, { version: 0 }).global).toEqual({ unsignedTx: unsigned });
    expect(toPsbtV2(createPsbt(unsigned, { version: 0 }))).toEqual(createPsbt(unsigned));
    expectRefusal(() => createPsbt(tx), 'psbt/unsigned-tx-signed', { inputIndex: 0 });
  });
});
