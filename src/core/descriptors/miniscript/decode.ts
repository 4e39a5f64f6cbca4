import {
  OP_0NOTEQUAL,
  OP_ADD,
  OP_BOOLAND,
  OP_BOOLOR,
  OP_CHECKSIG,
  OP_DUP,
  OP_ELSE,
  OP_ENDIF,
  OP_EQUAL,
  OP_FROMALTSTACK,
  OP_IF,
  OP_IFDUP,
  OP_NOTIF,
  OP_SIZE,
  OP_SWAP,
  OP_TOALTSTACK,
  OP_VERIFY,
} from '../../script/opcodes.ts';
import { maxScriptSize } from './bounds.ts';
import { decodeLeaf, type KeyOfHash, type Surroundings } from './decodeLeaf.ts';
import { type Cursor, decompose, peek, pushedNumber, take } from './decompose.ts';
import type { Context, Fragment, Miniscript, Wrapper } from './fragment.ts';
import { typed } from './types.ts';

/** Decodes from the end. `built` holds expressions without a parent so far, those later in the script first. */
interface Decoder extends Cursor, Surroundings {
  readonly steps: Step[];
  readonly built: Miniscript[];
}

/** Returns false if the script cannot be miniscript. */
type Step = (decoder: Decoder) => boolean;

/**
 * Returns `undefined` if the script does not parse or is badly typed.
 * @see BIP379; Bitcoin Core `miniscript::FromScript`
 */
export function decodeMiniscript(
  script: Uint8Array,
  keyOfHash: KeyOfHash,
  context: Context = 'wsh',
): Miniscript | undefined {
  const ops = script.length > maxScriptSize(context) ? undefined : decompose(script)?.reverse();
  if (!ops) return undefined;
  const decoder: Decoder = { ops, next: 0, context, keyOfHash, steps: [expression], built: [] };
  for (let step = decoder.steps.pop(); step; step = decoder.steps.pop()) if (!step(decoder)) return undefined;
  const [root] = decoder.built;
  return root?.type.base === 'B' && decoder.next === ops.length ? root : undefined;
}

function next({ steps }: Decoder, ...following: readonly Step[]): true {
  for (const step of [...following].reverse()) steps.push(step);
  return true;
}

/** Replaces the last `count` expressions by their combination. */
function build(count: number, make: (...built: readonly (Miniscript | undefined)[]) => Fragment | undefined): Step {
  return (decoder) => {
    const fragment = make(...decoder.built.splice(decoder.built.length - count));
    return fragment !== undefined && add(decoder, fragment);
  };
}

function add({ built, context }: Decoder, fragment: Fragment): boolean {
  const node = typed(fragment, context);
  built.push(node);
  return node.type.base !== 'none' && node.scriptSize <= maxScriptSize(context);
}

const wrap = (kind: Wrapper): Step => build(1, (sub) => sub && { kind, sub });

/** Decodes one or more expressions joined by and_v. */
function expression(decoder: Decoder): boolean {
  return next(decoder, single, precedingExpression);
}

/** Opcodes of the enclosing fragment, which end an and_v. */
const ENDS_EXPRESSION: ReadonlySet<number> = /* @__PURE__ */ new Set<number>([
  OP_IF,
  OP_ELSE,
  OP_NOTIF,
  OP_TOALTSTACK,
  OP_SWAP,
]);

function precedingExpression(decoder: Decoder): boolean {
  const before = peek(decoder);
  if (!before || ENDS_EXPRESSION.has(before.opcode)) return true;
  const combine = build(2, (last, first) => first && last && { kind: 'and_v', subs: [first, last] });
  return next(decoder, expression, combine);
}

const ENDINGS: ReadonlyMap<number, readonly Step[]> = /* @__PURE__ */ (() =>
  new Map<number, readonly Step[]>([
    [OP_CHECKSIG, [single, wrap('c')]],
    [OP_VERIFY, [single, wrap('v')]],
    [OP_0NOTEQUAL, [single, wrap('n')]],
    [OP_ENDIF, [expression, conditional]],
    [OP_BOOLAND, [wrapped, single, build(2, (y, x) => x && y && { kind: 'and_b', subs: [x, y] })]],
    [OP_BOOLOR, [wrapped, single, build(2, (y, x) => x && y && { kind: 'or_b', subs: [x, y] })]],
  ]))();

function single(decoder: Decoder): boolean {
  const leaf = decodeLeaf(decoder, decoder);
  if (leaf !== undefined) return leaf !== 'invalid' && add(decoder, leaf);
  const last = peek(decoder)?.opcode;
  if (last === OP_EQUAL) return thresh(decoder);
  const steps = last === undefined ? undefined : ENDINGS.get(last);
  decoder.next += 1;
  return steps !== undefined && next(decoder, ...steps);
}

function thresh(decoder: Decoder): boolean {
  const required = pushedNumber(peek(decoder, 1)) ?? 0;
  decoder.next += 2;
  return required >= 1 && next(decoder, threshAfter(required, 0));
}

/** Decodes arguments backwards; `count` are done. */
function threshAfter(required: number, count: number): Step {
  return (decoder) => {
    if (take(decoder, OP_ADD)) return next(decoder, wrapped, threshAfter(required, count + 1));
    return next(decoder, single, (then) => {
      const subs = then.built.splice(then.built.length - count - 1).reverse();
      return required <= subs.length && add(then, { kind: 'thresh', required, subs });
    });
  };
}

/** Decodes `a:` or `s:`. */
function wrapped(decoder: Decoder): boolean {
  const isAlt = take(decoder, OP_FROMALTSTACK);
  const close: Step = (then) => take(then, isAlt ? OP_TOALTSTACK : OP_SWAP) && wrap(isAlt ? 'a' : 's')(then);
  return next(decoder, expression, close);
}

function conditional(decoder: Decoder): boolean {
  if (take(decoder, OP_ELSE)) return next(decoder, expression, beforeElse);
  if (take(decoder, OP_IF, OP_DUP)) return wrap('d')(decoder);
  if (take(decoder, OP_IF, OP_0NOTEQUAL, OP_SIZE)) return wrap('j')(decoder);
  if (!take(decoder, OP_NOTIF)) return false;
  const kind = take(decoder, OP_IFDUP) ? 'or_d' : 'or_c';
  return next(
    decoder,
    single,
    build(2, (last, first) => first && last && { kind, subs: [first, last] }),
  );
}

/** Decodes `IF x ELSE last ENDIF` (or_i) or `condition NOTIF x ELSE last ENDIF` (andor). */
function beforeElse(decoder: Decoder): boolean {
  if (take(decoder, OP_IF)) return build(2, (last, x) => x && last && { kind: 'or_i', subs: [x, last] })(decoder);
  const combine = build(
    3,
    (last, x, condition) => condition && x && last && { kind: 'andor', subs: [condition, last, x] },
  );
  return take(decoder, OP_NOTIF) && next(decoder, single, combine);
}
