import { formatMoney } from '../../../core/encoding/amount.ts';
import { printable } from '../../../core/encoding/printable.ts';
import { shortened } from '../../../core/errors.ts';
import type { Network } from '../../../core/network/networks.ts';
import type { PsbtReview } from '../../../core/review/reviewPsbt.ts';
import { parseSilentPaymentAddress } from '../../../core/silentPayments/address.ts';
import { type FoundPayment, findPayment } from '../../../kit/payment/findPayment.ts';
import { type PaymentUri, parsePaymentUri } from '../../../kit/payment/paymentUri.ts';
import { UsageError, withUsageErrors } from '../../terminal/usageError.ts';
import { list, text } from '../options.ts';

export const payeeOptions = {
  pays: text('URI', 'stop unless the PSBT pays this payment URI (BIP321): its address, and its amount if it has one'),
  'same-receiver': list(
    'ADDRESS',
    'an address of silent payments that you have from the receiver of others with the same scan key, as of one with several labels; given for each of them, as a stranger could hide such payments',
  ),
};

/** Returns the address. Does not quote it in errors: it may be a key. */
export const readReceiver = (address: string, network: Network): string =>
  withUsageErrors(
    () => {
      parseSilentPaymentAddress(address, network);
      return address;
    },
    (reason) => `--same-receiver: ${reason}`,
  );

export const readPayment = (given: string, network: Network): PaymentUri =>
  withUsageErrors(
    () => parsePaymentUri(given, { network }),
    (reason) => `--pays: ${reason}`,
  );

/** Returns a line that says which output pays. @throws UsageError if none does */
export function paidText(review: PsbtReview, uri: PaymentUri): string {
  const found = findPayment(review, uri);
  if (found.kind !== 'paid') throw new UsageError(`--pays: ${faultText(found, review, uri)}`);
  const { outputIndex, address, isOwn } = found;
  const value = review.outputs[outputIndex]?.value ?? 0n;
  const label = uri.label === undefined ? '' : ` (${shortened(printable(uri.label))})`;
  return `output ${outputIndex} pays the payment URI: ${coins(value, uri)} to ${address}${label}${isOwn ? ', your own address' : ''}`;
}

const coins = (sats: bigint, { network }: PaymentUri): string => `${formatMoney(sats)} ${network.ticker}`;

function faultText(
  found: Exclude<FoundPayment, { kind: 'paid' }>,
  { outputs, findings }: PsbtReview,
  uri: PaymentUri,
): string {
  const reasons = (isMeant: (outputIndex: number | undefined) => boolean): string =>
    findings.flatMap(({ outputIndex, text: reason }) => (isMeant(outputIndex) ? [` ${reason}`] : [])).join('');
  switch (found.kind) {
    case 'missing': {
      const claiming = outputs.filter(({ silentPayment }) =>
        uri.silentPayments.some((address) => address.toLowerCase() === silentPayment?.address),
      );
      if (claiming.length === 0) return 'no output pays an address of the payment URI';
      const why = reasons((index) => claiming.some(({ outputIndex }) => outputIndex === index));
      return `no output is proven to pay an address of the payment URI.${why}`;
    }
    case 'conditional':
      return `output ${found.outputIndex} is not proven to pay an address of the payment URI.${reasons((index) => index === found.outputIndex)}`;
    case 'repeated':
      return `the outputs ${found.outputIndexes.join(' and ')} all pay addresses of the payment URI, which asks for one payment`;
    default:
      return `output ${found.outputIndex} pays ${coins(found.value, uri)}, but the payment URI asks for ${coins(uri.amount ?? 0n, uri)}`;
  }
}
