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
  return print(answer, indent > 0 ? { step: ' '.repeat(indent), margin: '\n' } : undefined);
}

/** Where indented text stands: what a level adds, and the line break with all levels so far. */
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
  throw new TypeError(`no JSON for a ${typeof value}`);
}

const deeper = (layout: Layout | undefined): Layout | undefined =>
  layout && { step: layout.step, margin: layout.margin + layout.step };

/** How many items are joined in one go: a text made of all too many pieces is moved about by the garbage collector. */
const JOIN_SIZE = 32;

function printArray(items: readonly unknown[], layout: Layout | undefined): string {
  const inner = deeper(layout);
  const margin = inner?.margin ?? '';
  const joined: string[] = [];
  for (let start = 0; start < items.length; start += JOIN_SIZE) {
    const texts = items.slice(start, start + JOIN_SIZE).map((item) => margin + print(item, inner));
    joined.push(texts.join(','));
  }
  return `[${joined.join(',')}${layout?.margin ?? ''}]`;
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
    const amount = typeof value === 'number' ? amountText(answer, member, value) : undefined;
    text += separator + quote(member) + colon + (amount ?? print(value, inner));
    separator = `,${margin}`;
  }
  return `${text}${layout?.margin ?? ''}}`;
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
