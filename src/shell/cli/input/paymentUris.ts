import { formatAddress, parseAddress } from '../../../core/address/address.ts';
import { formatMoney, parseMoney } from '../../../core/encoding/amount.ts';
import { printable } from '../../../core/encoding/printable.ts';
import { mayHoldPrivateKey, quoted, withoutKeys } from '../../../core/encoding/redaction.ts';
import { shortened } from '../../../core/errors.ts';
import { isHolders } from '../../../core/holder/owner.ts';
import { isWalletName } from '../../../core/holder/registration.ts';
import type { Network } from '../../../core/network/networks.ts';
import { ownerText, rootNote } from '../../../core/report/english.ts';
import { findingText } from '../../../core/report/findingText.ts';
import { ownerData } from '../../../core/report/lines.ts';
import { intentOf, isIntended, type Payee } from '../../../core/review/intent.ts';
import type { OutputReview } from '../../../core/review/outputs.ts';
import { BITCOIN_SIGN, plainName } from '../../../core/review/paymentName.ts';
import type { PsbtReview } from '../../../core/review/reviewPsbt.ts';
import { isSilentPaymentText, parseSilentPaymentAddress } from '../../../core/silentPayments/address.ts';
import { parsePaymentName } from '../../../kit/names/paymentName.ts';
import { isPaymentUri, type PaymentUri, parsePaymentUri } from '../../../kit/payment/paymentUri.ts';
import { UsageError, withUsageErrors } from '../../terminal/usageError.ts';
import { list } from '../options.ts';

export const payeeOptions = {
  pays: list(
    'PAYEE',
    'all that you mean to pay: an address, ADDRESS=AMOUNT in coins, a payment URI (BIP321), whose amount counts, too, a payment name that the PSBT proves (BIP353), such as ₿alice@example.com, or wallet:NAME, a wallet that you registered; may be given more than once. Refuse whatever else leaves',
  ),
  'same-receiver': list(
    'ADDRESS',
    'an address of silent payments that you have from the receiver of others with the same scan key, as of one with several labels; given for each of them, as a stranger could hide such payments',
  ),
};

/** Returns the address. Does not quote it in errors: it may be a key. */
export const readReceiver = (address: string, network: Network): string =>
  readSilent('--same-receiver', address, network);

function readSilent(option: string, address: string, network: Network): string {
  withUsageErrors(
    () => parseSilentPaymentAddress(address, network),
    (reason) => `${option}: ${reason}`,
  );
  return address;
}

/** Someone to be paid, by any one of `payees`. */
export interface NamedPayee {
  /** Safe to show. */
  readonly name: string;
  readonly payees: readonly Payee[];
  /** A wallet may be paid by several outputs. */
  readonly isWallet: boolean;
  /** In satoshi. */
  readonly amount?: bigint;
  readonly label?: string;
  /** Without ₿, if it is by its name that someone is to be paid. */
  readonly paymentName?: string;
}

const WALLET = 'wallet:';

/** @throws UsageError */
export function readPayee(given: string, network: Network): NamedPayee {
  const text = given.trim();
  if (text.startsWith(WALLET)) {
    const wallet = text.slice(WALLET.length);
    if (!isWalletName(wallet)) throw new UsageError('--pays wallet:NAME needs the name of a registered wallet');
    return { name: `the wallet ${quoted(wallet)}`, payees: [{ wallet }], isWallet: true };
  }
  const [, paymentName, nameAmount] = /^₿?([^@:]+@[^@:=]+)(?:=([^=]*))?$/.exec(text) ?? [];
  if (paymentName !== undefined) {
    if (mayHoldPrivateKey(paymentName)) {
      throw new UsageError(
        '--pays: what stands before or after the @ looks like a key or seed words, not like a payment name',
      );
    }
    const name = plainName(paymentName);
    if (!parsePaymentName(name)) {
      throw new UsageError(
        `--pays: ${BITCOIN_SIGN}${printable(name)} is not a payment name, such as ₿alice@example.com: letters beyond ASCII are written as xn--..., and there are no spaces`,
      );
    }
    const amount = nameAmount === undefined ? {} : { amount: readAmount(nameAmount, network) };
    return {
      name: `${BITCOIN_SIGN}${printable(name)}`,
      payees: [{ name }],
      isWallet: false,
      paymentName: name,
      ...amount,
    };
  }
  // No address has either, and a payment URI has its amount in itself.
  const [, address, amount] = /^([^=:]*)=([^:]*)$/.exec(text) ?? [];
  if (address !== undefined && amount !== undefined)
    return { ...readAnyone(address, network), amount: readAmount(amount, network) };
  return readAnyone(text, network);
}

/** Does not quote the text in errors. */
function readAmount(text: string, { ticker, maxMoney }: Network): bigint {
  const amount = parseMoney(text);
  if (amount !== undefined && amount > 0n && amount <= maxMoney) return amount;
  throw new UsageError(
    `--pays: the amount after "=" is a number of ${ticker} such as 0.0015, above 0, with at most 8 decimals, within the supply`,
  );
}

/** Reads an address or a payment URI. */
function readAnyone(text: string, network: Network): NamedPayee {
  if (isSilentPaymentText(text))
    return { name: 'the address', payees: [{ silentAddress: readSilent('--pays', text, network) }], isWallet: false };
  const { uriScheme } = network;
  const isUri = uriScheme === undefined || text.includes(':');
  const uri = withUsageErrors(
    () => parsePaymentUri(isUri ? text : `${uriScheme}:${text}`, { network }),
    (reason) => `--pays: ${isUri ? reason : `this is not an address of ${network.name}: copy all of it`}`,
  );
  return { ...payeeOf(uri), name: isPaymentUri(text, network) ? 'the payment URI' : 'the address' };
}

const payeeOf = ({ addresses, silentPayments, amount, label, network }: PaymentUri) => ({
  payees: [
    ...addresses.map((address) => ({ scriptPubKey: parseAddress(address, network) })),
    ...silentPayments.map((silentAddress) => ({ silentAddress })),
  ],
  isWallet: false,
  ...(amount !== undefined && { amount }),
  ...(label !== undefined && { label }),
});

/** Returns lines that say which outputs pay. @throws UsageError if none pays someone, or another amount, or one pays two */
export function paidTexts(review: PsbtReview, payees: readonly NamedPayee[]): readonly string[] {
  const found = payees.map((payee) => ({ payee, paid: outputsTo(review, payee) }));
  const indexes = found.flatMap(({ paid }) => paid.map(({ outputIndex }) => outputIndex));
  const repeated = indexes.find((index, i) => indexes.indexOf(index) < i);
  if (repeated !== undefined) {
    const count = indexes.filter((index) => index === repeated).length;
    throw new UsageError(`--pays: output ${repeated} pays ${count} of those that you named: name each payment once`);
  }
  return found.map(({ payee, paid }) => paidText(review, payee, paid));
}

function outputsTo({ outputs }: PsbtReview, { payees }: NamedPayee): readonly OutputReview[] {
  const intent = intentOf(payees);
  return outputs.filter((output) => isIntended(output, intent));
}

function paidText(review: PsbtReview, payee: NamedPayee, paid: readonly OutputReview[]): string {
  const { network } = review;
  const { name, isWallet, amount, label } = payee;
  const [first, ...others] = paid;
  const refuse = (reason: string): never => {
    throw new UsageError(`--pays: ${reason}`);
  };
  if (!first) return refuse(`no output ${missingText(review, payee)}`);
  const indexes = paid.map(({ outputIndex }) => outputIndex);
  const coins = (sats: bigint): string => `${formatMoney(sats)} ${network.ticker}`;
  if (isWallet) {
    const sum = paid.reduce((total, { value }) => total + value, 0n);
    return `${others.length > 0 ? `outputs ${indexes.join(' and ')} pay` : `output ${first.outputIndex} pays`} ${name}: ${coins(sum)}${rootNote(first.owner.root)}`;
  }
  if (others.length > 0) refuse(`the outputs ${indexes.join(' and ')} all pay ${name}, which asks for one payment`);
  if (amount !== undefined && first.value !== amount) {
    refuse(
      `output ${first.outputIndex} pays ${name}: ${coins(first.value)}, not the ${coins(amount)} that you asked for`,
    );
  }
  const shownLabel = label === undefined ? '' : ` (${shortened(printable(withoutKeys(label)))})`;
  const address = addressOf(first, network);
  const own = isHolders(first.owner) ? `, which is yours (${ownerText(ownerData(first.owner))})` : '';
  return `output ${first.outputIndex} pays ${name}: ${coins(first.value)} to ${address}${shownLabel}${own}`;
}

/** Says why an output that claims to pay a silent payment address does not count. */
function missingText(review: PsbtReview, payee: NamedPayee): string {
  const { outputs, findings, network } = review;
  const { name, payees, isWallet, paymentName } = payee;
  if (paymentName !== undefined) {
    const doubts = findings.filter(({ check }) => check === 'name-unproven' || check === 'name-refuted');
    if (doubts.length === 0) return `is proven to pay ${name}: ask for a PSBT with the proof of that name`;
    return [`is proven to pay ${name}.`, ...doubts.map((finding) => findingText(finding, network))].join(' ');
  }
  if (isWallet) return `pays ${name}: pass its file with --descriptors-file, and the key that registered it`;
  const { silentAddresses } = intentOf(payees);
  const claiming = outputs.filter(({ silentPayment: { address } = {} }) => silentAddresses.has(address ?? ''));
  if (claiming.length === 0) return `pays ${name}`;
  const reasons = findings.filter(
    ({ check, outputIndex }) => check !== 'pays-other' && claiming.some((output) => output.outputIndex === outputIndex),
  );
  return [`is proven to pay ${name}.`, ...reasons.map((finding) => findingText(finding, network))].join(' ');
}

const addressOf = ({ silentPayment, scriptPubKey }: OutputReview, network: Network): string =>
  silentPayment?.address ?? formatAddress(scriptPubKey, network) ?? 'its script';
