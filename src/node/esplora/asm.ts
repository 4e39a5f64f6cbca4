import { formatHexRange } from '../../core/bytes/hex.ts';
import { instructionAt, isDataPush } from '../../core/script/instructions.ts';
import { opcodeName } from '../../core/script/opcodeNames.ts';
import {
  OP_0,
  OP_1,
  OP_1NEGATE,
  OP_16,
  OP_CHECKLOCKTIMEVERIFY,
  OP_CHECKSEQUENCEVERIFY,
  OP_CHECKSIGADD,
  OP_PUSHDATA1,
  OP_PUSHDATA4,
  OP_RESERVED,
} from '../../core/script/opcodes.ts';

/**
 * Disassembles a script as Esplora shows it: each push with its opcode, and other names for some opcodes than Core's.
 * @see rust-bitcoin `Script::fmt_asm`
 */
export function esploraAsm(script: Uint8Array): string {
  let text = '';
  for (let next = 0; next < script.length; ) {
    const instruction = instructionAt(script, next);
    const opcode = script[next] ?? 0;
    if (!instruction && next + sizeBytes(opcode) >= script.length) return `${text}<unexpected end>`;
    text += `${next > 0 ? ' ' : ''}${nameOf(opcode)}`;
    if (!instruction) return `${text} <push past end>`;
    const { dataStart, end } = instruction;
    if (isDataPush(instruction) && end > dataStart) text += ` ${formatHexRange(script, dataStart, end)}`;
    next = end;
  }
  return text;
}

/** Returns how many bytes between an opcode and its data hold their size. */
const sizeBytes = (opcode: number): number =>
  opcode >= OP_PUSHDATA1 && opcode <= OP_PUSHDATA4 ? 1 << (opcode - OP_PUSHDATA1) : 0;

const OWN_NAMES: ReadonlyMap<number, string> = new Map([
  [OP_0, 'OP_0'],
  [OP_1NEGATE, 'OP_PUSHNUM_NEG1'],
  [OP_CHECKLOCKTIMEVERIFY, 'OP_CLTV'],
  [OP_CHECKSEQUENCEVERIFY, 'OP_CSV'],
]);

function nameOf(opcode: number): string {
  const own = OWN_NAMES.get(opcode);
  if (own !== undefined) return own;
  if (opcode < OP_PUSHDATA1) return `OP_PUSHBYTES_${opcode}`;
  if (opcode <= OP_PUSHDATA4) return `OP_PUSHDATA${sizeBytes(opcode)}`;
  if (opcode >= OP_1 && opcode <= OP_16) return `OP_PUSHNUM_${opcode - OP_RESERVED}`;
  // Those that no soft fork has named end a script, like OP_RETURN.
  return opcode > OP_CHECKSIGADD && opcode < 0xff ? `OP_RETURN_${opcode}` : opcodeName(opcode);
}
