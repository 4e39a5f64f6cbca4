import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { accountFromDescriptors, isBtcError, reviewWith, signWith } from '../../src/index.ts';
import { parseHex } from '../support/library.ts';
import type { Contract, ContractCase, Verdict } from './contractTypes.ts';
import { makeContract } from './makeContract.ts';

const contract = JSON.parse(readFileSync(new URL('../../vectors/contract.json', import.meta.url), 'utf8')) as Contract;

/** What countersign does, and the names of its reasons. */
function judge({ psbt, descriptors }: ContractCase): {
  readonly verdict: Verdict;
  readonly reasons: readonly string[];
} {
  const wallet = accountFromDescriptors([...descriptors], { network: contract.network });
  try {
    const { findings } = reviewWith(wallet, psbt);
    const reasons = findings.map(({ check }) => check);
    if (findings.some(({ action }) => action === 'refuse')) {
      expect(() => signWith(wallet, psbt)).toThrow();
      return { verdict: 'refuse', reasons };
    }
    signWith(wallet, psbt);
    return { verdict: reasons.length > 0 ? 'warn' : 'sign', reasons };
  } catch (error) {
    if (!isBtcError(error)) throw error;
    return { verdict: 'refuse', reasons: [error.code] };
  }
}

describe('the signer contract', () => {
  test('is what its program makes', () => {
    expect(contract).toEqual(JSON.parse(JSON.stringify(makeContract())));
  });

  test('has cases to sign, to warn of and to refuse, each with a name of its own', () => {
    const count = (verdict: Verdict): number => contract.cases.filter(({ expected }) => expected === verdict).length;
    expect([count('sign'), count('warn'), count('refuse')]).toEqual([10, 5, 32]);
    expect(new Set(contract.cases.map(({ id }) => id)).size).toBe(contract.cases.length);
    expect(contract.classes.every(({ title }) => title !== '')).toBe(true);
    for (const { secretKeys } of contract.cases) for (const key of secretKeys) expect(parseHex(key)).toHaveLength(32);
  });

  test.each(contract.cases)('$expected: $id', (each) => {
    const { verdict, reasons } = judge(each);
    expect([verdict, reasons]).toEqual([
      each.expected,
      each.reason === undefined ? [] : expect.arrayContaining([each.reason]),
    ]);
  });
});
