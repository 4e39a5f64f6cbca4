import { BtcError } from '../../errors.ts';
import type { Psbt } from './types.ts';

/** Refuses a text or bytes in the place of what `parsePsbt` makes of them. @throws `psbt/unrecognized` */
export function assertPsbt(psbt: Psbt, wanted = 'the result of parsePsbt'): void {
  if (Array.isArray(psbt?.inputs) && Array.isArray(psbt.outputs)) return;
  throw new BtcError('psbt/unrecognized', {}, `This is not a PSBT: pass ${wanted}`);
}
