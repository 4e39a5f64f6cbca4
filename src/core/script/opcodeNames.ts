import * as opcodes from './opcodes.ts';
import { OP_1, OP_1NEGATE, OP_16, OP_NOP, OP_RESERVED } from './opcodes.ts';

type NameOf<N> = N extends `OP_${infer Name}` ? Name : never;

/**
 * The opcodes by name without `OP_`.
 * @interface
 */
export type Opcodes = { readonly [N in keyof typeof opcodes as NameOf<N>]: (typeof opcodes)[N] };

/** The opcodes by name without `OP_`. @see Core `script.h` */
export const OP: Opcodes = Object.fromEntries(
  Object.entries(opcodes)
    .map(([name, opcode]) => [name.slice('OP_'.length), opcode] as const)
    .sort(([, a], [, b]) => a - b),
) as Opcodes;

const OP_NAMES: readonly string[] = Object.entries(OP)
  .filter(([, opcode]) => opcode >= OP_NOP)
  .map(([name]) => `OP_${name}`);

/** Names an opcode that is not a data push. @see Core `GetOpName` */
export function opcodeName(opcode: number): string {
  if (opcode === OP_1NEGATE) return '-1';
  if (opcode === OP_RESERVED) return 'OP_RESERVED';
  if (opcode >= OP_1 && opcode <= OP_16) return String(opcode - OP_RESERVED);
  if (opcode === 0xff) return 'OP_INVALIDOPCODE';
  return OP_NAMES[opcode - OP_NOP] ?? 'OP_UNKNOWN';
}
