import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SignatureChecker } from '../../../src/core/interpreter/checker.ts';
import { evaluate } from '../../../src/core/interpreter/evaluate.ts';
import { MANDATORY_FLAGS } from '../../../src/core/interpreter/flags.ts';
import { stackDepth } from '../../../src/core/review/stackDepth.ts';
import { OP } from '../../../src/core/script/index.ts';

const checker = (accepts: boolean): SignatureChecker => ({
  checkEcdsa: () => accepts,
  checkSchnorr: () => (accepts ? undefined : 'SCHNORR_SIG'),
  checkLockTime: () => true,
  checkSequence: () => true,
});

/** Runs a script on items; returns what it leaves, or `undefined` if it fails. */
function leaves(script: Uint8Array, items: readonly Uint8Array[], accepts: boolean): readonly Uint8Array[] | undefined {
  const stack = [...items];
  const rules = { flags: MANDATORY_FLAGS, checker: checker(accepts), sigVersion: 'witness-v0' } as const;
  return evaluate(script, stack, { ...rules, role: 'scriptPubKey' }) === undefined ? stack : undefined;
}

const item = fc.oneof(
  fc.constantFrom(Uint8Array.of(), Uint8Array.of(1), Uint8Array.of(2)),
  fc.uint8Array({ maxLength: 3 }),
);
const small = fc.integer({ min: OP['1NEGATE'], max: OP['16'] }).filter((opcode) => opcode !== OP.RESERVED);
const opcode = fc.integer({ min: OP.NOP, max: OP.CHECKSEQUENCEVERIFY });
const branch = fc.constantFrom(OP.IF, OP.NOTIF, OP.ELSE, OP.ENDIF);
const step = fc.oneof(
  { weight: 3, arbitrary: small },
  { weight: 5, arbitrary: opcode },
  { weight: 1, arbitrary: branch },
  { weight: 1, arbitrary: fc.constant(OP['0']) },
);
const scripts = fc.array(step, { maxLength: 8 }).map((steps) => Uint8Array.from(steps));

describe('the depth of a stack', () => {
  test('is never below what a script that succeeds leaves', () => {
    let successes = 0;
    fc.assert(
      fc.property(scripts, fc.array(item, { maxLength: 6 }), fc.boolean(), (script, items, accepts) => {
        const left = leaves(script, items, accepts);
        if (!left) return;
        successes += 1;
        const { least, growth } = stackDepth(script);
        expect(left.length).toBeGreaterThanOrEqual(least);
        expect(left.length - items.length).toBeGreaterThanOrEqual(growth);
      }),
      { numRuns: 20_000 },
    );
    expect(successes).toBeGreaterThan(2000);
  });

  test('of every opcode alone is exact, but for those whose effect depends on the items', () => {
    const vague: readonly number[] = [OP.IFDUP, OP.CHECKMULTISIG, OP.CHECKMULTISIGVERIFY];
    const items = Array.from({ length: 8 }, () => Uint8Array.of());
    for (let code: number = OP['0']; code <= OP.CHECKSEQUENCEVERIFY; code += 1) {
      const left = [leaves(Uint8Array.of(code), items, true), leaves(Uint8Array.of(OP['1'], code), items, true)];
      const growth = [stackDepth(Uint8Array.of(code)), stackDepth(Uint8Array.of(OP['1'], code))];
      if (vague.includes(code)) continue;
      for (const [i, stack] of left.entries()) if (stack) expect(stack.length - 8, `${code}`).toBe(growth[i]?.growth);
    }
  });

  test('leaves the outcome to the number of items, where a script takes none', () => {
    fc.assert(
      fc.property(scripts, fc.array(fc.tuple(item, item), { maxLength: 4 }), (script, pairs) => {
        if (stackDepth(script).takesItems) return;
        const [one, other] = [0, 1].map((i) =>
          leaves(
            script,
            pairs.map((pair) => pair[i] as Uint8Array),
            false,
          ),
        );
        expect(one?.length).toBe(other?.length);
        expect(one?.slice(pairs.length)).toEqual(other?.slice(pairs.length));
      }),
      { numRuns: 20_000 },
    );
  });
});
