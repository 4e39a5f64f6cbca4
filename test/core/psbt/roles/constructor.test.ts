import { describe, expect, test } from 'vitest';
import {
  addInput,
  addOutput,
  createPsbt,
  decodePsbtBytes,
  encodePsbt,
  extractTransaction,
  finalizePsbt,
  formatHex,
  type Outpoint,
  type Psbt,
  type PsbtInput,
  parseTxid,
  removeInput,
  removeOutput,
  SIGHASH,
  toPsbtV0,
  unsignedTransaction,
  verifyTransaction,
} from '../../../support/library.ts';
import { PAYEE, payment, sign, WALLETS, withInput, without } from '../../../support/psbts.ts';
import { expectRefusal } from '../../../support/refusal.ts';

/** BIP370's Constructor: which inputs and outputs may be added or removed, and the locktime that follows. */

const spent = (vout: number): Outpoint => ({ txid: parseTxid('11'.repeat(32)), vout });
const OUTPUT = { value: 1000n, scriptPubKey: PAYEE };
const empty = (txModifiable?: number, locktime = 0): Psbt => {
  const { global, ...rest } = createPsbt({ version: 2, inputs: [], outputs: [], locktime }, { version: 2 });
  return { ...rest, global: { ...global, ...(txModifiable !== undefined && { txModifiable }) } };
};
const OPEN = empty(0b011);
const withFlags = (psbt: Psbt, txModifiable: number): Psbt => ({ ...psbt, global: { ...psbt.global, txModifiable } });

describe('an input or output that is added', () => {
  test('comes last, with its records', () => {
    const input: PsbtInput = {
      sequence: 5,
      witnessUtxo: OUTPUT,
      unknown: [{ key: Uint8Array.of(0xf1), value: PAYEE }],
    };
    const built = addOutput(addInput(addInput(OPEN, spent(0)), spent(1), input), OUTPUT, { witnessScript: PAYEE });
    expect(built.inputs).toEqual([
      { previousTxid: spent(0).txid, outputIndex: 0 },
      { ...input, previousTxid: spent(0).txid, outputIndex: 1 },
    ]);
    expect(built.outputs).toEqual([{ amount: 1000n, script: PAYEE, witnessScript: PAYEE }]);
    expect(decodePsbtBytes(encodePsbt(built))).toEqual(built);
    expect(unsignedTransaction(built).inputs.map(({ sequence }) => sequence)).toEqual([0xffff_ffff, 5]);
    expect([OPEN.inputs, OPEN.outputs]).toEqual([[], []]);
  });

  test('takes outpoint, amount and script from the arguments, not from the records', () => {
    const lie = { previousTxid: parseTxid('22'.repeat(32)), outputIndex: 9 };
    expect(addInput(OPEN, spent(3), lie).inputs).toEqual([{ previousTxid: spent(3).txid, outputIndex: 3 }]);
    expect(addOutput(OPEN, OUTPUT, { amount: 5n, script: Uint8Array.of(1) }).outputs).toEqual([
      { amount: 1000n, script: PAYEE },
    ]);
  });

  test('can be removed again', () => {
    const built = [0, 1, 2].reduce((psbt, vout) => addOutput(addInput(psbt, spent(vout)), OUTPUT), OPEN);
    expect(removeInput(built, 1).inputs.map(({ outputIndex }) => outputIndex)).toEqual([0, 2]);
    expect(removeOutput(built, 0).outputs).toHaveLength(2);
    expect([0, 1, 2].reduce((psbt) => removeInput(removeOutput(psbt, 0), 0), built)).toEqual(OPEN);
  });
});

describe('a change is refused', () => {
  const built = addOutput(addInput(OPEN, spent(0)), OUTPUT);
  const attempts = (psbt: Psbt) =>
    [
      () => addInput(psbt, spent(1)),
      () => removeInput(psbt, 0),
      () => addOutput(psbt, OUTPUT),
      () => removeOutput(psbt, 0),
    ] as const;

  /** The reasons in the order of the attempts, or undefined for those that succeed. */
  test.each<[string, Psbt, readonly (string | undefined)[]]>([
    ['in version 0', toPsbtV0(built), ['version', 'version', 'version', 'version']],
    [
      'without flags',
      { ...built, global: without(built.global, 'txModifiable') },
      ['inputs', 'inputs', 'outputs', 'outputs'],
    ],
    ['with no flag set', withFlags(built, 0), ['inputs', 'inputs', 'outputs', 'outputs']],
    ['if only inputs are modifiable', withFlags(built, 0b001), [undefined, undefined, 'outputs', 'outputs']],
    ['if only outputs are modifiable', withFlags(built, 0b010), ['inputs', 'inputs', undefined, undefined]],
    ['never, if both are modifiable', built, [undefined, undefined, undefined, undefined]],
    ['next to a SINGLE signature', withFlags(built, 0b111), [undefined, 'single', undefined, 'single']],
    ['with only the flag of a SINGLE signature', withFlags(built, 0b100), ['inputs', 'inputs', 'outputs', 'outputs']],
    ['with only undefined flags', withFlags(built, 0xf8), ['inputs', 'inputs', 'outputs', 'outputs']],
    ['with every flag but the one of inputs', withFlags(built, 0xfe), ['inputs', 'inputs', undefined, 'single']],
  ])('%s', (_, psbt, reasons) => {
    for (const [i, attempt] of attempts(psbt).entries()) {
      const reason = reasons[i];
      if (reason === undefined) expect(attempt).not.toThrow();
      else expectRefusal(attempt, 'psbt/not-modifiable', { reason });
    }
  });

  test('if it spends a coin twice, or removes what does not exist', () => {
    expectRefusal(() => addInput(built, spent(0)), 'psbt/not-modifiable', { reason: 'duplicate' });
    expect(addInput(built, { txid: parseTxid('22'.repeat(32)), vout: 0 }).inputs).toHaveLength(2);
    for (const index of [1, -1, 0.5, Number.NaN]) {
      expectRefusal(() => removeInput(built, index), 'psbt/not-modifiable', { reason: 'index' });
      expectRefusal(() => removeOutput(built, index), 'psbt/not-modifiable', { reason: 'index' });
    }
  });
});

const T = 1_657_048_460;
type Locks = readonly [height?: number | undefined, time?: number | undefined];
const lockedBy = ([height, time]: Locks): PsbtInput => ({
  ...(height !== undefined && { requiredHeightLocktime: height }),
  ...(time !== undefined && { requiredTimeLocktime: time }),
});
const NONE: Locks = [];

describe('the locktime', () => {
  const build = (locks: readonly Locks[], from = OPEN): Psbt =>
    locks.reduce((psbt, lock, vout) => addInput(psbt, spent(vout), lockedBy(lock)), from);

  test('is the fallback unless an input requires another', () => {
    expect(unsignedTransaction(build([NONE], empty(0b011, 700_000))).locktime).toBe(700_000);
    expect(unsignedTransaction(build([NONE, [5]], empty(0b011, 700_000))).locktime).toBe(5);
  });

  test('cannot satisfy a height and a time at once', () => {
    expectRefusal(() => build([[10_000], [undefined, T]]), 'psbt/locktime-conflict', { inputIndex: 1 });
    expectRefusal(() => build([[undefined, T], [10_000]]), 'psbt/locktime-conflict', { inputIndex: 0 });
    expectRefusal(() => build([[1, T], [10_000], [undefined, T]]), 'psbt/locktime-conflict', { inputIndex: 2 });
  });

  const RECORDS: readonly PsbtInput[] = [
    { partialSigs: [{ pubkey: PAYEE, signature: PAYEE }] },
    { tapKeySig: PAYEE },
    { tapScriptSigs: [{ pubkey: PAYEE, leafHash: PAYEE, signature: PAYEE }] },
    { musig2PartialSigs: [{ participantPubkey: PAYEE, aggregatePubkey: PAYEE, partialSig: PAYEE }] },
    { finalScriptSig: PAYEE },
    { finalScriptWitness: [PAYEE] },
  ];

  test.each(RECORDS)('does not change once an input is signed: %o', (signature) => {
    const signed = withInput(build([[10_000, T], NONE]), 1, (input) => ({ ...input, ...signature }));
    const add = (locks: Locks) => () => addInput(signed, spent(7), lockedBy(locks));
    for (const locks of [NONE, [10_000], [9999], [9999, T + 5]] satisfies Locks[]) expect(add(locks)).not.toThrow();
    for (const locks of [[10_001], [10_001, T], [undefined, T]] satisfies Locks[]) {
      expectRefusal(add(locks), 'psbt/not-modifiable', { reason: 'locktime' });
    }
    const onlyHeight = withInput(signed, 0, (input) => without(input, 'requiredTimeLocktime'));
    expectRefusal(() => addInput(onlyHeight, spent(7), lockedBy([undefined, T])), 'psbt/locktime-conflict', {
      inputIndex: 2,
    });
    expectRefusal(() => removeInput(signed, 0), 'psbt/not-modifiable', { reason: 'locktime' });
    expect(unsignedTransaction(removeInput(signed, 1)).locktime).toBe(10_000);
  });

  test.each(RECORDS)('may change next to empty lists of signatures: %o', (signature) => {
    const empty = Object.fromEntries(
      Object.entries(signature).map(([name, list]: [string, Uint8Array | readonly unknown[]]) => [
        name,
        list.slice(0, 0),
      ]),
    );
    const psbt = withInput(build([[10_000, T], NONE]), 1, (input) => ({ ...input, ...empty }));
    expect(unsignedTransaction(addInput(psbt, spent(7), lockedBy([10_001]))).locktime).toBe(10_001);
  });

  test('may change while no input is signed', () => {
    const psbt = build([[10_000, T], NONE]);
    expect(unsignedTransaction(addInput(psbt, spent(7), lockedBy([10_001]))).locktime).toBe(10_001);
    expect(unsignedTransaction(removeInput(psbt, 0)).locktime).toBe(0);
  });
});

describe('after signing', () => {
  const base = withFlags(payment(['wpkh', 'tr', 'pkh']), 0b011);
  const ALL_ACP = SIGHASH.ALL | SIGHASH.ANYONECANPAY;
  const NONE_ACP = SIGHASH.NONE | SIGHASH.ANYONECANPAY;
  const SINGLE_ACP = SIGHASH.SINGLE | SIGHASH.ANYONECANPAY;

  /** @see BIP370 "Signer" */
  test.each([
    [SIGHASH.ALL, 0b000],
    [SIGHASH.NONE, 0b010],
    [SIGHASH.SINGLE, 0b100],
    [ALL_ACP, 0b001],
    [NONE_ACP, 0b011],
    [SINGLE_ACP, 0b101],
  ])('hash type %s leaves the flags %s', (sighashType, flags) => {
    const two = withFlags(payment(['wpkh', 'tr']), 0b011);
    const { psbt } = sign(two, { sighashType });
    expect(psbt.global.txModifiable).toBe(flags);
    expect(sign(withFlags(two, 0b100), { sighashType }).psbt.global.txModifiable).toBe(0b100);
    // Signing adds no flags to a PSBT without them.
    const silent = { ...two, global: without(two.global, 'txModifiable') };
    expect(sign(silent, { sighashType }).psbt.global.txModifiable).toBe(undefined);
    // Without a signature, the flags stay as they are.
    expect(sign(two, { sighashType }, []).psbt.global.txModifiable).toBe(0b011);
  });

  test('permitted changes leave the signatures valid', () => {
    const signed = sign(base, { sighashType: NONE_ACP }, [WALLETS.wpkh, WALLETS.tr]).psbt;
    const grown = addOutput(removeOutput(signed, 1), { value: 7n, scriptPubKey: PAYEE });
    const shrunk = removeInput(grown, 2);
    const { psbt, isComplete } = finalizePsbt(shrunk);
    expect(isComplete).toBe(true);
    const prevouts = psbt.inputs.flatMap(({ witnessUtxo }) => witnessUtxo ?? []);
    expect(verifyTransaction(extractTransaction(psbt), prevouts)).toMatchObject({ isValid: true });
  });

  test('the input and output of a SINGLE signature stay paired', () => {
    const pair = withFlags(payment(['wpkh', 'tr']), 0b011);
    const signed = sign(pair, { sighashType: SINGLE_ACP }).psbt;
    expectRefusal(() => removeInput(signed, 0), 'psbt/not-modifiable', { reason: 'single' });
    expectRefusal(() => addOutput(signed, OUTPUT), 'psbt/not-modifiable', { reason: 'outputs' });
    const grown = addInput(signed, spent(0), { witnessUtxo: OUTPUT });
    expect(grown.inputs.slice(0, 2)).toEqual(signed.inputs);
    expect(finalizePsbt(grown).inputs.map(({ status }) => status)).toEqual(['complete', 'complete', 'incomplete']);
  });
});

test('a PSBT built step by step equals the one that createPsbt makes at once', () => {
  const whole = payment(['wpkh', 'tr'], { locktime: 5 });
  const { version, inputs, outputs } = unsignedTransaction(whole);
  const steps = inputs.reduce(
    (psbt, { outpoint, sequence }) => addInput(psbt, outpoint, { sequence }),
    outputs.reduce((psbt, output) => addOutput(psbt, output), empty(0b011, 5)),
  );
  const atOnce = createPsbt({ version, inputs, outputs, locktime: 5 }, { version: 2 });
  expect(formatHex(encodePsbt(steps))).toBe(formatHex(encodePsbt(withFlags(atOnce, 0b011))));
});
