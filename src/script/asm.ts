import { formatHexRange } from '../bytes/hex.ts';
import { type Instruction, instructions, isDataPush, isUnspendable } from './instructions.ts';
import { readScriptNumber } from './number.ts';
import { opcodeName } from './opcodes.ts';
import { isStrictSignature, sighashName } from './signatureEncoding.ts';

const MAX_NUMBER_SIZE = 4;

/**
 * Formats a script as a node shows it: pushes of up to 4 bytes as numbers, longer ones as hex, `[error]` where a push
 * runs past the end.
 *
 * - `decodeSighash`: shows the hash type of what looks like a signature by name (`…[ALL]`), as for a scriptSig
 *
 * @see Bitcoin Core `ScriptToAsmStr`
 */
export function formatAsm(script: Uint8Array, { decodeSighash = false }: { decodeSighash?: boolean } = {}): string {
  const showsSighash = decodeSighash && !isUnspendable(script);
  let text = '';
  for (const instruction of instructions(script)) {
    if (text !== '') text += ' ';
    if (!instruction) return `${text}[error]`;
    text += isDataPush(instruction) ? formatPush(script, instruction, showsSighash) : opcodeName(instruction.opcode);
  }
  return text;
}

function formatPush(script: Uint8Array, { dataStart, end }: Instruction, showsSighash: boolean): string {
  if (end - dataStart <= MAX_NUMBER_SIZE) return String(readScriptNumber(script, dataStart, end));
  if (!showsSighash || !isStrictSignature(script.slice(dataStart, end))) return formatHexRange(script, dataStart, end);
  return `${formatHexRange(script, dataStart, end - 1)}[${sighashName(script[end - 1] ?? 0)}]`;
}
