import { type Instruction, instructionAt, isDataPush, isMinimalPush, pushedData } from '../../script/instructions.ts';
import { isMinimalNumber, readScriptNumber } from '../../script/number.ts';
import { OP } from '../../script/opcodes.ts';

/** An opcode, and what it pushes: OP_1 to OP_16 push a number of one byte. */
export interface Op {
  readonly opcode: number;
  readonly data: Uint8Array;
}

const NOTHING = new Uint8Array(0);

/** Opcodes that verify what they find, as the two that they stand for. */
const SPLIT: ReadonlyMap<number, number> = /* @__PURE__ */ new Map<number, number>([
  [OP.CHECKSIGVERIFY, OP.CHECKSIG],
  [OP.CHECKMULTISIGVERIFY, OP.CHECKMULTISIG],
  [OP.EQUALVERIFY, OP.EQUAL],
  [OP.NUMEQUALVERIFY, OP.NUMEQUAL],
]);
const HAS_VERIFY_FORM: ReadonlySet<number> = /* @__PURE__ */ (() => new Set(SPLIT.values()))();

/**
 * Takes a script apart, opcodes that verify in two.
 * @returns `undefined` where something is not written in its shortest form
 * @see Bitcoin Core `DecomposeScript`
 */
export function decompose(script: Uint8Array): Op[] | undefined {
  const ops: Op[] = [];
  for (let offset = 0; offset < script.length; ) {
    const instruction = instructionAt(script, offset);
    const parts = instruction && partsOf(script, instruction);
    if (!parts) return undefined;
    ops.push(...parts);
    offset = instruction.end;
  }
  return ops;
}

function partsOf(script: Uint8Array, instruction: Instruction): readonly Op[] | undefined {
  const { opcode, end } = instruction;
  if (isDataPush(instruction)) {
    return isMinimalPush(script, instruction) ? [{ opcode, data: pushedData(script, instruction) }] : undefined;
  }
  if (opcode >= OP['1'] && opcode <= OP['16']) return [{ opcode, data: Uint8Array.of(opcode - OP.RESERVED) }];
  const base = SPLIT.get(opcode);
  if (base !== undefined) return [base, OP.VERIFY].map((part) => ({ opcode: part, data: NOTHING }));
  return HAS_VERIFY_FORM.has(opcode) && script[end] === OP.VERIFY ? undefined : [{ opcode, data: NOTHING }];
}

/** The number that an opcode pushes, in its shortest form. */
export function numberOf(op: Op | undefined): number | undefined {
  if (!op) return undefined;
  if (op.opcode === OP['0']) return 0;
  const { data } = op;
  return data.length > 0 && data.length <= 4 && isMinimalNumber(data) ? readScriptNumber(data) : undefined;
}

/** A script from its end on: `ops` are in reverse, and `next` is how many have been read. */
export interface Cursor {
  readonly ops: readonly Op[];
  next: number;
}

export const peek = ({ ops, next }: Cursor, ahead = 0): Op | undefined => ops[next + ahead];

/** Steps over these opcodes if they come next, in this order. */
export function take(cursor: Cursor, ...opcodes: readonly number[]): boolean {
  if (!opcodes.every((opcode, i) => peek(cursor, i)?.opcode === opcode)) return false;
  cursor.next += opcodes.length;
  return true;
}
