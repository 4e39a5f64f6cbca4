import { expect, test } from 'vitest';
import { processPsbt } from '../../../../src/core/psbt/roles/updater.ts';
import { CURRENT_RULES } from '../../../../src/core/signing/signingRules.ts';
import { createDeriver, createDescriptorProvider, nobleEcc, SIGHASH, singlePaths } from '../../../support/library.ts';
import { make, PAYEE, parse, signatureCount, WALLETS } from '../../../support/psbts.ts';

test('an input without an output of its number is not signed with SINGLE, unless the rules are those of a node', () => {
  const [single = parse(WALLETS.wpkh)] = singlePaths(parse(WALLETS.wpkh));
  const indexes = [0, 1];
  const inputs = indexes.map((index) => ({ of: WALLETS.wpkh, index }));
  const psbt = make({ inputs, outputs: [{ to: PAYEE, value: 1_999_000n }] });
  const provider = createDescriptorProvider(indexes.map(createDeriver(single)));
  const signedBy = (rules = CURRENT_RULES): readonly number[] => {
    const given = { provider, sighashType: SIGHASH.SINGLE, signs: true, finalizes: false, ecc: nobleEcc, rules };
    const processed = processPsbt(psbt, given);
    expect(signatureCount(processed.psbt)).toBe(processed.inputs.flatMap(({ signed }) => signed).length);
    return processed.inputs.map(({ signed }) => signed.length);
  };
  expect(signedBy()).toEqual([1, 0]);
  expect(signedBy({ ...CURRENT_RULES, signsLoneSingle: true })).toEqual([1, 1]);
});
