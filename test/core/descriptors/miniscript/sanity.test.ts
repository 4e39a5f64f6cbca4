import { describe, expect, test } from 'vitest';
import {
  type Context,
  faultText,
  findFault,
  printMiniscript,
} from '../../../../src/core/descriptors/miniscript/index.ts';
import { asIs, parse, rootOf, withHashes } from '../../../support/miniscript.ts';

describe('the fault of an expression', () => {
  const LATE = 1000000000;
  const many = (count: number, start: string, last: string): string =>
    `${start.repeat(count)}${last}${')'.repeat(count)}`;
  /** Joins n-of-n multisigs, one for each count. */
  const multis = (...counts: readonly number[]): string => {
    const [last, ...before] = counts.map((count) => `multi(${[count, ...Array(count).fill('A')]})`).reverse();
    return before.reduce((text, multi) => `and_v(v:${multi},${text})`, last ?? '');
  };

  /** Replaces each A by a different key. */
  const numbered = (text: string): string => {
    let count = 0;
    return text.replace(/A/g, () => {
      count += 1;
      return `A${count}`;
    });
  };

  test.each<[Context, string, string]>([
    // Reports the innermost fault, although the whole expression lacks a signature, too.
    [
      'wsh',
      `or_i(and_b(after(1),a:after(${LATE})),pk(A))`,
      `and_b(after(1),a:after(${LATE})) is not sane: contains mixes of timelocks expressed in blocks and seconds`,
    ],
    ['wsh', 'or_i(pk(A),and_v(v:pk(B),and_b(1,1)))', 'and_b(1,1) is invalid'],
    [
      'wsh',
      'and_v(v:or_i(sha256(#),older(1)),pk(A))',
      'or_i(sha256(#),older(1)) is not sane: malleable witnesses exist',
    ],
    ['wsh', 'or_i(pk(A),older(1))', 'or_i(pk(A),older(1)) is not sane: witnesses without signature exist'],
    ['wsh', 'older(1)', 'older(1) is not sane: witnesses without signature exist'],
    // A subexpression may lack a signature.
    ['wsh', 'and_v(v:older(1),pk(A))', ''],
    ['wsh', 'and_v(v:pk(A),pk(A))', 'and_v(v:pk(A),pk(A)) is not sane: contains duplicate public keys'],
    ['wsh', 'or_b(c:pk_k(A),ac:pk_h(A))', 'or_b(pk(A),a:pkh(A)) is not sane: contains duplicate public keys'],
    ['wsh', 'multi(1,A,B,A)', 'multi(1,A,B,A) is not sane: contains duplicate public keys'],
    ['tapscript', 'multi_a(1,A,B,A)', 'multi_a(1,A,B,A) is not sane: contains duplicate public keys'],
    ['wsh', 'pk_k(A)', 'pk_k(A) is not sane'],
    ['wsh', 'v:pk(A)', 'v:pk(A) is not sane'],
    [
      'wsh',
      'and_v(v:older(1),v:older(2))',
      'and_v(v:older(1),v:older(2)) is not sane: witnesses without signature exist',
    ],
    ['wsh', '0', '0 is not satisfiable'],
    ['wsh', 'and_b(pk(A),a:0)', 'and_b(pk(A),a:0) is not satisfiable'],
    ['wsh', 'thresh(1,pk(A),sdv:older(1))', 'thresh(1,pk(A),sdv:older(1)) is invalid'],
    ['tapscript', 'thresh(2,pk(A),sdv:older(1))', ''],
    ['wsh', 'pk(A)', ''],
  ])('in %s, the fault of %s is: %s', (context, text, expected) => {
    const fault = findFault(rootOf(withHashes(text), context), asIs);
    const message = fault ? `${printMiniscript(fault.node, asIs)}${faultText(fault.reason)}` : '';
    expect(message).toBe(withHashes(expected));
  });

  test.each<[string, Context, string, string | undefined]>([
    ['100 witness items', 'wsh', multis(20, 20, 20, 20, 15), undefined],
    ['101 witness items', 'wsh', multis(20, 20, 20, 20, 16), 'resource-limits'],
    ['a script of 99 keys', 'wsh', many(98, 'and_b(pk(A),a:', 'pk(B)'), 'too-large'],
    ['201 opcodes', 'wsh', many(50, 'and_b(pk(A),a:', 'pk(B)'), undefined],
    ['more than 201 opcodes', 'wsh', `and_v(v:pkh(C),${many(50, 'and_b(pk(A),a:', 'pk(B)')})`, 'resource-limits'],
    ['a peak of 1000 stack items', 'tapscript', many(998, 'and_b(older(1),a:', 'pk(A)'), undefined],
    ['a peak of 1001 stack items', 'tapscript', many(999, 'and_b(older(1),a:', 'pk(A)'), 'resource-limits'],
  ])('%s in %s', (_, context, text, expected) => {
    const parsed = parse(numbered(text), context);
    const reason = parsed.kind === 'fault' ? parsed.reason : findFault(parsed.root, asIs)?.reason;
    expect(reason).toBe(expected);
  });

  describe('a branch that can never be satisfied', () => {
    const large = numbered(many(100, 'and_v(v:pk(A),', 'pk(B)'));
    const huge = numbered(`multi_a(999${',A'.repeat(999)})`);
    const dead: readonly (readonly [Context, large: string, branch: string])[] = [
      ['wsh', large, `and_v(v:0,${large})`],
      ['tapscript', `and_v(v:pk(C),${huge})`, `and_v(v:0,and_v(v:pk(C),${huge}))`],
    ];
    test.each(dead)('may exceed the resource limits: %s', (context, beyond, branch) => {
      const fault = (text: string) => {
        const found = findFault(rootOf(text, context), asIs);
        return found && [printMiniscript(found.node, asIs), found.reason];
      };
      expect(fault(beyond)).toEqual([beyond, 'resource-limits']);
      expect(fault(`or_i(${branch},pk(D))`)).toBeUndefined();
      // If Core finds another fault, it names the innermost expression that is not sane on its own.
      expect(fault(`or_i(${branch},1)`)).toEqual([beyond, 'resource-limits']);
      expect(fault(`or_i(${branch},or_i(0,0))`)).toEqual([beyond, 'not-satisfiable']);
    });
  });
});
