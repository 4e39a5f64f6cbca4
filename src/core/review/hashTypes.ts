import { sighashName } from '../script/signatureEncoding.ts';
import { isAnyoneCanPay, isTaprootSighashType, outputMode } from '../sighash/sighashType.ts';

/** Names a hash type as `--sighash` takes it, an undefined one in hex. */
export const hashTypeName = (sighashType: number): string =>
  isTaprootSighashType(sighashType) ? sighashName(sighashType) || 'DEFAULT' : `0x${sighashType.toString(16)}`;

/** Follows "signatures" or "which". */
export function commitmentText(sighashType: number, inputIndex: number): string {
  const mode = outputMode(sighashType);
  const isAlone = isAnyoneCanPay(sighashType);
  if (mode === 'none') {
    const nothing = isAlone ? 'no output and no other input' : 'no output';
    return `commit to ${nothing}: whoever gets one can send the coin anywhere`;
  }
  if (mode === 'single') {
    const others = isAlone
      ? 'others can change all other outputs, and add inputs'
      : 'others can change all other outputs';
    return `commit to output ${inputIndex} only: ${others}`;
  }
  return isAlone ? 'commit to all outputs, but to no other input: others can add inputs' : 'commit to everything';
}

export function commitsToOutput(sighashType: number, inputIndex: number, outputIndex: number): boolean {
  const mode = outputMode(sighashType);
  return mode === 'all' || (mode === 'single' && inputIndex === outputIndex);
}
