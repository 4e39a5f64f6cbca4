import { describe, expect, test } from 'vitest';
import {
  analyzePsbt,
  createRpc,
  encodePsbt,
  extractTransaction,
  finalizePsbt,
  formatBase64,
  networks,
  type Psbt,
  toPsbtV0,
  transactionSize,
} from '../../../support/library.ts';
import { make, PAYEE, payment, sign, WALLETS, withInput, withOutput, without } from '../../../support/psbts.ts';

const { maxMoney } = networks.main;
const analyze = (psbt: Psbt) => analyzePsbt(psbt, { maxMoney });
const spend = (value: bigint, to = PAYEE): Psbt =>
  make({ inputs: [{ of: WALLETS.wpkh, value, shownBy: 'output' }], outputs: [{ to, value: 1000n }] });

describe('the analyzer names the role that must act next', () => {
  const psbt = payment(['wpkh']);
  const signed = sign(psbt).psbt;
  const final = finalizePsbt(signed).psbt;
  const blind = withInput(psbt, 0, (input) => without(input, 'witnessUtxo', 'nonWitnessUtxo'));
  const keyless = withInput(psbt, 0, (input) => without(input, 'bip32Derivations'));
  const { vsize } = transactionSize(extractTransaction(final));
  const known = { fee: 2000n, vsize };

  test.each([
    ['the updater without a coin', blind, { next: 'updater' }, { hasUtxo: false, isFinal: false, missing: [] }],
    [
      'the updater without the key of a key hash',
      keyless,
      { next: 'updater', fee: 2000n },
      { hasUtxo: true, isFinal: false, missing: [{ kind: 'key' }] },
    ],
    [
      'the signer without a signature',
      psbt,
      { next: 'signer', ...known },
      { hasUtxo: true, isFinal: false, missing: [{ kind: 'private-key' }] },
    ],
    [
      'the finalizer with all signatures',
      signed,
      { next: 'finalizer', ...known },
      { hasUtxo: true, isFinal: false, missing: [] },
    ],
    [
      'the extractor with final fields',
      final,
      { next: 'extractor', ...known },
      { hasUtxo: true, isFinal: true, missing: [] },
    ],
  ])('%s', (_, given, whole, ofInput) => {
    const { inputs, ...rest } = analyze(given);
    expect(rest).toEqual(whole);
    expect(inputs).toMatchObject([{ ...ofInput, next: whole.next }]);
    expect(inputs[0]?.missing).toHaveLength(ofInput.missing.length);
  });

  test('of the inputs, the one whose role comes first', () => {
    const two = payment(['wpkh', 'wpkh']);
    const half = withInput(finalizePsbt(sign(two).psbt).psbt, 1, () => two.inputs[1] ?? {});
    expect(analyze(half)).toMatchObject({ next: 'signer', inputs: [{ next: 'extractor' }, { next: 'signer' }] });
  });

  test('and in Core 0.21, a final input without its coin is for the updater', () => {
    const bare = withInput(final, 0, (input) => without(input, 'witnessUtxo', 'nonWitnessUtxo'));
    const rpc = createRpc({ network: 'regtest', dialect: 'core-0.21' });
    expect(rpc.call('analyzepsbt', [formatBase64(encodePsbt(toPsbtV0(bare)))])).toEqual({
      inputs: [{ has_utxo: false, is_final: false, next: 'updater' }],
      next: 'updater',
    });
  });
});

describe('the analyzer sends back to the creator', () => {
  const INPUT = 'PSBT is not valid. Input 0 has invalid value';
  const OUTPUT = 'PSBT is not valid. Output amount invalid';
  const unspendable = withInput(spend(5000n), 0, (input) => ({
    ...input,
    witnessUtxo: { value: 5000n, scriptPubKey: Uint8Array.of(0x6a, 1, 1) },
  }));
  const paying = (value: bigint): Psbt => withOutput(spend(5000n), 0, (output) => ({ ...output, amount: value }));
  const two = payment(['wpkh', 'wpkh']);
  const sum = [maxMoney, 1n].reduce(
    (psbt, value, i) =>
      withInput(psbt, i, (input) => ({
        ...without(input, 'nonWitnessUtxo'),
        witnessUtxo: { value, scriptPubKey: PAYEE },
      })),
    two,
  );
  const outputSum = withOutput(payment(['wpkh']), 0, (output) => ({ ...output, amount: maxMoney }));

  test.each([
    ['an input above the supply', spend(maxMoney + 1n), INPUT],
    ['inputs that sum to more', sum, 'PSBT is not valid. Input 1 has invalid value'],
    ['an input below 0', spend(-2n), INPUT],
    ['an unspendable coin', unspendable, 'PSBT is not valid. Input 0 spends unspendable output'],
    ['an output above the supply', paying(maxMoney + 1n), OUTPUT],
    ['an output below 0', paying(-1n), OUTPUT],
    ['outputs that sum to more', outputSum, OUTPUT],
  ])('%s', (_, psbt, fault) => {
    expect(analyze(psbt)).toEqual({ inputs: [], next: 'creator', fault });
  });

  test.each([
    ['the whole supply', maxMoney],
    ['nothing', 0n],
  ])('but neither input nor output of %s', (_, value) => {
    expect(analyze(spend(value)).fault).toBeUndefined();
    expect(analyze(paying(value)).fault).toBeUndefined();
  });
});
