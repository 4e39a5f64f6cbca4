import { amountText, memberNames } from './exact.ts';
import type { JsonValue } from './jsonValue.ts';

const NEEDS_ESCAPE = /["\\\u0000-\u001f\u007f]/;
const ESCAPED = new RegExp(NEEDS_ESCAPE, 'g');
const SHORT_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\b', '\\b'],
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\f', '\\f'],
  ['\r', '\\r'],
]);

/** A text as a node quotes it: control characters and DEL are escaped, everything else stands as it is. */
export function quote(text: string): string {
  if (!NEEDS_ESCAPE.test(text)) return `"${text}"`;
  const escaped = text.replace(
    ESCAPED,
    (character) => SHORT_ESCAPES.get(character) ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `"${escaped}"`;
}

export interface StringifyOptions {
  /** Spaces per level; 0, the default, is the one-line form that a node sends, 2 is what `bitcoin-cli` prints. */
  readonly indent?: number;
}

/**
 * Prints an answer as a node does: members in order, amounts with exactly 8 decimals, also those that a double cannot
 * hold, when the answer comes from this library and was not copied member by member.
 * @throws TypeError for what JSON cannot say (functions, symbols, non-finite numbers)
 */
export function stringifyRpc(answer: unknown, { indent = 0 }: StringifyOptions = {}): string {
  return print(answer, indent, '');
}

function print(value: unknown, indent: number, margin: string): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'boolean' || value === null) return String(value);
  if (typeof value === 'bigint' || (typeof value === 'number' && Number.isFinite(value))) return String(value);
  if (Array.isArray(value))
    return enclose(
      '[',
      value.map((item) => print(item, indent, margin + ' '.repeat(indent))),
      ']',
      indent,
      margin,
    );
  if (typeof value !== 'object') throw new TypeError(`no JSON for a ${typeof value}`);
  return printObject(value, indent, margin);
}

function printObject(answer: object, indent: number, margin: string): string {
  const inner = margin + ' '.repeat(indent);
  const colon = indent > 0 ? ': ' : ':';
  const members: string[] = [];
  const values: Readonly<Record<string, unknown>> = { ...answer };
  for (const member of memberNames(answer)) {
    const value = values[member];
    if (value === undefined) continue;
    const amount = typeof value === 'number' ? amountText(answer, member, value) : undefined;
    members.push(quote(member) + colon + (amount ?? print(value, indent, inner)));
  }
  return enclose('{', members, '}', indent, margin);
}

/** Brackets around items; on lines of their own, even around nothing, when indenting. */
function enclose(open: string, items: readonly string[], close: string, indent: number, margin: string): string {
  if (indent === 0) return open + items.join(',') + close;
  const inner = margin + ' '.repeat(indent);
  const lines = items.map((item) => `${inner}${item}`).join(',\n');
  return `${open}\n${lines}${lines === '' ? '' : '\n'}${margin}${close}`;
}

/** Prints JSON as it was written, without its white space: what a node echoes as `id`. */
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
