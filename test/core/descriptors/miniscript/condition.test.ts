import { describe, expect, test } from 'vitest';
import { conditionKeys, findCondition, isNothing } from '../../../../src/core/descriptors/miniscript/condition.ts';
import { collectKeys, mapKeys, satisfy } from '../../../../src/core/descriptors/miniscript/index.ts';
import { asIs, keyBytes, rootOf, withHashes } from '../../../support/miniscript.ts';

const SCRIPTS = [
  'pk(A)',
  'multi(2,A,B,C)',
  'and_v(v:pk(A),sha256(#))',
  'and_b(pk(A),s:pk(B))',
  'or_b(pk(A),s:pk(B))',
  'or_d(pk(A),and_v(v:pkh(B),older(9)))',
  'or_i(multi(2,A,B),multi(2,C,D))',
  'or_i(and_v(v:pk(A),hash160(#)),and_v(v:pk(B),after(9)))',
  'andor(pk(A),older(9),and_v(v:pkh(B),pk(C)))',
  't:or_c(pk(A),and_v(v:pk(B),v:older(9)))',
  'thresh(3,pk(A),s:pk(B),s:pk(C),sln:older(9))',
  'thresh(2,pk(A),a:and_n(pk(B),older(9)),s:pk(C))',
].map(withHashes);

const subsets = <T>(items: readonly T[]): readonly (readonly T[])[] =>
  Array.from({ length: 2 ** items.length }, (_, bits) => items.filter((_, i) => (bits >> i) % 2 > 0));

describe('what a miniscript needs', () => {
  test.each(SCRIPTS)('is nothing exactly where the satisfier succeeds: %s', (text) => {
    const root = rootOf(text);
    for (const signed of subsets(collectKeys(root))) {
      for (const [isMet, isShown] of [0, 1, 2, 3].map((bits) => [bits > 1, bits % 2 > 0])) {
        const condition = findCondition(root, {
          isMet: () => isMet === true,
          isSigned: (key) => signed.includes(key),
          hasPreimage: () => isShown === true,
        });
        const signatures = new Set(signed.map((key) => keyBytes(key).join()));
        const witness = satisfy(mapKeys(root, keyBytes), {
          isMet: () => isMet === true,
          sign: (key) => (signatures.has(key.join()) ? new Uint8Array(72) : undefined),
          preimage: () => (isShown ? new Uint8Array(32) : undefined),
        });
        expect([signed, isMet, isShown, condition !== undefined && isNothing(condition)]).toEqual([
          signed,
          isMet,
          isShown,
          witness !== undefined,
        ]);
      }
    }
  });

  const keysOf = (text: string, isMet: boolean, signed = ''): readonly unknown[] => {
    const holdings = { isMet: () => isMet, isSigned: (key: string) => signed.includes(key), hasPreimage: () => false };
    const condition = findCondition(rootOf(withHashes(text)), holdings);
    return condition ? [conditionKeys(condition).map(asIs).join(''), condition.least, condition.most] : [];
  };

  test('names the keys of open ways only, and how many of them sign', () => {
    const liana = 'or_d(multi(2,A,B),and_v(v:pkh(C),older(9)))';
    expect(keysOf(liana, false)).toEqual(['AB', 2, 2]);
    expect(keysOf(liana, false, 'AC')).toEqual(['B', 1, 1]);
    expect(keysOf(liana, true)).toEqual(['ABC', 1, 2]);
    expect(keysOf('and_v(v:pk(A),older(9))', false)).toEqual([]);
    expect(keysOf('thresh(3,pk(A),s:pk(B),s:pk(C),sln:older(9))', false)).toEqual(['ABC', 3, 3]);
    expect(keysOf('thresh(3,pk(A),s:pk(B),s:pk(C),sln:older(9))', true, 'A')).toEqual(['BC', 1, 1]);
    expect(keysOf('or_i(multi(2,A,B),multi(2,C,D))', false, 'AC')).toEqual(['BD', 1, 1]);
  });

  test('does not recurse over the levels of a script', () => {
    const deep = 5_000;
    const text = `${'and_v(v:pk(A),'.repeat(deep)}pk(A)${')'.repeat(deep)}`;
    const root = rootOf(text, 'tapscript');
    const condition = findCondition(root, { isMet: () => true, isSigned: () => false, hasPreimage: () => false });
    expect(condition && conditionKeys(condition).length).toBe(deep + 1);
  });
});
