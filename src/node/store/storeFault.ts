import { withoutSecrets } from '../../core/encoding/redaction.ts';
import { BtcError } from '../../core/errors.ts';

export const UNSURE = 'the last change may or may not be kept; reopen the store to see';

export function storeFault(path: string, reason: string): BtcError {
  const data = { path, reason, ...(reason === UNSURE && { isUnsure: true as const }) };
  return new BtcError('store/failed', data, `Cannot use ${withoutSecrets(path, 'path')}: ${reason}`);
}
