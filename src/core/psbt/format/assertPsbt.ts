import { isObject } from '../../bytes/knownOptions.ts';
import { BtcError } from '../../errors.ts';
import type { Psbt } from './types.ts';

/** Refuses what is not a PSBT, such as a transaction. @throws `psbt/unrecognized` */
export function assertPsbt(psbt: Psbt): void {
  if (isObject(psbt) && isObject(psbt.global) && areObjects(psbt.inputs) && areObjects(psbt.outputs)) return;
  throw new BtcError(
    'psbt/unrecognized',
    {},
    'This is not a PSBT: pass its text, its bytes, or the result of parsePsbt',
  );
}

const areObjects = (maps: unknown): boolean => Array.isArray(maps) && maps.every(isObject);
