import { assertBytes } from '../bytes/assertBytes.ts';
import { formatHexRange } from '../bytes/hex.ts';
import { assertKnownOptions, type OptionNames } from '../bytes/knownOptions.ts';
import { type Instruction, instructionAt, isDataPush, isUnspendable } from './instructions.ts';
import { readScriptNumber } from './number.ts';
import { opcodeName } from './opcodeNames.ts';
import { isStrictSignature, sighashName } from './signatureEncoding.ts';

const MAX_NUMBER_SIZE = 4;

/** How a script is written. */
export interface AsmOptions {
  readonly decodeSighash?: boolean;
}

const ASM_OPTIONS: OptionNames<AsmOptions> = { decodeSighash: true };

/**
 * Disassembles a script in Core's format: pushes of up to 4 bytes as numbers, longer ones as hex, `[error]` for a push
 * that runs past the end.
 *
 * - `decodeSighash`: names the hash type of pushes that look like signatures (`…[ALL]`), as for a scriptSig
 *
 * @see Core `ScriptToAsmStr`
 */
export function formatAsm(script: Uint8Array, options: AsmOptions = {}): string {
  assertBytes('script', script);
  assertKnownOptions(options, ASM_OPTIONS);
  const { decodeSighash = false } = options;
  const showsSighash = decodeSighash && !isUnspendable(script);
  let text = '';
  for (let next = 0; next < script.length; ) {
    const instruction = instructionAt(script, next);
    if (next > 0) text += ' ';
    if (!instruction) return `${text}[error]`;
    text += isDataPush(instruction) ? formatPush(script, instruction, showsSighash) : opcodeName(instruction.opcode);
    next = instruction.end;
  }
  return text;
}

function formatPush(script: Uint8Array, { dataStart, end }: Instruction, showsSighash: boolean): string {
  if (end - dataStart <= MAX_NUMBER_SIZE) return String(readScriptNumber(script, dataStart, end));
  if (!showsSighash || !isStrictSignature(script.slice(dataStart, end))) return formatHexRange(script, dataStart, end);
  return `${formatHexRange(script, dataStart, end - 1)}[${sighashName(script[end - 1] ?? 0)}]`;
}
