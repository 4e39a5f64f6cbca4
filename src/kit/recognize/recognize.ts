import { parseAddress } from '../../core/address/address.ts';
import { isBytes } from '../../core/bytes/assertBytes.ts';
import { assertText } from '../../core/bytes/assertText.ts';
import { formatHex, isHex } from '../../core/bytes/hex.ts';
import { assertKnownOptions, type OptionNames } from '../../core/bytes/knownOptions.ts';
import { decodeUtf8WithoutMark, withoutUtf16 } from '../../core/bytes/utf8.ts';
import { hasPrivateKeys } from '../../core/descriptors/derive.ts';
import { mayBeKeyInHex } from '../../core/encoding/publicForms.ts';
import { parseJsonObject, stringInJson } from '../../core/encoding/stringInJson.ts';
import { writtenSecret } from '../../core/encoding/writtenSecrets.ts';
import { isBtcError, unlessRefused } from '../../core/errors.ts';
import { type Network, type NetworkOption, networks, resolveNetwork } from '../../core/network/networks.ts';
import { decodePsbtBytes } from '../../core/psbt/format/decodePsbt.ts';
import { findPsbt, psbtInJson, unreadForm, type WrittenPsbt } from '../../core/psbt/format/psbtBytes.ts';
import type { Psbt } from '../../core/psbt/format/types.ts';
import { isSilentPaymentText, parseSilentPaymentAddress } from '../../core/silentPayments/address.ts';
import { guessTransaction } from '../../core/tx/guess.ts';
import type { Transaction } from '../../core/tx/types.ts';
import { parseWalletFile } from '../account/walletFiles/parseWalletFile.ts';
import type { WalletFile } from '../account/walletFiles/walletFile.ts';
import { isPaymentUri, type PaymentUri, parsePaymentUri } from '../payment/paymentUri.ts';
import { type CodeForm, codeForm } from '../qr/codeForm.ts';

/** The form of a secret: seed words, an extended private key, a key in wallet import format, or a file that holds some. */
export type SecretKind = 'words' | 'extended-key' | 'wif' | 'descriptors' | 'wallet-file';

/** What a content is. */
export type Recognized =
  | { readonly kind: 'psbt'; readonly psbt: Psbt; readonly encoding: WrittenPsbt['encoding'] }
  | { readonly kind: 'transaction'; readonly tx: Transaction }
  /** A wallet file or descriptors, without private keys. */
  | { readonly kind: 'wallet'; readonly file: WalletFile }
  | { readonly kind: 'secret'; readonly secret: SecretKind }
  /** An address, and the networks that have such an address. */
  | { readonly kind: 'address'; readonly address: string; readonly networks: readonly Network[] }
  | { readonly kind: 'payment'; readonly payment: PaymentUri }
  /** A picture or the text of a QR code, which `createFrameReader` reads. */
  | { readonly kind: 'code'; readonly form: CodeForm }
  /** `form` continues "It is", and says what to do, where that much is known. */
  | { readonly kind: 'unknown'; readonly form: string | undefined };

/** Options of `recognize`. */
export interface RecognizeOptions {
  /** The network whose keys a wallet file that fits several is read for. Default `main`. */
  readonly network?: NetworkOption;
}

const RECOGNIZE_OPTIONS: OptionNames<RecognizeOptions> = { network: true };

/** In bytes; a PSBT may hold several previous transactions. */
const LARGEST = 32_000_000;
/** In characters: the hex of the largest transaction. */
const LONGEST_TEXT = 8_000_000;

const unknown = (form?: string): Recognized => ({ kind: 'unknown', form });

/**
 * Finds out what a file or text is: a PSBT in any of its forms, a transaction, a wallet file, a secret, an address, a
 * payment URI, or a part of a QR code.
 *
 * @returns a secret without its text; `unknown` for all else
 * @throws `psbt/*`, `bytes/*`, `base64/invalid`, `hex/invalid` for a damaged PSBT, `walletfile/*` for a damaged wallet
 * file, `payment-uri/invalid`, `network/unknown`; errors hold no private keys or seed words
 * @example
 * ```ts
 * import { recognize } from 'countersign';
 *
 * const found = recognize('bitcoin:bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4?amount=0.1');
 * found.kind; // payment
 * if (found.kind === 'payment') found.payment.amount; // 10000000n
 * recognize('hello').kind; // unknown
 * ```
 */
export function recognize(content: Uint8Array | string, options: RecognizeOptions = {}): Recognized {
  if (!isBytes(content)) assertText('content', content);
  assertKnownOptions(options, RECOGNIZE_OPTIONS);
  const network = resolveNetwork(options.network ?? 'main');
  if (content.length > LARGEST) {
    return unknown(`larger than ${LARGEST / 1_000_000} MB, too large for a PSBT, transaction or wallet file`);
  }
  const plain = typeof content === 'string' ? content : withoutUtf16(content);
  const written = findPsbt(plain);
  if (written) {
    const { bytes, encoding } = written;
    return { kind: 'psbt', psbt: decodePsbtBytes(bytes, { mweb: network.mweb }), encoding };
  }
  const code = codeForm(plain);
  return code ? { kind: 'code', form: code } : recognizeOther(plain, network);
}

function recognizeOther(content: Uint8Array | string, network: Network): Recognized {
  if (content.length > LONGEST_TEXT) return unknown();
  const form = unreadForm(content);
  if (form !== undefined) return unknown(form);
  const decoded =
    typeof content === 'string' ? content : isBinary(content) ? undefined : decodeUtf8WithoutMark(content);
  if (decoded === undefined) {
    return recognizeTransaction(formatHex(content as Uint8Array), network) ?? unknown();
  }
  const text = decoded.replace(/^\ufeff/, '').trim();
  if (text === '') return unknown('empty');
  const json = parseJsonObject(text);
  return (
    recognizeSecret(text) ??
    recognizeJson(json, network) ??
    recognizeHex(text, network) ??
    recognizePayment(text, network) ??
    recognizeAddress(text) ??
    recognizeWallet(text, json, network)
  );
}

const LOOKED_AT = 512;

const isBinary = (content: Uint8Array): boolean =>
  content.subarray(0, LOOKED_AT).some((byte) => byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d));

/** Leaves hex, which may be a hash instead, to `recognizeHex`. */
function recognizeSecret(text: string): Recognized | undefined {
  const secret = writtenSecret(text);
  if (!secret || secret.kind === 'hex') return undefined;
  return secret.kind === 'unread' ? unknown(secret.form) : { kind: 'secret', secret: secret.kind };
}

function recognizeJson(json: unknown, network: Network): Recognized | undefined {
  const hex = stringInJson(json, ['hex']);
  if (hex !== undefined) {
    return recognizeTransaction(hex, network) ?? unknown('JSON whose "hex" is not a transaction');
  }
  return psbtInJson(json) === undefined
    ? undefined
    : unknown('JSON whose PSBT is neither valid base64 nor valid hex: copy all of it');
}

function recognizeHex(text: string, network: Network): Recognized | undefined {
  const digits = text.replace(/\s+/g, '').replace(/^["']|["']$/g, '');
  if (!isHex(digits)) return undefined;
  const transaction = recognizeTransaction(digits, network);
  if (transaction) return transaction;
  return unknown(
    mayBeKeyInHex(digits)
      ? 'hex of a hash, such as a transaction id, or of a key: give the whole transaction, or a key as seed words, extended key or WIF'
      : 'hex, but not of a PSBT or a transaction',
  );
}

function recognizeTransaction(hex: string, { mweb }: Network): Recognized | undefined {
  const digits = hex.replace(/\s+/g, '').toLowerCase();
  const tx = isHex(digits) ? guessTransaction(digits, { triesWitness: true, triesNoWitness: true, mweb }) : undefined;
  return tx && tx.inputs.length > 0 ? { kind: 'transaction', tx } : undefined;
}

const LONGEST_ADDRESS = 120;

/** Parses for the user's network if the payment URI fits, else for one of its address. */
function recognizePayment(text: string, network: Network): Recognized | undefined {
  const fitting = [network, ...Object.values(networks)].filter((candidate) => isPaymentUri(text, candidate));
  const [first, ...others] = fitting;
  if (!first) return undefined;
  try {
    return { kind: 'payment', payment: parsePaymentUri(text, { network: first }) };
  } catch (error) {
    for (const other of others) {
      const payment = unlessRefused(() => parsePaymentUri(text, { network: other }));
      if (payment) return { kind: 'payment', payment };
    }
    throw error;
  }
}

function recognizeAddress(address: string): Recognized | undefined {
  const matching = networksOfAddress(address);
  return matching.length > 0 ? { kind: 'address', address, networks: matching } : undefined;
}

/** Lists the networks that have an address, of silent payments or not. */
export function networksOfAddress(address: string): readonly Network[] {
  if (address.length > LONGEST_ADDRESS) return [];
  const parse = isSilentPaymentText(address) ? parseSilentPaymentAddress : parseAddress;
  return Object.values(networks).filter((network) => unlessRefused(() => parse(address, network)) !== undefined);
}

function recognizeWallet(text: string, json: unknown, network: Network): Recognized {
  let file: WalletFile;
  try {
    file = readWalletFile(text, network);
  } catch (error) {
    if (isBtcError(error, 'walletfile/size')) return unknown();
    if (!isBtcError(error, 'walletfile/format')) throw error;
    if (!text.startsWith('{')) return unknown();
    return unknown(
      json === undefined
        ? 'JSON that is incomplete: it may be cut off or damaged; export it again'
        : 'JSON of an unknown kind',
    );
  }
  if (!file.descriptors.some(hasPrivateKeys)) return { kind: 'wallet', file };
  const { format } = file;
  return { kind: 'secret', secret: format === 'extended-key' || format === 'descriptors' ? format : 'wallet-file' };
}

const USUAL_TEST = 'testnet4';

/** Parses a wallet file for the user's network if it fits. @throws as `parseWalletFile` */
export function readWalletFile(text: string, network: Network): WalletFile {
  const file = parseWalletFile(text);
  if (file.networks.some((name) => name === network.name)) return parseWalletFile(text, { network });
  if (file.network) return file;
  return parseWalletFile(text, {
    network: file.networks.find((name) => name === USUAL_TEST) ?? file.networks[0] ?? network,
  });
}
