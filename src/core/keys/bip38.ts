import { assertText } from '../bytes/assertText.ts';
import { concatBytes, equalBytes } from '../bytes/compare.ts';
import { assertKnownOptions, type OptionNames } from '../bytes/knownOptions.ts';
import { encodeUtf8 } from '../bytes/utf8.ts';
import { decryptAesBlock } from '../crypto/aes.ts';
import { concealed, withSecretKey } from '../crypto/concealed.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { chosenArithmetic, type EccOption } from '../crypto/eccOption.ts';
import { hash160, sha256d } from '../crypto/hash.ts';
import { scryptBytes } from '../crypto/passwordHash.ts';
import { isSecretKey, multiplyAdd } from '../crypto/scalar.ts';
import { formatBase58Check, parseBase58, parseBase58Check } from '../encoding/base58check.ts';
import { BtcError, unlessRefused } from '../errors.ts';
import {
  type Network,
  type NetworkOption,
  networksThat,
  otherNetworkText,
  resolveNetwork,
} from '../network/networks.ts';
import type { WifKey } from './wif.ts';

/** Options for decrypting a private key. */
export interface DecryptKeyOptions extends EccOption {
  /** The key holds a hash of its address on this network. */
  readonly network: NetworkOption;
}

const OPTIONS: OptionNames<DecryptKeyOptions> = { network: 'needed', ecc: true };

const PAYLOAD_SIZE = 39;
const CHECKSUM_SIZE = 4;
const FLAGS = { isKnownKey: 0xc0, isCompressed: 0x20, hasLot: 0x04 } as const;

/** About half a second and 16 MB; the second cost is of a key that the first has stretched. @see BIP38 */
const PASSPHRASE_COST = { N: 16_384, r: 8, p: 8 } as const;
const POINT_COST = { N: 1024, r: 1, p: 1 } as const;

/** Tells an encrypted private key (`6P…`) by its size and prefix. Its checksum may be wrong: `decryptKey` says so. */
export function isEncryptedKey(text: string): boolean {
  assertText('text', text);
  const bytes = unlessRefused(() => parseBase58(text, PAYLOAD_SIZE + CHECKSUM_SIZE));
  return bytes !== undefined && bytes.length === PAYLOAD_SIZE + CHECKSUM_SIZE && hasPrefix(bytes);
}

const hasPrefix = ([first, second]: Uint8Array): boolean => first === 0x01 && (second === 0x42 || second === 0x43);

/** A payload without its prefix. */
interface EncryptedKey {
  readonly isCompressed: boolean;
  readonly addressHash: Uint8Array;
  readonly decrypt: (passphrase: Uint8Array, ecc: Ecc) => Uint8Array;
}

/**
 * Decrypts a private key, of either kind, in about half a second. Neither key nor passphrase appear in an error.
 * @throws `bip38/passphrase` if the address of the decrypted key is another; `wif/network` if it is that of another built-in
 * network; `bip38/invalid`, `base58/invalid`, `argument/invalid`
 * @see BIP38 "Decryption steps", "Decryption"
 *
 * @example
 * ```ts
 * import { decryptKey, formatWif } from 'countersign/keys';
 *
 * // A worthless key of BIP38.
 * const encrypted = '6PYNKZ1EAgYgmQfmNVamxyXVWHzK5s6DGhwP4J5o44cvXdoY7sRzhtpUeo';
 * const key = decryptKey(encrypted, 'TestingOneTwoThree', { network: 'main' });
 * formatWif(key, 'main').slice(0, 4); // L44B
 * ```
 */
export function decryptKey(text: string, passphrase: string, options: DecryptKeyOptions): WifKey {
  assertText('encrypted key', text);
  assertText('passphrase', passphrase);
  assertKnownOptions(options, OPTIONS);
  const network = resolveNetwork(options.network);
  const ecc = chosenArithmetic({ ecc: options.ecc });
  const { isCompressed, addressHash, decrypt } = readPayload(parseBase58Check(text, PAYLOAD_SIZE));
  const secretKey = concealed(decrypt(encodeUtf8(passphrase.normalize('NFC')), ecc));
  if (!isSecretKey(secretKey)) throw wrongPassphrase();
  const keyHash = hash160(ecc.publicKey(secretKey, isCompressed));
  const isOf = ({ pubKeyHash }: Network): boolean => equalBytes(hashAddress(pubKeyHash, keyHash), addressHash);
  if (isOf(network)) return withSecretKey({ isCompressed }, secretKey);
  const found = networksThat(isOf);
  if (found === '') throw wrongPassphrase();
  const message = otherNetworkText('private key', found, network);
  throw new BtcError('wif/network', { found, network: network.name }, message);
}

const hashAddress = (prefix: number, keyHash: Uint8Array): Uint8Array =>
  sha256d(encodeUtf8(formatBase58Check(concatBytes(Uint8Array.of(prefix), keyHash)))).slice(0, 4);

function wrongPassphrase(): BtcError {
  const message =
    'The passphrase of the encrypted key is wrong: check each character, upper and lower case, and spaces';
  return new BtcError('bip38/passphrase', {}, message);
}

/** @see BIP38 "Proposed specification" */
function readPayload(payload: Uint8Array): EncryptedKey {
  if (payload.length !== PAYLOAD_SIZE || !hasPrefix(payload)) {
    const message = 'The text is not an encrypted private key (BIP38), which begins with 6P';
    throw new BtcError('bip38/invalid', { reason: 'form' }, message);
  }
  const isMultiplied = payload[1] === 0x43;
  const flags = payload[2] ?? 0;
  const expected = isMultiplied ? 0 : FLAGS.isKnownKey;
  const free = FLAGS.isCompressed | (isMultiplied ? FLAGS.hasLot : 0);
  if ((flags & ~free) !== expected) {
    const message =
      'The encrypted private key has flags that BIP38 does not define: decrypt it with the program that made it';
    throw new BtcError('bip38/invalid', { reason: 'flags' }, message);
  }
  const addressHash = payload.slice(3, 7);
  const parts = { addressHash, body: payload.slice(7) };
  const decrypt = isMultiplied
    ? (passphrase: Uint8Array, ecc: Ecc) =>
        decryptMultiplied({ ...parts, hasLot: (flags & FLAGS.hasLot) !== 0 }, passphrase, ecc)
    : (passphrase: Uint8Array) => decryptKnown(parts, passphrase);
  return { isCompressed: (flags & FLAGS.isCompressed) !== 0, addressHash, decrypt };
}

interface Parts {
  readonly addressHash: Uint8Array;
  /** 32 bytes. */
  readonly body: Uint8Array;
}

/** @see BIP38 "Encryption when EC multiply flag is not used" */
function decryptKnown({ addressHash, body }: Parts, passphrase: Uint8Array): Uint8Array {
  const halves = splitHalves(scryptBytes(passphrase, addressHash, PASSPHRASE_COST, 64));
  return concatBytes(decryptBlock(body.slice(0, 16), 0, halves), decryptBlock(body.slice(16), 16, halves));
}

/** @see BIP38 "Encryption when EC multiply mode is used" */
function decryptMultiplied(
  { addressHash, body, hasLot }: Parts & { readonly hasLot: boolean },
  passphrase: Uint8Array,
  ecc: Ecc,
): Uint8Array {
  const ownerEntropy = body.slice(0, 8);
  const ownerSalt = hasLot ? ownerEntropy.slice(0, 4) : ownerEntropy;
  const preFactor = scryptBytes(passphrase, ownerSalt, PASSPHRASE_COST, 32);
  const passFactor = hasLot ? sha256d(concatBytes(preFactor, ownerEntropy)) : preFactor;
  if (!isSecretKey(passFactor)) throw wrongPassphrase();
  const salt = concatBytes(addressHash, ownerEntropy);
  const halves = splitHalves(scryptBytes(ecc.publicKey(passFactor), salt, POINT_COST, 64));
  // The second block holds the end of the first one, beside the end of the seed.
  const second = decryptBlock(body.slice(16), 16, halves);
  const first = decryptBlock(concatBytes(body.slice(8, 16), second.slice(0, 8)), 0, halves);
  const factor = sha256d(concatBytes(first, second.slice(8)));
  return multiplyAdd(passFactor, factor, new Uint8Array(32));
}

interface Halves {
  readonly mask: Uint8Array;
  readonly key: Uint8Array;
}

const splitHalves = (derived: Uint8Array): Halves => ({ mask: derived.slice(0, 32), key: derived.slice(32) });

function decryptBlock(block: Uint8Array, offset: 0 | 16, { mask, key }: Halves): Uint8Array {
  const masked = decryptAesBlock(key, block);
  return masked.map((byte, i) => byte ^ (mask[offset + i] ?? 0));
}
