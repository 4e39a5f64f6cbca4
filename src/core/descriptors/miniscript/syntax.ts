import type { Context, Miniscript } from './fragment.ts';

/** `wrapper`: unknown letter, or `vv`. `context`: `multi` in a tapscript, or `multi_a` in P2WSH. */
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

/** `scriptSize` is a lower bound; `built` holds expressions without a parent so far. */
export interface Parser<K> {
  readonly text: string;
  readonly context: Context;
  readonly parseKey: (text: string) => K;
  readonly nestsKeys: boolean;
  readonly tasks: Task<K>[];
  readonly built: Miniscript<K>[];
  at: number;
  scriptSize: number;
}

export type Task<K> = (parser: Parser<K>) => SyntaxFault | undefined;

/** The parent has counted one byte of each leaf (the initial 1 for the root). */
export function addLeaf<K>(parser: Parser<K>, leaf: Miniscript<K>): undefined {
  parser.built.push(leaf);
  parser.scriptSize += leaf.scriptSize - 1;
}

const MAX_INT64 = 9_223_372_036_854_775_807n;

/** Parses a signed 64-bit integer with leading zeros. @see Bitcoin Core `ToIntegral` */
export function parseInteger(text: string): number | undefined {
  const [, sign = '', digits] = /^(-?)0*(\d{1,19})$/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const value = BigInt(digits);
  if (value > MAX_INT64 + BigInt(sign.length)) return undefined;
  return sign === '' ? Number(value) : -Number(value);
}

/** Consumes nothing if the item is empty or no comma follows. */
export function takeToComma<K>(parser: Parser<K>): string | undefined {
  const end = endOfItem(parser);
  if (parser.text[end] !== ',' || end === parser.at) return undefined;
  const item = parser.text.slice(parser.at, end);
  parser.at = end + 1;
  return item;
}

export function endOfItem<K>({ text, at }: Parser<K>): number {
  let end = at;
  while (end < text.length && !',)'.includes(text.charAt(end))) end += 1;
  return end;
}
