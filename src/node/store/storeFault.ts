import { withoutSecrets } from '../../core/encoding/redaction.ts';
import { BtcError } from '../../core/errors.ts';
import { kindName } from './kinds.ts';

export const UNSURE = 'the last change may or may not be kept; reopen the store to see';

export function storeFault(path: string, reason: string): BtcError {
  const data = { path, reason, ...(reason === UNSURE && { isUnsure: true as const }) };
  return new BtcError('store/failed', data, `Cannot use ${withoutSecrets(path, 'path')}: ${reason}`);
}

/** @throws BtcError `store/corrupt` if decoding fails */
export function unlessUnreadable<T>(kind: string, decode: () => T): T {
  try {
    return decode();
  } catch {
    const message = `A record of the kind "${kindName(kind)}" cannot be read, although its sum is right: restore the store from a backup`;
    throw new BtcError('store/corrupt', { path: '', reason: 'record' }, message);
  }
}
