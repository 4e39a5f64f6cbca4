import { parseAddress } from '../../core/address/address.ts';
import { equalBytes } from '../../core/bytes/compare.ts';
import { assertShape, isObject } from '../../core/bytes/knownOptions.ts';
import { assertReview } from '../../core/report/assertReview.ts';
import type { OutputReview } from '../../core/review/outputs.ts';
import type { PaymentUri } from './paymentUri.ts';

/** What a PSBT's outputs make of a payment URI. */
export type FoundPayment =
  /** One output pays an address of the URI, and the amount that it asks for, if any. */
  | {
      readonly kind: 'paid';
      readonly outputIndex: number;
      readonly address: string;
      /** True if the address is of the wallet that pays. */
      readonly isOwn?: true;
    }
  /** The same of a silent payment that its receiver finds only under a condition, which a finding of the output names. */
  | { readonly kind: 'conditional'; readonly outputIndex: number; readonly address: string }
  /** One output pays an address of the URI, but another amount, in satoshi. */
  | { readonly kind: 'other-amount'; readonly outputIndex: number; readonly address: string; readonly value: bigint }
  /** Several outputs pay addresses of the URI. */
  | { readonly kind: 'repeated'; readonly outputIndexes: readonly number[] }
  | { readonly kind: 'missing' };

/**
 * Finds the output of a reviewed PSBT or transaction that pays a payment URI. A silent payment counts if its script is proven, or
 * still to be computed from its address. Whether signatures, or the coins that are spent, leave anything else open is for the review's findings
 * to say.
 *
 * @example
 * ```ts
 * import { accountFromWords, buildPsbt, reviewWith } from 'countersign';
 * import { findPayment, parsePaymentUri } from 'countersign/payment';
 *
 * const uri = parsePaymentUri('bitcoin:bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080?amount=0.0006', { network: 'regtest' });
 * const me = accountFromWords(`${'abandon '.repeat(11)}about`, { network: 'regtest' });
 * const coin = { txid: '11'.repeat(32), vout: 0, value: 100_000n, from: me.receive(0) };
 * const psbt = buildPsbt({ inputs: [coin], outputs: [{ to: uri }], change: me.change(0), feeRate: 2 });
 * findPayment(reviewWith(me, psbt), uri).kind; // paid
 * ```
 */
export function findPayment(review: { readonly outputs: readonly OutputReview[] }, uri: PaymentUri): FoundPayment {
  assertReview(review);
  assertShape('uri', isObject(uri) && Array.isArray(uri.addresses), 'a payment URI, as parsePaymentUri returns it');
  const { addresses, silentPayments, amount, network } = uri;
  const scripts = addresses.map((address) => [address, parseAddress(address, network)] as const);
  const found = review.outputs.flatMap((output) => {
    const { outputIndex, scriptPubKey, value, silentPayment } = output;
    const { status } = silentPayment ?? {};
    const isConditional = status === 'conditional';
    // Whoever writes the PSBT may claim anything of a script that is there and not proven.
    const silent =
      silentPayment && (status === 'proven' || status === 'open' || isConditional)
        ? silentPayments.find((address) => address.toLowerCase() === silentPayment.address)
        : undefined;
    const [onChain] = scripts.find(([, script]) => equalBytes(script, scriptPubKey)) ?? [];
    const address = onChain ?? silent;
    if (address === undefined) return [];
    return [
      { outputIndex, address, value, isOwn: isOwn(output), isConditional: isConditional && onChain === undefined },
    ];
  });
  const [first, ...others] = found;
  if (!first) return { kind: 'missing' };
  if (others.length > 0) return { kind: 'repeated', outputIndexes: found.map(({ outputIndex }) => outputIndex) };
  const { outputIndex, address, value } = first;
  const paid = { outputIndex, address };
  if (amount !== undefined && value !== amount) return { kind: 'other-amount', ...paid, value };
  if (first.isConditional) return { kind: 'conditional', ...paid };
  return { kind: 'paid', ...paid, ...(first.isOwn && { isOwn: true as const }) };
}

/** Excludes wallets of which no coin is spent: a stranger may have made their files. */
const isOwn = ({ role }: OutputReview): boolean => role === 'change' || role === 'own';
