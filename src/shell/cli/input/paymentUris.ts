import { formatMoney } from '../../../core/encoding/amount.ts';
import { printable } from '../../../core/encoding/printable.ts';
import { shortened } from '../../../core/errors.ts';
import type { Network } from '../../../core/network/networks.ts';
import type { PsbtReview } from '../../../core/review/reviewPsbt.ts';
import { type FoundPayment, findPayment } from '../../../kit/payment/findPayment.ts';
import { type PaymentUri, parsePaymentUri } from '../../../kit/payment/paymentUri.ts';
import { UsageError, withUsageErrors } from '../../terminal/usageError.ts';
import { text } from '../options.ts';

export const paysOption = {
  pays: text('URI', 'stop unless the PSBT pays this payment URI (BIP321): its address, and its amount if it has one'),
};

export const readPayment = (given: string, network: Network): PaymentUri =>
  withUsageErrors(
    () => parsePaymentUri(given, { network }),
    (reason) => `--pays: ${reason}`,
  );

/** Returns a line that says which output pays. @throws UsageError if none does */
export function paidText(review: PsbtReview, uri: PaymentUri): string {
  const found = findPayment(review, uri);
  if (found.kind !== 'paid') throw new UsageError(`--pays: ${faultText(found, uri)}`);
  const { outputIndex, address } = found;
  const value = review.outputs[outputIndex]?.value ?? 0n;
  const label = uri.label === undefined ? '' : ` (${shortened(printable(uri.label))})`;
  return `output ${outputIndex} pays the payment URI: ${coins(value, uri)} to ${address}${label}`;
}

const coins = (sats: bigint, { network }: PaymentUri): string => `${formatMoney(sats)} ${network.ticker}`;

function faultText(found: Exclude<FoundPayment, { kind: 'paid' }>, uri: PaymentUri): string {
  switch (found.kind) {
    case 'missing':
      return 'no output pays an address of the payment URI';
    case 'repeated':
      return `the outputs ${found.outputIndexes.join(' and ')} all pay addresses of the payment URI, which asks for one payment`;
    default:
      return `output ${found.outputIndex} pays ${coins(found.value, uri)}, but the payment URI asks for ${coins(uri.amount ?? 0n, uri)}`;
  }
}
