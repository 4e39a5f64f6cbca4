import { instructions } from './instructions.ts';
import { OP_2DIV, OP_2MUL, OP_CAT, OP_INVERT, OP_MUL, OP_RIGHT, OP_RSHIFT, OP_XOR } from './opcodes.ts';

/** Does not count pushes, nor hold for tapscript. @see Core `MAX_OPS_PER_SCRIPT` */
export const MAX_OPS = 201;

/** Tells whether an opcode fails a script even in a branch that is not taken. @see Core `EvalScript`, CVE-2010-5137 */
export function isDisabled(opcode: number): boolean {
  return (
    (opcode >= OP_CAT && opcode <= OP_RIGHT) ||
    (opcode >= OP_INVERT && opcode <= OP_XOR) ||
    opcode === OP_2MUL ||
    opcode === OP_2DIV ||
    (opcode >= OP_MUL && opcode <= OP_RSHIFT)
  );
}

/** Tells whether an opcode makes any tapscript that contains it succeed. @see BIP342 */
export function isOpSuccess(opcode: number): boolean {
  return (
    opcode === 80 ||
    opcode === 98 ||
    (opcode >= 126 && opcode <= 129) ||
    (opcode >= 131 && opcode <= 134) ||
    (opcode >= 137 && opcode <= 138) ||
    (opcode >= 141 && opcode <= 142) ||
    (opcode >= 149 && opcode <= 153) ||
    (opcode >= 187 && opcode <= 254)
  );
}

/** Tells whether a script parses up to an OP_SUCCESSx. @see BIP342 "Script execution" */
export function hasOpSuccess(script: Uint8Array): boolean {
  for (const instruction of instructions(script)) {
    if (!instruction || isOpSuccess(instruction.opcode)) return instruction !== undefined;
  }
  return false;
}
