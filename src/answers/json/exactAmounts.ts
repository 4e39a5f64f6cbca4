import { formatAmount } from '../../core/encoding/amount.ts';

/** In coins. A node prints these members, and only these, with 8 decimals. */
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

/** Texts of amounts that a double cannot hold. */
const EXACT: unique symbol = Symbol('exact amounts');
/** The member order that JavaScript would change. */
const ORDER: unique symbol = Symbol('member order');

/** Texts of amounts in an array, by index. */
const ELEMENTS: unique symbol = Symbol('amounts in an array');

interface WithHidden {
  [ELEMENTS]?: ReadonlyMap<number, string>;
  [EXACT]?: Readonly<Record<string, string>>;
  [ORDER]?: readonly string[];
}

export function toCoins(sats: bigint): number {
  const number = Number(sats);
  return Number.isSafeInteger(number) ? number / COIN : Number(formatAmount(sats));
}

/** Keeps the text of an amount that a double cannot hold. Returns the same object. */
export function keepExact<T extends object>(answer: T, member: keyof T & string, sats: bigint): T {
  const coins = toCoins(sats);
  if (Math.abs(coins) < EXACT_BELOW) return answer;
  const exact = { ...(answer as WithHidden)[EXACT], [member]: formatAmount(sats) };
  return Object.defineProperty(answer, EXACT, { value: exact, configurable: true });
}

/** Keeps digits that a double cannot hold. Returns the same object. */
export function keepDigits<T extends object>(answer: T, member: keyof T & string, number: bigint): T {
  return Object.defineProperty(answer, EXACT, { value: { [member]: String(number) } });
}

export function numberText(answer: object, member: string, value: number): string | undefined {
  const exact = (answer as WithHidden)[EXACT]?.[member];
  if (exact !== undefined) return exact;
  if (!AMOUNT_MEMBERS.has(member) || !Number.isFinite(value)) return undefined;
  const text = value.toFixed(8);
  return text === '-0.00000000' ? '0.00000000' : text;
}

export function markAmount<T extends readonly unknown[]>(answer: T, index: number, sats: bigint): T {
  return Object.defineProperty(answer, ELEMENTS, { value: new Map([[index, formatAmount(sats)]]) });
}

export const elementText = (answer: readonly unknown[], index: number): string | undefined =>
  (answer as WithHidden)[ELEMENTS]?.get(index);

/** JavaScript moves members with such names to the front. */
const LOOKS_LIKE_INDEX = /^(0|[1-9][0-9]{0,9})$/;

/** Keeps the order of members for `stringifyRpc` where JavaScript does not. */
export function orderedObject(members: readonly (readonly [string, string])[]): Record<string, string> {
  const answer = Object.fromEntries(members);
  if (!members.some(([name]) => LOOKS_LIKE_INDEX.test(name))) return answer;
  return Object.defineProperty(answer, ORDER, { value: members.map(([name]) => name) });
}

export function memberNames(answer: object): readonly string[] {
  return (answer as WithHidden)[ORDER] ?? Object.keys(answer);
}
