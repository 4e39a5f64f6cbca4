import { OP_0, OP_16, OP_NOP10, OP_PUSHDATA1, OP_PUSHDATA2, OP_PUSHDATA4, OP_RETURN } from './opcodes.ts';

export const MAX_SCRIPT_SIZE = 10_000;
export const MAX_SCRIPT_ELEMENT_SIZE = 520;

/** One opcode of a script. The data of a push lies from `dataStart` to `end`. */
export interface Instruction {
  readonly opcode: number;
  readonly dataStart: number;
  readonly end: number;
}

/**
 * Reads the instruction at `offset`, which must lie within the script; `undefined` if its data runs past the end.
 * @see Core `GetScriptOp`
 */
export function instructionAt(script: Uint8Array, offset: number): Instruction | undefined {
  const opcode = script[offset] ?? 0;
  const sizeBytes = opcode < OP_PUSHDATA1 || opcode > OP_PUSHDATA4 ? 0 : 1 << (opcode - OP_PUSHDATA1);
  const dataStart = offset + 1 + sizeBytes;
  if (dataStart > script.length) return undefined;
  let size = opcode > OP_PUSHDATA4 ? 0 : opcode;
  if (sizeBytes > 0) {
    size = 0;
    for (let i = sizeBytes; i > 0; i -= 1) size = size * 256 + (script[offset + i] ?? 0);
  }
  const end = dataStart + size;
  return end > script.length ? undefined : { opcode, dataStart, end };
}

/** Counts OP_0 as a push of no bytes. */
export function isDataPush({ opcode }: Instruction): boolean {
  return opcode <= OP_PUSHDATA4;
}

export function pushedData(script: Uint8Array, { dataStart, end }: Instruction): Uint8Array {
  return script.slice(dataStart, end);
}

/** Yields `undefined` at the end if the rest does not parse. @see Core `CScript::GetOp` */
export function* instructions(script: Uint8Array, offset = 0): Generator<Instruction | undefined> {
  for (let next = offset; next < script.length; ) {
    const instruction = instructionAt(script, next);
    yield instruction;
    if (!instruction) return;
    next = instruction.end;
  }
}

/** Stops at the first instruction that does not parse. */
export function hasOpcode(script: Uint8Array, opcode: number): boolean {
  for (const instruction of instructions(script)) if (instruction?.opcode === opcode) return true;
  return false;
}

/** Lists data, empty for opcodes, up to the first instruction that does not parse. */
export function listPushes(script: Uint8Array): readonly Uint8Array[] {
  const pushes: Uint8Array[] = [];
  for (const instruction of instructions(script)) {
    if (instruction) pushes.push(pushedData(script, instruction));
  }
  return pushes;
}

/** @see BIP62 rule 3; Core `CheckMinimalPush` */
export function isMinimalPush(script: Uint8Array, { opcode, dataStart, end }: Instruction): boolean {
  const size = end - dataStart;
  const first = script[dataStart] ?? 0;
  if (size === 0) return opcode === OP_0;
  if (size === 1 && ((first >= 1 && first <= 16) || first === 0x81)) return false; // OP_1 to OP_16, OP_1NEGATE
  if (size < OP_PUSHDATA1) return opcode === size;
  if (size <= 0xff) return opcode === OP_PUSHDATA1;
  return size > 0xffff || opcode === OP_PUSHDATA2;
}

/** Tells whether all instructions from `offset` on are pushes, including OP_RESERVED. @see Core `IsPushOnly` */
export function isPushOnly(script: Uint8Array, offset = 0): boolean {
  for (const instruction of instructions(script, offset)) {
    if (!instruction || instruction.opcode > OP_16) return false;
  }
  return true;
}

/** Tells whether a script parses, with only known opcodes and no oversized push. @see Core `HasValidOps` */
export function hasValidOps(script: Uint8Array): boolean {
  for (let next = 0; next < script.length; ) {
    const instruction = instructionAt(script, next);
    if (!instruction || instruction.opcode > OP_NOP10) return false;
    if (instruction.end - instruction.dataStart > MAX_SCRIPT_ELEMENT_SIZE) return false;
    next = instruction.end;
  }
  return true;
}

/** Tells whether a scriptPubKey can never be spent. @see Core `CScript::IsUnspendable` */
export function isUnspendable(script: Uint8Array): boolean {
  return script[0] === OP_RETURN || script.length > MAX_SCRIPT_SIZE;
}
