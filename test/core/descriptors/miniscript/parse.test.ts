import { describe, expect, test } from 'vitest';
import { type Context, parseMiniscript, printMiniscript } from '../../../../src/core/descriptors/miniscript/index.ts';
import { asIs, parse, rootOf } from '../../../support/miniscript.ts';

describe('the text of an expression', () => {
  const LONG = 100_000;

  test.each([
    ['c:pk_k(A)', 'pk(A)'],
    ['c:pk_h(A)', 'pkh(A)'],
    ['vc:pk_k(A)', 'v:pk(A)'],
    ['and_v(v:pk(A),1)', 'tv:pk(A)'],
    ['or_i(0,pk(A))', 'l:pk(A)'],
    ['or_i(pk(A),0)', 'u:pk(A)'],
    ['or_i(0,0)', 'l:0'],
    ['andor(pk(A),pk(B),0)', 'and_n(pk(A),pk(B))'],
    ['andor(0,1,and_v(v:1,1))', 'andor(0,1,tv:1)'],
    ['asdjn:older(1)', 'asdjn:older(1)'],
    ['lut:or_c(0,v:1)', 'lut:or_c(0,v:1)'],
    ['c:or_i(pk_k(A),pk_h(B))', 'c:or_i(pk_k(A),pk_h(B))'],
    ['c:and_v(v:pk(A),pk_k(B))', 'c:and_v(v:pk(A),pk_k(B))'],
    ['older(0017)', 'older(17)'],
    [`sha256(${'AB'.repeat(32)})`, `sha256(${'ab'.repeat(32)})`],
    ['thresh(001,pk(A),s:pk(B))', 'thresh(1,pk(A),s:pk(B))'],
  ])('%s is printed as %s', (text, expected) => {
    expect(printMiniscript(rootOf(text), asIs)).toBe(expected);
    expect(printMiniscript(rootOf(expected), asIs)).toBe(expected);
  });

  test.each([
    'pk([d34db33f/48h/0h]xpub/<0;1>/*)',
    'pk(musig(A,musig(B,C))/0/*)',
    'and_v(v:pkh(musig(A,B)),pk_k({C,D}))',
    'pk()',
    'pk(A)(B)',
  ])('everything in the parentheses is passed to parseKey: %s', (text) => {
    const keys: string[] = [];
    parseMiniscript(text, { context: 'tapscript', parseKey: (key) => keys.push(key) });
    expect(`${text},`).toContain(`${keys.join(text.startsWith('pk') ? '' : '),pk_k(')})`);
    expect(keys).toHaveLength(text.startsWith('pk') ? 1 : 2);
  });

  test('passes on what parseKey throws, unless a syntax error comes first', () => {
    const parseKey = (key: string): string => {
      if (key === '!') throw new RangeError(key);
      return key;
    };
    const read = (text: string) => () => parseMiniscript(text, { context: 'wsh', parseKey });
    expect(read('and_v(v:pk(!),')).toThrow(RangeError);
    expect(read('multi(9,A,!)')).toThrow(RangeError);
    expect(read('multi(x,A,!)')).not.toThrow();
    expect(read('thresh(0,pk(!))')).not.toThrow();
    expect(read('pk(!')).not.toThrow();
  });

  test.each<[string, string, number, Context?]>([
    ['', 'fragment', 0],
    ['pk(A', 'key', 0],
    ['pk(A)B', 'key', 0],
    ['x:pk(A)', 'wrapper', 0],
    ['avv:pk(A)', 'wrapper', 2],
    ['1:1', 'wrapper', 0],
    [':pk(A)', 'fragment', 0],
    ['a::pk(A)', 'fragment', 2],
    ['2', 'fragment', 0],
    ['pk', 'fragment', 0],
    ['pk_x(A)', 'fragment', 0],
    ['PK(A)', 'fragment', 0],
    ['and_x(1,1)', 'fragment', 0],
    ['or_i(1)', 'comma', 6],
    ['or_i(1,1', 'close', 8],
    ['or_i(1,1,1)', 'close', 8],
    ['andor(1,1)', 'comma', 9],
    ['and_n(1,1,1)', 'close', 9],
    ['1)', 'trailing', 1],
    ['01', 'trailing', 1],
    ['pk(A),', 'trailing', 5],
    ['older()', 'number', 7],
    ['older(1,2)', 'number', 10],
    ['older(0x1)', 'number', 10],
    ['after( 1)', 'number', 9],
    ['after(99999999999999999999)', 'number', 27],
    ['thresh(1)', 'number', 7],
    ['thresh(1,)', 'fragment', 9],
    ['thresh(2,pk(A))', 'threshold', 14],
    ['thresh(1,pk(A)', 'close', 14],
    ['multi(1)', 'number', 6],
    ['multi(1,)', 'key', 8],
    ['multi(1,A,,B)', 'key', 10],
    ['multi(1,A', 'key', 8],
    ['multi(3,A,B)', 'threshold', 12],
    ['multi(0,A,B)', 'threshold', 12],
    [`multi(1${',A'.repeat(21)})`, 'key-count', 50],
    [`multi_a(1${',A'.repeat(1000)})`, 'key-count', 2010, 'tapscript'],
    ['multi_a(1,A)', 'context', 0],
    ['multi(1,A)', 'context', 0, 'tapscript'],
    ['sha256(5a)', 'hash', 10],
    [`sha256(${'5g'.repeat(32)})`, 'hash', 72],
    [`hash160(${'5a'.repeat(32)})`, 'hash', 73],
  ])('%s has the syntax error "%s" at %i', (text, reason, offset, context) => {
    expect(parse(text, context)).toEqual({ kind: 'fault', reason, offset });
  });

  test.each([
    ['parentheses', '('.repeat(LONG)],
    ['keys in parentheses', `pk${'('.repeat(LONG)}`],
    ['expressions', 'or_i('.repeat(LONG)],
    ['thresholds', 'thresh(1,'.repeat(LONG)],
    ['wrappers', `${'n'.repeat(4 * LONG)}:1`],
    ['v: wrappers', `${'vn'.repeat(4 * LONG)}:1`],
    ['letters', 'n'.repeat(4 * LONG)],
    ['digits', `older(${'9'.repeat(LONG)})`],
    ['zeros', `thresh(1${',0'.repeat(4 * LONG)})`],
    ['keys', `multi_a(1${',A'.repeat(LONG)})`],
  ])('with too many %s is refused', (_, text) => {
    for (const context of ['wsh', 'tapscript'] as const) expect(parse(text, context).kind).toBe('fault');
  });
});
