import { MAX_LOCK, maxScriptSize } from './bounds.ts';
import type { Context, Fragment, Miniscript, Pair, Wrapper } from './fragment.ts';
import { LEAVES } from './parseLeaf.ts';
import { OWN_SIZES, sizeOfNumber } from './scriptSize.ts';
import { addLeaf, type Parser, parseInteger, type SyntaxFault, type Task, takeToComma } from './syntax.ts';
import { typed } from './types.ts';

export type ParsedMiniscript<K> =
  | { readonly kind: 'miniscript'; readonly root: Miniscript<K> }
  | { readonly kind: 'fault'; readonly offset: number; readonly reason: SyntaxFault };

export interface ParseOptions<K> {
  readonly context: Context;
  /** Its exceptions are passed on. */
  readonly parseKey: (text: string) => K;
  /** False ends a key at the first parenthesis. Default true. */
  readonly nestsKeys?: boolean;
}

/**
 * Does not check types or sanity.
 * @see BIP379 "Translation Table"; Bitcoin Core `miniscript::FromString`
 */
export function parseMiniscript<K>(
  text: string,
  { context, parseKey, nestsKeys = true }: ParseOptions<K>,
): ParsedMiniscript<K> {
  const parser: Parser<K> = {
    text,
    context,
    parseKey,
    nestsKeys,
    at: 0,
    scriptSize: 1,
    tasks: [readWrapped],
    built: [],
  };
  const fault = run(parser);
  const [root] = parser.built;
  if (!fault && root && parser.at === text.length) return { kind: 'miniscript', root };
  return { kind: 'fault', offset: parser.at, reason: fault ?? 'trailing' };
}

function run<K>(parser: Parser<K>): SyntaxFault | undefined {
  for (let task = parser.tasks.pop(); task; task = parser.tasks.pop()) {
    const fault = isTooLarge(parser) ? 'too-large' : task(parser);
    if (fault) return fault;
  }
  return undefined;
}

const isTooLarge = <K>({ scriptSize, context }: Parser<K>): boolean => scriptSize > maxScriptSize(context);

/** Replaces the last `count` expressions by their combination. */
function build<K>(count: number, make: (subs: readonly Miniscript<K>[]) => Fragment<K> | undefined): Task<K> {
  return ({ built, context }) => {
    const fragment = make(built.splice(built.length - count));
    if (fragment) built.push(typed(fragment, context));
    return undefined;
  };
}

function readWrapped<K>(parser: Parser<K>): SyntaxFault | undefined {
  const { text, tasks } = parser;
  const colon = findColon(text, parser.at);
  for (; parser.at < colon; parser.at += 1) {
    if (isTooLarge(parser)) return 'too-large';
    const fault = readWrapper(parser, text.charAt(parser.at));
    if (fault) return fault;
  }
  if (colon > 0) parser.at = colon + 1;
  tasks.push(readUnwrapped);
  return undefined;
}

/** Returns 0 without wrappers. */
function findColon(text: string, from: number): number {
  for (let i = from + 1; i < text.length; i += 1) {
    const character = text.charAt(i);
    if (character === ':') return i;
    if (character < 'a' || character > 'z') return 0;
  }
  return 0;
}

type PlainWrapper = Exclude<Wrapper, 'v'>;
const isPlainWrapper = (letter: string): letter is PlainWrapper => 'asdcjn'.includes(letter);

function readWrapper<K>(parser: Parser<K>, letter: string): SyntaxFault | undefined {
  const { tasks, context } = parser;
  const sugar = expandSugar<K>(letter, context);
  if (sugar) {
    parser.scriptSize += letter === 't' ? 1 : 4;
    tasks.push(sugar);
  } else if (letter === 'v') {
    if (tasks.at(-1) === addVerify) return 'wrapper'; // `vv` is never valid, and could repeat without limit: it may add no byte.
    tasks.push(addVerify);
  } else if (isPlainWrapper(letter)) {
    parser.scriptSize += OWN_SIZES[letter];
    tasks.push(build(1, ([sub]) => sub && { kind: letter, sub }));
  } else {
    return 'wrapper';
  }
  return undefined;
}

function addVerify<K>(parser: Parser<K>): undefined {
  const sub = parser.built.pop();
  if (!sub) return;
  parser.scriptSize += Number(sub.type.x);
  parser.built.push(typed({ kind: 'v', sub }, parser.context));
}

/** Expands `t:X` to `and_v(X,1)`, `l:X` to `or_i(0,X)` and `u:X` to `or_i(X,0)`. */
function expandSugar<K>(letter: string, context: Context): Task<K> | undefined {
  switch (letter) {
    case 't':
      return build(1, ([x]) => x && { kind: 'and_v', subs: [x, typed({ kind: '1' }, context)] });
    case 'l':
      return build(1, ([x]) => x && { kind: 'or_i', subs: [typed({ kind: '0' }, context), x] });
    case 'u':
      return build(1, ([x]) => x && { kind: 'or_i', subs: [x, typed({ kind: '0' }, context)] });
    default:
      return undefined;
  }
}

function readUnwrapped<K>(parser: Parser<K>): SyntaxFault | undefined {
  const { text, at, context } = parser;
  const constant = text.charAt(at);
  if (constant === '0' || constant === '1') {
    parser.at += 1;
    return addLeaf(parser, typed({ kind: constant }, context));
  }
  const [, name = ''] = NAME.exec(text.slice(at, at + LONGEST_NAME + 1)) ?? [];
  const readLeaf = LEAVES.get(name);
  if (readLeaf) return readLeaf(parser, name);
  parser.at += name.length + 1;
  if (name === 'thresh') return readThresh(parser);
  const fault = name === 'andor' || name === 'and_n' ? readConditional(parser, name) : readPair(parser, name);
  if (fault) parser.at = at;
  return fault;
}

const NAME = /^([a-z_\d]+)\(/;
const LONGEST_NAME = 'ripemd160'.length;

function next<K>(parser: Parser<K>, ...tasks: readonly Task<K>[]): undefined {
  parser.tasks.push(...[...tasks].reverse());
}

const expect =
  (character: string, fault: SyntaxFault) =>
  <K>(parser: Parser<K>): SyntaxFault | undefined => {
    if (parser.text[parser.at] !== character) return fault;
    parser.at += 1;
    return undefined;
  };
const comma = /* @__PURE__ */ expect(',', 'comma');
const close = /* @__PURE__ */ expect(')', 'close');

const PAIRS: ReadonlySet<string> = /* @__PURE__ */ new Set<Pair>(['and_v', 'and_b', 'or_b', 'or_c', 'or_d', 'or_i']);
const isPair = (name: string): name is Pair => PAIRS.has(name);

function readPair<K>(parser: Parser<K>, name: string): SyntaxFault | undefined {
  if (!isPair(name)) return 'fragment';
  parser.scriptSize += OWN_SIZES[name] + 1;
  const combine = build<K>(2, ([x, y]) => x && y && { kind: name, subs: [x, y] });
  return next(parser, readWrapped, comma, readWrapped, close, combine);
}

/** Expands `and_n(X,Y)` to `andor(X,Y,0)`. */
function readConditional<K>(parser: Parser<K>, name: 'andor' | 'and_n'): undefined {
  parser.scriptSize += OWN_SIZES.andor + 2;
  const zero = typed<K>({ kind: '0' }, parser.context);
  const combine = build<K>(
    name === 'andor' ? 3 : 2,
    ([x, y, z = zero]) => x && y && { kind: 'andor', subs: [x, y, z] },
  );
  const third = name === 'andor' ? [comma, readWrapped] : [];
  next(parser, readWrapped, comma, readWrapped, ...third, close, combine);
}

function readThresh<K>(parser: Parser<K>): SyntaxFault | undefined {
  const required = parseInteger(takeToComma(parser) ?? '');
  if (required === undefined || required < 1) return 'number';
  parser.scriptSize += sizeOfNumber(Math.min(required, MAX_LOCK)) + 1;
  return next(parser, readWrapped, continueThresh(required, 1));
}

function continueThresh<K>(required: number, count: number): Task<K> {
  return (parser) => {
    const hasMore = parser.text[parser.at] === ',';
    if (hasMore) {
      parser.at += 1;
      parser.scriptSize += 2;
      return next(parser, readWrapped, continueThresh(required, count + 1));
    }
    if (required > count && parser.text[parser.at] === ')') return 'threshold';
    return next(
      parser,
      close,
      build(count, (subs) => ({ kind: 'thresh', required, subs })),
    );
  };
}
