import fc from 'fast-check';
import { bytes } from '../../support/arbitraries.ts';
import { OP } from '../../support/library.ts';
import { concat, hash160, numberBytes, push, pushNumber, ripemd160, sha1, sha256, sha256d } from './bytes.ts';
import { mostly, type Piece } from './stackItems.ts';

/** Random programs with known results, from a model of the stack, arithmetic and hash opcodes. */

/** The code so far, with its stack and altstack. */
interface Soup {
  readonly code: Uint8Array;
  readonly stack: readonly Uint8Array[];
  readonly alt: readonly Uint8Array[];
}

type Effect = (soup: Soup) => Pick<Soup, 'stack' | 'alt'> | undefined;

const TRUE = Uint8Array.of(1);
const FALSE = new Uint8Array(0);
const isTrue = (item: Uint8Array): boolean =>
  item.some((byte, i) => byte !== 0 && !(byte === 0x80 && i === item.length - 1));

/** Decodes an item as a minimal script number of at most 4 bytes. */
function numberOf(item: Uint8Array): number | undefined {
  if (item.length > 4) return undefined;
  const magnitude = item.reduceRight((sum, byte, i) => sum * 256 + (i === item.length - 1 ? byte & 0x7f : byte), 0);
  const value = (item.at(-1) ?? 0) > 0x7f ? -magnitude : magnitude;
  return concat(numberBytes(value)).toString() === item.toString() ? value : undefined;
}

/** Replaces the top items of the stack; `change` gets them bottom first. */
function stackOp(count: number, change: (...items: Uint8Array[]) => readonly Uint8Array[] | undefined): Effect {
  return ({ stack, alt }) => {
    if (stack.length < count) return undefined;
    const rest = stack.slice(0, stack.length - count);
    const results = change(...stack.slice(stack.length - count));
    return results && { stack: [...rest, ...results], alt };
  };
}

function numberOp(count: number, formula: (...numbers: number[]) => number | boolean): Effect {
  return stackOp(count, (...items) => {
    const numbers = items.map(numberOf).filter((number) => number !== undefined);
    if (numbers.length < count) return undefined;
    const value = formula(...numbers);
    return [typeof value === 'boolean' ? (value ? TRUE : FALSE) : numberBytes(value)];
  });
}

const hashOp = (hash: (item: Uint8Array) => Uint8Array): Effect => stackOp(1, (item) => [hash(item ?? FALSE)]);

/** OP_PICK and OP_ROLL. */
const depthOp =
  (isMoved: boolean): Effect =>
  ({ stack, alt }) => {
    const depth = numberOf(stack.at(-1) ?? Uint8Array.of(0x80));
    const rest = stack.slice(0, -1);
    if (depth === undefined || depth < 0 || depth >= rest.length) return undefined;
    const at = rest.length - 1 - depth;
    const item = rest[at] ?? FALSE;
    return { stack: [...rest.filter((_, i) => !isMoved || i !== at), item], alt };
  };

const move = (count: number, ...order: readonly number[]): Effect =>
  stackOp(count, (...items) => order.map((i) => items[i] ?? FALSE));

const EFFECTS: ReadonlyMap<number, Effect> = new Map([
  [OP.NOP, ({ stack, alt }) => ({ stack, alt })],
  [OP.VERIFY, stackOp(1, (item) => (item && isTrue(item) ? [] : undefined))],
  [
    OP.TOALTSTACK,
    ({ stack, alt }) =>
      stack.length > 0 ? { stack: stack.slice(0, -1), alt: [...alt, ...stack.slice(-1)] } : undefined,
  ],
  [
    OP.FROMALTSTACK,
    ({ stack, alt }) => (alt.length > 0 ? { stack: [...stack, ...alt.slice(-1)], alt: alt.slice(0, -1) } : undefined),
  ],
  [OP['2DROP'], move(2)],
  [OP['2DUP'], move(2, 0, 1, 0, 1)],
  [OP['3DUP'], move(3, 0, 1, 2, 0, 1, 2)],
  [OP['2OVER'], move(4, 0, 1, 2, 3, 0, 1)],
  [OP['2ROT'], move(6, 2, 3, 4, 5, 0, 1)],
  [OP['2SWAP'], move(4, 2, 3, 0, 1)],
  [OP.IFDUP, stackOp(1, (item = FALSE) => (isTrue(item) ? [item, item] : [item]))],
  [OP.DEPTH, ({ stack, alt }) => ({ stack: [...stack, numberBytes(stack.length)], alt })],
  [OP.DROP, move(1)],
  [OP.DUP, move(1, 0, 0)],
  [OP.NIP, move(2, 1)],
  [OP.OVER, move(2, 0, 1, 0)],
  [OP.PICK, depthOp(false)],
  [OP.ROLL, depthOp(true)],
  [OP.ROT, move(3, 1, 2, 0)],
  [OP.SWAP, move(2, 1, 0)],
  [OP.TUCK, move(2, 1, 0, 1)],
  [OP.SIZE, stackOp(1, (item = FALSE) => [item, numberBytes(item.length)])],
  [OP.EQUAL, stackOp(2, (a, b) => [`${a}` === `${b}` ? TRUE : FALSE])],
  [OP['1ADD'], numberOp(1, (a = 0) => a + 1)],
  [OP['1SUB'], numberOp(1, (a = 0) => a - 1)],
  [OP.NEGATE, numberOp(1, (a = 0) => -a)],
  [OP.ABS, numberOp(1, (a = 0) => Math.abs(a))],
  [OP.NOT, numberOp(1, (a) => a === 0)],
  [OP['0NOTEQUAL'], numberOp(1, (a) => a !== 0)],
  [OP.ADD, numberOp(2, (a = 0, b = 0) => a + b)],
  [OP.SUB, numberOp(2, (a = 0, b = 0) => a - b)],
  [OP.BOOLAND, numberOp(2, (a, b) => a !== 0 && b !== 0)],
  [OP.BOOLOR, numberOp(2, (a, b) => a !== 0 || b !== 0)],
  [OP.NUMEQUAL, numberOp(2, (a, b) => a === b)],
  [OP.NUMNOTEQUAL, numberOp(2, (a, b) => a !== b)],
  [OP.LESSTHAN, numberOp(2, (a = 0, b = 0) => a < b)],
  [OP.GREATERTHAN, numberOp(2, (a = 0, b = 0) => a > b)],
  [OP.LESSTHANOREQUAL, numberOp(2, (a = 0, b = 0) => a <= b)],
  [OP.GREATERTHANOREQUAL, numberOp(2, (a = 0, b = 0) => a >= b)],
  [OP.MIN, numberOp(2, (a = 0, b = 0) => Math.min(a, b))],
  [OP.MAX, numberOp(2, (a = 0, b = 0) => Math.max(a, b))],
  [OP.WITHIN, numberOp(3, (a = 0, b = 0, c = 0) => b <= a && a < c)],
  [OP.RIPEMD160, hashOp(ripemd160)],
  [OP.SHA1, hashOp(sha1)],
  [OP.SHA256, hashOp(sha256)],
  [OP.HASH160, hashOp(hash160)],
  [OP.HASH256, hashOp(sha256d)],
] satisfies readonly (readonly [number, Effect])[]);

const smallNumber = fc.integer({ min: -3, max: 8 });
/** Numbers around the limits of each encoded size, and beyond 4 bytes. */
const edgeNumber = fc
  .tuple(fc.constantFrom(0, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0x7fffff, 0x800000, 0x7fffffff), fc.constantFrom(1, -1))
  .map(([size, sign]) => size * sign);
export const item: fc.Arbitrary<Uint8Array> = fc.oneof(
  { weight: 6, arbitrary: smallNumber.map(numberBytes) },
  { weight: 2, arbitrary: edgeNumber.map(numberBytes) },
  { weight: 1, arbitrary: bytes(0, 6) },
);

/** An opcode, or an item to push. */
const step = fc.oneof({ weight: 3, arbitrary: item }, { weight: 5, arbitrary: fc.constantFrom(...EFFECTS.keys()) });

/** Appends a step to the program. Leaves out a step that would fail, unless `isCareless`. */
function appendStep(soup: Soup, next: number | Uint8Array, isCareless: boolean): Soup {
  if (typeof next !== 'number') return { ...soup, code: concat(soup.code, push(next)), stack: [...soup.stack, next] };
  const after = EFFECTS.get(next)?.(soup);
  if (!after) return isCareless ? { ...soup, code: concat(soup.code, [next]) } : soup;
  return { ...after, code: concat(soup.code, [next]) };
}

/** Appends checks of the whole stack from the top; only the last result remains. */
function withStackChecks({ code, stack }: Soup): Uint8Array {
  const checks = stack.map((item, i) => concat(push(item), [i === 0 ? OP.EQUAL : OP.EQUALVERIFY]));
  return concat(code, ...checks.reverse(), stack.length === 0 ? pushNumber(1) : []);
}

/**
 * A random program that checks its whole final stack. It must be the only piece of a script, since OP_DEPTH sees all
 * items.
 */
export const soup: fc.Arbitrary<Piece> = fc
  .tuple(
    fc.array(item, { maxLength: 6 }),
    fc.array(step, { maxLength: 40 }),
    mostly(fc.constant(undefined), fc.nat({ max: 5 }), 3),
  )
  .map(([items, steps, mistake]) => {
    const start: Soup = { code: new Uint8Array(0), stack: items, alt: [] };
    return {
      items,
      code: withStackChecks(steps.reduce((program, next, i) => appendStep(program, next, i === mistake), start)),
    };
  });
