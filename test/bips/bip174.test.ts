import { describe, expect, test } from 'vitest';
import { readSuite, shared } from '../support/corpus.ts';
import {
  asNodeWrites,
  CURRENT_RULES,
  combinePsbts,
  createPsbt,
  createSigningProvider,
  decodePsbtBytes,
  encodeDer,
  encodePsbt,
  encodeTransaction,
  extractTransaction,
  finalizePsbt,
  formatBase64,
  formatHex,
  isPartialSignatureValid,
  keySigner,
  musig2Shares,
  networks,
  nobleEcc,
  type Psbt,
  parseAddress,
  parseBase64,
  parseTxid,
  parseWif,
  SIGHASH,
  sighashForInput,
  signingRequests,
  signLowR,
  signPsbt,
  type Transaction,
  type TxOut,
  toPsbtV0,
  toPsbtV2,
  unsignedTransaction,
} from '../support/library.ts';
import { concat } from '../support/naiveSighash.ts';
import { refusalOf } from '../support/refusal.ts';

/** The roles of BIP174 on Core's vectors and on PSBTs of our own. */

interface Suite {
  /** The valid vectors of BIP174, BIP370, BIP371 and BIP373. */
  readonly valid: readonly string[];
  readonly creator: readonly {
    readonly inputs: readonly { readonly txid: string; readonly vout: number }[];
    readonly outputs: readonly Readonly<Record<string, number>>[];
    readonly version: 0 | 2;
    readonly result: string;
  }[];
  readonly signer: readonly { readonly privkeys: readonly string[]; readonly psbt: string; readonly result: string }[];
  readonly combiner: readonly { readonly combine: readonly string[]; readonly result: string }[];
  readonly finalizer: readonly { readonly finalize: string; readonly result: string }[];
  readonly extractor: readonly { readonly extract: string; readonly result: string }[];
}

const decode = (base64: string): Psbt => decodePsbtBytes(parseBase64(base64));
const asText = (psbt: Psbt): string => formatBase64(encodePsbt(asNodeWrites(psbt)));
/** Normalizes a PSBT, whatever the order of its records. */
const normal = (base64: string): string => asText(decode(base64));

describe.runIf(shared)("Core's rpc_psbt, role by role", () => {
  const none: Suite = { valid: [], creator: [], signer: [], combiner: [], finalizer: [], extractor: [] };
  const suite = shared ? readSuite<Suite>('rpc_psbt') : none;

  test('has 10 rows', () => {
    const { creator, signer, combiner, finalizer, extractor } = suite;
    expect([creator, signer, combiner, finalizer, extractor].map(({ length }) => length)).toEqual([1, 6, 1, 1, 1]);
  });

  test.each(suite.creator)('creator %#', ({ inputs, outputs, version, result }) => {
    const psbt = createPsbt(
      {
        version: 2,
        inputs: inputs.map(({ txid, vout }) => ({
          outpoint: { txid: parseTxid(txid), vout },
          scriptSig: new Uint8Array(0),
          sequence: 0xffff_ffff,
          witness: [],
        })),
        outputs: outputs.flatMap(Object.entries).map(([address, value]) => ({
          value: BigInt(Math.round(Number(value) * 1e8)),
          scriptPubKey: parseAddress(address, networks.regtest),
        })),
        locktime: 0,
      },
      { version },
    );
    expect(formatBase64(encodePsbt(psbt))).toBe(result);
  });

  test.each(suite.signer)('signer %#', ({ privkeys, psbt, result }) => {
    const keys = privkeys.map((wif) => parseWif(wif, networks.regtest));
    const before = decode(psbt);
    const signer = keySigner(createSigningProvider({ keys, scripts: [] }, { rules: CURRENT_RULES, ecc: nobleEcc }));
    const requests = signingRequests(before);
    let step = requests.next();
    while (!step.done) step = requests.next(signer(step.value));
    expect(asText(step.value.psbt)).toBe(normal(result));
    // The last four are those that BIP174 forbids to sign: Core returns them unchanged.
    const isGood = normal(psbt) !== normal(result);
    expect(step.value.inputs.some(({ signed }) => signed.length > 0)).toBe(isGood);
    if (isGood) expect(asText(signPsbt(before, signer).psbt)).toBe(normal(result));
    else expect(refusalOf(() => signPsbt(before, signer)).code).toBe('policy/refused');
  });

  test.each(suite.combiner)('combiner %#', ({ combine, result }) => {
    for (const psbts of [combine, [...combine].reverse()]) {
      const { psbt, conflicts } = combinePsbts(psbts.map(decode));
      expect(asText(psbt)).toBe(normal(result));
      expect(conflicts).toEqual([]);
    }
  });

  test.each(suite.finalizer)('finalizer %#', ({ finalize, result }) => {
    const { psbt, isComplete } = finalizePsbt(decode(finalize));
    expect(isComplete).toBe(true);
    expect(asText(psbt)).toBe(normal(result));
  });

  test.each(suite.extractor)('extractor %#', ({ extract, result }) => {
    expect(formatHex(encodeTransaction(extractTransaction(decode(extract))))).toBe(result);
  });

  test.each(suite.valid)('valid PSBT %# survives conversion and combining', (base64) => {
    const psbt = decode(base64);
    expect(combinePsbts([psbt, psbt])).toEqual({ psbt, conflicts: [] });
    expect(asNodeWrites(asNodeWrites(psbt))).toEqual(asNodeWrites(psbt));
    // An explicit version 0 is not written again.
    if (psbt.global.unsignedTx) expect(asText(toPsbtV0(toPsbtV2(psbt)))).toBe(asText(psbt));
    else expect(unsignedTransaction(toPsbtV0(psbt))).toEqual(unsignedTransaction(psbt));
  });

  test('the MuSig2 sessions of BIP373 are finalized once all participants have signed', () => {
    const sessions = suite.valid.map(decode).filter(({ inputs }) => inputs.some((input) => input.musig2Participants));
    const stages = sessions.map((psbt) => {
      const shares = musig2Shares(psbt);
      const { psbt: final, isComplete } = finalizePsbt(psbt);
      if (isComplete) expect(() => extractTransaction(final)).not.toThrow();
      const signed = shares.filter(({ hasSigned }) => hasSigned);
      expect(signed.every((share) => isPartialSignatureValid(psbt, share))).toBe(true);
      expect(shares.every(({ hasNonce, session }) => hasNonce === (session !== undefined))).toBe(true);
      // The vectors name the origins of the participants' keys.
      expect(shares.every(({ origin }) => origin !== undefined)).toBe(true);
      return [shares.length, shares.filter(({ hasNonce }) => hasNonce).length, signed.length, isComplete];
    });
    const session = [
      [3, 0, 0, false],
      [3, 3, 0, false],
      [3, 3, 3, true],
    ];
    expect(stages).toEqual([...session, ...session, ...session, ...session]);
  });
});

interface Row {
  readonly privkeys: readonly string[];
  readonly psbt: string;
  readonly result: string;
}

/** Returns the prevout of each input, from the records of the PSBT. */
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
        expect(formatHex(concat(encodeDer(signLowR(digest, secret, { ecc: nobleEcc })), [sighashType]))).toBe(
          formatHex(signature),
        );
        compared += 1;
      }
    }
  });

  test('there are 6 rows, two of them with two signatures each', () => expect([rows.length, compared]).toEqual([6, 4]));
});
