import { describe, expect, test } from 'vitest';
import { nextStepWords } from '../../../src/core/job/jobWords.ts';
import { findNextStep } from '../../../src/core/job/nextStep.ts';
import { psbtProgress } from '../../../src/core/job/progress.ts';
import { nextStepAdvice } from '../../../src/shell/cli/nextSteps.ts';
import { combinePsbts, finalizePsbt, type Psbt, progressText, SIGHASH } from '../../support/library.ts';
import { ALICE, BOB, make, PAYEE, payment, sign, WALLETS, withInput, without } from '../../support/psbts.ts';

const stepOf = (psbt: Psbt) => findNextStep(psbtProgress(psbt).inputs);
const adviceOf = (psbt: Psbt) => nextStepAdvice(psbtProgress(psbt).inputs);
const lineOf = (psbt: Psbt): string => psbtProgress(psbt).inputs.map(progressText).join('\n');

describe('a quorum of two hash types', () => {
  const [ofAlice, ofBob] = ['58be68cb', 'bb2f0b29'].map((fingerprint) => `[${fingerprint}/48h/1h/0h/0/0] (claimed)`);
  const base = payment(['multi']);
  const signedBy = (who: 'multi' | 'multiOfBob', sighashType: number): Psbt =>
    sign(base, { sighashType }, [WALLETS[who]]).psbt;
  const both = (alice: number, bob: number, record?: number): Psbt => {
    const { psbt } = combinePsbts([signedBy('multi', alice), signedBy('multiOfBob', bob)]);
    const bare = withInput(psbt, 0, (input) => without(input, 'sighashType'));
    return record === undefined ? bare : withInput(bare, 0, (input) => ({ ...input, sighashType: record }));
  };
  const { ALL, SINGLE, NONE } = SIGHASH;

  test('is finalized by no one, and the line names the type of each signer', () => {
    const psbt = both(ALL, SINGLE, SINGLE);
    expect(finalizePsbt(psbt).inputs).toMatchObject([{ status: 'sighash-mismatch' }]);
    expect(lineOf(psbt)).toBe(
      `input 0: have 2 of 2 signatures; it takes only signatures with the hash type SINGLE, for which its sighash record asks: ${ofAlice} has signed with ALL, ${ofBob} has signed with SINGLE`,
    );
    expect(lineOf(both(ALL, SINGLE))).toContain(
      'only signatures with the hash type ALL, as it has no sighash record that asks for another',
    );
  });

  test.each([
    [ALL, SINGLE, SINGLE, ALL, [SINGLE]],
    [ALL, SINGLE, undefined, ALL, [SINGLE]],
    [ALL, ALL, SINGLE, ALL, [SINGLE]],
    [SINGLE, SINGLE, undefined, ALL, [SINGLE]],
    [SINGLE, NONE, undefined, ALL, [SINGLE, NONE]],
    [SINGLE, NONE, SINGLE, SINGLE, [NONE]],
  ])('%s and %s, record %s: all sign with %s', (alice, bob, record, sighashType, others) => {
    expect(stepOf(both(alice, bob, record))).toEqual({ kind: 'one-type', sighashType, others });
  });

  test.each([
    [ALL, ALL, undefined],
    [SINGLE, SINGLE, SINGLE],
    [ALL, ALL, ALL],
  ])('is nothing to advise on if there is one: %s, %s, record %s', (alice, bob, record) => {
    expect(stepOf(both(alice, bob, record))).toBeUndefined();
    expect(finalizePsbt(both(alice, bob, record)).isComplete).toBe(true);
  });

  test('is told in words that name what to do', () => {
    expect(adviceOf(both(ALL, SINGLE, SINGLE))).toBe(
      'combine the copies again without those that have the hash type SINGLE, and ask whoever signed with it to sign with ALL (countersign combine)',
    );
    const step = { kind: 'one-type', sighashType: ALL, others: [SINGLE, NONE] } as const;
    expect(nextStepWords(step).text).toContain('those that have the hash type SINGLE or NONE,');
  });
});

describe('what no further signature helps with', () => {
  const hash = '8739f40ec4dbf569cb3dc4a5381304c6e7310908';
  const [alice, bob] = [ALICE.xprv('m/9h'), BOB.xpub('m/9h')].map((key) => `${key}/<0;1>/*`);
  const spend = (of: string): Psbt =>
    sign(make({ inputs: [{ of }], outputs: [{ to: PAYEE, value: 999_000n }] }), {}, [of]).psbt;

  test.each([
    ['a leaf', `tr(${bob},and_v(v:hash160(${hash}),pk(${alice})))`],
    ['a witness script', `wsh(and_v(v:hash160(${hash}),pk(${alice})))`],
  ])('is a preimage that %s needs beside its signatures', (_, of) => {
    const psbt = spend(of);
    expect(stepOf(psbt)).toEqual({ kind: 'add-preimage' });
    expect(adviceOf(psbt)).toContain('--preimage-file FILE');
    expect(lineOf(psbt)).toContain('still needed: the preimage of hash160 8739f40ec4dbf569...');
  });

  test('is not a preimage while a signature is missing, too', () => {
    const psbt = spend(`wsh(and_v(v:hash160(${hash}),and_v(v:pk(${alice}),pk(${bob}))))`);
    expect(lineOf(psbt)).toContain('the preimage of hash160');
    expect(stepOf(psbt)).toBeUndefined();
  });

  test('is a lock that closes the way that is signed, while another is open', () => {
    const psbt = spend(`tr(${bob},and_v(v:pk(${alice}),after(850000)))`);
    expect(lineOf(psbt)).toContain('ways to spend that need after(850000) are closed');
    expect(stepOf(psbt)).toEqual({ kind: 'wait-or-sign' });
    expect(adviceOf(psbt)).toMatch(/^create the PSBT again with that locktime or sequence, or sign with the keys/);
  });

  test('is an invalid signature, which its signer makes again', () => {
    const psbt = withInput(spend(`wpkh(${alice})`), 0, ({ partialSigs = [], ...input }) => ({
      ...input,
      partialSigs: partialSigs.map((one) => ({ ...one, signature: one.signature.slice(0, -1) })),
    }));
    expect(lineOf(psbt)).toMatch(
      /^input 0: 1 signature, which cannot count: it is valid for the hash type ALL, but lacks the byte that says so; have 0 of 1/,
    );
    expect(stepOf(psbt)).toEqual({ kind: 'sign-again' });
    expect(adviceOf(psbt)).not.toContain('missing keys');
  });

  test('is nothing where a signer is missing', () => {
    expect(stepOf(payment(['multi']))).toBeUndefined();
    expect(adviceOf(payment(['multi']))).toBeUndefined();
  });
});
