import { guessTransaction } from '../../answers/arguments/rawTransaction.ts';
import { parseJson } from '../../answers/json/parseJson.ts';
import { parseAddress } from '../../core/address/address.ts';
import { formatHex, isHex } from '../../core/bytes/hex.ts';
import { decodeUtf8WithoutMark, withoutUtf16 } from '../../core/bytes/utf8.ts';
import { hasPrivateKeys } from '../../core/descriptors/derive.ts';
import { mayBeKeyInHex } from '../../core/encoding/redaction.ts';
import { stringInJson } from '../../core/encoding/stringInJson.ts';
import { isBtcError, unlessRefused } from '../../core/errors.ts';
import { isPhrase, isWrittenKey, unreadKeyForm } from '../../core/keys/writtenSecrets.ts';
import { type Network, networks } from '../../core/network/networks.ts';
import { parsePsbt } from '../../core/psbt/format/parsePsbt.ts';
import { psbtInJson, unreadForm } from '../../core/psbt/format/psbtBytes.ts';
import type { Psbt } from '../../core/psbt/format/types.ts';
import type { Transaction } from '../../core/tx/types.ts';
import { parseWalletFile } from '../../kit/account/walletFiles/parseWalletFile.ts';
import type { WalletFile } from '../../kit/account/walletFiles/walletFile.ts';
import type { SecretKind } from './protocol.ts';
import { refuse } from './refusals.ts';

export type Recognized =
  | { readonly kind: 'psbt'; readonly psbt: Psbt }
  | { readonly kind: 'transaction'; readonly tx: Transaction }
  | { readonly kind: 'wallet'; readonly file: WalletFile }
  | { readonly kind: 'secret'; readonly secret: SecretKind; readonly text: string }
  | { readonly kind: 'address'; readonly address: string };

/** In bytes; a PSBT may hold several previous transactions. */
const LARGEST = 32_000_000;
/** In characters: the hex of the largest transaction. */
const LONGEST_TEXT = 8_000_000;

/**
 * Finds out what a content is, preferring keys of `network`.
 * @throws BtcError, which quotes no secret
 */
export function recognize(content: Uint8Array | string, network: Network): Recognized {
  if (content.length > LARGEST) {
    refuse(`The file has more than ${LARGEST / 1_000_000} MB, too many for a PSBT, transaction or wallet file`);
  }
  const given = typeof content === 'string' ? content : withoutUtf16(content);
  return recognizePsbt(given, network) ?? recognizeOther(given, network);
}

function recognizePsbt(content: Uint8Array | string, { mweb }: Network): Recognized | undefined {
  try {
    return { kind: 'psbt', psbt: parsePsbt(content, { mweb }) };
  } catch (error) {
    if (isBtcError(error, 'psbt/unrecognized')) return undefined;
    throw error;
  }
}

const UNKNOWN = 'This is neither a PSBT, nor a transaction, a wallet file, a key or an address';

function recognizeOther(content: Uint8Array | string, network: Network): Recognized {
  if (content.length > LONGEST_TEXT) refuse(UNKNOWN);
  if (content.length === 0) refuse('This is empty');
  const form = unreadForm(content);
  if (form !== undefined) refuse(`This is not a PSBT as the page reads it, but ${form}`);
  const text = typeof content === 'string' ? content : isBinary(content) ? undefined : decodeUtf8WithoutMark(content);
  if (text === undefined) return recognizeTransaction(formatHex(content as Uint8Array), network) ?? refuse(UNKNOWN);
  const trimmed = text.replace(/^\ufeff/, '').trim();
  if (trimmed === '') refuse('This is empty');
  return (
    recognizeJson(trimmed, network) ??
    recognizeHex(trimmed, network) ??
    recognizeAddress(trimmed) ??
    recognizeSecret(trimmed) ??
    recognizeWallet(trimmed, network)
  );
}

const LOOKED_AT = 512;

const isBinary = (content: Uint8Array): boolean =>
  content.subarray(0, LOOKED_AT).some((byte) => byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d));

function recognizeJson(text: string, network: Network): Recognized | undefined {
  if (!text.startsWith('{')) return undefined;
  // A wallet file may be several JSON values.
  if (!parseJson(text)) return undefined;
  const hex = stringInJson(text, ['hex']);
  if (hex !== undefined)
    return recognizeTransaction(hex, network) ?? refuse('The "hex" in this JSON is not a transaction');
  return psbtInJson(text) === undefined ? undefined : refuse('The "psbt" in this JSON is not a PSBT');
}

function recognizeHex(text: string, network: Network): Recognized | undefined {
  const digits = text.replace(/\s+/g, '').replace(/^["']|["']$/g, '');
  if (!isHex(digits) || isPhrase(text)) return undefined;
  const found = recognizeTransaction(digits, network);
  if (found) return found;
  if (!mayBeKeyInHex(digits)) refuse('This is hex, but not of a PSBT or a transaction');
  return refuse(
    'This may be a private key in hex, which does not say how it is used: enter the words, the extended key or the WIF of your wallet',
  );
}

function recognizeTransaction(hex: string, { mweb }: Network): Recognized | undefined {
  const digits = hex.replace(/\s+/g, '').toLowerCase();
  const tx = isHex(digits) ? guessTransaction(digits, { triesWitness: true, triesNoWitness: true, mweb }) : undefined;
  return tx && tx.inputs.length > 0 ? { kind: 'transaction', tx } : undefined;
}

const URI = /^(?<scheme>[a-z]+):(?:\/\/)?(?<address>[0-9a-z]*)(?:\?.*)?$/is;
const LONGEST_ADDRESS = 120;

const isPaymentScheme = (scheme: string | undefined): boolean =>
  Object.values(networks).some(({ uriScheme }) => uriScheme !== undefined && uriScheme === scheme?.toLowerCase());

function recognizeAddress(text: string): Recognized | undefined {
  const { scheme, address: stated } = URI.exec(text)?.groups ?? {};
  const inUri = isPaymentScheme(scheme) ? stated : undefined;
  if (inUri === '') refuse('This payment request names no address that the page can show');
  const address = inUri ?? text;
  if (address.length <= LONGEST_ADDRESS && networksOfAddress(address).length > 0) return { kind: 'address', address };
  return inUri === undefined
    ? undefined
    : refuse('The address in this payment request is not valid: it may be mistyped');
}

export const networksOfAddress = (address: string): readonly Network[] =>
  Object.values(networks).filter((network) => unlessRefused(() => parseAddress(address, network)) !== undefined);

function recognizeSecret(text: string): Recognized | undefined {
  if (isPhrase(text)) return { kind: 'secret', secret: 'words', text };
  const form = unreadKeyForm(text);
  if (form !== undefined) refuse(`This is ${form}`);
  if (!isWrittenKey(text)) return undefined;
  return { kind: 'secret', secret: isWrittenExtended(text) ? 'extended-key' : 'wif', text };
}

const isWrittenExtended = (text: string): boolean => /^[A-Za-z](?:prv|tpv)[0-9A-Za-z]{20}/.test(text);

function recognizeWallet(text: string, network: Network): Recognized {
  const file = readWalletFile(text, network);
  if (!file.descriptors.some(hasPrivateKeys)) return { kind: 'wallet', file };
  const secret =
    file.format === 'extended-key' ? file.format : file.format === 'descriptors' ? file.format : 'wallet-file';
  return { kind: 'secret', secret, text };
}

const USUAL_TEST = networks.testnet4;

/** Parses a wallet file for the user's network if it fits. */
export function readWalletFile(text: string, network: Network): WalletFile {
  const file = explained(text);
  if (file.networks.some((name) => name === network.name)) return parseWalletFile(text, { network });
  if (file.network) return file;
  return parseWalletFile(text, {
    network: file.networks.includes('testnet4') ? USUAL_TEST : (file.networks[0] ?? (network.name as never)),
  });
}

function explained(text: string): WalletFile {
  try {
    return parseWalletFile(text);
  } catch (error) {
    if (!isBtcError(error, 'walletfile/format')) throw error;
    if (!text.startsWith('{') || parseJson(text)) return refuse(UNKNOWN);
    return refuse('This begins like JSON, but is incomplete: it may be cut off or damaged; export it again');
  }
}
