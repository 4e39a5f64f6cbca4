import { isBytes } from '../bytes/assertBytes.ts';
import { concatBytes } from '../bytes/compare.ts';
import { invalidOption } from '../bytes/knownOptions.ts';
import { pushMinimally, pushNumber } from './build.ts';
import { MAX_SCRIPT_ELEMENT_SIZE } from './instructions.ts';
import { encodeScriptNumber } from './number.ts';
import { OP, type Opcodes } from './opcodeNames.ts';
import { OP_0, OP_PUSHDATA4 } from './opcodes.ts';

/** An opcode by name, such as `OP_CHECKSIG`; a number or bytes to push. */
export type ScriptPart = `OP_${string & keyof Opcodes}` | number | Uint8Array;

/**
 * Encodes a script, each push in its shortest form.
 * @throws `argument/invalid` for an unknown opcode, a number beyond 32 bits, and a push of more than 520 bytes, which no script
 * that is run may have; an output of data, after OP_RETURN, may
 * @see Core `CScript::operator<<`; BIP62 rule 3
 *
 * @example
 * ```ts
 * import { formatHex } from 'countersign';
 * import { encodeScript } from 'countersign/script';
 *
 * formatHex(encodeScript(['OP_SIZE', 32, 'OP_EQUALVERIFY'])); // 82012088
 * ```
 */
export function encodeScript(parts: readonly ScriptPart[]): Uint8Array {
  if (!Array.isArray(parts)) throw invalidOption('parts', 'must be a list of opcode names, numbers and Uint8Arrays');
  const isRun = parts[0] !== 'OP_RETURN';
  return concatBytes(...parts.map((part, i) => encodePart(part, `parts[${i}]`, isRun)));
}

function encodePart(part: ScriptPart, place: string, isRun: boolean): Uint8Array {
  if (typeof part === 'string') return Uint8Array.of(opcodeNamed(part, place));
  if (typeof part === 'number') {
    if (!Number.isInteger(part) || Math.abs(part) > 0xffff_ffff) {
      throw invalidOption(place, 'must be a whole number of at most 32 bits: push others as bytes');
    }
    return part < 0 ? pushMinimally(encodeScriptNumber(part)) : pushNumber(part);
  }
  if (!isBytes(part)) throw invalidOption(place, 'must be the name of an opcode, a number or a Uint8Array');
  if (isRun && part.length > MAX_SCRIPT_ELEMENT_SIZE) {
    throw invalidOption(place, `has more than ${MAX_SCRIPT_ELEMENT_SIZE} bytes, which no script may push: split it`);
  }
  return pushMinimally(part);
}

function opcodeNamed(name: string, place: string): number {
  const key = name.startsWith('OP_') ? name.slice('OP_'.length) : '';
  const opcode = Object.hasOwn(OP, key) ? OP[key as keyof Opcodes] : undefined;
  if (opcode === undefined) throw invalidOption(place, 'is not the name of an opcode, such as OP_CHECKSIG');
  if (opcode > OP_0 && opcode <= OP_PUSHDATA4) throw invalidOption(place, 'is a push: give the bytes to push');
  return opcode;
}
