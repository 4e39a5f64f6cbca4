import { isBytes } from '../bytes/assertBytes.ts';
import { assertText } from '../bytes/assertText.ts';
import { concatBytes } from '../bytes/compare.ts';
import { assertShape, isObject } from '../bytes/knownOptions.ts';
import { concealed, withSecretKey } from '../crypto/concealed.ts';
import { isSecretKey } from '../crypto/scalar.ts';
import { formatBase58Check, parseBase58Check } from '../encoding/base58check.ts';
import { assertReadKeyForm } from '../encoding/writtenSecrets.ts';
import { BtcError } from '../errors.ts';
import {
  type Network,
  type NetworkOption,
  networksThat,
  otherNetworkText,
  resolveNetwork,
} from '../network/networks.ts';

const SECRET_SIZE = 32;
const COMPRESSED_MARK = 0x01;

/** A private key, and the form of its public key. */
export interface WifKey {
  /** After `parseWif`, logs show `[secret]`; JSON, clones and spreads leave it out. */
  readonly secretKey: Uint8Array;
  readonly isCompressed: boolean;
}

/**
 * Parses a private key in wallet import format. The key never appears in an error.
 * @throws `wif/network` for a key of another built-in network; `wif/invalid`, `base58/invalid`
 * @see Bitcoin Core `DecodeSecret`
 */
export function parseWif(text: string, on: NetworkOption): WifKey {
  const network = resolveNetwork(on);
  assertText('private key', text);
  const payload = decodePayload(text);
  const isCompressed = payload.length === SECRET_SIZE + 2 && payload[SECRET_SIZE + 1] === COMPRESSED_MARK;
  if (payload[0] !== network.wif) throw prefixError(payload[0], network);
  if (payload.length !== SECRET_SIZE + 1 && !isCompressed) {
    throw new BtcError('wif/invalid', { reason: 'length' }, 'The private key has the wrong length');
  }
  const secretKey = concealed(payload.slice(1, 1 + SECRET_SIZE));
  if (!isSecretKey(secretKey)) {
    throw new BtcError('wif/invalid', { reason: 'range' }, 'The private key is 0, or not below the order of the curve');
  }
  return withSecretKey({ isCompressed }, secretKey);
}

function decodePayload(text: string): Uint8Array {
  try {
    return parseBase58Check(text, 1 + SECRET_SIZE + 1);
  } catch (error) {
    assertReadKeyForm(text);
    throw error;
  }
}

function prefixError(prefix: number | undefined, network: Network): BtcError {
  const otherNetworks = networksThat(({ wif }) => wif === prefix);
  if (otherNetworks === '') {
    const message = 'The text is not a private key in wallet import format (WIF)';
    return new BtcError('wif/invalid', { reason: 'prefix' }, message);
  }
  return new BtcError(
    'wif/network',
    { found: otherNetworks, network: network.name },
    otherNetworkText('private key', otherNetworks, network),
  );
}

/** Formats a private key in wallet import format. */
export function formatWif(key: WifKey, network: NetworkOption): string {
  assertShape('key', isObject(key) && isBytes(key.secretKey), 'a key with its secretKey, a Uint8Array');
  const { secretKey, isCompressed } = key;
  const mark = isCompressed ? Uint8Array.of(COMPRESSED_MARK) : new Uint8Array(0);
  return formatBase58Check(concatBytes(Uint8Array.of(resolveNetwork(network).wif), secretKey, mark));
}
