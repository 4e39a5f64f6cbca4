import { concatBytes } from '../bytes/compare.ts';
import { instructionAt } from './instructions.ts';

/**
 * Removes a byte pattern from a script wherever it begins at an instruction. The original sighash does this with the push
 * of the signature itself, since a signature cannot sign itself. Keeps everything from the first instruction that does
 * not parse.
 * @returns the same object if nothing was found
 * @see Bitcoin Core `FindAndDelete`
 */
export function findAndDelete(script: Uint8Array, pattern: Uint8Array): Uint8Array {
  if (pattern.length === 0) return script;
  const kept: Uint8Array[] = [];
  let keptFrom = 0;
  let offset = 0;
  for (;;) {
    if (startsWith(script, offset, pattern)) {
      kept.push(script.slice(keptFrom, offset));
      while (startsWith(script, offset, pattern)) offset += pattern.length;
      keptFrom = offset;
    }
    const instruction = offset < script.length ? instructionAt(script, offset) : undefined;
    if (!instruction) break;
    offset = instruction.end;
  }
  return keptFrom === 0 ? script : concatBytes(...kept, script.slice(keptFrom));
}

function startsWith(script: Uint8Array, offset: number, pattern: Uint8Array): boolean {
  if (script.length - offset < pattern.length) return false;
  for (let i = 0; i < pattern.length; i += 1) if (script[offset + i] !== pattern[i]) return false;
  return true;
}
