import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nativeSecp256k1Ecc } from '../../src/core/crypto/nativeSecp256k1.ts';
import { reviewTransaction } from '../../src/core/review/reviewTransaction.ts';
import { NO_PROVIDER } from '../../src/core/signing/signingProvider.ts';
import { campaign } from '../support/campaign.ts';
import {
  drive,
  HOLDER_NAMES,
  heldKeysOf,
  KIND_NAMES,
  KINDS,
  type KindName,
  keySignerOf,
  prevoutsOf,
  updatedPsbt,
} from '../support/kinds.ts';
import {
  createHolder,
  extractTransaction,
  finalizePsbt,
  networks,
  type Psbt,
  type PsbtInput,
  type PsbtReview,
  type Transaction,
  txid,
  verifyTransaction,
} from '../support/library.ts';
import { PAYEE, parse, review as reviewOf } from '../support/psbts.ts';

/** Reviews of transactions whose inputs were signed with any hash types: their promises must hold. */

const ecc = nativeSecp256k1Ecc;
const TYPES = [0x01, 0x02, 0x03, 0x81, 0x82, 0x83];
const NOBODY = createHolder({ network: networks.regtest, ecc });
const OWN = { value: 800_000n, scriptPubKey: prevoutsOf({ kinds: ['wpkh'] })[0]?.scriptPubKey ?? PAYEE };

/** Signs each input with its own hash type. */
function signedWith(psbt: Psbt, types: readonly number[]): Psbt {
  const signer = keySignerOf(HOLDER_NAMES, ecc);
  return [...new Set(types)].reduce((current, sighashType) => {
    const options = { ecc, sighashType };
    return drive(current, (one) => (types[one.inputIndex] === sighashType ? signer(one) : undefined), options).psbt;
  }, psbt);
}

const payingBack = (psbt: Psbt): Psbt => ({
  ...psbt,
  outputs: psbt.outputs.map((output, i) => (i % 2 === 0 ? output : { ...output, script: OWN.scriptPubKey })),
});

const withoutTypes = (psbt: Psbt): Psbt => ({
  ...psbt,
  inputs: psbt.inputs.map(({ sighashType: _type, ...input }) => input),
});

type Change = (tx: Transaction, at: number) => Transaction;

const replaced: Change = (tx, at) => ({
  ...tx,
  outputs: tx.outputs.map((output, i) => (i === at ? { ...output, value: 1n } : output)),
});
const outpointOf = (tx: Transaction) => ({ txid: txid(tx), vout: 7 });
const CHANGES: readonly Change[] = [
  replaced,
  (tx) => ({ ...tx, outputs: [...tx.outputs, OWN] }),
  (tx, at) => ({ ...tx, outputs: tx.outputs.filter((_, i) => i !== at) }),
  (tx) => ({
    ...tx,
    inputs: [
      ...tx.inputs,
      { outpoint: outpointOf(tx), scriptSig: new Uint8Array(0), sequence: 0xffff_fffd, witness: [] },
    ],
  }),
];

const plans = fc
  .record({
    kinds: fc.array(fc.constantFrom(...KIND_NAMES), { minLength: 1, maxLength: 3 }),
    types: fc.array(fc.constantFrom(...TYPES), { minLength: 3, maxLength: 3 }),
    outputs: fc.integer({ min: 3, max: 4 }),
    named: fc.constantFrom(undefined, ...TYPES),
    namesOwn: fc.boolean(),
    dropsTypes: fc.boolean(),
  })
  .map(({ types, ...rest }) => ({ ...rest, types: types.slice(0, rest.kinds.length) }));

/** Checks that a review reports what can change, and that its promises hold for the transaction. */
function expectHonest(review: PsbtReview, tx: Transaction, staysValid: (other: Transaction) => boolean): void {
  const canChange = CHANGES.some((change) => tx.outputs.some((_, at) => staysValid(change(tx, at))));
  const promised = review.outputs.filter(({ stays }) => stays);
  expect(promised.filter(({ outputIndex }) => staysValid(replaced(tx, outputIndex)))).toEqual([]);
  expect(canChange && review.feeTrust === 'proven').toBe(false);
}

test('a review promises only what cannot change while all signatures stay valid', () => {
  fc.assert(
    fc.property(plans, ({ kinds, types, outputs, named, namesOwn, dropsTypes }) => {
      const plan = { kinds, outputs, version: 2 as const };
      const signed = signedWith(payingBack(updatedPsbt(plan)), types);
      const { psbt: final, isComplete } = finalizePsbt(signed, { ecc });
      expect(isComplete).toBe(true);
      const tx = extractTransaction(final, { ecc });
      const prevouts = prevoutsOf(plan);
      const staysValid = (other: Transaction): boolean => {
        const more = other.inputs.slice(prevouts.length).map(() => OWN);
        const { inputs } = verifyTransaction(other, [...prevouts, ...more], { ecc });
        return inputs.slice(0, prevouts.length).every(({ kind }) => kind === 'valid');
      };
      const texts = [KINDS.wpkh, ...(namesOwn ? kinds.map((name) => KINDS[name]) : [])];
      const descriptors = texts.map(({ descriptor }) => parse(descriptor));
      const isOpen = types.some((type) => type !== 0x01);
      for (const psbt of [signed, final].map((one) => (dropsTypes ? withoutTypes(one) : one))) {
        const review = reviewOf(psbt, { ecc, ...(named !== undefined && { sighashType: named }), descriptors });
        expectHonest(review, tx, staysValid);
        const isSaid = review.findings.some(({ check }) => /^(sighash-un|signature-sighash)/.test(check));
        expect(isSaid || !isOpen).toBe(true);
      }
      if (!isOpen) expect(reviewOf(final, { ecc, descriptors }).feeTrust).toBe('proven');
    }),
    campaign(200),
  );
});

test('a review of a raw transaction does, too', () => {
  fc.assert(
    fc.property(plans, ({ kinds, types, outputs, named = 0x01 }) => {
      const plan = { kinds, outputs, version: 2 as const };
      const { psbt } = finalizePsbt(signedWith(updatedPsbt(plan), types), { ecc });
      const tx = extractTransaction(psbt, { ecc });
      const given = { tx, prevouts: prevoutsOf(plan), provider: NO_PROVIDER };
      const { feeReason, findings } = reviewTransaction(given, { sighashType: named, ecc, holder: NOBODY });
      const isOpen = types.some((type) => type !== 0x01);
      expect(feeReason === 'open-signatures').toBe(isOpen);
      expect(findings.some(({ check }) => check === 'sighash-unusual' || check === 'signature-sighash')).toBe(isOpen);
    }),
    campaign(100),
  );
});

/** The kinds whose coins one key alone spends. */
const LONE: ReadonlySet<KindName> = new Set(['pk', 'pkh', 'wpkh', 'sh(wpkh)', 'wsh(pk)', 'tr', 'rawtr']);

/** Ways in which an input may hold its signature, and show its coin. */
const HOLDINGS = ['unsigned', 'signed', 'final', 'both'] as const;
const parseScript = (...opcodes: readonly number[]): Uint8Array => Uint8Array.from(opcodes);
const SHOWN: Readonly<Record<string, (input: PsbtInput) => PsbtInput>> = {
  whole: (input) => input,
  not: ({ nonWitnessUtxo: _tx, witnessUtxo: _coin, ...input }) => input,
  falsely: ({ nonWitnessUtxo: _tx, ...input }) => ({ ...input, witnessUtxo: { value: 5n, scriptPubKey: PAYEE } }),
  // A script that does not take the items of the final fields as signatures.
  'as open': ({ nonWitnessUtxo: _tx, ...input }) => ({
    ...input,
    witnessUtxo: { value: 5n, scriptPubKey: parseScript(0x6d, 0x51) },
  }),
};

const mixes = fc.array(
  fc.record({
    kind: fc.constantFrom(...KIND_NAMES),
    type: fc.constantFrom(...TYPES),
    holding: fc.constantFrom(...HOLDINGS),
    shown: fc.constantFrom(...Object.keys(SHOWN)),
  }),
  { minLength: 1, maxLength: 3 },
);

test('no change or fee is verified next to a signature that permits changes, however it is hidden', () => {
  fc.assert(
    fc.property(mixes, (mix) => {
      const kinds = mix.map(({ kind }) => kind);
      const updated = payingBack(updatedPsbt({ kinds, outputs: 3 }));
      const types = mix.map(({ type }) => type);
      const typed = signedWith(updated, types);
      const [signed, final] = [withoutTypes(typed), finalizePsbt(typed, { ecc }).psbt];
      const inputs = mix.map(({ holding, shown }, i): PsbtInput => {
        const parts = {
          unsigned: updated.inputs[i],
          signed: signed.inputs[i],
          final: final.inputs[i],
          both: { ...signed.inputs[i], ...final.inputs[i] },
        };
        return SHOWN[shown]?.({ ...parts[holding] }) ?? {};
      });
      const descriptors = [KINDS.wpkh, ...kinds.map((name) => KINDS[name])].map(({ descriptor }) => parse(descriptor));
      const review = reviewOf({ ...signed, inputs }, { ecc, descriptors, keys: heldKeysOf(HOLDER_NAMES, ecc) });
      const isOpen = mix.some(({ type, holding }) => type !== 0x01 && holding !== 'unsigned');
      const promised = review.outputs.filter(({ stays }) => stays).length;
      if (isOpen) expect([promised, review.feeTrust === 'proven']).toEqual([0, false]);
      else if (mix.every(({ shown }) => shown === 'whole')) {
        expect(review.feeTrust).toBe('proven');
        // It pays back to a key, of which a coin like that is spent, and beside it only coins of one key.
        const isChange = kinds.includes('wpkh') && kinds.every((kind) => LONE.has(kind));
        expect(promised).toBe(isChange ? 1 : 0);
      }
    }),
    campaign(300),
  );
});
