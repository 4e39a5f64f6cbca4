import { parseAddress } from '../../core/address/address.ts';
import { assertText } from '../../core/bytes/assertText.ts';
import { assertKnownOptions, assertList, invalidOption, type OptionNames } from '../../core/bytes/knownOptions.ts';
import { hasHalfCharacter } from '../../core/bytes/utf8.ts';
import { formatMoney, parseMoney } from '../../core/encoding/amount.ts';
import { BtcError, type ErrorData, isBtcError, unlessRefused } from '../../core/errors.ts';
import { type Network, type NetworkOption, resolveNetwork } from '../../core/network/networks.ts';
import { parseSilentPaymentAddress, silentPaymentPrefix } from '../../core/silentPayments/address.ts';

/** A parameter of a payment URI that countersign keeps and does not use, such as `lightning`, `lno` or `pay`. */
export interface OtherParameter {
  /** In lower case, with `req-` if the payer has to understand it. */
  readonly key: string;
  readonly value: string;
}

/** What a payment URI asks for. */
export interface PaymentUri {
  readonly network: Network;
  /** On-chain addresses of the same payment, best first: any one of them pays it. */
  readonly addresses: readonly string[];
  /** Addresses of silent payments (BIP352), any one of which pays it as well. */
  readonly silentPayments: readonly string[];
  /** In satoshi. */
  readonly amount?: bigint;
  /** The name of the recipient. */
  readonly label?: string;
  /** The purpose of the payment. */
  readonly message?: string;
  /** The beginning of a URI by which a wallet proves the payment. countersign opens none. */
  readonly pop?: string;
  readonly others: readonly OtherParameter[];
}

/** Options of `parsePaymentUri`. */
export interface PaymentUriOptions {
  /** Default `main`. */
  readonly network?: NetworkOption;
  /** The required parameters that the caller serves, without `req-`, such as `pop`. Default: none. */
  readonly serves?: readonly string[];
}

const URI_OPTIONS: OptionNames<PaymentUriOptions> = { network: true, serves: true };

type Fault = ErrorData['payment-uri/invalid'];

/** In characters; a QR code holds fewer than half as many. */
const LONGEST = 10_000;

const refuse = (reason: Fault['reason'], text: string, parameter?: string): never => {
  throw new BtcError('payment-uri/invalid', { reason, ...(parameter && { parameter }) }, `The payment URI ${text}`);
};

/** Returns the scheme of payment URIs on a network, if it has one. */
const paymentScheme = ({ uriScheme = '' }: Network): string => `${uriScheme}:`;

/** Tells whether a text begins as a payment URI of the network does. */
export const isPaymentUri = (text: string, network: Network): boolean =>
  network.uriScheme !== undefined && text.toLowerCase().startsWith(paymentScheme(network));

/**
 * Parses a payment URI. Refuses one that requires what neither this function nor the caller understands.
 *
 * @throws `payment-uri/invalid`; `address/network` for an address of another network; `network/unknown`
 * @see BIP321 "Specification"
 *
 * @example
 * ```ts
 * import { parsePaymentUri } from 'countersign/payment';
 *
 * const { addresses, amount, label } = parsePaymentUri(
 *   'bitcoin:bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4?amount=0.0015&label=Coffee%20beans',
 * );
 * addresses.length; // 1
 * amount; // 150000n
 * label; // Coffee beans
 * ```
 */
export function parsePaymentUri(text: string, options: PaymentUriOptions = {}): PaymentUri {
  assertText('payment URI', text);
  assertKnownOptions(options, URI_OPTIONS);
  const network = resolveNetwork(options.network ?? 'main');
  const [body, parameters] = splitUri(text.trim(), network);
  const read: Reading = { addresses: [], silentPayments: [], others: [] };
  if (body !== '') read.addresses.push(assertAddress(body, network));
  const seen = new Set<string>();
  for (const parameter of parameters) readParameter(read, parameter, { network, seen, serves: options.serves ?? [] });
  if (read.addresses.length + read.silentPayments.length + read.others.length === 0) {
    refuse('address', 'names nobody to pay: it needs an address');
  }
  return { network, ...read };
}

type Reading = { -readonly [K in keyof Omit<PaymentUri, 'network'>]: PaymentUri[K] } & {
  readonly addresses: string[];
  readonly silentPayments: string[];
  readonly others: OtherParameter[];
};

/** Returns the body, and the parameters with their values decoded. */
function splitUri(text: string, network: Network): readonly [body: string, parameters: readonly OtherParameter[]] {
  if (hasHalfCharacter(text)) refuse('encoding', 'has half a character (a lone surrogate)');
  if (text.length > LONGEST) refuse('size', `has more than ${LONGEST} characters`);
  if (!isPaymentUri(text, network)) {
    refuse('scheme', `does not begin with "${paymentScheme(network)}", as those of the network ${network.name} do`);
  }
  const rest = text.slice(paymentScheme(network).length);
  if (rest.startsWith('//')) refuse('scheme', `has "//" after "${paymentScheme(network)}": leave it out`);
  if (rest.includes('#')) refuse('encoding', 'has a "#", which must be written as %23');
  const [body = '', ...query] = rest.split('?');
  const parameters = query.join('?').split('&').filter(Boolean);
  return [body, parameters.map(splitParameter)];
}

function splitParameter(text: string): OtherParameter {
  const [key = '', ...values] = text.split('=');
  const name = decode(key).toLowerCase();
  return { key: name, value: decode(values.join('='), name) };
}

const decode = (text: string, parameter?: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return refuse('encoding', `has a "%" that does not begin an encoded character${inParameter(parameter)}`, parameter);
  }
};

/** A key may be as long as the URI, and anything. */
const shownKey = (key: string): string => (/^[a-z][a-z-]{0,30}$/.test(key) ? key : '...');
const inParameter = (key: string | undefined): string => (key ? ` in its parameter "${shownKey(key)}"` : '');

interface Context {
  readonly network: Network;
  /** Keys that may be there only once. */
  readonly seen: Set<string>;
  readonly serves: readonly string[];
}

function readParameter(read: Reading, parameter: OtherParameter, { network, seen, serves }: Context): void {
  const { key, value } = parameter;
  const isRequired = key.startsWith('req-');
  const name = isRequired ? key.slice('req-'.length) : key;
  const once = (): void => {
    if (seen.has(name)) refuse('duplicate', `has its parameter "${name}" twice`, name);
    seen.add(name);
  };
  switch (name) {
    case 'amount':
      once();
      read.amount = assertAmount(value, network);
      return;
    case 'label':
    case 'message':
      once();
      read[name] = value;
      return;
    case 'sp':
    case silentPaymentPrefix(network):
      read.silentPayments.push(assertSilent(value, network));
      return;
    case network.hrp:
      read.addresses.push(assertSegwit(value, network));
      return;
    case 'pop':
      once();
      if (isRequired) assertServed(name, serves);
      read.pop = value;
      return;
    default:
      if (isRequired) assertServed(name, serves);
      read.others.push(parameter);
  }
}

function assertServed(name: string, serves: readonly string[]): void {
  if (serves.includes(name)) return;
  const shown = shownKey(name);
  refuse('required', `requires "${shown}", which is not understood here: pay with another wallet`, shown);
}

function assertAmount(text: string, { maxMoney, ticker }: Network): bigint {
  const amount = parseMoney(text);
  if (amount !== undefined && amount <= maxMoney) return amount;
  return refuse(
    'amount',
    `has an amount that is not a number of ${ticker} such as 0.0015, with at most eight decimals, within the supply`,
    'amount',
  );
}

const badAddress = (parameter?: string): never =>
  refuse('address', `has an address that is not valid${inParameter(parameter)}: it may be mistyped`, parameter);

function assertAddress(text: string, network: Network): string {
  try {
    parseAddress(text, network);
    return text;
  } catch (error) {
    // Says which network it is of.
    if (isBtcError(error, 'address/network')) throw error;
    return badAddress();
  }
}

function assertSegwit(text: string, network: Network): string {
  const isSegwit = text.toLowerCase().startsWith(`${network.hrp}1`);
  return isSegwit && unlessRefused(() => parseAddress(text, network)) ? text : badAddress(network.hrp);
}

const assertSilent = (text: string, network: Network): string =>
  unlessRefused(() => parseSilentPaymentAddress(text, network)) ? text : badAddress('sp');

/** What to ask for; all but the members of `PaymentUri` that are always there may be left out. */
export type PaymentRequest = Partial<Omit<PaymentUri, 'network'>> & {
  /** Default `main`. */
  readonly network?: NetworkOption;
};

const REQUEST: OptionNames<PaymentRequest> = {
  network: true,
  addresses: true,
  silentPayments: true,
  amount: true,
  label: true,
  message: true,
  pop: true,
  others: true,
};

/**
 * Formats a payment URI, which `parsePaymentUri` reads as the same request.
 *
 * @throws as `parsePaymentUri`, for what it would refuse; `payment-uri/invalid` on a network without such URIs
 * @see BIP321 "Specification"
 *
 * @example
 * ```ts
 * import { formatPaymentUri } from 'countersign/payment';
 *
 * const addresses = ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'];
 * formatPaymentUri({ addresses, amount: 150_000n, label: 'Coffee beans' }).split('?')[1]; // amount=0.0015&label=Coffee%20beans
 * ```
 */
export function formatPaymentUri(request: PaymentRequest): string {
  assertKnownOptions(request, REQUEST);
  const { addresses = [], silentPayments = [], amount, label, message, pop, others = [] } = request;
  for (const [name, list] of Object.entries({ addresses, silentPayments, others })) assertList(name, list);
  for (const [name, text] of Object.entries({ label, message, pop })) if (text !== undefined) assertText(name, text);
  if (amount !== undefined && typeof amount !== 'bigint') throw invalidOption('amount', 'must be a bigint in satoshi');
  const network = resolveNetwork(request.network ?? 'main');
  const [body = '', ...more] = addresses;
  const parameters: readonly (readonly [key: string, value: string | undefined])[] = [
    ['amount', amount === undefined ? undefined : formatMoney(amount).replace(/\.?0{1,8}$/, '')],
    ['label', label],
    ['message', message],
    ...more.map((address) => [network.hrp, address] as const),
    ...silentPayments.map((address) => [silentPaymentPrefix(network) ?? 'sp', address] as const),
    ['pop', pop],
    ...others.map(({ key, value }) => [key, value] as const),
  ];
  const query = parameters.flatMap(([key, value]) => (value === undefined ? [] : [`${encode(key)}=${encode(value)}`]));
  const text = `${paymentScheme(network)}${body}${query.length > 0 ? '?' : ''}${query.join('&')}`;
  const serves = others.map(({ key }) => key.replace(/^req-/, ''));
  const read = parsePaymentUri(text, { network, serves });
  if (read.others.length !== others.length)
    throw invalidOption('others', 'has a parameter that is a member of its own');
  return text;
}

/** @throws `payment-uri/invalid` for a half of a surrogate pair */
function encode(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return refuse('encoding', 'cannot hold a text with half a character');
  }
}

/** Returns the address that a payment goes to: the first on-chain one, which every signer can pay, else a silent one. */
export const payableAddress = ({ addresses, silentPayments }: PaymentUri): string | undefined =>
  addresses[0] ?? silentPayments[0];
