import { formatAmount } from '../../core/encoding/amount.ts';

/** The members of answers that hold amounts, in coins. A node prints these, and only these, with 8 decimals. */
const AMOUNT_MEMBERS: ReadonlySet<string> = new Set([
  'amount',
  'ancestor',
  'balance',
  'balance_change',
  'base',
  'chunk',
  'descendant',
  'effective-feerate',
  'estimated_feerate',
  'fee',
  'immature',
  'immature_balance',
  'incrementalfee',
  'incrementalrelayfee',
  'mempoolminfee',
  'minrelaytxfee',
  'modified',
  'modifiedfee',
  'nonmempool',
  'origfee',
  'paytxfee',
  'relayfee',
  'total_fee',
  'trusted',
  'unconfirmed_balance',
  'untrusted_pending',
  'used',
  'value',
]);

/**
 * Below 2^26 coins, rounding the double nearest to an amount to 8 decimals gives back the amount. From there on, the
 * exact text is kept beside it.
 */
const EXACT_BELOW = 2 ** 26;
const COIN = 100_000_000;

/** Key of the exact texts of amounts that a double cannot hold; never enumerable. */
const EXACT: unique symbol = Symbol('exact amounts');
/** Key of the order of an object's members, where JavaScript would change it; never enumerable. */
const ORDER: unique symbol = Symbol('member order');

/** Key of the texts of amounts in an array, by index; never enumerable. */
const ELEMENTS: unique symbol = Symbol('amounts in an array');

interface WithHidden {
  [ELEMENTS]?: ReadonlyMap<number, string>;
  [EXACT]?: Readonly<Record<string, string>>;
  [ORDER]?: readonly string[];
}

/** Converts satoshi to coins as the nearest double. */
export function toCoins(sats: bigint): number {
  const number = Number(sats);
  return Number.isSafeInteger(number) ? number / COIN : Number(formatAmount(sats));
}

/**
 * Keeps the exact text of an amount for `stringifyRpc`, if the number in the answer is not exact.
 * @returns the same object
 */
export function keepExact<T extends object>(answer: T, member: keyof T & string, sats: bigint): T {
  const coins = toCoins(sats);
  if (Math.abs(coins) < EXACT_BELOW) return answer;
  const exact = { ...(answer as WithHidden)[EXACT], [member]: formatAmount(sats) };
  return Object.defineProperty(answer, EXACT, { value: exact, configurable: true });
}

/**
 * Keeps the digits of a whole number for `stringifyRpc`, which a double cannot hold.
 * @returns the same object
 */
export function keepDigits<T extends object>(answer: T, member: keyof T & string, number: bigint): T {
  return Object.defineProperty(answer, EXACT, { value: { [member]: String(number) } });
}

/** Returns the text of a number that has one of its own: of an amount, with exactly 8 decimals; `undefined` for others. */
export function numberText(answer: object, member: string, value: number): string | undefined {
  const exact = (answer as WithHidden)[EXACT]?.[member];
  if (exact !== undefined) return exact;
  if (!AMOUNT_MEMBERS.has(member) || !Number.isFinite(value)) return undefined;
  const text = value.toFixed(8);
  return text === '-0.00000000' ? '0.00000000' : text;
}

/**
 * Notes that an element of an array is an amount.
 * @returns the same array
 */
export function markAmount<T extends readonly unknown[]>(answer: T, index: number, sats: bigint): T {
  return Object.defineProperty(answer, ELEMENTS, { value: new Map([[index, formatAmount(sats)]]) });
}

/** Returns the text of an element of an array that is an amount; `undefined` for other elements. */
export const elementText = (answer: readonly unknown[], index: number): string | undefined =>
  (answer as WithHidden)[ELEMENTS]?.get(index);

/** Matches names that look like array indexes: JavaScript moves such members to the front. */
const LOOKS_LIKE_INDEX = /^(0|[1-9][0-9]{0,9})$/;

/** Builds an object of these members. `stringifyRpc` keeps their order even where JavaScript does not. */
export function orderedObject(members: readonly (readonly [string, string])[]): Record<string, string> {
  const answer = Object.fromEntries(members);
  if (!members.some(([name]) => LOOKS_LIKE_INDEX.test(name))) return answer;
  return Object.defineProperty(answer, ORDER, { value: members.map(([name]) => name) });
}

/** Lists the member names of an answer in the order in which a node prints them. */
export function memberNames(answer: object): readonly string[] {
  return (answer as WithHidden)[ORDER] ?? Object.keys(answer);
}
