import fc from 'fast-check';
import { bytes, script } from '../../support/arbitraries.ts';
import {
  decodeTransaction,
  encodeTransaction,
  formatHex,
  type Outpoint,
  parseHex,
  parseTxid,
  type Transaction,
  type TxOut,
} from '../../support/library.ts';
import { sha256 } from '../scripts/bytes.ts';
import { mostly } from '../scripts/stackItems.ts';
import { applyChange, type Change, change } from './changes.ts';
import { type Key, key, wifOf } from './keys.ts';
import { lockOf } from './locks.ts';
import { type Coin, type Members, objectText, telling, tellOf } from './prevtxs.ts';

/** A transaction that several signers sign in turn, with the arguments of each. */
export interface Plan {
  readonly unsigned: Transaction;
  readonly coins: readonly Coin[];
  readonly rounds: readonly Round[];
}

export interface Round {
  /** Changes of the transaction before this round. */
  readonly changes: readonly Change[];
  /** JSON texts. */
  readonly privkeys: readonly string[];
  readonly prevtxs: readonly Members[];
  /** `undefined` leaves it out. */
  readonly sighashtype: string | undefined;
}

const MAX_MONEY = 8_400_000_000_000_000n;

const outpoint: fc.Arbitrary<Outpoint> = fc
  .tuple(bytes(8), mostly(fc.nat({ max: 9 }), fc.constantFrom(0x7fff_ffff, 0x8000_0000, 0xffff_ffff), 20))
  .map(([seed, vout]) => ({ txid: parseTxid(formatHex(sha256(seed))), vout }));
const value = fc.oneof(
  fc.bigInt({ min: 0n, max: 100n * 100_000_000n }),
  fc.bigInt({ min: 0n, max: MAX_MONEY }),
  fc.nat({ max: 1000 }).map((coins) => BigInt(coins) * 100_000_000n),
);
const coinOf = (keys: readonly Key[]): fc.Arbitrary<Coin> => fc.record({ lock: lockOf(keys), value, outpoint });
const output: fc.Arbitrary<TxOut> = fc.record({ value: fc.bigInt({ min: 0n, max: MAX_MONEY }), scriptPubKey: script });

const sequence = mostly(fc.constantFrom(0xffff_ffff, 0xffff_fffe), fc.nat({ max: 0xffff_ffff }), 3);
const version = mostly(fc.constantFrom(1, 2), fc.nat({ max: 0xffff_ffff }));
const locktime = mostly(fc.constant(0), fc.nat({ max: 0xffff_ffff }), 3);

const NAMES = ['ALL', 'NONE', 'SINGLE', 'ALL|ANYONECANPAY', 'NONE|ANYONECANPAY', 'SINGLE|ANYONECANPAY'];
const sighashtype: fc.Arbitrary<string | undefined> = mostly<string | undefined>(
  fc.constantFrom(...NAMES).map((name) => JSON.stringify(name)),
  fc.constantFrom(undefined, 'null'),
  5,
);

/** Draws the keys of a signer: all, some or none, sometimes with the other compression flag. */
function privkeysFrom(keys: readonly Key[]): fc.Arbitrary<readonly string[]> {
  const flipped = ({ secret, form }: Key): string =>
    wifOf({ secret, form: form === 'compressed' ? 'uncompressed' : 'compressed' });
  const oneOf = (own: Key): fc.Arbitrary<string> =>
    mostly(fc.constant(wifOf(own)), fc.constant(flipped(own)), 20).map((text) => JSON.stringify(text));
  return mostly(fc.constant([...keys]), fc.shuffledSubarray([...keys]), 2).chain((some) =>
    fc.tuple(...some.map(oneOf)),
  );
}

function roundFor(
  keys: readonly Key[],
  coins: readonly Coin[],
  changes: fc.Arbitrary<readonly Change[]>,
): fc.Arbitrary<Round> {
  const tellings = fc.array(telling, { minLength: coins.length, maxLength: coins.length });
  return fc.record({
    changes,
    privkeys: privkeysFrom(keys),
    prevtxs: tellings.map((names) => tellOf(coins, names)),
    sighashtype,
  });
}

const noChanges = fc.constant<readonly Change[]>([]);
const someChanges = fc.array(change, { maxLength: 2 });

/** Draws coins; sometimes one twice, which makes the transaction invalid. */
const coinsOf = (keys: readonly Key[]): fc.Arbitrary<readonly Coin[]> =>
  fc
    .tuple(fc.array(coinOf(keys), { minLength: 1, maxLength: 4 }), mostly(fc.constant(false), fc.constant(true), 25))
    .map(([coins, isDoubled]) => (isDoubled ? [...coins, ...coins.slice(0, 1)] : coins));

function inputsOf(coins: readonly Coin[], sequences: readonly number[]): Transaction['inputs'] {
  return coins.map((coin, i) => ({
    outpoint: coin.outpoint,
    scriptSig: new Uint8Array(0),
    sequence: sequences[i] ?? 0,
    witness: [],
  }));
}

function planWith(keys: readonly Key[]): fc.Arbitrary<Plan> {
  return coinsOf(keys).chain((coins) => {
    const sequences = fc.array(sequence, { minLength: 5, maxLength: 5 });
    const outputs = fc.array(output, { maxLength: 4 });
    const inputs = sequences.map((drawn) => inputsOf(coins, drawn));
    const unsigned = fc.record({ version, locktime, outputs, inputs });
    const first = roundFor(keys, coins, mostly(noChanges, someChanges));
    const later = fc.array(roundFor(keys, coins, mostly(noChanges, someChanges, 1)), { maxLength: 2 });
    return fc.record({
      unsigned,
      coins: fc.constant(coins),
      rounds: fc.tuple(first, later).map(([initial, others]) => [initial, ...others]),
    });
  });
}

/** From few keys, so that some repeat within a script. */
export const plan: fc.Arbitrary<Plan> = fc.array(key, { minLength: 1, maxLength: 5 }).chain(planWith);

const isTaprootText = (text: string): boolean => /^"5120[0-9a-f]{64}"$/i.test(text);

/** Removes witnesses if a prevtx is taproot: this node aborts when it verifies the witness of a taproot input. */
function withoutTaprootWitnesses(tx: Transaction, prevtxs: readonly Members[]): Transaction {
  const tellsTaproot = prevtxs.some((members) => members.some(([, value]) => isTaprootText(value)));
  return tellsTaproot ? { ...tx, inputs: tx.inputs.map((input) => ({ ...input, witness: [] })) } : tx;
}

/** Returns the arguments of a round as JSON texts; `hex` is the reply of the previous round. */
export function argsOf(
  hex: string,
  coins: readonly Coin[],
  { changes, privkeys, prevtxs, sighashtype: type }: Round,
): readonly string[] {
  const before = decodeTransaction(parseHex(hex), { mweb: true });
  const changed = changes.reduce((tx, next) => applyChange(tx, next, coins), before);
  const tx = withoutTaprootWitnesses(changed, prevtxs);
  return [
    JSON.stringify(formatHex(encodeTransaction(tx))),
    `[${privkeys.join()}]`,
    `[${prevtxs.map(objectText).join()}]`,
    ...(type === undefined ? [] : [type]),
  ];
}
