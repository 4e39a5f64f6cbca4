import { describe, expect, test } from 'vitest';
import { createPsbt, extractTransaction, finalizePsbt, toPsbtV2 } from '../../../support/library.ts';
import { payment, sign } from '../../../support/psbts.ts';
import { expectRefusal } from '../../../support/refusal.ts';

describe('the creator', () => {
  test('makes a PSBT of version 0, which all software reads, unless asked for version 2', () => {
    const tx = extractTransaction(finalizePsbt(sign(payment(['wpkh'])).psbt).psbt);
    const unsigned = { ...tx, inputs: tx.inputs.map((input) => ({ ...input, witness: [] })) };
    expect(createPsbt(unsigned).global).toEqual({ unsignedTx: unsigned });
    expect(createPsbt(unsigned, { version: 2 }).global).toMatchObject({ version: 2, txVersion: 2 });
    expect(toPsbtV2(createPsbt(unsigned))).toEqual(createPsbt(unsigned, { version: 2 }));
    expectRefusal(() => createPsbt(tx), 'psbt/unsigned-tx-signed', { inputIndex: 0 });
  });

  /** @see BIP370 PSBT_GLOBAL_TX_MODIFIABLE */
  test.each([
    ['inputs', 0b01],
    ['outputs', 0b10],
    ['both', 0b11],
  ] as const)('sets the modifiable flags for %s, in version 2 only', (modifiable, txModifiable) => {
    const tx = { version: 2, inputs: [], outputs: [], locktime: 7 };
    expect(createPsbt(tx, { version: 2, modifiable })).toEqual({
      global: { version: 2, txVersion: 2, fallbackLocktime: 7, txModifiable },
      inputs: [],
      outputs: [],
    });
    expectRefusal(() => createPsbt(tx, { modifiable }), 'psbt/not-modifiable', { reason: 'version' });
    expect(createPsbt(tx, { version: 2 }).global).not.toHaveProperty('txModifiable');
  });
});
