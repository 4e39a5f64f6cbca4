import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nativeSecp256k1Ecc } from '../../src/core/crypto/nativeSecp256k1.ts';
import { campaign } from '../support/campaign.ts';
import { drive, HOLDER_NAMES, KIND_NAMES, keySignerOf, updatedPsbt } from '../support/kinds.ts';
import { type Psbt, type PsbtInput, reviewPsbt } from '../support/library.ts';
import { without } from '../support/psbts.ts';

/** A held signature is called valid or invalid only if that is so, whatever records the PSBT has lost. */

const ecc = nativeSecp256k1Ecc;

/** The records that QR signers, combiners and other wallets leave out. */
const LOST = [
  'witnessUtxo',
  'nonWitnessUtxo',
  'redeemScript',
  'witnessScript',
  'bip32Derivations',
  'tapBip32Derivations',
  'tapLeafScripts',
  'tapInternalKey',
  'tapMerkleRoot',
] as const satisfies readonly (keyof PsbtInput)[];

const plans = fc.record({
  kinds: fc.array(fc.constantFrom(...KIND_NAMES), { minLength: 1, maxLength: 3 }),
  holders: fc.subarray([...HOLDER_NAMES], { minLength: 1 }),
  sighashType: fc.constantFrom(0x01, 0x02, 0x03, 0x81, 0x82, 0x83),
  lost: fc.subarray([...LOST]),
});

const statesOf = (psbt: Psbt): readonly string[] =>
  reviewPsbt(psbt, { ecc }).inputs.flatMap(({ signatures }) => signatures.map(({ state }) => state));

const lose = (psbt: Psbt, lost: readonly (keyof PsbtInput)[]): Psbt => ({
  ...psbt,
  inputs: psbt.inputs.map((input) => without(input, ...lost)),
});

test('no valid signature is called invalid, and each is called valid while all records are there', () => {
  fc.assert(
    fc.property(plans, ({ kinds, holders, sighashType, lost }) => {
      const { psbt } = drive(updatedPsbt({ kinds }), keySignerOf(holders, ecc), { ecc, sighashType });
      expect(statesOf(psbt).every((state) => state === 'valid')).toBe(true);
      expect(statesOf(lose(psbt, lost))).not.toContain('invalid');
    }),
    campaign(200),
  );
});

test('no signature for another transaction is called valid, and each is called invalid while all records are there', () => {
  fc.assert(
    fc.property(plans, ({ kinds, holders, lost }) => {
      const psbt = updatedPsbt({ kinds });
      const outputs = psbt.outputs.map((output) => ({ ...output, amount: (output.amount ?? 0n) - 1n }));
      const other = drive({ ...psbt, outputs }, keySignerOf(holders, ecc), { ecc }).psbt;
      const forged: Psbt = {
        ...psbt,
        inputs: psbt.inputs.map((input, i) => {
          const { partialSigs, tapKeySig, tapScriptSigs } = other.inputs[i] ?? {};
          return {
            ...input,
            ...(partialSigs && { partialSigs }),
            ...(tapKeySig && { tapKeySig }),
            ...(tapScriptSigs && { tapScriptSigs }),
          };
        }),
      };
      expect(statesOf(forged).every((state) => state === 'invalid')).toBe(true);
      expect(statesOf(lose(forged, lost))).not.toContain('valid');
    }),
    campaign(200),
  );
});
