import fc from 'fast-check';
import { bytes } from '../../support/arbitraries.ts';
import { OP } from '../../support/library.ts';
import { concat, plainPush, push, pushAs } from './bytes.ts';
import { publicKey, signNothing } from './signatures.ts';
import { mostly, oneOf, piece } from './stackItems.ts';

/** The proof of an input. */
export interface Proof {
  readonly scriptSig: Uint8Array;
  readonly witness: readonly Uint8Array[];
}

/** The flaws of a spend, if any, with filler bytes and a position. */
export interface Flaws {
  readonly ofItems: keyof typeof ITEM_FLAWS | undefined;
  readonly ofProof: keyof typeof PROOF_FLAWS | undefined;
  readonly filler: Uint8Array;
  readonly at: number;
}

type Items = readonly Uint8Array[];
type Change<T> = (whole: T, filler: Uint8Array, at: number) => T;

const EMPTY = new Uint8Array(0);

const ITEM_FLAWS = {
  removed: (items, _, at) => items.filter((_item, i) => i !== at % items.length),
  replaced: (items, filler, at) => items.map((item, i) => (i === at % items.length ? filler : item)),
  lengthened: (items, _, at) => items.map((item, i) => (i === at % items.length ? concat(item, [0]) : item)),
  extraBottom: (items, filler) => [filler, ...items],
  extraTop: (items, filler) => [...items, filler],
  turned: (items) => [...items].reverse(),
  none: () => [],
} satisfies Readonly<Record<string, Change<Items>>>;

const ofScriptSig =
  (change: Change<Uint8Array>): Change<Proof> =>
  ({ scriptSig, witness }, filler, at) => ({ scriptSig: change(scriptSig, filler, at), witness });
const ofWitness =
  (change: Change<Items>): Change<Proof> =>
  ({ scriptSig, witness }, filler, at) => ({ scriptSig, witness: change(witness, filler, at) });

const flipped = (data: Uint8Array): Uint8Array => data.map((byte, i) => (i === data.length - 1 ? byte ^ 1 : byte));
const lengthBytesAt = (at: number): 0 | 1 | 2 | 4 => ([0, 1, 2, 4] as const)[at % 4] ?? 0;
/** A signature check inside the scriptSig. */
const checksOwn = piece([], signNothing(1, 0x03), publicKey(1, 'compressed'), OP.CHECKSIGVERIFY).code;
const dropped = concat(plainPush(new Uint8Array(520)), [OP.DROP]);
const tooLarge = concat(...Array.from({ length: 20 }, () => dropped));

const PROOF_FLAWS = {
  opcodeFirst: ofScriptSig((scriptSig, _, at) => concat([OP.NOP + (at % (OP.NOP10 - OP.NOP))], scriptSig)),
  opcodeLast: ofScriptSig((scriptSig) => concat(scriptSig, [OP.NOP])),
  reserved: ofScriptSig((scriptSig) => concat([OP.RESERVED], scriptSig)),
  pushFirst: ofScriptSig((scriptSig, filler) => concat(push(filler), scriptSig)),
  pushLast: ofScriptSig((scriptSig, filler) => concat(scriptSig, push(filler))),
  pushLong: ofScriptSig((scriptSig, filler, at) => concat(pushAs(filler, lengthBytesAt(at)), scriptSig)),
  pushAllLong: ofScriptSig((scriptSig) => concat([OP.PUSHDATA1], scriptSig)),
  cut: ofScriptSig((scriptSig, filler) => concat(scriptSig, plainPush(concat(filler, [0])).slice(0, -1))),
  flipped: ofScriptSig(flipped),
  empty: ofScriptSig(() => EMPTY),
  tooLarge: ofScriptSig((scriptSig) => concat(tooLarge, scriptSig)),
  checksOwn: ofScriptSig((scriptSig) => concat(checksOwn, scriptSig)),
  noWitness: ofWitness(() => []),
  extraFirst: ofWitness((witness, filler) => [filler, ...witness]),
  extraLast: ofWitness((witness, filler) => [...witness, filler]),
  oversized: ofWitness((witness) => [new Uint8Array(521), ...witness]),
  flippedLast: ofWitness((witness) => witness.map((item, i) => (i === witness.length - 1 ? flipped(item) : item))),
} satisfies Readonly<Record<string, Change<Proof>>>;

const none = fc.constant(undefined);
const keysOf = <T extends object>(table: T) => fc.constantFrom(...(Object.keys(table) as (keyof T)[]));

export const flaws: fc.Arbitrary<Flaws> = fc.record({
  ofItems: mostly(none, keysOf(ITEM_FLAWS)),
  ofProof: mostly(none, keysOf(PROOF_FLAWS), 6),
  filler: fc.oneof(oneOf([], [0], [0x80], [1], [2], [1, 0]), bytes(0, 80)),
  at: fc.nat({ max: 1000 }),
});

export function spoilItems(items: Items, { ofItems, filler, at }: Flaws): Items {
  return ofItems ? ITEM_FLAWS[ofItems](items, filler, at) : items;
}

export function spoilProof(proof: Proof, { ofProof, filler, at }: Flaws): Proof {
  return ofProof ? PROOF_FLAWS[ofProof](proof, filler, at) : proof;
}
