import { describe, expect, test } from 'vitest';
import type { Context } from '../../../../src/core/descriptors/miniscript/index.ts';
import { rootOf, withHashes } from '../../../support/miniscript.ts';

const LETTERS = ['z', 'o', 'n', 'd', 'u', 'e', 'f', 's', 'm'] as const;

/** Writes the type of an expression as BIP379 does: the base, then the letters of its properties. */
function typeOf(text: string, context: Context = 'wsh'): string {
  const { type } = rootOf(withHashes(text), context);
  return type.base + LETTERS.filter((letter) => type[letter]).join('');
}

/** @see BIP379 "Correctness", "Malleability" */
describe('the type of an expression', () => {
  test.each([
    ['0', 'Bzduesm'],
    ['1', 'Bzufm'],
    ['pk_k(A)', 'Konduesm'],
    ['pk_h(A)', 'Knduesm'],
    ['pk(A)', 'Bonduesm'],
    ['older(9)', 'Bzfm'],
    ['after(9)', 'Bzfm'],
    ['sha256(#)', 'Bondum'],
    ['multi(1,A)', 'Bnduesm'],
    ['a:pk(A)', 'Wduesm'],
    ['s:pk(A)', 'Wduesm'],
    ['v:pk(A)', 'Vonfsm'],
    ['v:older(9)', 'Vzfm'],
    ['j:pk(A)', 'Bondusm'],
    ['n:older(9)', 'Bzufm'],
    ['dv:older(9)', 'Bondem'],
    ['and_v(v:pk(A),pk(B))', 'Bnufsm'],
    ['and_v(v:pk(A),older(9))', 'Bonfsm'],
    ['and_v(v:older(9),pk(A))', 'Bonusm'],
    ['and_v(v:older(9),pk_k(A))', 'Konusm'],
    ['and_b(pk(A),s:pk(B))', 'Bnduesm'],
    ['and_b(older(9),s:pk(A))', 'Busm'],
    ['or_b(pk(A),s:pk(B))', 'Bduesm'],
    ['or_c(pk(A),v:pk(B))', 'Vfsm'],
    ['or_c(pk(A),v:older(9))', 'Vofm'],
    ['or_d(pk(A),pk(B))', 'Bduesm'],
    ['or_d(pk(A),older(9))', 'Bofm'],
    ['or_i(pk(A),pk(B))', 'Bdusm'],
    ['or_i(older(9),after(9))', 'Bof'],
    ['or_i(v:pk(A),v:pk(B))', 'Vfsm'],
    ['andor(pk(A),older(9),pk(B))', 'Bdesm'],
    ['andor(pk(A),older(9),after(9))', 'Bofm'],
    ['andor(sha256(#),pk(A),pk(B))', 'Bdus'],
    ['thresh(1,pk(A))', 'Boduesm'],
    ['thresh(1,multi(1,A))', 'Bduesm'],
    ['thresh(2,pk(A),s:pk(B))', 'Bduesm'],
  ])('%s is %s', (text, letters) => {
    expect(typeOf(text)).toBe(letters);
  });

  test('of d: has u in tapscript alone, where IF consumes nothing but 1', () => {
    expect([typeOf('dv:older(9)'), typeOf('dv:older(9)', 'tapscript')]).toEqual(['Bondem', 'Bonduem']);
    expect(typeOf('multi_a(1,A)', 'tapscript')).toBe('Bduesm');
  });

  test.each([
    'a:pk_k(A)',
    'av:pk(A)',
    's:pkh(A)',
    's:older(9)',
    'c:pk(A)',
    'd:pk(A)',
    'dv:pk(A)',
    'v:pk_k(A)',
    'j:older(9)',
    'n:pk_k(A)',
    'and_v(pk(A),pk(B))',
    'and_v(v:pk(A),s:pk(B))',
    'and_b(pk(A),pk(B))',
    'or_b(pk(A),s:older(9))',
    'or_b(older(9),s:pk(A))',
    'or_c(pk(A),pk(B))',
    'or_c(older(9),v:pk(A))',
    'or_d(older(9),pk(A))',
    'or_d(dv:older(9),pk(A))',
    'or_i(pk(A),v:pk(B))',
    'or_i(s:pk(A),s:pk(B))',
    'andor(older(9),pk(A),pk(B))',
    'andor(pk(A),s:pk(B),s:pk(C))',
    'thresh(1,pk(A),pk(B))',
    'thresh(1,s:pk(A))',
    'thresh(1,older(9))',
  ])('%s has none', (text) => {
    expect(rootOf(text).type.base).toBe('none');
  });
});
