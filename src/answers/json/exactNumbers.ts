import { formatAmount } from '../../core/encoding/amount.ts';
import type { JsonMember, JsonValue } from './jsonValue.ts';

const COIN = 100_000_000;

/** Texts of numbers that JavaScript would print otherwise, by member or index. */
const TEXTS: unique symbol = Symbol('texts of numbers');
/** The member order that JavaScript would change. */
const ORDER: unique symbol = Symbol('member order');

interface WithHidden {
  [TEXTS]?: Readonly<Record<string, string>>;
  [ORDER]?: readonly string[];
}

export function toCoins(sats: bigint): number {
  const number = Number(sats);
  return Number.isSafeInteger(number) ? number / COIN : Number(formatAmount(sats));
}

/** Keeps what `stringifyRpc` prints for numbers beside them. Returns the same object. */
export function keepTexts<T extends object>(answer: T, texts: { readonly [N in keyof T]?: string }): T {
  return Object.defineProperty(answer, TEXTS, { value: texts });
}

/** Formats a number as a node prints one that is not an amount: with 16 digits. @see Core `UniValue::setFloat` */
export function doubleText(value: number): string {
  const [mantissa = '', exponentText = '0'] = value.toExponential(DOUBLE_DIGITS - 1).split('e');
  const exponent = Number(exponentText);
  const trimmed = (text: string): string => (text.includes('.') ? text.replace(/\.?(?<!0)0+$/, '') : text);
  if (exponent >= -4 && exponent < DOUBLE_DIGITS) return trimmed(value.toFixed(DOUBLE_DIGITS - 1 - exponent));
  const sign = exponent < 0 ? '-' : '+';
  return `${trimmed(mantissa)}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

const DOUBLE_DIGITS = 16;

/** Turns JSON into values that `stringifyRpc` prints with the same numbers. */
export function fromJsonValue(value: JsonValue): unknown {
  switch (value.type) {
    case 'null':
      return null;
    case 'bool':
    case 'string':
      return value.value;
    case 'number':
      return Number(value.text);
    case 'array':
      return keepTexts<object>(
        value.items.map(fromJsonValue),
        textsIn(value.items.map((item, i) => [String(i), item])),
      );
    case 'object':
      return keepTexts(
        orderedObject(value.members.map(([name, member]) => [name, fromJsonValue(member)] as const)),
        textsIn(value.members),
      );
    default:
      return value satisfies never;
  }
}

const textsIn = (members: readonly JsonMember[]): Readonly<Record<string, string>> =>
  Object.fromEntries(members.flatMap(([name, value]) => (value.type === 'number' ? [[name, value.text]] : [])));

/** Returns the kept text of a number, unless the caller has changed the number since. */
export function numberText(answer: object, member: string | number, value: unknown): string | undefined {
  const text = (answer as WithHidden)[TEXTS]?.[member];
  return text !== undefined && Number(text) === value ? text : undefined;
}

/** JavaScript moves members with such names to the front. */
const LOOKS_LIKE_INDEX = /^(0|[1-9][0-9]{0,9})$/;

/** Keeps the order of members for `stringifyRpc` where JavaScript does not. */
export function orderedObject<T>(members: readonly (readonly [string, T])[]): Record<string, T> {
  const answer = Object.fromEntries(members);
  if (!members.some(([name]) => LOOKS_LIKE_INDEX.test(name))) return answer;
  return Object.defineProperty(answer, ORDER, { value: members.map(([name]) => name) });
}

export function memberNames(answer: object): readonly string[] {
  return (answer as WithHidden)[ORDER] ?? Object.keys(answer);
}
