import fc from 'fast-check';
import { OP, type SighashName } from '../../support/library.ts';
import { piece } from '../scripts/stackItems.ts';
import { type Key, makeKey, secret } from './keys.ts';
import { type Inner, type Lock, multi, opTrue, pk, pkh, WRAPPERS, type Wrapper, wpkh, wrap } from './locks.ts';

/** Spends to be mined: every kind of spendable coin with every sighash type. */

interface Opening {
  readonly lock: Lock;
  readonly keys: readonly Key[];
  readonly value: bigint;
}

/** Coins that one transaction spends. */
export interface Spend {
  readonly openings: readonly Opening[];
  readonly sighashtype: SighashName;
  /** False if nodes do not relay it, although it can be mined. */
  readonly isRelayed: boolean;
}

const SIGHASH_NAMES: readonly SighashName[] = [
  'ALL',
  'NONE',
  'SINGLE',
  'ALL|ANYONECANPAY',
  'NONE|ANYONECANPAY',
  'SINGLE|ANYONECANPAY',
];

const all = (inner: Inner, wrappers: readonly Wrapper[] = WRAPPERS): readonly Lock[] =>
  wrappers.map((wrapper) => wrap(inner, wrapper));
const named = (name: string, { script }: Inner): Inner => ({ name, script });

/** Makes locks that these keys can spend. */
function locksOf(secrets: readonly Uint8Array[]): readonly Lock[] {
  const keys = secrets.map((own) => makeKey(own));
  const [a, b, c] = keys;
  if (!a || !b || !c) return [];
  const [long, other] = [makeKey(a.secret, 'uncompressed'), makeKey(b.secret, 'uncompressed')];
  const both = piece([], a.publicKey, OP.CHECKSIGVERIFY, b.publicKey, OP.CHECKSIG).code;
  return [
    ...[pk(a), pkh(b), multi(1, [c]), multi(2, [a, b, c])].flatMap((inner) => all(inner)),
    ...all(named('multi with a key twice', multi(2, [b, a, b]))),
    ...all(opTrue),
    ...all(wpkh(c), ['bare', 'sh']),
    ...[pk(long), pkh(other), multi(2, [long, b, other])].flatMap((inner) =>
      all(named(`${inner.name} uncompressed`, inner), ['bare', 'sh']),
    ),
    // The most keys that fit into a redeem script, and the most that OP_CHECKMULTISIG allows.
    ...all(named('multi 15 of 15', multi(15, keys.slice(0, 15))), ['sh', 'wsh', 'sh(wsh)']),
    ...all(named('multi 13 of 20', multi(13, keys)), ['wsh', 'sh(wsh)']),
    ...all({ name: 'and_v(v:pk,pk)', script: both }, ['wsh', 'sh(wsh)']),
  ];
}

/** Tells whether a lock is bare and nonstandard: nodes do not relay spends of it. */
const isNameless = ({ kind }: Lock): boolean => kind === opTrue.name;

const value = fc.bigInt({ min: 1_000_000n, max: 2_000_000n });
const size = fc.integer({ min: 1, max: 4 });

function grouped<T>(items: readonly T[], sizes: readonly number[]): readonly (readonly T[])[] {
  const [first = 1, ...rest] = sizes;
  return items.length === 0 ? [] : [items.slice(0, first), ...grouped(items.slice(first), [...rest, first])];
}

/** Spends every lock once, with several inputs per transaction. */
function spendsOf(
  locks: readonly Lock[],
  keys: readonly Key[],
  sighashtype: SighashName,
): fc.Arbitrary<readonly Spend[]> {
  const shuffled = fc.shuffledSubarray([...locks], { minLength: locks.length });
  const values = fc.array(value, { minLength: locks.length, maxLength: locks.length });
  const sizes = fc.array(size, { minLength: 5, maxLength: 5 });
  return fc.tuple(shuffled, values, sizes).map(([order, amounts, counts]) => {
    const openings = order.map((lock, i) => ({ lock, keys, value: amounts[i] ?? 0n }));
    const relayed = openings.filter(({ lock }) => !isNameless(lock));
    const others = openings.filter(({ lock }) => isNameless(lock));
    return [
      ...grouped(relayed, counts).map((some) => ({ openings: some, sighashtype, isRelayed: true })),
      { openings: others, sighashtype, isRelayed: false },
    ];
  });
}

/** Spends of every kind of lock with every sighash type. */
export const everySpend: fc.Arbitrary<readonly Spend[]> = fc
  .array(secret, { minLength: 20, maxLength: 20 })
  .chain((secrets) => {
    const locks = locksOf(secrets);
    const keys = [
      ...secrets.map((own) => makeKey(own)),
      ...secrets.slice(0, 2).map((own) => makeKey(own, 'uncompressed')),
    ];
    return fc.tuple(...SIGHASH_NAMES.map((name) => spendsOf(locks, keys, name)));
  })
  .map((spends) => spends.flat());
