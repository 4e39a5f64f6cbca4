import { describe, expect, test } from 'vitest';
import { eccFor } from '../support/arithmetic.ts';
import { readRecorded, shared, someOf } from '../support/corpus.ts';
import { createRpc, type InputErrorJson } from '../support/library.ts';
import { report } from '../support/report.ts';

interface SigningResult {
  readonly hex: string;
  readonly complete: boolean;
  readonly errors?: readonly InputErrorJson[];
}

/** Corpus, network, dialect, results in the sample, results in the whole corpus. */
const CORPORA = [
  ['core-32.sign', 'regtest', 'core-32', 500, 2981],
  ['litecoin-0.21.sign', 'litecoin-regtest', 'litecoin-0.21', 511, 2981],
] as const;

/** The errors that signing methods word as advice, with their plain texts. */
const ADVICE: Readonly<Record<string, string>> = {
  'Unable to sign input, invalid stack size (possibly missing key)': 'Operation not valid with the current stack size',
  'CHECK(MULTI)SIG failing with non-zero signature (possibly need more signatures)':
    'Signature must be zero for failed CHECK(MULTI)SIG operation',
};

describe.each(CORPORA)('transactions signed by the node, %s', (name, network, dialect, sampleResults, allResults) => {
  const check = (from: 'sample' | 'shared', results: number): void => {
    const rpc = createRpc({ network, dialect, ecc: eccFor(from) });
    const signed = readRecorded(name, from).flatMap(({ params, result }) =>
      result ? [{ prevtxs: params[2] ?? [], result: result as SigningResult }] : [],
    );
    expect(signed).toHaveLength(results);
    const checked = from === 'sample' ? someOf(signed) : signed;
    const complete = checked.filter(({ prevtxs, result: { hex, complete, errors } }) => {
      const answer = rpc.call('verifyrawtransaction' as string, [hex, prevtxs]) as SigningResult & {
        'reject-reason'?: string;
      };
      const wanted = errors?.map((error) => ({ ...error, error: ADVICE[error.error] ?? error.error }));
      expect(answer.complete).toBe(complete && answer['reject-reason'] === undefined);
      expect(JSON.stringify(answer.errors)).toBe(JSON.stringify(wanted));
      return answer.complete;
    }).length;
    const total = checked.length;
    report({
      subject: `${name}, verdicts (${from})`,
      passed: total,
      total,
      note: `${complete} complete`,
    });
  };

  test('the bundled sample gets the same verdicts', () => check('sample', sampleResults));
  test.runIf(shared)('the whole corpus gets the same verdicts', () => check('shared', allResults));
});
