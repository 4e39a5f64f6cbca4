import { describe, expect, test } from 'vitest';
import { readSuite, shared } from '../support/corpus.ts';
import {
  asNodeWrites,
  CURRENT_RULES,
  combinePsbts,
  createPsbt,
  createSigningProvider,
  decodePsbtBytes,
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
  signingRequests,
  signPsbt,
  toPsbtV0,
  toPsbtV2,
  unsignedTransaction,
} from '../support/library.ts';
import { payment, sign, WALLETS, withInput, withOutput, without } from '../support/psbts.ts';
import { expectRefusal, refusalOf } from '../support/refusal.ts';

/** What BIP174 has each role do, on Core's vectors and on PSBTs of our own. Constructors and signers have their files. */

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
/** One PSBT in one form, whatever the order of its records. */
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
    const signer = keySigner(createSigningProvider({ keys, scripts: [] }, CURRENT_RULES, nobleEcc));
    const requests = signingRequests(before);
    let step = requests.next();
    while (!step.done) step = requests.next(signer(step.value));
    expect(asText(step.value.psbt)).toBe(normal(result));
    // The last four are those of BIP174 that a signer must not sign: Core leaves them as they are.
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

  test.each(suite.valid)('valid %# goes through versions and combiners unharmed', (base64) => {
    const psbt = decode(base64);
    expect(combinePsbts([psbt, psbt])).toEqual({ psbt, conflicts: [] });
    expect(asNodeWrites(asNodeWrites(psbt))).toEqual(asNodeWrites(psbt));
    // A record that says version 0 says nothing, and does not come back.
    if (psbt.global.unsignedTx) expect(asText(toPsbtV0(toPsbtV2(psbt)))).toBe(asText(psbt));
    else expect(unsignedTransaction(toPsbtV0(psbt))).toEqual(unsignedTransaction(psbt));
  });

  test('the MuSig2 sessions of BIP373 are finished, and none before all have signed', () => {
    const sessions = suite.valid.map(decode).filter(({ inputs }) => inputs.some((input) => input.musig2Participants));
    const stages = sessions.map((psbt) => {
      const shares = musig2Shares(psbt);
      const { psbt: final, isComplete } = finalizePsbt(psbt);
      if (isComplete) expect(() => extractTransaction(final)).not.toThrow();
      const signed = shares.filter(({ hasSigned }) => hasSigned);
      expect(signed.every((share) => isPartialSignatureValid(psbt, share))).toBe(true);
      expect(shares.every(({ hasNonce, session }) => hasNonce === (session !== undefined))).toBe(true);
      // Vectors say where participants' keys come from.
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

const KINDS = ['pkh', 'shWpkh', 'wpkh', 'tr', 'tree', 'multi'] as const;
const CLAIM = { key: Uint8Array.of(0xf1, 1), value: Uint8Array.of(7) };

describe('the creator', () => {
  test('makes version 2 unless asked for 0', () => {
    const tx = extractTransaction(finalizePsbt(sign(payment(['wpkh'])).psbt).psbt);
    const unsigned = { ...tx, inputs: tx.inputs.map((input) => ({ ...input, witness: [] })) };
    expect(createPsbt(unsigned).global).toMatchObject({ version: 2, txVersion: 2 });
    expect(createPsbt(unsigned, { version: 0 }).global).toEqual({ unsignedTx: unsigned });
    expect(toPsbtV2(createPsbt(unsigned, { version: 0 }))).toEqual(createPsbt(unsigned));
    expectRefusal(() => createPsbt(tx), 'psbt/unsigned-tx-signed', { inputIndex: 0 });
  });
});

describe('versions', () => {
  test('0 to 2 to 0 loses nothing, at any stage', () => {
    const made = payment(KINDS, { version: 0, locktime: 700_000 });
    const odd = withOutput(
      withInput({ ...made, global: { ...made.global, unknown: [CLAIM] } }, 1, (input) => ({
        ...input,
        unknown: [CLAIM],
        proprietary: [{ identifier: Uint8Array.of(1), subtype: 2, keyData: Uint8Array.of(3), value: Uint8Array.of(4) }],
      })),
      0,
      (output) => ({ ...output, unknown: [CLAIM] }),
    );
    const signed = sign(odd, {}, [WALLETS.pkh, WALLETS.tree, WALLETS.multi]).psbt;
    for (const psbt of [made, odd, signed, finalizePsbt(signed).psbt]) {
      expect(toPsbtV0(toPsbtV2(psbt))).toEqual(psbt);
      expect(encodePsbt(toPsbtV0(decodePsbtBytes(encodePsbt(toPsbtV2(psbt)))))).toEqual(encodePsbt(psbt));
    }
  });

  test('both end in the same transaction', () => {
    const [zero, two] = ([0, 2] as const).map((version) => {
      const { psbt } = finalizePsbt(sign(payment(KINDS.slice(0, 5), { version })).psbt);
      return formatHex(encodeTransaction(extractTransaction(psbt)));
    });
    expect(zero).toBe(two);
  });
});

describe('the combiner', () => {
  const base = payment(['wpkh', 'tr']);

  test('refuses nothing, another transaction and another version', () => {
    expectRefusal(() => combinePsbts([]), 'psbt/empty', {});
    expectRefusal(() => combinePsbts([base, base, payment(['wpkh', 'pkh'])]), 'psbt/different', { psbt: 2 });
    expectRefusal(() => combinePsbts([base, toPsbtV0(base)]), 'psbt/different', { psbt: 1 });
    const otherLocktime = payment(['wpkh', 'tr'], { locktime: 1 });
    expectRefusal(() => combinePsbts([base, otherLocktime]), 'psbt/different', { psbt: 1 });
  });

  test('gives one PSBT back as it is', () => {
    expect(combinePsbts([base])).toEqual({ psbt: base, conflicts: [] });
    expect(combinePsbts([base, base])).toEqual({ psbt: base, conflicts: [] });
  });

  test('takes large transactions', () => {
    const outputs = Array.from({ length: 20_000 }, () => ({ to: Uint8Array.of(0x51), value: 1n }));
    const large = payment(['wpkh'], { outputs });
    expect(combinePsbts([large, large]).psbt).toEqual(large);
  });

  test('keeps the first of two that differ, and reports the other', () => {
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

  test('of version 2, takes PSBTs that differ in sequences, and reports them', () => {
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
  ])('of modifiable flags %s and %s makes %s', (a, b, both) => {
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

describe('the finalizer and the extractor', () => {
  test('one input that lacks a signature does not keep the others back', () => {
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
    // The rest of the signatures can still come.
    const rest = finalizePsbt(sign(some.psbt, {}, [WALLETS.multiOfBob]).psbt);
    expect(extractTransaction(rest.psbt)).toEqual(extractTransaction(partly));
  });

  test('what is final says no more than its coin, its place and what is not understood', () => {
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

  test('what is final but not valid is neither taken nor repaired', () => {
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

  test('what is not signed is not extracted', () => {
    expectRefusal(() => extractTransaction(payment(KINDS)), 'psbt/not-final', { inputIndex: 0 });
    const { psbt } = sign(payment(KINDS));
    expectRefusal(() => extractTransaction(psbt), 'psbt/not-final', { inputIndex: 0 });
    expect(sign(psbt).psbt).toEqual(psbt);
  });
});
