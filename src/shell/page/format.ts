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

/** A part of a text: as it is, or what stands for a character that a screen does not show. */
interface TextPart {
  readonly text: string;
  readonly isHidden: boolean;
}

/** What a screen leaves out or lets move others, and spaces at an end of a line. */
const HIDDEN = /(?![\n ])[\p{C}\p{Z}\p{DI}]|^ +| +$/gmu;

/** Splits a text so that each character that could hide in it is seen: as `U+202E`, or `·` for a space. */
export function visibleParts(text: string): readonly TextPart[] {
  let end = 0;
  const parts = [...text.matchAll(HIDDEN)].flatMap(({ 0: hidden, index }): readonly TextPart[] => {
    const plain = text.slice(end, index);
    end = index + hidden.length;
    return [
      { text: plain, isHidden: false },
      { text: hidden.startsWith(' ') ? '·'.repeat(hidden.length) : codePointText(hidden), isHidden: true },
    ];
  });
  return [...parts, { text: text.slice(end), isHidden: false }].filter((part) => part.text !== '');
}

const codePointText = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

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
