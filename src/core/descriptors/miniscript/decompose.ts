import { type Instruction, instructions, isDataPush, isMinimalPush, pushedData } from '../../script/instructions.ts';
import { isMinimalNumber, readScriptNumber } from '../../script/number.ts';
import {
  OP_0,
  OP_1,
  OP_16,
  OP_CHECKMULTISIG,
  OP_CHECKMULTISIGVERIFY,
  OP_CHECKSIG,
  OP_CHECKSIGVERIFY,
  OP_EQUAL,
  OP_EQUALVERIFY,
  OP_NUMEQUAL,
  OP_NUMEQUALVERIFY,
  OP_RESERVED,
  OP_VERIFY,
} from '../../script/opcodes.ts';

/** OP_1 to OP_16 push their number as one byte. */
export interface Op {
  readonly opcode: number;
  readonly data: Uint8Array;
}

const NOTHING = new Uint8Array(0);

const SPLIT: ReadonlyMap<number, number> = /* @__PURE__ */ new Map<number, number>([
  [OP_CHECKSIGVERIFY, OP_CHECKSIG],
  [OP_CHECKMULTISIGVERIFY, OP_CHECKMULTISIG],
  [OP_EQUALVERIFY, OP_EQUAL],
  [OP_NUMEQUALVERIFY, OP_NUMEQUAL],
]);
const HAS_VERIFY_FORM: ReadonlySet<number> = /* @__PURE__ */ (() => new Set(SPLIT.values()))();

/**
 * Splits -VERIFY opcodes. Returns `undefined` if the script is truncated, a push is not minimal, or VERIFY is not
 * merged where it could be.
 * @see Bitcoin Core `DecomposeScript`
 */
export function decompose(script: Uint8Array): Op[] | undefined {
  const ops: Op[] = [];
  for (const instruction of instructions(script)) {
    const parts = instruction && splitInstruction(script, instruction);
    if (!parts) return undefined;
    ops.push(...parts);
  }
  return ops;
}

function splitInstruction(script: Uint8Array, instruction: Instruction): readonly Op[] | undefined {
  const { opcode, end } = instruction;
  if (isDataPush(instruction)) {
    return isMinimalPush(script, instruction) ? [{ opcode, data: pushedData(script, instruction) }] : undefined;
  }
  if (opcode >= OP_1 && opcode <= OP_16) return [{ opcode, data: Uint8Array.of(opcode - OP_RESERVED) }];
  const base = SPLIT.get(opcode);
  if (base !== undefined) return [base, OP_VERIFY].map((part) => ({ opcode: part, data: NOTHING }));
  return HAS_VERIFY_FORM.has(opcode) && script[end] === OP_VERIFY ? undefined : [{ opcode, data: NOTHING }];
}

/** Returns `undefined` unless minimal, in at most 4 bytes. */
export function pushedNumber(op: Op | undefined): number | undefined {
  if (!op) return undefined;
  if (op.opcode === OP_0) return 0;
  const { data } = op;
  return data.length > 0 && data.length <= 4 && isMinimalNumber(data) ? readScriptNumber(data) : undefined;
}

/** Reads backwards: `ops` are reversed. */
export interface Cursor {
  readonly ops: readonly Op[];
  next: number;
}

export const peek = ({ ops, next }: Cursor, ahead = 0): Op | undefined => ops[next + ahead];

export function take(cursor: Cursor, ...opcodes: readonly number[]): boolean {
  if (!opcodes.every((opcode, i) => peek(cursor, i)?.opcode === opcode)) return false;
  cursor.next += opcodes.length;
  return true;
}
