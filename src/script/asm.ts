import { formatHex } from '../bytes/hex.ts';
import { instructionAt, isUnspendable } from './instructions.ts';
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
  let offset = 0;
  while (offset < script.length) {
    if (offset > 0) text += ' ';
    const instruction = instructionAt(script, offset);
    if (!instruction) return `${text}[error]`;
    const { opcode, data, end } = instruction;
    text += data === undefined ? opcodeName(opcode) : formatPush(data, showsSighash);
    offset = end;
  }
  return text;
}

function formatPush(data: Uint8Array, showsSighash: boolean): string {
  if (data.length <= MAX_NUMBER_SIZE) return String(readScriptNumber(data));
  if (!showsSighash || !isStrictSignature(data)) return formatHex(data);
  const last = data.length - 1;
  return `${formatHex(data.subarray(0, last))}[${sighashName(data[last] ?? 0)}]`;
}
