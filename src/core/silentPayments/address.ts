import { isBytes } from '../bytes/assertBytes.ts';
import { assertText } from '../bytes/assertText.ts';
import { concatBytes } from '../bytes/compare.ts';
import { assertKnownOptions, type OptionNames } from '../bytes/knownOptions.ts';
import { isValidPublicKey } from '../crypto/publicKey.ts';
import { silentPaymentPrefixes } from '../encoding/addressPrefixes.ts';
import { invalidAddress } from '../encoding/segwitAddress.ts';
import { formatVersionedText, parseVersionedText } from '../encoding/silentPaymentText.ts';
import { type Network, type NetworkOption, resolveNetwork } from '../network/networks.ts';

const KEY_SIZE = 33;
const KEYS_SIZE = 2 * KEY_SIZE;
/** A later version may only add bytes; the last one breaks with that. */
const INCOMPATIBLE_VERSION = 31;

/** The keys of an address, 33 bytes each. */
export interface SilentPaymentAddress {
  /** Finds payments. */
  readonly scanKey: Uint8Array;
  /** Spends them; with a label, the key that it was added to. */
  readonly spendKey: Uint8Array;
}

export const hasSilentPayments = (network: Network): boolean => silentPaymentPrefix(network) !== undefined;

export const silentPaymentPrefix = ({ hrp }: Network): string | undefined =>
  Object.hasOwn(silentPaymentPrefixes, hrp) ? silentPaymentPrefixes[hrp] : undefined;

/** Tells whether a text is meant as an address of silent payments, of any network. */
export const isSilentPaymentText = (text: string): boolean =>
  Object.values(silentPaymentPrefixes).some((prefix) => text.toLowerCase().startsWith(`${prefix}1`));

/** Refuses a network without silent payments. @throws `address/invalid` */
export function assertSilentNetwork(network: Network): void {
  prefixOf(network);
}

function prefixOf(network: Network): string {
  const prefix = silentPaymentPrefix(network);
  if (prefix !== undefined) return prefix;
  throw invalidAddress('prefix', `The network ${network.name} has no addresses of silent payments`);
}

/** Refuses the keys of an address that are not on the curve. @throws `address/invalid`, `argument/invalid` */
export function assertAddressKeys(keys: SilentPaymentAddress, place = ''): void {
  assertKnownOptions(keys, ADDRESS_KEYS, place);
  if ([keys.scanKey, keys.spendKey].every(isCompressedKey)) return;
  throw invalidAddress('key', 'A key of the address is not a point of the curve, in 33 bytes');
}

const ADDRESS_KEYS: OptionNames<SilentPaymentAddress> = { scanKey: 'needed', spendKey: 'needed' };

const isCompressedKey = (key: unknown): boolean => isBytes(key) && key.length === KEY_SIZE && isValidPublicKey(key);

/**
 * Formats an address of version 0.
 * @throws `address/invalid` if the network has no such addresses, or a key is not a public key
 * @see BIP352 "Address encoding"
 */
export function formatSilentPaymentAddress(keys: SilentPaymentAddress, network: NetworkOption): string {
  assertAddressKeys(keys);
  const payload = concatBytes(keys.scanKey, keys.spendKey);
  return formatVersionedText({ prefix: prefixOf(resolveNetwork(network)), version: 0, payload });
}

/**
 * Parses an address. Of later versions it takes the keys of version 0, as the BIP prescribes.
 * @throws `address/invalid`
 * @see BIP352 "Address encoding", "Versions"
 */
export function parseSilentPaymentAddress(text: string, on: NetworkOption): SilentPaymentAddress {
  const network = resolveNetwork(on);
  assertText('address', text);
  const parsed = parseVersionedText(text);
  if (!parsed) {
    throw invalidAddress(
      'checksum',
      'The address of a silent payment has a wrong checksum: a character is wrong or missing',
    );
  }
  const { prefix, version, payload } = parsed;
  const expected = prefixOf(network);
  if (prefix !== expected) {
    throw invalidAddress(
      'prefix',
      `The address is of another network: those of ${network.name} begin with ${expected}1`,
    );
  }
  if (version === INCOMPATIBLE_VERSION)
    throw invalidAddress('version', 'The version of the address is not compatible with 0');
  if (payload.length < KEYS_SIZE || (version === 0 && payload.length > KEYS_SIZE)) {
    throw invalidAddress('length', `The address has ${payload.length} bytes instead of ${KEYS_SIZE}`);
  }
  const keys = { scanKey: payload.slice(0, KEY_SIZE), spendKey: payload.slice(KEY_SIZE, KEYS_SIZE) };
  assertAddressKeys(keys);
  return keys;
}
