import type { Context, Miniscript } from './fragment.ts';

/**
 * Why a text is no miniscript.
 *
 * - `fragment`: no fragment has this name; `wrapper`: none has this letter, or `vv`
 * - `comma`, `close`: something else stands there; `trailing`: something is left
 * - `number`: no whole number, or none that is allowed; `threshold`: none, or more than there are
 * - `key`, `key-count`: no text for a key; too many keys
 * - `hash`: not hex, or not of the hash's size
 * - `context`: `multi` in a tapscript, `multi_a` elsewhere
 * - `too-large`: its script would be
 */
export type SyntaxFault =
  | 'fragment'
  | 'wrapper'
  | 'comma'
  | 'close'
  | 'trailing'
  | 'number'
  | 'threshold'
  | 'key'
  | 'key-count'
  | 'hash'
  | 'context'
  | 'too-large';

/**
 * A text as far as it has been read.
 *
 * - `scriptSize`: bytes that what was read takes at least
 * - `tasks`: what is to be read, the next one last
 * - `built`: what was read and has no place in an expression yet
 */
export interface Parser<K> {
  readonly text: string;
  readonly context: Context;
  readonly parseKey: (text: string) => K;
  readonly tasks: Task<K>[];
  readonly built: Miniscript<K>[];
  at: number;
  scriptSize: number;
}

export type Task<K> = (parser: Parser<K>) => SyntaxFault | undefined;

/** Adds an expression that holds no other. One byte of each counts for what will hold it. */
export function addLeaf<K>(parser: Parser<K>, leaf: Miniscript<K>): undefined {
  parser.built.push(leaf);
  parser.scriptSize += leaf.scriptSize - 1;
}

const MAX_INT64 = 9_223_372_036_854_775_807n;

/** A whole number with its sign, as long as 64 bits hold it. Zeros in front do not count. @see Bitcoin Core `ToIntegral` */
export function parseInteger(text: string): number | undefined {
  const [, sign = '', digits] = /^(-?)0*(\d{1,19})$/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const value = BigInt(digits);
  if (value > MAX_INT64 + BigInt(sign.length)) return undefined;
  return sign === '' ? Number(value) : -Number(value);
}

/** Reads what stands before the next comma, and the comma; nothing unless both are there before a parenthesis closes. */
export function takeToComma<K>(parser: Parser<K>): string | undefined {
  const end = endOfItem(parser);
  if (parser.text[end] !== ',' || end === parser.at) return undefined;
  const taken = parser.text.slice(parser.at, end);
  parser.at = end + 1;
  return taken;
}

/** Where the next comma or closing parenthesis is; the end of the text where there is none. */
export function endOfItem<K>({ text, at }: Parser<K>): number {
  let end = at;
  while (end < text.length && !',)'.includes(text.charAt(end))) end += 1;
  return end;
}
