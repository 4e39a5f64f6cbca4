import { OP } from './opcodes.ts';

/** The largest script that can be executed, in bytes. */
export const MAX_SCRIPT_SIZE = 10_000;
/** The largest stack element, in bytes. */
export const MAX_SCRIPT_ELEMENT_SIZE = 520;

/**
 * One step of a script. What a push pushes lies from `dataStart` to `end`; for every other opcode, nothing does.
 *
 * - `end`: offset of the next instruction
 */
export interface Instruction {
  readonly opcode: number;
  readonly dataStart: number;
  readonly end: number;
}

/**
 * Reads the instruction at `offset`, or `undefined` where its data runs past the end of the script.
 * The caller makes sure that `offset` lies within the script.
 * @see Bitcoin Core `GetScriptOp`
 */
export function instructionAt(script: Uint8Array, offset: number): Instruction | undefined {
  const opcode = script[offset] ?? 0;
  const sizeBytes = opcode < OP.PUSHDATA1 || opcode > OP.PUSHDATA4 ? 0 : 1 << (opcode - OP.PUSHDATA1);
  const dataStart = offset + 1 + sizeBytes;
  if (dataStart > script.length) return undefined;
  let size = opcode > OP.PUSHDATA4 ? 0 : opcode;
  if (sizeBytes > 0) {
    size = 0;
    for (let i = sizeBytes; i > 0; i -= 1) size = size * 256 + (script[offset + i] ?? 0);
  }
  const end = dataStart + size;
  return end > script.length ? undefined : { opcode, dataStart, end };
}

/** Whether an instruction pushes bytes of the script; OP_0 pushes none of them, which is still a push. */
export function isDataPush({ opcode }: Instruction): boolean {
  return opcode <= OP.PUSHDATA4;
}

/** What a push pushes. */
export function pushedData(script: Uint8Array, { dataStart, end }: Instruction): Uint8Array {
  return script.slice(dataStart, end);
}

/**
 * Walks a script from `offset` on. Yields `undefined` last if the rest does not parse.
 * @see Bitcoin Core `CScript::GetOp`
 */
export function* instructions(script: Uint8Array, offset = 0): Generator<Instruction | undefined> {
  for (let next = offset; next < script.length; ) {
    const instruction = instructionAt(script, next);
    yield instruction;
    if (!instruction) return;
    next = instruction.end;
  }
}

/** Lists the data of each instruction, empty for those that push none, up to bytes that do not parse. */
export function pushesOf(script: Uint8Array): readonly Uint8Array[] {
  const pushes: Uint8Array[] = [];
  for (const instruction of instructions(script)) {
    if (instruction) pushes.push(pushedData(script, instruction));
  }
  return pushes;
}

/** Whether a push takes the shortest form that can push its data. @see BIP62 rule 3; Bitcoin Core `CheckMinimalPush` */
export function isMinimalPush(script: Uint8Array, { opcode, dataStart, end }: Instruction): boolean {
  const size = end - dataStart;
  const first = script[dataStart] ?? 0;
  if (size === 0) return opcode === OP['0'];
  if (size === 1 && ((first >= 1 && first <= 16) || first === 0x81)) return false; // OP_1 to OP_16, OP_1NEGATE
  if (size < OP.PUSHDATA1) return opcode === size;
  if (size <= 0xff) return opcode === OP.PUSHDATA1;
  return size > 0xffff || opcode === OP.PUSHDATA2;
}

/** Whether everything from `offset` on only pushes; OP_RESERVED counts as a push. @see Bitcoin Core `IsPushOnly` */
export function isPushOnly(script: Uint8Array, offset = 0): boolean {
  for (const instruction of instructions(script, offset)) {
    if (!instruction || instruction.opcode > OP['16']) return false;
  }
  return true;
}

/** Whether the script parses to its end, knows every opcode and pushes nothing oversized. @see Bitcoin Core `HasValidOps` */
export function hasValidOps(script: Uint8Array): boolean {
  for (const instruction of instructions(script)) {
    if (!instruction || instruction.opcode > OP.NOP10) return false;
    if (instruction.end - instruction.dataStart > MAX_SCRIPT_ELEMENT_SIZE) return false;
  }
  return true;
}

/** Whether no signature can ever spend this. @see Bitcoin Core `CScript::IsUnspendable` */
export function isUnspendable(script: Uint8Array): boolean {
  return script[0] === OP.RETURN || script.length > MAX_SCRIPT_SIZE;
}
