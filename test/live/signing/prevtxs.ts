import fc from 'fast-check';
import { formatAmount, formatHex, formatTxid, type Outpoint } from '../../support/library.ts';
import { mostly } from '../scripts/stackItems.ts';
import type { Lock } from './locks.ts';

/** Random `prevtxs` arguments as JSON texts, complete or not, and sometimes wrong. */

/** Fields of an object in order, each value a JSON text. */
export type Members = readonly (readonly [name: string, value: string])[];

export const objectText = (members: Members): string =>
  `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join()}}`;

export interface Coin {
  readonly lock: Lock;
  readonly value: bigint;
  readonly outpoint: Outpoint;
}

const quoted = (bytes: Uint8Array): string => JSON.stringify(formatHex(bytes));

/** Formats whole amounts as JSON numbers and others as strings, so that both forms occur. */
const amountText = (value: bigint): string =>
  value % 100_000_000n === 0n ? String(value / 100_000_000n) : JSON.stringify(formatAmount(value));

/** Returns all fields of a coin, with `vout` cut to the 31 bits that the argument allows. */
function membersOf({ lock, value, outpoint }: Coin): Members {
  const { scriptPubKey, redeemScript, witnessScript } = lock;
  return [
    ['txid', JSON.stringify(formatTxid(outpoint.txid))],
    ['vout', String(outpoint.vout & 0x7fff_ffff)],
    ['scriptPubKey', quoted(scriptPubKey)],
    ...(redeemScript ? [['redeemScript', quoted(redeemScript)] as const] : []),
    ...(witnessScript ? [['witnessScript', quoted(witnessScript)] as const] : []),
    ['amount', amountText(value)],
  ];
}

const without =
  (...names: readonly string[]) =>
  (members: Members): readonly Members[] => [members.filter(([name]) => !names.includes(name))];
const changing = (members: Members, name: string, change: (value: string) => string): Members =>
  members.map(([own, value]) => [own, own === name ? change(value) : value] as const);
const renamed = (members: Members, from: string, to: string): Members =>
  members.map(([name, value]) => [name === from ? to : name, value] as const);
const add = (members: Members, name: string, value: string): Members => [...members, [name, value]];

/** Makes the prevtxs of a coin from its fields, and perhaps from another coin's scripts. */
type Telling = (members: Members, coin: Coin, other: Coin) => readonly Members[];

const TELLINGS = {
  plain: (members) => [members],
  not: () => [],
  withoutAmount: without('amount'),
  mostCoins: (members) => [changing(members, 'amount', () => '84000000')],
  otherAmount: (members, { value }) => [changing(members, 'amount', () => amountText(value ^ 1n))],
  withoutRedeemScript: without('redeemScript'),
  withoutWitnessScript: without('witnessScript'),
  withoutScripts: without('redeemScript', 'witnessScript'),
  redeemScriptAsWitness: (members) => [renamed(members, 'redeemScript', 'witnessScript')],
  innerAsRedeemScript: (members) => [
    renamed(
      members.filter(([name]) => name !== 'redeemScript'),
      'witnessScript',
      'redeemScript',
    ),
  ],
  nulls: (members) => [
    ['redeemScript', 'witnessScript'].reduce((some, name) => changing(some, name, () => 'null'), members),
  ],
  inCapitals: (members) => [members.map(([name, value]) => [name, value.toUpperCase()] as const)],
  redeemScriptInCapitals: (members) => [changing(members, 'redeemScript', (value) => value.toUpperCase())],
  sameScriptTwice: (members) => {
    const inner = members.find(([name]) => name === 'witnessScript')?.[1];
    return [inner ? changing(members, 'redeemScript', () => inner) : members];
  },
  otherScriptPubKey: (members, _, { lock }) => [changing(members, 'scriptPubKey', () => quoted(lock.scriptPubKey))],
  otherRedeemScript: (members, _, { lock }) => [
    changing(members, 'redeemScript', () => quoted(lock.redeemScript ?? lock.scriptPubKey)),
  ],
  otherWitnessScript: (members, _, { lock }) => [
    changing(members, 'witnessScript', () => quoted(lock.witnessScript ?? lock.scriptPubKey)),
  ],
  scriptsForNothing: (members) => [add(add(members, 'redeemScript', '7'), 'witnessScript', '"zz"')],
  more: (members) => [add(members, 'height', '12')],
  turned: (members) => [[...members].reverse()],
  twice: (members) => [members, members],
  twiceWithAmounts: (members) => [changing(members, 'amount', () => '0.5'), members],
  twiceLastWithout: (members) => [members, ...without('amount')(members)],
  twiceInDisagreement: (members, _, { lock }) => [
    members,
    changing(members, 'scriptPubKey', () => quoted(lock.scriptPubKey)),
  ],
  repeated: (members) => [[...members, ...changing(members, 'vout', () => '3')]],
} satisfies Readonly<Record<string, Telling>>;

export type TellingName = keyof typeof TELLINGS;

export const telling: fc.Arbitrary<TellingName> = mostly(
  fc.constant('plain'),
  fc.constantFrom(...(Object.keys(TELLINGS) as TellingName[])),
  15,
);

/** Makes the prevtxs of all coins; each uses the next coin for wrong scripts. */
export function tellOf(coins: readonly Coin[], tellings: readonly TellingName[]): readonly Members[] {
  return coins.flatMap((coin, i) => {
    const other = coins[(i + 1) % coins.length] ?? coin;
    return TELLINGS[tellings[i] ?? 'plain'](membersOf(coin), coin, other);
  });
}
