import { describe, expect, test } from 'vitest';
import { mapKeys, satisfy } from '../../../../src/core/descriptors/miniscript/index.ts';
import { formatHex } from '../../../support/library.ts';
import { keyBytes, rootOf, withHashes } from '../../../support/miniscript.ts';

const PREIMAGE = new Uint8Array(32).fill(0x77);

interface Given {
  /** The letters of the keys that sign. */
  readonly keys?: string;
  readonly knowsPreimages?: boolean;
  readonly isMet?: boolean;
}

/** Satisfies an expression, and shows keys and signatures by their letters: `A` for the key, `sA` for its signature. */
function shown(text: string, { keys = '', knowsPreimages = false, isMet = false }: Given): string | undefined {
  const names = new Map([...'ABCD'].map((name) => [formatHex(keyBytes(name)), name]));
  const root = mapKeys(rootOf(withHashes(text)), keyBytes);
  const items = satisfy(root, {
    // Signatures of one size, which begin with the letter of the key.
    sign: (key) => {
      const name = names.get(formatHex(key)) ?? '?';
      return keys.includes(name) ? Uint8Array.of(name.charCodeAt(0), ...new Uint8Array(63)) : undefined;
    },
    preimage: () => (knowsPreimages ? PREIMAGE : undefined),
    isMet: () => isMet,
  });
  return items
    ?.map((item) => {
      if (item.length === 0) return '0';
      if (item.length === 1) return formatHex(item);
      if (item.length === 64) return `s${String.fromCharCode(item[0] ?? 0)}`;
      return (
        names.get(formatHex(item)) ?? { [formatHex(PREIMAGE)]: 'preimage', ['00'.repeat(32)]: 'zeros' }[formatHex(item)]
      );
    })
    .join(' ');
}

/** @see BIP379 "Satisfaction" */
describe('a satisfaction is built', () => {
  test.each<[string, Given, string | undefined]>([
    ['pk(A)', { keys: 'A' }, 'sA'],
    ['pkh(A)', { keys: 'A' }, 'sA A'],
    ['pk(A)', {}, undefined],
    ['multi(2,A,B,C)', { keys: 'AC' }, '0 sA sC'],
    ['multi(2,A,B,C)', { keys: 'C' }, undefined],
    ['and_v(v:pk(A),pk(B))', { keys: 'AB' }, 'sB sA'],
    ['and_v(v:pk(A),pk(B))', { keys: 'A' }, undefined],
    ['and_b(pk(A),s:pk(B))', { keys: 'AB' }, 'sB sA'],
    ['and_b(pk(A),a:pkh(B))', { keys: 'AB' }, 'sB B sA'],
    ['or_b(pk(A),s:pk(B))', { keys: 'A' }, '0 sA'],
    ['or_b(pk(A),s:pk(B))', { keys: 'B' }, 'sB 0'],
    ['or_d(pk(A),pkh(B))', { keys: 'A' }, 'sA'],
    ['or_d(pk(A),pkh(B))', { keys: 'B' }, 'sB B 0'],
    ['or_d(pkh(A),pk(B))', { keys: 'B' }, 'sB 0 A'],
    ['t:or_c(pk(A),v:pk(B))', { keys: 'B' }, 'sB 0'],
    ['or_i(pk(A),pkh(B))', { keys: 'A' }, 'sA 01'],
    ['or_i(pk(A),pkh(B))', { keys: 'B' }, 'sB B 0'],
    ['andor(pk(A),pk(B),pk(C))', { keys: 'AB' }, 'sB sA'],
    ['andor(pk(A),pk(B),pk(C))', { keys: 'C' }, 'sC 0'],
    ['andor(pk(A),pk(B),pk(C))', { keys: 'A' }, undefined],
    ['and_v(v:pk(A),older(9))', { keys: 'A', isMet: true }, 'sA'],
    ['and_v(v:pk(A),older(9))', { keys: 'A' }, undefined],
    ['and_v(v:pk(A),sha256(#))', { keys: 'A', knowsPreimages: true }, 'preimage sA'],
    ['and_v(v:pk(A),hash160(#))', { keys: 'A' }, undefined],
    ['thresh(2,pk(A),s:pk(B),s:pk(C))', { keys: 'AC' }, 'sC 0 sA'],
    ['thresh(2,pk(A),s:pk(B),s:pk(C))', { keys: 'B' }, undefined],
    ['or_d(multi(1,A,B),pk(C))', { keys: 'C' }, 'sC 0 0'],
    ['or_d(thresh(2,pk(A),s:pk(B),s:pk(C)),pk(D))', { keys: 'AD' }, 'sD 0 0 0'],
    ['or_d(j:pk(A),pk(B))', { keys: 'A' }, 'sA'],
    ['and_v(v:pk(A),or_i(sha256(#),older(9)))', { keys: 'A', isMet: true }, '0 sA'],
    ['and_v(v:pk(A),or_i(sha256(#),older(9)))', { keys: 'A', knowsPreimages: true }, 'preimage 01 sA'],
  ])('%s with %o', (text, given, expected) => {
    expect(shown(text, given)).toBe(expected);
  });

  test.each([
    ['or_i(multi(2,A,B),pk(C))', 'sC 0'],
    ['or_i(pk(C),multi(2,A,B))', 'sC 01'],
    ['or_i(pkh(A),pkh(B))', 'sB B 0'],
    ['or_d(pkh(A),pk(B))', 'sA A'],
    ['or_d(multi(2,A,B),pk(C))', 'sC 0 0 0'],
  ])('from the smaller of two ways: %s', (text, expected) => {
    expect(shown(text, { keys: 'ABC' })).toBe(expected);
  });
});

/** @see BIP379 "Malleability" */
describe('a satisfaction that third parties could change is not returned', () => {
  test.each<[string, string, Given]>([
    [
      'by leaving out the preimage',
      'and_v(v:pk(A),or_i(sha256(#),older(9)))',
      { keys: 'A', knowsPreimages: true, isMet: true },
    ],
    ['by taking the branch that needs no signature', 'or_i(pk(A),older(9))', { keys: 'A', isMet: true }],
    ['by other wrong bytes for a preimage', 'or_d(sha256(#),pk(A))', { keys: 'A' }],
    ['by an invalid signature for an empty one', 'or_d(j:pk(A),pk(B))', { keys: 'B' }],
    ['since nothing is signed', 'sha256(#)', { knowsPreimages: true }],
  ])('%s: %s', (_, text, given) => {
    expect(shown(text, given)).toBeUndefined();
  });
});
