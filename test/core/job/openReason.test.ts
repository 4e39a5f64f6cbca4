import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { psbtProgress } from '../../../src/core/job/progress.ts';
import { campaign } from '../../support/campaign.ts';
import {
  extractTransaction,
  type Psbt,
  parseHex,
  parseTxid,
  type Transaction,
  type TxOut,
  verifyTransaction,
} from '../../support/library.ts';
import { make, PAYEE, sign, WALLETS, withInput, without } from '../../support/psbts.ts';

const KINDS = ['pkh', 'wpkh', 'tr', 'tree'] as const;
const TYPES = [1, 2, 3, 0x81, 0x82, 0x83] as const;
const WARNED = { 'sighash-unnamed': 'warn', 'fee-negative': 'warn', 'single-without-output': 'warn' } as const;

interface Plan {
  readonly name: (typeof KINDS)[number];
  readonly type: number;
}

/** Signs each input with its type. */
function signedWith(inputs: readonly Plan[], paid = 990_000n * BigInt(inputs.length)): Psbt {
  const made = make({
    inputs: inputs.map(({ name }, index) => ({ of: WALLETS[name], index })),
    outputs: [{ to: PAYEE, value: paid }, ...inputs.map(() => ({ to: PAYEE, value: 600n }))],
  });
  const asked = inputs.reduce(
    (psbt, { type }, index) => withInput(psbt, index, (input) => ({ ...input, sighashType: type })),
    made,
  );
  const names = [...new Set(inputs.map(({ name }) => WALLETS[name]))];
  const types = [...new Set(inputs.map(({ type }) => type))];
  return types.reduce((psbt, sighashType) => sign(psbt, { sighashType, policy: WARNED }, names).psbt, asked);
}

const ANYONE: TxOut = { value: 1000n, scriptPubKey: parseHex('51') };

/** Tells which changes to a transaction leave all its signatures valid. */
function changesTo(psbt: Psbt): { readonly outputs: boolean; readonly inputs: boolean } {
  const tx = extractTransaction(psbtProgress(psbt).finalized.psbt);
  const coins = psbt.inputs.map(
    ({ nonWitnessUtxo, witnessUtxo }) => nonWitnessUtxo?.outputs[1] ?? witnessUtxo ?? ANYONE,
  );
  const isValid = (changed: Transaction, more: readonly TxOut[] = []): boolean =>
    verifyTransaction(changed, [...coins, ...more]).isValid;
  expect(isValid(tx)).toBe(true);
  const lowered = tx.outputs.map((_, index) =>
    tx.outputs.map((output, i) => (i === index ? { ...output, value: output.value - 1n } : output)),
  );
  const outputs = [...lowered, [...tx.outputs, ANYONE], tx.outputs.slice(0, -1)];
  const outpoint = { txid: parseTxid('99'.repeat(32)), vout: 0 };
  const added = { outpoint, scriptSig: new Uint8Array(0), sequence: 0, witness: [] };
  return {
    outputs: outputs.some((changed) => isValid({ ...tx, outputs: changed })),
    inputs: isValid({ ...tx, inputs: [...tx.inputs, added] }, [ANYONE]),
  };
}

const plan = fc.record({ name: fc.constantFrom(...KINDS), type: fc.constantFrom(...TYPES) });

describe('a transaction with all its signatures', () => {
  test('is ready only if no change to its inputs or outputs leaves them valid', () => {
    fc.assert(
      fc.property(fc.array(plan, { minLength: 1, maxLength: 3 }), (inputs) => {
        const psbt = signedWith(inputs);
        const { openReason, finalized } = psbtProgress(psbt);
        const changes = changesTo(psbt);
        if (openReason === undefined) expect(changes).toEqual({ outputs: false, inputs: false });
        if (openReason === 'inputs-open') expect(changes.outputs).toBe(false);
        // Finalizing changes nothing about what is open.
        expect(psbtProgress(finalized.psbt).openReason).toBe(openReason);
      }),
      campaign(400),
    );
  });

  test.each(TYPES)('of type %i is open exactly where a change leaves them valid', (type) => {
    for (const name of KINDS) {
      const psbt = signedWith([{ name, type }]);
      const { outputs, inputs } = changesTo(psbt);
      const expected = outputs ? 'outputs-open' : inputs ? 'inputs-open' : undefined;
      expect([name, psbtProgress(psbt).openReason]).toEqual([name, expected]);
    }
  });

  test('is ready if one of them commits to everything', () => {
    const inputs = [
      { name: 'wpkh', type: 0x83 },
      { name: 'tr', type: 1 },
    ] as const;
    expect(psbtProgress(signedWith(inputs)).openReason).toBeUndefined();
  });

  test('that pays more than it spends lacks inputs, or is never valid', () => {
    const reasons = TYPES.map((type) => psbtProgress(signedWith([{ name: 'wpkh', type }], 5_000_000n)).openReason);
    expect(reasons).toEqual([
      'overspends',
      'outputs-open',
      'outputs-open',
      'inputs-missing',
      'inputs-missing',
      'inputs-missing',
    ]);
  });

  test('is not judged before they are all there', () => {
    const psbt = signedWith([{ name: 'wpkh', type: 2 }]);
    const standing = psbtProgress(withInput(psbt, 0, (input) => without(input, 'partialSigs')));
    expect(standing.finalized.isComplete).toBe(false);
    expect(standing).not.toHaveProperty('openReason');
  });
});
