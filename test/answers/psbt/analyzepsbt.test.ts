import { expect, test } from 'vitest';
import { createDeriver, formatHex, hash160, parseHex, signPsbt } from '../../support/library.ts';
import { ask, text } from '../../support/psbtCalls.ts';
import { ALICE, BOB, parse, payment, reviewOptions, withInput, without } from '../../support/psbts.ts';

/** Core's answers for unusual PSBTs. */

/** OP_TRUE. */
const ANYONE = parseHex('51');

test('analyzepsbt names a key by its hash if the witness script shows only the hash', () => {
  const [shown, hidden] = [ALICE, BOB].map((person) => person.keyAt('m/0'));
  if (!shown || !hidden) throw new Error('two keys');
  const [derived] = [parse(`wsh(or_d(pk(${formatHex(shown)}),pkh(${formatHex(hidden)})))`)].map((descriptor) =>
    createDeriver(descriptor),
  );
  const { scripts, scriptPubKeys } = derived?.(0) ?? {};
  const [witnessScript = ANYONE, scriptPubKey = ANYONE] = [scripts?.[0], scriptPubKeys?.[0]];
  const psbt = withInput(payment(['multi']), 0, (input) => ({
    ...without(input, 'nonWitnessUtxo', 'bip32Derivations'),
    witnessScript,
    witnessUtxo: { value: 1_000_000n, scriptPubKey },
  }));
  const missing = { pubkeys: [formatHex(hash160(hidden))] };
  expect(ask('analyzepsbt', text(psbt))).toMatchObject({
    inputs: [{ has_utxo: true, is_final: false, next: 'updater', missing }],
  });
  const { inputs } = signPsbt(psbt, () => undefined, reviewOptions({}));
  expect(inputs[0]?.missing).toContainEqual({ kind: 'key', hash: hash160(hidden) });
});
