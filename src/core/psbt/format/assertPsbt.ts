import { areObjects, isObject } from '../../bytes/knownOptions.ts';
import { BtcError } from '../../errors.ts';
import type { Psbt } from './types.ts';

/** Refuses what is not a PSBT, such as a transaction. @throws `psbt/unrecognized` */
export function assertPsbt(psbt: Psbt): void {
  assertOutline(psbt);
  if (!areObjects(psbt.inputs) || !areObjects(psbt.outputs)) throw unrecognized();
}

/** Like `assertPsbt`, for functions that are called for each input: looks at none. @throws `psbt/unrecognized` */
export function assertOutline(psbt: Psbt): void {
  const isOutlined = isObject(psbt) && isObject(psbt.global) && [psbt.inputs, psbt.outputs].every(Array.isArray);
  if (!isOutlined) throw unrecognized();
}

const unrecognized = (): BtcError =>
  new BtcError('psbt/unrecognized', {}, 'This is not a PSBT: pass its text, its bytes, or the result of parsePsbt');
