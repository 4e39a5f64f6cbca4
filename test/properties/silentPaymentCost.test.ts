import { describe, expect, test } from 'vitest';
import { pointsOf } from '../../src/core/crypto/noblePoints.ts';
import { payToWitness } from '../../src/core/script/build.ts';
import { silentPaymentScripts } from '../../src/core/silentPayments/index.ts';
import { accountFromWords, buildPsbt, reviewWith, signWith } from '../../src/kit/account/index.ts';
import {
  createReceiver,
  type Ecc,
  encodeTransaction,
  formatHex,
  formatPsbt,
  formatSilentPaymentAddress,
  formatTxid,
  hash160,
  networks,
  nobleEcc,
  type Psbt,
  parseTxid,
  type Transaction,
  txid,
  verifySilentPayments,
} from '../support/library.ts';
import { refusalIfAny, refusalOf } from '../support/refusal.ts';

/** Counts the multiplications and additions of points that silent payments cause at n, 2n and 4n. */

interface Work {
  multiplied: number;
  added: number;
}

function counting(): { readonly ecc: Ecc; readonly work: Work } {
  const work = { multiplied: 0, added: 0 };
  const points = pointsOf(nobleEcc);
  const ecc: Ecc = {
    ...nobleEcc,
    points: {
      multiply: (point, scalar) => {
        work.multiplied += 1;
        return points.multiply(point, scalar);
      },
      add: (summands) => {
        work.added += 1;
        return points.add(summands);
      },
    },
  };
  return { ecc, work };
}

const NO_BYTES = new Uint8Array(0);
const secret = (n: number): Uint8Array =>
  new Uint8Array(32)
    .fill(1)
    .fill(n & 255, 31)
    .fill(n >> 8, 30, 31);
const OPTIONS = { network: 'regtest' } as const;
const words = (passphrase: string, ecc?: Ecc) =>
  accountFromWords(`${'abandon '.repeat(11)}about`, { ...OPTIONS, passphrase, ...(ecc && { ecc }) });
const [ME, STRANGER] = [words(''), words('x')];
const payeeOf = (n: number): string =>
  formatSilentPaymentAddress(
    { scanKey: nobleEcc.publicKey(secret(n + 1)), spendKey: nobleEcc.publicKey(secret(999)) },
    networks.regtest,
  );

/** Pays so many receivers from so many coins, all but the first of one owner: no share is for all inputs. */
function payment(inputs: number, receivers: number): Psbt {
  const coins = Array.from({ length: inputs }, (_, i) => {
    const from = i === 0 ? STRANGER.receive(0) : ME.receive(i - 1);
    const previous: Transaction = {
      version: 2,
      locktime: i,
      inputs: [
        { outpoint: { txid: parseTxid(formatHex(secret(i))), vout: 0 }, scriptSig: NO_BYTES, sequence: 0, witness: [] },
      ],
      outputs: [{ value: 100_000n, scriptPubKey: from.scriptPubKey }],
    };
    return { txid: formatTxid(txid(previous)), vout: 0, from, previousTransaction: encodeTransaction(previous) };
  });
  const outputs = Array.from({ length: receivers }, (_, i) => ({ to: payeeOf(i), value: 1000n }));
  return buildPsbt({ inputs: coins, outputs, change: ME.change(0), fee: 1000n });
}

/** A proof takes four multiplications to make, one of them of the generator, and three to verify, besides those of the generator. */
const [MADE, VERIFIED] = [5, 3];
const MOST_PRODUCTS = 100;

describe('a PSBT of n inputs and n receivers', () => {
  test.each([8, 16, 32])('is reviewed without a multiplication, n = %i', (n) => {
    const { ecc, work } = counting();
    const review = reviewWith(words('', ecc), formatPsbt(payment(n, n)));
    expect(review.outputs[0]?.silentPayment?.status).toBe('open');
    expect(work.multiplied).toBe(0);
  });

  test.each([4, 8, 16, 32])('is signed with few multiplications, or refused, n = %i', (n) => {
    const { ecc, work } = counting();
    const refusal = refusalIfAny(() => signWith(words('', ecc), payment(n, n)));
    const products = n * (n - 1);
    expect(refusal?.code).toBe(products > MOST_PRODUCTS ? 'silent-payment/count' : undefined);
    expect(work.multiplied).toBeLessThanOrEqual((Math.min(products, MOST_PRODUCTS) + 1) * MADE);
  });

  test('of one owner is signed with one share for each receiver', () => {
    const { ecc, work } = counting();
    const psbt = payment(1, 40);
    const review = signWith(words('x', ecc), psbt).review;
    expect(review.outputs[0]?.silentPayment?.status).toBe('proven');
    // The shares, and the secrets of each step.
    expect(work.multiplied).toBeLessThanOrEqual(40 * (MADE + 4));
  });
});

/** Lets each owner add its shares, which computes the scripts. */
const computed = (inputs: number): Psbt => {
  const shared = signWith(ME, payment(inputs, 1), { finalize: false }).psbt;
  const { psbt } = signWith(STRANGER, shared, { finalize: false });
  return { ...psbt, inputs: psbt.inputs.map(({ partialSigs: _, ...input }) => input) };
};

describe('proofs of n inputs', () => {
  const psbts = [5, 10, 20].map((n) => [n, computed(n)] as const);

  test.each(psbts)('are verified once in a call, n = %i', (n, psbt) => {
    for (const call of [reviewWith, signWith]) {
      const { ecc, work } = counting();
      const result = call(words('', ecc), psbt);
      const { outputs } = 'review' in result ? result.review : result;
      expect(outputs[0]?.silentPayment?.status).toBe('proven');
      // The secret is computed again in each step: of the shares, the review, and the signatures.
      expect(work.multiplied).toBeLessThanOrEqual(n * VERIFIED + 4);
    }
  });

  test('are counted before any is verified', () => {
    const [, psbt] = psbts[2] ?? [];
    const outputs = Array.from({ length: 6 }, (_, i) => {
      const scanKey = nobleEcc.publicKey(secret(i + 1));
      return { amount: 1000n, spV0Info: { scanKey, spendKey: scanKey } };
    });
    const [output] = psbt?.inputs[0]?.spEcdhShares ?? [];
    const spEcdhShares = outputs.map(({ spV0Info: { scanKey } }) => ({ scanKey, share: output?.share ?? NO_BYTES }));
    const spDleqProofs = outputs.map(({ spV0Info: { scanKey } }) => ({ scanKey, proof: new Uint8Array(64).fill(1) }));
    const inputs = (psbt?.inputs ?? []).map((input) => ({ ...input, spEcdhShares, spDleqProofs }));
    const { ecc, work } = counting();
    const many: Psbt = { global: psbt?.global ?? {}, inputs, outputs };
    expect(refusalOf(() => verifySilentPayments(many, { ecc })).data).toEqual({ most: MOST_PRODUCTS });
    expect(work.multiplied).toBe(0);
    const few = verifySilentPayments({ ...many, outputs: outputs.slice(0, 5) }, { ecc });
    expect(few.map(({ status }) => status)).toEqual(new Array(5).fill('refuted'));
  });
});

describe('n payments to one receiver', () => {
  const labels = Array.from({ length: 100 }, (_, i) => i + 1);
  const keys = { scanSecretKey: secret(5), spendKey: nobleEcc.publicKey(secret(6)), labels };
  const known = createReceiver(keys);
  const key = nobleEcc.publicKey(secret(3));
  const spent = [{ scriptPubKey: payToWitness(0, hash160(key)) }];

  function additions(n: number, labelOf: (i: number) => number | undefined): number {
    const addresses = Array.from({ length: n }, (_, i) => known.address(labelOf(i)));
    const outpoint = { txid: parseTxid(formatHex(secret(7))), vout: 0 };
    const payer = { keys: [{ secretKey: secret(3), isTaproot: false }], outpoints: [outpoint], addresses };
    const outputs = silentPaymentScripts({ ...payer, sameReceiver: addresses }).map((scriptPubKey) => ({
      value: 1000n,
      scriptPubKey,
    }));
    const inputs = [{ outpoint, scriptSig: NO_BYTES, sequence: 0, witness: [new Uint8Array(71), key] }];
    const { ecc, work } = counting();
    const found = createReceiver(keys, { ecc }).findPayments({ version: 2, locktime: 0, inputs, outputs }, spent);
    expect(found).toHaveLength(n);
    return work.added;
  }

  test.each([30, 60, 120])('cost about as much with a label as without, n = %i', (n) => {
    const plain = additions(n, () => undefined);
    expect(plain).toBeLessThanOrEqual(n + 2);
    // A sender who knows many labels, and alternates, makes the scan add each, with one inversion for all.
    for (const labelOf of [() => 100, () => 0, (i: number) => 1 + (i % 100)]) {
      // The last few outputs are subtracted from, rather than each label added.
      expect(additions(n, labelOf)).toBeLessThanOrEqual(2 * plain + 100);
    }
  });
});
