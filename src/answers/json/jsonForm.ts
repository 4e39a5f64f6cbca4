import { formatHex } from '../../core/bytes/hex.ts';
import { formatAmount } from '../../core/encoding/amount.ts';
import { copyAnswer, doubleText, inCoins, orderedObject, toCoins } from './exactNumbers.ts';
import { printedAnswer, quote } from './stringify.ts';

declare const shape: unique symbol;

/** A value of the type `T`, in the form that a {@link JsonForm} gives it. */
export interface Json<T> {
  readonly [shape]: T;
}

/** Members are set in the order in which they are printed. */
export type Draft<T> = { -readonly [N in keyof T]: T[N] };

type Member<T> = T extends number | boolean | undefined ? T : Json<T>;

/** Numbers and booleans are the same in every form. */
export type Members<T> = { readonly [N in keyof T]: Member<T[N]> };

/**
 * Makes the parts of an answer, from the leaves up: either values, or the text that `stringifyRpc` would print of them,
 * without the objects that it describes. Views need not distinguish the two.
 */
export interface JsonForm {
  readonly text: (text: string) => Json<string>;
  /** A text that JSON need not escape, such as hex. */
  readonly plain: <T extends string>(text: T) => Json<T>;
  readonly hex: (bytes: Uint8Array) => Json<string>;
  /** Satoshi as coins. Only as a member of an object. */
  readonly amount: (sats: bigint) => number;
  /** Omits undefined members. Takes the object over. */
  readonly object: <T extends object>(members: Members<T>) => Json<T>;
  readonly list: <I, T>(items: readonly I[], show: (item: I, index: number) => Json<T>) => Json<readonly T[]>;
  readonly hexMap: <I>(
    entries: readonly I[],
    key: (entry: I) => Uint8Array,
    value: (entry: I) => Uint8Array,
  ) => Json<Readonly<Record<string, string>>>;
  /** Shows once more what an answer shows already. */
  readonly again: <T extends object>(shown: Json<T>) => Json<T>;
  readonly amountAnswer: (sats: bigint) => number;
  /** A number that is not an amount. */
  readonly doubleAnswer: (value: number) => number;
  readonly answer: <T extends object>(whole: Json<T>) => T;
}

const asValue = (value: unknown): never => value as never;

/** Shares no object between parts of an answer, so that callers may change each. */
export const jsonValues: JsonForm = {
  text: asValue,
  plain: asValue,
  hex: (bytes) => asValue(formatHex(bytes)),
  // Stays a bigint until `object`, which keeps the digits that a number would lose.
  amount: asValue,
  object: (members) => asValue(inCoins(members as object)),
  list: (items, show) => asValue(items.map(show)),
  hexMap: (entries, key, value) =>
    asValue(orderedObject(entries.map((entry) => [formatHex(key(entry)), formatHex(value(entry))]))),
  again: (shown) => asValue(copyAnswer(shown)),
  amountAnswer: toCoins,
  doubleAnswer: (value) => Number(doubleText(value)),
  answer: asValue,
};

const asText = (text: string): never => text as unknown as never;
const quotePlain = (text: string): string => `"${text}"`;

/** Makes text on one line, for `stringifyRpc` alone. */
export const jsonTexts: JsonForm = {
  text: (text) => asText(quote(text)),
  plain: (text) => asText(quotePlain(text)),
  hex: (bytes) => asText(quotePlain(formatHex(bytes))),
  amount: (sats) => asText(formatAmount(sats)),
  object: (members) => asText(objectText(members)),
  list: (items, show) => asText(listText(items, show)),
  hexMap: (entries, key, value) =>
    asText(
      `{${entries.map((entry) => `${quotePlain(formatHex(key(entry)))}:${quotePlain(formatHex(value(entry)))}`).join(',')}}`,
    ),
  again: (shown) => shown,
  amountAnswer: (sats) => asValue(printedAnswer(formatAmount(sats))),
  doubleAnswer: (value) => asValue(printedAnswer(doubleText(value))),
  answer: (whole) => asValue(printedAnswer(whole as unknown as string)),
};

/** Makes values for a caller that prints indented. */
export const jsonIndented: JsonForm = {
  ...jsonValues,
  amountAnswer: jsonTexts.amountAnswer,
  doubleAnswer: jsonTexts.doubleAnswer,
};

/** Escapes no names. */
function objectText(members: object): string {
  const texts = members as Readonly<Record<string, string | number | boolean | undefined>>;
  let text = '{';
  let separator = '"';
  for (const name in texts) {
    const value = texts[name];
    if (value === undefined) continue;
    text += `${separator}${name}":${value}`;
    separator = ',"';
  }
  return `${text}}`;
}

const listText = <I>(items: readonly I[], show: (item: I, index: number) => unknown): string =>
  `[${items.map(show).join(',')}]`;
