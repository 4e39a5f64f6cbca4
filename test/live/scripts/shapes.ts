import fc from 'fast-check';
import { OP } from '../../support/library.ts';
import { numberBytes } from './bytes.ts';
import { mostly, oneOf, type Piece, piece } from './stackItems.ts';

/** The transaction around the tested input. */
export interface Shape {
  readonly version: number;
  readonly locktime: number;
  readonly sequence: number;
  /** 1 if another input, which anyone can spend, precedes it. */
  readonly inputIndex: 0 | 1;
  /** True if there is another input; always true if `inputIndex` is 1. */
  readonly hasOther: boolean;
  readonly outputCount: 1 | 2;
}

/** The highest timelocks that already allow a transaction to be mined. */
export interface Age {
  readonly height: number;
  readonly time: number;
  /** The age of every coin in blocks; `timeUnits` in units of 512 seconds. */
  readonly blocks: number;
  readonly timeUnits: number;
}

const BY_TIME = 0x0040_0000;
const NO_LOCK = 0x8000_0000;
const FINAL = 0xffff_ffff;
const LOCK_BITS = BY_TIME | 0xffff;
/** Bits of a sequence without meaning. */
const NOISE = 0x2a01_0000;

function sequenceAt({ blocks, timeUnits }: Age): fc.Arbitrary<number> {
  const byBlocks = fc.integer({ min: 0, max: blocks });
  const byTime = fc.integer({ min: BY_TIME, max: BY_TIME + timeUnits });
  const relative = fc
    .tuple(fc.oneof(byBlocks, byTime), mostly(fc.constant(0), fc.constant(NOISE), 3))
    .map(([lock, noise]) => lock + noise);
  return fc.oneof(fc.constantFrom(FINAL, FINAL - 1, NO_LOCK + 5, NO_LOCK + BY_TIME + 5), relative);
}

function locktimeAt({ height, time }: Age): fc.Arbitrary<number> {
  return fc.oneof(
    fc.constantFrom(0, 0, height, 500_000_000, time),
    fc.integer({ min: 1, max: height }),
    fc.integer({ min: 500_000_000, max: time }),
  );
}

export function shapeAt(age: Age): fc.Arbitrary<Shape> {
  const shape = fc.record({
    version: mostly(fc.constant(2), fc.constantFrom(0, 1, 3, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff), 5),
    locktime: locktimeAt(age),
    sequence: sequenceAt(age),
    inputIndex: fc.constantFrom(0 as const, 1 as const),
    hasOther: fc.boolean(),
    outputCount: fc.constantFrom(1 as const, 2 as const),
  });
  return shape.map((drawn) => ({ ...drawn, hasOther: drawn.hasOther || drawn.inputIndex === 1 }));
}

/** Operands near one that is met, of both kinds of lock, and out of range. */
function operandNear(met: number): fc.Arbitrary<Uint8Array> {
  const near = fc.constantFrom(met, met, met, Math.max(met - 1, 0), met + 1);
  const wild = fc.constantFrom(0, -1, 16, 499_999_999, 500_000_000, BY_TIME, BY_TIME + 1, NO_LOCK, NO_LOCK + BY_TIME);
  const large = fc.constantFrom(FINAL, 2 ** 32, 2 ** 32 + met, 2 ** 39 - 1, 2 ** 39, -(2 ** 39) + 1);
  const odd = oneOf([0], [0x80], [0, 0], [5, 0, 0, 0, 0], [5, 0, 0, 0, 0, 0]);
  return mostly(mostly(near, wild, 5).map(numberBytes), fc.oneof(large.map(numberBytes), odd), 7);
}

/** Timelock checks that the transaction passes or barely fails. */
export function lockCheckFor({ locktime, sequence }: Shape): fc.Arbitrary<Piece> {
  const relative = fc.constantFrom(sequence & LOCK_BITS, sequence & ~NO_LOCK, sequence).chain(operandNear);
  const operand = fc.oneof(
    fc.tuple(operandNear(locktime), fc.constant(OP.CHECKLOCKTIMEVERIFY)),
    fc.tuple(relative, fc.constant(OP.CHECKSEQUENCEVERIFY)),
  );
  return fc
    .tuple(operand, fc.boolean())
    .map(([[number, opcode], isGiven]) =>
      isGiven ? piece([number], opcode, OP.DROP, OP['1']) : piece([], number, opcode, OP.DROP, OP['1']),
    );
}
