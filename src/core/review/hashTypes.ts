import { sighashName } from '../script/signatureEncoding.ts';
import { isTaprootSighashType, outputMode } from '../sighash/sighashType.ts';

/** Names a hash type as `--sighash` takes it, an undefined one in hex. */
export const hashTypeName = (sighashType: number): string =>
  isTaprootSighashType(sighashType) ? sighashName(sighashType) || 'DEFAULT' : `0x${sighashType.toString(16)}`;

export function commitsToOutput(sighashType: number, inputIndex: number, outputIndex: number): boolean {
  const mode = outputMode(sighashType);
  return mode === 'all' || (mode === 'single' && inputIndex === outputIndex);
}
