import { describe, expect, test } from 'vitest';
import { nativeSecp256k1Ecc } from '../../../src/core/crypto/nativeSecp256k1.ts';
import { reviewTransaction } from '../../../src/core/review/reviewTransaction.ts';
import { NO_PROVIDER } from '../../../src/core/signing/signingProvider.ts';
import {
  drive,
  HOLDER_NAMES,
  KIND_NAMES,
  type KindName,
  keySignerOf,
  prevoutsOf,
  updatedPsbt,
  WATCHER,
} from '../../support/kinds.ts';
import {
  CURRENT_RULES,
  createHolder,
  createSigningProvider,
  extractTransaction,
  finalizePsbt,
  networks,
  type Psbt,
  type PsbtReview,
  type ReviewOptions,
  type SpentOutput,
  signTransaction,
  type Transaction,
  toPsbtV0,
  transactionSize,
} from '../../support/library.ts';
import { ALICE } from '../../support/psbts.ts';

const ecc = nativeSecp256k1Ecc;
/** Transactions are reviewed for somebody of whom nothing is known. */
const holder = createHolder({ network: networks.regtest, ecc });
const unsigned = (psbt: Psbt): Transaction => toPsbtV0(psbt).global.unsignedTx as Transaction;
const checksOf = ({ findings }: PsbtReview): readonly string[] => findings.map(({ check }) => check);

/** Makes a transaction that spends coins of these kinds, and its review with all scripts known. */
const spend = (...kinds: readonly KindName[]) => {
  const psbt = updatedPsbt({ kinds });
  const review = (
    tx: Transaction,
    prevouts: readonly (SpentOutput | undefined)[] = prevoutsOf({ kinds }),
    options: ReviewOptions = {},
  ) => reviewTransaction({ tx, prevouts, provider: WATCHER }, { ecc, holder, ...options });
  const complete = (sighashType?: number): Transaction => {
    const signed = drive(psbt, keySignerOf(HOLDER_NAMES, ecc), {
      ecc,
      ...(sighashType !== undefined && { sighashType }),
    });
    return extractTransaction(finalizePsbt(signed.psbt, { ecc }).psbt, { ecc });
  };
  return { tx: unsigned(psbt), psbt, review, complete };
};

describe('the size', () => {
  // The estimate is of a key path spend, and the tests' signers have no such key for this kind.
  const kinds = KIND_NAMES.filter((kind) => kind !== 'tr, multi_a');

  test.each(kinds)('equals that of the signed transaction: %s', (kind) => {
    const { tx, review, complete } = spend(kind);
    const { weight } = transactionSize(complete());
    expect(Math.abs((review(tx).vsize ?? 0) - Math.ceil(weight / 4))).toBeLessThanOrEqual(1);
    expect(Math.abs((review(complete()).vsize ?? 0) - Math.ceil(weight / 4))).toBeLessThanOrEqual(1);
  });

  test.each(['pkh', 'wpkh', 'sh(pkh)', 'sh(wpkh)', 'wsh(pkh)'] as const)('needs only scripts, no keys: %s', (kind) => {
    const { tx, psbt, review } = spend(kind);
    const { redeemScript = new Uint8Array(0), witnessScript = redeemScript } = psbt.inputs[0] ?? {};
    const provider = createSigningProvider({ keys: [], scripts: [witnessScript] }, { rules: CURRENT_RULES, ecc });
    const { vsize } = reviewTransaction({ tx, prevouts: prevoutsOf({ kinds: [kind] }), provider }, { ecc, holder });
    expect(vsize).toBe(review(tx).vsize);
  });

  test('is unknown without the redeem script', () => {
    const { tx } = spend('sh(multi)');
    const given = { tx, prevouts: prevoutsOf({ kinds: ['sh(multi)'] }), provider: NO_PROVIDER };
    expect(reviewTransaction(given, { ecc, holder }).vsize).toBeUndefined();
  });
});

test('an unsigned input of an unknown coin is not final', () => {
  const { tx, review } = spend('wpkh');
  expect(review(tx, [undefined]).inputs).toMatchObject([{ isFinal: false, isFinalValid: false }]);
});

describe('amounts', () => {
  test('of legacy inputs are claimed, with a warning, since a raw transaction cannot hold previous transactions', () => {
    const { tx, review } = spend('pkh');
    const { inputs, findings, feeReason } = review(tx);
    expect([inputs[0]?.amountTrust, inputs[0]?.isAmountSigned, feeReason]).toEqual(['claimed', false, 'claims']);
    expect(findings.find(({ check }) => check === 'legacy-unproven')?.action).toBe('warn');
    const strict = review(tx, undefined, { policy: { 'legacy-unproven': 'refuse' } });
    expect(strict.findings.find(({ check }) => check === 'legacy-unproven')?.action).toBe('refuse');
  });

  test('are proven or contradicted by previous transactions', () => {
    const { tx, psbt } = spend('pkh');
    const previousTransactions = psbt.inputs.map(({ nonWitnessUtxo }) => nonWitnessUtxo);
    const [coin] = prevoutsOf({ kinds: ['pkh'] });
    const review = (value: bigint): PsbtReview => {
      const prevouts = [coin && { ...coin, value }];
      return reviewTransaction({ tx, prevouts, previousTransactions, provider: WATCHER }, { ecc, holder });
    };
    expect(review(1_000_000n)).toMatchObject({ fee: 100_000n, feeReason: 'previous-transactions' });
    expect(checksOf(review(2_000_000n))).toContain('amount-mismatch');
  });

  test('are proven by the signature of a single segwit v0 input, not of several', () => {
    const single = spend('wpkh');
    expect(single.review(single.tx).feeReason).toBe('signatures');
    const two = spend('wpkh', 'wpkh');
    const { feeReason, inputs, findings } = two.review(two.tx);
    expect([feeReason, ...inputs.map(({ isAmountSigned }) => isAmountSigned)]).toEqual(['claims', true, true]);
    expect(findings.filter(({ check }) => check === 'amount-unproven')).toHaveLength(2);
  });

  test('leave the fee unknown if unknown', () => {
    const { tx, review } = spend('pkh', 'wpkh');
    const [pkh, wpkh] = prevoutsOf({ kinds: ['pkh', 'wpkh'] });
    for (const prevouts of [
      [pkh, undefined],
      [pkh && { scriptPubKey: pkh.scriptPubKey }, wpkh],
    ]) {
      expect(review(tx, prevouts)).toMatchObject({ fee: undefined, feeReason: 'unknown-coins' });
      expect(checksOf(review(tx, prevouts))).toContain('coin-unknown');
    }
  });
});

describe('signatures', () => {
  const { tx, psbt, review, complete } = spend('sh(multi)');
  const prevouts = prevoutsOf({ kinds: ['sh(multi)'] });
  const scripts = psbt.inputs.flatMap(({ redeemScript }) => redeemScript ?? []);
  const keys = [{ secretKey: ALICE.secretAt('m/1h/0'), isCompressed: true }];
  const half = (sighashType: number): Transaction =>
    signTransaction({ tx, prevouts, scripts, keys, sighashType, ecc }).tx;

  test('of one of two keys are shown as partial, and the size includes the second', () => {
    const { inputs, vsize, findings } = review(half(0x01));
    expect(inputs).toMatchObject([{ isFinal: false, signatures: [{ state: 'valid' }] }]);
    expect(inputs[0]?.missingSignatures).toHaveLength(1);
    expect(vsize).toBe(review(tx).vsize);
    expect(findings.map(({ check }) => check)).not.toContain('signature-invalid');
  });

  test('with another hash type than the requested are refused', () => {
    expect(checksOf(review(half(0x82)))).toContain('signature-sighash');
    expect(review(half(0x82)).feeReason).toBe('open-signatures');
  });

  test('that are invalid for the given coin are refused, and their hash type still counts', () => {
    const other = [{ scriptPubKey: prevouts[0]?.scriptPubKey ?? new Uint8Array(0), value: 1_000_000n }];
    const changed = { ...half(0x82), locktime: 7 };
    const { findings, feeReason } = review(changed, other);
    expect(findings.map(({ check }) => check)).toContain('signature-invalid');
    expect(feeReason).toBe('open-signatures');
  });

  test('that complete an input are final, whatever the requested type', () => {
    const { inputs, feeReason } = review(complete(), undefined, { sighashType: 0x02 });
    expect(inputs).toMatchObject([{ isFinal: true, isFinalValid: true }]);
    expect(feeReason).toBe('claims');
  });
});
