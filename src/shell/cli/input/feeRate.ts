import { UsageError } from '../../terminal/usageError.ts';
import { text } from '../options.ts';

export const feeRateOption = { 'fee-rate': text('SATS', 'satoshi per virtual byte') };

/** Reviews refuse higher ones. */
const MOST_RATE = 1000;

/** Reads `--fee-rate`, which `what` needs. @throws UsageError */
export function readFeeRate(given: string | undefined, what: string): number {
  if (given === undefined) throw new UsageError(`${what} needs --fee-rate`);
  const rate = /^\d{1,10}(?:\.\d{1,10})?$/.test(given) ? Number(given) : Number.NaN;
  if (rate > 0 && rate <= MOST_RATE) return rate;
  throw new UsageError(`--fee-rate must be a number of satoshi per virtual byte, above 0 and up to ${MOST_RATE}`);
}
