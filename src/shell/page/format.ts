import { formatAmount } from '../../core/encoding/amount.ts';
import { type NetworkName, networkNames, networks } from '../../core/network/networks.ts';

export const networkTicker = (network: NetworkName): string => networks[network].ticker;

/** Splits satoshi into groups of coins: `0.00`, `123`, `456`. */
export function amountGroups(sats: bigint): readonly string[] {
  const [whole = '', decimals = ''] = formatAmount(sats).split('.');
  return [
    ...thousands(whole).slice(0, -1),
    `${thousands(whole).at(-1)}.${decimals.slice(0, 2)}`,
    decimals.slice(2, 5),
    decimals.slice(5),
  ];
}

export const thousands = (digits: string): readonly string[] =>
  digits.match(/^-?\d{1,3}(?=(?:\d{3})*$)|\d{3}/g) ?? [digits];

export const amountText = (sats: bigint, network: NetworkName): string =>
  `${formatAmount(sats)} ${networkTicker(network)}`;

export const addressGroups = (address: string): readonly string[] => address.match(/.{1,4}/g) ?? [];

/** Formats seconds as `9:05`. */
export const clockText = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

/** Joins neighbours and lists the first few ranges: `1–3, 7, 9 …`. */
export function rangesText(numbers: readonly number[], most = 6): string {
  const ranges: { first: number; last: number }[] = [];
  for (const number of numbers) {
    const open = ranges.at(-1);
    if (open && open.last === number - 1) open.last = number;
    else ranges.push({ first: number, last: number });
  }
  const rangeTexts = ranges.slice(0, most).map(({ first, last }) => (first === last ? `${first}` : `${first}–${last}`));
  return `${rangeTexts.join(', ')}${ranges.length > most ? ' …' : ''}`;
}

export const networkTitle = (name: NetworkName): string => networks[name].title ?? name;

export const networkTitles: readonly (readonly [NetworkName, string])[] = networkNames(() => true).map((name) => [
  name,
  networkTitle(name),
]);
