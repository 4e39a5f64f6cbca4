import { describe, expect, test } from 'vitest';
import { readSuite, shared } from '../support/corpus.ts';
import {
  decodePsbtBytes,
  encodeDer,
  formatHex,
  networks,
  nobleEcc,
  type Psbt,
  parseBase64,
  parseWif,
  SIGHASH,
  sighashForInput,
  signLowR,
  type Transaction,
  type TxOut,
} from '../support/library.ts';
import { concat } from '../support/naiveSighash.ts';

interface Row {
  readonly privkeys: readonly string[];
  readonly psbt: string;
  readonly result: string;
}

/** What each input spends, from the records of the PSBT. */
function prevoutsOf(tx: Transaction, { inputs }: Psbt): readonly (TxOut | undefined)[] {
  return tx.inputs.map(({ outpoint }, i) => {
    const { witnessUtxo, nonWitnessUtxo } = inputs[i] ?? {};
    return witnessUtxo ?? nonWitnessUtxo?.outputs[outpoint.vout];
  });
}

describe.runIf(shared)("Core's rpc_psbt signer rows: the same signatures from the same keys", () => {
  const rows = shared ? readSuite<{ signer: Row[] }>('rpc_psbt').signer : [];
  let compared = 0;

  test.each(rows)('row %#', ({ privkeys, psbt, result }) => {
    const [before, after] = [psbt, result].map((text) => decodePsbtBytes(parseBase64(text)));
    const tx = before?.global.unsignedTx;
    if (!before || !after || !tx) throw new Error('a PSBT of version 0');
    const prevouts = prevoutsOf(tx, before);
    const secrets = new Map(
      privkeys.map((wif) => {
        const { secretKey, isCompressed } = parseWif(wif, networks.regtest);
        return [formatHex(nobleEcc.publicKey(secretKey, isCompressed)), secretKey];
      }),
    );
    for (const [inputIndex, { partialSigs = [] }] of after.inputs.entries()) {
      const {
        partialSigs: known = [],
        redeemScript,
        witnessScript,
        sighashType = SIGHASH.ALL,
      } = before.inputs[inputIndex] ?? {};
      const scriptCode = witnessScript ?? redeemScript;
      for (const { pubkey, signature } of partialSigs.filter(
        (own) => !known.some((old) => formatHex(old.pubkey) === formatHex(own.pubkey)),
      )) {
        const { digest } = sighashForInput({
          tx,
          inputIndex,
          prevouts,
          sighashType,
          ...(scriptCode && { scriptCode }),
        });
        const secret = secrets.get(formatHex(pubkey));
        if (!secret) throw new Error('a key of another');
        expect(formatHex(concat(encodeDer(signLowR(nobleEcc, digest, secret)), [sighashType]))).toBe(
          formatHex(signature),
        );
        compared += 1;
      }
    }
  });

  test('there are 6 rows, two of them with two signatures each', () => expect([rows.length, compared]).toEqual([6, 4]));
});
