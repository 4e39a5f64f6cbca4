import { parseAddress } from '../../core/address/address.ts';
import { isBytes } from '../../core/bytes/assertBytes.ts';
import { assertText } from '../../core/bytes/assertText.ts';
import { formatHex, isHex, parseHex } from '../../core/bytes/hex.ts';
import { assertKnownOptions, type OptionNames } from '../../core/bytes/knownOptions.ts';
import { decodeUtf8WithoutMark, withoutUtf16 } from '../../core/bytes/utf8.ts';
import { hasPrivateKeys } from '../../core/descriptors/derive.ts';
import { mayBeKeyInHex } from '../../core/encoding/publicForms.ts';
import { parseJsonObject, stringInJson } from '../../core/encoding/stringInJson.ts';
import { isBinary, isCompactSeed, type SecretForm, writtenSecret } from '../../core/encoding/writtenSecrets.ts';
import { BtcError, isBtcError, unlessRefused } from '../../core/errors.ts';
import { type Network, type NetworkOption, networks, resolveNetwork } from '../../core/network/networks.ts';
import { decodePsbtBytes } from '../../core/psbt/format/decodePsbt.ts';
import { findPsbt, psbtInJson, unreadForm, type WrittenPsbt } from '../../core/psbt/format/psbtBytes.ts';
import type { Psbt } from '../../core/psbt/format/types.ts';
import { isSilentPaymentText, parseSilentPaymentAddress } from '../../core/silentPayments/address.ts';
import { guessTransaction } from '../../core/tx/guess.ts';
import type { Transaction } from '../../core/tx/types.ts';
import { readWalletFile } from '../account/walletFiles/parseWalletFile.ts';
import type { WalletFile } from '../account/walletFiles/walletFile.ts';
import { type LabelRecord, parseLabels } from '../labels/labels.ts';
import { parseSignedMessage, type SignedMessageFile } from '../message/signedMessageFile.ts';
import { isPaymentUri, type PaymentUri, parsePaymentUri } from '../payment/paymentUri.ts';
import { type CodeForm, codeForm } from '../qr/codeForm.ts';

/** The form of a secret, or a file that holds some. */
export type SecretKind = SecretForm | 'descriptors' | 'wallet-file';

/** What a content is. */
export type Opened =
  | { readonly kind: 'psbt'; readonly psbt: Psbt; readonly encoding: WrittenPsbt['encoding'] }
  | { readonly kind: 'transaction'; readonly tx: Transaction }
  /** A wallet file or descriptors, that spend nothing by themselves. */
  | { readonly kind: 'wallet'; readonly file: WalletFile }
  /** Keys for a multisig with others, of one signer or of several. */
  | { readonly kind: 'signers'; readonly file: WalletFile }
  /** Without its text, which `openKeys` opens. */
  | { readonly kind: 'secret'; readonly secret: SecretForm }
  /** A wallet that its file can spend. Its private keys are concealed. */
  | { readonly kind: 'secret'; readonly secret: 'descriptors' | 'wallet-file'; readonly file: WalletFile }
  /** An address, and the networks that have such an address. */
  | { readonly kind: 'address'; readonly address: string; readonly networks: readonly Network[] }
  | { readonly kind: 'payment'; readonly payment: PaymentUri }
  | { readonly kind: 'labels'; readonly records: readonly LabelRecord[] }
  | { readonly kind: 'message'; readonly signed: SignedMessageFile }
  /** A picture or the text of a QR code, which `createFrameReader` reads. */
  | { readonly kind: 'code'; readonly form: CodeForm }
  /** Bytes in hex that are nothing else here; a script, for one. */
  | { readonly kind: 'hex'; readonly bytes: Uint8Array }
  /** What it is meant to be, and why it is none. */
  | { readonly kind: 'refused'; readonly what: RefusedKind; readonly error: BtcError }
  /** `form` continues "It is", and says what to do, where that much is known. */
  | { readonly kind: 'unknown'; readonly form: string | undefined };

/** What a content that cannot be read is meant to be. */
export type RefusedKind = 'psbt' | 'wallet' | 'payment' | 'labels' | 'message';

/** Options of `open`. */
export interface OpenOptions {
  /** The network whose keys a wallet file that fits several is read for. Default `main`. */
  readonly network?: NetworkOption;
}

const OPEN_OPTIONS: OptionNames<OpenOptions> = { network: true };

/** In bytes; a PSBT may hold several previous transactions. */
const LARGEST = 32_000_000;
/** In characters: the hex of the largest transaction. */
const LONGEST_TEXT = 8_000_000;

const unknown = (form?: string): Opened => ({ kind: 'unknown', form });

/** @returns `undefined` for a content of another kind */
type Opener = (content: Content) => Opened | undefined;

interface Content {
  readonly text: string;
  /** An object or a list, if the text is JSON. */
  readonly json: unknown;
  readonly network: Network;
}

/**
 * Finds out what a file or text is: a PSBT in any of its forms, a transaction, a wallet, a signer's keys, a secret, an address,
 * a payment URI, labels, a signed message, or a part of a QR code. Throws for none of them: what is meant to be one of
 * these but damaged is `refused`, with the reason.
 *
 * @returns a secret without its text; `unknown` for all else
 * @throws `argument/invalid`, `network/unknown`
 * @example
 * ```ts
 * import { open } from 'countersign';
 *
 * const found = open('bitcoin:bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4?amount=0.1');
 * found.kind; // payment
 * if (found.kind === 'payment') found.payment.amount; // 10000000n
 * open('hello').kind; // unknown
 * ```
 */
export function open(content: Uint8Array | string, options: OpenOptions = {}): Opened {
  if (!isBytes(content)) assertText('content', content);
  assertKnownOptions(options, OPEN_OPTIONS);
  const network = resolveNetwork(options.network ?? 'main');
  if (content.length > LARGEST) {
    return unknown(`larger than ${LARGEST / 1_000_000} MB, too large for a PSBT, transaction or wallet file`);
  }
  const plain = typeof content === 'string' ? content : withoutUtf16(content);
  return openPsbt(plain, network) ?? openCode(plain) ?? openOther(plain, network);
}

function openPsbt(content: Uint8Array | string, { mweb }: Network): Opened | undefined {
  return unlessDamaged('psbt', () => {
    const written = findPsbt(content);
    return written && { kind: 'psbt', psbt: decodePsbtBytes(written.bytes, { mweb }), encoding: written.encoding };
  });
}

function openCode(content: Uint8Array | string): Opened | undefined {
  const form = codeForm(content);
  return form && { kind: 'code', form };
}

function unlessDamaged(what: RefusedKind, read: () => Opened | undefined): Opened | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof BtcError) return { kind: 'refused', what, error };
    throw error;
  }
}

function openOther(content: Uint8Array | string, network: Network): Opened {
  if (content.length > LONGEST_TEXT) return unknown();
  const form = unreadForm(content);
  if (form !== undefined) return unknown(form);
  const decoded =
    typeof content === 'string' ? content : isBinary(content) ? undefined : decodeUtf8WithoutMark(content);
  return decoded === undefined ? openBinary(content as Uint8Array, network) : openText(decoded, network);
}

function openBinary(content: Uint8Array, network: Network): Opened {
  if (isCompactSeed(content)) return { kind: 'secret', secret: 'seed-qr' };
  return openTransaction(formatHex(content), network) ?? unknown();
}

function openText(decoded: string, network: Network): Opened {
  const text = decoded.replace(/^\ufeff/, '').trim();
  if (text === '') return unknown('empty');
  const content = { text, json: parseJsonObject(text), network };
  for (const openKind of OPENERS) {
    const opened = openKind(content);
    if (opened) return opened;
  }
  return openWallet(content);
}

/** Secrets come first: many could be read as something else that is shown. */
const OPENERS: readonly Opener[] = [openSecret, openJson, openHex, openPayment, openAddress, openLabels, openMessage];

/** Leaves out hex, which may be a hash instead. */
function openSecret({ text }: Content): Opened | undefined {
  const secret = writtenSecret(text);
  if (!secret || secret.kind === 'hex') return undefined;
  return secret.kind === 'unread' ? unknown(secret.form) : { kind: 'secret', secret: secret.kind };
}

function openJson({ json, network }: Content): Opened | undefined {
  const hex = stringInJson(json, ['hex']);
  if (hex !== undefined) return openTransaction(hex, network) ?? unknown('JSON whose "hex" is not a transaction');
  return psbtInJson(json) === undefined
    ? undefined
    : unknown('JSON whose PSBT is neither valid base64 nor valid hex: copy all of it');
}

function openHex({ text, network }: Content): Opened | undefined {
  const digits = text.replace(/\s+/g, '').replace(/^["']|["']$/g, '');
  if (!isHex(digits)) return undefined;
  const transaction = openTransaction(digits, network);
  if (transaction) return transaction;
  const bytes = parseHex(digits);
  if (isSecretText(bytes)) return unknown('the hex of a text that is a secret: give the text');
  if (!mayBeKeyInHex(digits)) return { kind: 'hex', bytes };
  return unknown(
    'hex of a hash, such as a transaction id, or of a key or seed: give the whole transaction, or a key as seed words, extended key or WIF',
  );
}

function isSecretText(bytes: Uint8Array): boolean {
  const text = isBinary(bytes) ? undefined : decodeUtf8WithoutMark(bytes);
  return text !== undefined && writtenSecret(text.trim()) !== undefined;
}

function openTransaction(hex: string, { mweb }: Network): Opened | undefined {
  const digits = hex.replace(/\s+/g, '').toLowerCase();
  const tx = isHex(digits) ? guessTransaction(digits, { triesWitness: true, triesNoWitness: true, mweb }) : undefined;
  return tx && tx.inputs.length > 0 ? { kind: 'transaction', tx } : undefined;
}

const LONGEST_ADDRESS = 120;

/** Parses for the user's network if the payment URI fits, else for one of its address. */
function openPayment({ text, network }: Content): Opened | undefined {
  const fitting = [network, ...Object.values(networks)].filter((candidate) => isPaymentUri(text, candidate));
  const [first, ...others] = fitting;
  if (!first) return undefined;
  return unlessDamaged('payment', () => {
    for (const other of others) {
      const payment = unlessRefused(() => parsePaymentUri(text, { network: other }));
      if (payment) return { kind: 'payment', payment };
    }
    return { kind: 'payment', payment: parsePaymentUri(text, { network: first }) };
  });
}

function openAddress({ text }: Content): Opened | undefined {
  const matching = networksOfAddress(text);
  return matching.length > 0 ? { kind: 'address', address: text, networks: matching } : undefined;
}

/** Lists the networks that have an address, of silent payments or not. */
export function networksOfAddress(address: string): readonly Network[] {
  if (address.length > LONGEST_ADDRESS) return [];
  const parse = isSilentPaymentText(address) ? parseSilentPaymentAddress : parseAddress;
  return Object.values(networks).filter((network) => unlessRefused(() => parse(address, network)) !== undefined);
}

const MISTYPED = 'what looks like an address, but mistyped or cut off: copy all of it again';

/** Tells whether a text begins and is as long as an address of a network. */
const looksLikeAddress = (text: string): boolean =>
  text.length <= LONGEST_ADDRESS &&
  (/^[123LMmn][0-9A-Za-z]{24,35}$/.test(text) ||
    (/^[0-9a-z]{20,}$/i.test(text) &&
      (isSilentPaymentText(text) ||
        Object.values(networks).some(({ hrp }) => text.toLowerCase().startsWith(`${hrp}1`)))));

/** The first line of a label file has these two members. @see BIP329 "Specification" */
function openLabels({ text }: Content): Opened | undefined {
  const first = parseJsonObject(text.split('\n', 1)[0] ?? '');
  if (['type', 'ref'].some((name) => stringInJson(first, [name]) === undefined)) return undefined;
  return unlessDamaged('labels', () => ({ kind: 'labels', records: parseLabels(text) }));
}

const MESSAGE = /^-----BEGIN (?:[A-Z0-9]+ ){1,3}SIGNED MESSAGE-----/m;

function openMessage({ text }: Content): Opened | undefined {
  if (!MESSAGE.test(text)) return undefined;
  return unlessDamaged('message', () => ({ kind: 'message', signed: parseSignedMessage(text) }));
}

function openWallet({ text, json, network }: Content): Opened {
  const opened = unlessDamaged('wallet', () => walletOf(readForNetwork(text, network)));
  if (opened?.kind !== 'refused') return opened ?? unknown();
  if (isBtcError(opened.error, 'walletfile/size')) return unknown();
  if (!isBtcError(opened.error, 'walletfile/format')) return opened;
  if (!text.startsWith('{')) return unknown(looksLikeAddress(text) ? MISTYPED : undefined);
  return unknown(
    json === undefined
      ? 'JSON that is incomplete: it may be cut off or damaged; export it again'
      : 'JSON of an unknown kind',
  );
}

function walletOf(file: WalletFile): Opened {
  const { format, descriptors, silent } = file;
  const spends = descriptors.some(hasPrivateKeys) || silent.some(({ spend }) => spend.secretKey !== undefined);
  if (spends) {
    const isWritten = format === 'extended-key' || format === 'descriptors';
    return { kind: 'secret', secret: isWritten ? 'descriptors' : 'wallet-file', file };
  }
  return { kind: descriptors.length + silent.length > 0 ? 'wallet' : 'signers', file };
}

const USUAL_TEST = 'testnet4';

/** Reads a wallet file for the user's network if it fits. @throws as `parseWalletFile` */
function readForNetwork(text: string | Uint8Array, network: Network): WalletFile {
  const file = readWalletFile(text, {});
  if (file.networks.some((name) => name === network.name)) return readWalletFile(text, { network });
  if (file.network) return file;
  return readWalletFile(text, {
    network: file.networks.find((name) => name === USUAL_TEST) ?? file.networks[0] ?? network,
  });
}
