import { assertKnownOptions, type OptionNames } from '../../core/bytes/knownOptions.ts';
import { memberNames, numberText } from './exactNumbers.ts';
import { inexpressible, type JsonValue } from './jsonValue.ts';

const NEEDS_ESCAPE = /["\\\u0000-\u001f\u007f]/;
const ESCAPED = new RegExp(NEEDS_ESCAPE, 'g');

/** Escapes quotes, backslashes, control characters and DEL, and nothing else, as a node does. */
export function quote(text: string): string {
  if (!NEEDS_ESCAPE.test(text)) return `"${text}"`;
  // `JSON.stringify` does not escape DEL, and escapes lone surrogates, which a node does not.
  const escaped = text.replace(ESCAPED, (character) =>
    character === '\x7f' ? '\\u007f' : JSON.stringify(character).slice(1, -1),
  );
  return `"${escaped}"`;
}

const PRINTED: unique symbol = Symbol('printed');

/** Makes an answer of its text on one line, which `stringifyRpc` returns as it is. */
export const printedAnswer = (text: string): object => ({ [PRINTED]: text });

/** Options for printing JSON. */
export interface StringifyOptions {
  /** Spaces per level. Default: 0, a node's one-line form; `bitcoin-cli` prints 2. */
  readonly indent?: number;
}

const STRINGIFY_OPTIONS: OptionNames<StringifyOptions> = { indent: true };

/**
 * Prints an answer as a node does: members in order, amounts with exactly 8 decimals, even if a double cannot hold
 * them. Amounts that the caller copied or changed are printed as other numbers.
 * @throws TypeError for values that JSON cannot express (functions, symbols, non-finite numbers)
 *
 * @example
 * ```ts
 * import { decodeRawTransaction, stringifyRpc } from 'countersign/rpc';
 *
 * const hex = `0200000001${'11'.repeat(32)}0000000000ffffffff0100100000000000000000000000`;
 * stringifyRpc(decodeRawTransaction([hex]).vout[0]).slice(0, 19); // {"value":0.00004096
 * ```
 */
export function stringifyRpc(answer: unknown, options: StringifyOptions = {}): string {
  assertKnownOptions(options, STRINGIFY_OPTIONS);
  const { indent = 0 } = options;
  const printed = (answer as { readonly [PRINTED]?: string } | null | undefined)?.[PRINTED];
  if (printed !== undefined) return printed;
  return print(answer, indent > 0 ? { step: ' '.repeat(indent), margin: '\n' } : undefined);
}

/** `step` is one level, `margin` a line break with all levels so far. */
interface Layout {
  readonly step: string;
  readonly margin: string;
}

function print(value: unknown, layout: Layout | undefined): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'boolean' || typeof value === 'bigint' || value === null) return String(value);
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  if (Array.isArray(value)) return printArray(value, layout);
  if (typeof value === 'object') return printObject(value, layout);
  throw inexpressible(value);
}

const deeper = (layout: Layout | undefined): Layout | undefined =>
  layout && { step: layout.step, margin: layout.margin + layout.step };

function printArray(items: readonly unknown[], layout: Layout | undefined): string {
  const inner = deeper(layout);
  const margin = inner?.margin ?? '';
  const texts = items.map((item, i) => margin + (numberText(items, i, item) ?? print(item, inner)));
  return `[${texts.join(',')}${layout?.margin ?? ''}]`;
}

function printObject(answer: object, layout: Layout | undefined): string {
  const inner = deeper(layout);
  const margin = inner?.margin ?? '';
  const colon = layout ? ': ' : ':';
  const values = answer as Readonly<Record<string, unknown>>;
  let text = '{';
  let separator = margin;
  for (const member of memberNames(answer)) {
    const value = values[member];
    if (value === undefined) continue;
    text += separator + quote(member) + colon + (numberText(answer, member, value) ?? print(value, inner));
    separator = `,${margin}`;
  }
  return `${text}${layout?.margin ?? ''}}`;
}

/** Prints JSON as written, but without white space; a node echoes `id` this way. */
export function stringifyJsonValue(value: JsonValue): string {
  switch (value.type) {
    case 'null':
      return 'null';
    case 'bool':
      return String(value.value);
    case 'number':
      return value.text;
    case 'string':
      return quote(value.value);
    case 'array':
      return `[${value.items.map(stringifyJsonValue).join(',')}]`;
    case 'object':
      return `{${value.members.map(([name, member]) => `${quote(name)}:${stringifyJsonValue(member)}`).join(',')}}`;
    default:
      return value satisfies never;
  }
}
