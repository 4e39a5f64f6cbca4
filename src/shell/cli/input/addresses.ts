import { parseAddress } from '../../../core/address/address.ts';
import { unlessRefused } from '../../../core/errors.ts';
import type { Network } from '../../../core/network/networks.ts';
import { isSilentPaymentText, parseSilentPaymentAddress } from '../../../core/silentPayments/address.ts';
import { networksOfAddress } from '../../../kit/open/open.ts';
import { UsageError } from '../../terminal/usageError.ts';

/** Returns the address. Shows no text that is not one, which may be a secret. @throws UsageError */
export function readAddress(option: string, given: string, network: Network): string {
  const parse = isSilentPaymentText(given) ? parseSilentPaymentAddress : parseAddress;
  if (unlessRefused(() => parse(given, network))) return given;
  const [other] = networksOfAddress(given);
  throw new UsageError(
    other
      ? `${option}: the address is of ${other.name}, not of ${network.name}`
      : `${option}: this is not a valid address`,
  );
}
