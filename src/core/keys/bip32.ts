import { assertBytes, isBytes } from '../bytes/assertBytes.ts';
import { assertText } from '../bytes/assertText.ts';
import { encode, u8 } from '../bytes/codec.ts';
import { concatBytes } from '../bytes/compare.ts';
import { assertList, assertShape, isObject } from '../bytes/knownOptions.ts';
import { concealed, withSecretKey } from '../crypto/concealed.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { chosenArithmetic, type EccOption } from '../crypto/eccOption.ts';
import { hash160, hmacSha512, hmacSha512With } from '../crypto/hash.ts';
import { isValidPublicKey } from '../crypto/publicKey.ts';
import { addScalars, isBelowOrder, isSecretKey, isZero, negateScalar } from '../crypto/scalar.ts';
import { formatBase58Check, parseBase58Check } from '../encoding/base58check.ts';
import { BtcError, type ErrorData } from '../errors.ts';
import {
  type Network,
  type NetworkOption,
  networksThat,
  otherNetworkText,
  resolveNetwork,
} from '../network/networks.ts';
import { isHardened } from './path.ts';

/** A key from which child keys can be derived. @see BIP32 "Extended keys" */
export interface ExtendedKey {
  readonly depth: number;
  /** 4 bytes; zeros for a master key. */
  readonly parentFingerprint: Uint8Array;
  readonly childNumber: number;
  readonly chainCode: Uint8Array;
  readonly publicKey: Uint8Array;
  /** Absent from a public key. Logs show `[secret]`; JSON, clones and spreads leave it out. */
  readonly secretKey?: Uint8Array;
}

/** Returns the first 4 bytes of the public key's hash160. @see BIP32 "Key identifiers" */
export function keyFingerprint(key: Pick<ExtendedKey, 'publicKey'>): Uint8Array {
  assertShape('key', isObject(key), 'a key with publicKey, a Uint8Array');
  assertBytes('publicKey', key.publicKey);
  return hash160(key.publicKey).slice(0, 4);
}

/** Removes the private key. */
export function neuter(extended: ExtendedKey): ExtendedKey {
  assertExtendedKey(extended);
  const { secretKey: _secret, ...key } = extended;
  return key;
}

/** Refuses a text that `parseExtendedKey` has not parsed. @throws `argument/invalid` */
export function assertExtendedKey(key: ExtendedKey): void {
  const isShaped = isObject(key) && isBytes(key.publicKey) && isBytes(key.chainCode);
  assertShape('key', isShaped, 'an extended key, as parseExtendedKey returns it');
}

export const EXTENDED_KEY_SIZE: number = 4 + 74;

function encodeExtendedKey(key: ExtendedKey): Uint8Array {
  return concatBytes(
    encode(u8, key.depth),
    key.parentFingerprint,
    encodeChild(key.childNumber),
    key.chainCode,
    key.publicKey,
  );
}

function encodeChild(child: number): Uint8Array {
  return Uint8Array.of(child >>> 24, (child >>> 16) & 0xff, (child >>> 8) & 0xff, child & 0xff);
}

/** Formats an `xpub…`, with the network's version bytes. */
export function formatXpub(key: ExtendedKey, network: NetworkOption): string {
  assertExtendedKey(key);
  const { bip32 } = resolveNetwork(network);
  return formatBase58Check(concatBytes(encodeChild(bip32.public), encodeExtendedKey(key)));
}

/** Formats an `xprv…`. @throws `xkey/invalid` for a public key */
export function formatXprv(key: ExtendedKey, network: NetworkOption): string {
  assertExtendedKey(key);
  const { bip32 } = resolveNetwork(network);
  if (!key.secretKey) throw invalid('not private', 'The extended key is public: an xprv needs the private key');
  const head = encodeExtendedKey(key).slice(0, -33);
  return formatBase58Check(concatBytes(encodeChild(bip32.private), head, Uint8Array.of(0), key.secretKey));
}

/**
 * Parses an `xpub…` or `xprv…`. The key never appears in an error.
 * @throws `xkey/invalid`, `base58/invalid`
 * @see BIP32 "Serialization format", "Test vector 5"
 */
export function parseExtendedKey(text: string, on: NetworkOption, options: EccOption = {}): ExtendedKey {
  const network = resolveNetwork(on);
  assertText('extended key', text);
  const ecc = chosenArithmetic(options);
  const payload = extendedPayload(text);
  const hasParent = !isZero(payload.slice(5, 13));
  if (payload[4] === 0 && hasParent) {
    throw invalid('parent of a master key', 'The extended key has a parent, but is at depth 0, like a master key');
  }
  if (readVersion(payload) === network.bip32.private && payload[45] !== 0) throw invalidPrivateKey();
  return decodeExtendedKey(payload, network, ecc);
}

/**
 * Parses as Core 0.21: a key of depth 0 may have a parent, and any byte may precede a private key.
 * @see Bitcoin Core 0.21 `CExtKey::Decode`, `CExtPubKey::Decode`
 */
export function parseUncheckedExtendedKey(text: string, network: Network, options: EccOption = {}): ExtendedKey {
  return decodeExtendedKey(extendedPayload(text), network, chosenArithmetic(options));
}

export function extendedPayload(text: string): Uint8Array {
  const payload = parseBase58Check(text, EXTENDED_KEY_SIZE);
  if (payload.length !== EXTENDED_KEY_SIZE) {
    throw invalid('length', 'The text is not an extended key: it has the wrong length');
  }
  return payload;
}

function invalid(reason: string, message: string): BtcError {
  return new BtcError('xkey/invalid', { reason }, message);
}

function invalidPrivateKey(): BtcError {
  return invalid('private key', 'The extended key holds a private key that is not valid');
}

export function invalidVersion(version: number, network: Network): BtcError {
  const otherNetworks = networksThat(({ bip32 }) => version === bip32.public || version === bip32.private);
  const isKnown = otherNetworks !== '';
  return invalid(
    'version',
    isKnown ? otherNetworkText('extended key', otherNetworks, network) : 'The text does not begin like an extended key',
  );
}

const toDataView = ({ buffer, byteOffset }: Uint8Array): DataView => new DataView(buffer, byteOffset);
const readVersion = (payload: Uint8Array): number => toDataView(payload).getUint32(0);

function decodeExtendedKey(payload: Uint8Array, network: Network, ecc: Ecc): ExtendedKey {
  const { bip32 } = network;
  const version = readVersion(payload);
  const head = {
    depth: payload[4] ?? 0,
    parentFingerprint: payload.slice(5, 9),
    childNumber: toDataView(payload).getUint32(9),
    chainCode: payload.slice(13, 45),
  };
  if (version === bip32.public) {
    const publicKey = payload.slice(45);
    if (!isValidPublicKey(publicKey)) {
      throw invalid('public key', 'The extended key holds a public key that is not on the curve');
    }
    return { ...head, publicKey };
  }
  if (version !== bip32.private) throw invalidVersion(version, network);
  const secretKey = concealed(payload.slice(46));
  if (!isSecretKey(secretKey)) throw invalidPrivateKey();
  return withSecretKey({ ...head, publicKey: ecc.publicKey(secretKey) }, secretKey);
}

/** Derives the master key of a seed of 16 to 64 bytes. @throws `xkey/invalid` @see BIP32 "Master key generation" */
export function masterKey(seed: Uint8Array, options: EccOption = {}): ExtendedKey {
  assertBytes('seed', seed);
  const ecc = chosenArithmetic(options);
  const hash = hmacSha512(
    Uint8Array.from('Bitcoin seed', (letter) => letter.charCodeAt(0)),
    seed,
  );
  const secretKey = concealed(hash.slice(0, 32));
  if (seed.length < 16 || seed.length > 64 || !isSecretKey(secretKey)) {
    throw invalid('seed', `A seed has 16 to 64 bytes, not ${seed.length}`);
  }
  const parentFingerprint = new Uint8Array(4);
  const publicKey = ecc.publicKey(secretKey);
  return withSecretKey(
    { depth: 0, parentFingerprint, childNumber: 0, chainCode: hash.slice(32), publicKey },
    secretKey,
  );
}

export const MAX_DEPTH = 255;

/**
 * Derives child 0 to 2^32 - 1, hardened from 2^31 on: private from private, public from public.
 * @throws `xkey/underivable` for an invalid child number, a hardened child of a public key, a child at depth 256, and
 * for one child in 2^127
 * @see BIP32 "Child key derivation (CKD) functions"
 */
export function deriveChild(key: ExtendedKey, child: number, options: EccOption = {}): ExtendedKey {
  assertExtendedKey(key);
  return childDeriver(key, chosenArithmetic(options))(child).key;
}

export function childDeriver(
  key: ExtendedKey,
  ecc: Ecc,
): (child: number) => { readonly key: ExtendedKey; readonly tweak: Uint8Array } {
  const hashChild = childHashes(key);
  const parentFingerprint = keyFingerprint(key);
  return (child) => {
    const { tweak, ...next } = hashChild(child);
    const sum = add(key, tweak, ecc) ?? refuseSum(child);
    const derived = { ...next, parentFingerprint, publicKey: sum.publicKey };
    return { key: sum.secretKey ? withSecretKey(derived, sum.secretKey) : derived, tweak };
  };
}

/** Normal steps need the public key, hardened ones the private key. */
type HashedKey = Pick<ExtendedKey, 'depth' | 'chainCode' | 'secretKey'> & Partial<Pick<ExtendedKey, 'publicKey'>>;

type ChildHash = Pick<ExtendedKey, 'depth' | 'childNumber' | 'chainCode'> & { readonly tweak: Uint8Array };

/** Hashes the chain code only once. */
function childHashes({ depth, chainCode, publicKey, secretKey }: HashedKey): (child: number) => ChildHash {
  const hmac = hmacSha512With(chainCode);
  return (child) => {
    if (depth === MAX_DEPTH) throw underivable(child, 'depth', `A key at depth ${MAX_DEPTH} has no children`);
    if (!Number.isInteger(child) || child < 0 || child > 0xffff_ffff) {
      throw underivable(child, 'range', 'The child number must be a whole number from 0 to 4294967295');
    }
    const parent = isHardened(child) ? secretKey && concatBytes(Uint8Array.of(0), secretKey) : publicKey;
    if (!parent) {
      throw underivable(child, 'hardened', 'A hardened step needs the private key, and the extended key is public');
    }
    const hash = hmac(concatBytes(parent, encodeChild(child)));
    const tweak = hash.slice(0, 32);
    if (!isBelowOrder(tweak)) return refuseSum(child);
    return { depth: depth + 1, childNumber: child, chainCode: hash.slice(32), tweak };
  };
}

function underivable(child: number, reason: ErrorData['xkey/underivable']['reason'], message: string): BtcError {
  return new BtcError('xkey/underivable', { child, reason }, message);
}

function refuseSum(child: number): never {
  throw underivable(child, 'no key', `Child ${child} has no valid key: use the next`);
}

/** `Ecc` tweaks only points with an even y; for an odd one, this negates the tweak, and then the sum. */
function add(
  { publicKey, secretKey }: ExtendedKey,
  tweak: Uint8Array,
  ecc: Ecc,
): Pick<ExtendedKey, 'publicKey' | 'secretKey'> | undefined {
  if (secretKey) {
    const sum = addSecret(secretKey, tweak);
    return sum && { publicKey: ecc.publicKey(sum), secretKey: sum };
  }
  const isOdd = publicKey[0] === 0x03;
  const added = isOdd ? negateScalar(tweak) : tweak;
  const sum = ecc.tweakPublicKey(publicKey.slice(1), added);
  return sum && { publicKey: concatBytes(Uint8Array.of(0x02 | (sum.parity ^ (isOdd ? 1 : 0))), sum.publicKey) };
}

function addSecret(secretKey: Uint8Array, tweak: Uint8Array): Uint8Array | undefined {
  const sum = concealed(addScalars(secretKey, tweak));
  return isZero(sum) ? undefined : sum;
}

/** Derives along a path. @throws as `deriveChild` */
export function derivePath(key: ExtendedKey, path: readonly number[], options: EccOption = {}): ExtendedKey {
  assertExtendedKey(key);
  assertList('path', path);
  const ecc = chosenArithmetic(options);
  // If all steps are hardened, leaves out the last: the result shows its parent's fingerprint.
  const hardened = path.slice(
    0,
    path.findIndex((child) => !isHardened(child)),
  );
  const start = passHardened(key, hardened, ecc);
  const remaining = start === key ? path : path.slice(hardened.length);
  return remaining.reduce((parent, child) => childDeriver(parent, ecc)(child).key, start);
}

/** Hardened steps need no public keys between them. Leaves the parent's fingerprint at zero. */
function passHardened(key: ExtendedKey, path: readonly number[], ecc: Ecc): ExtendedKey {
  let { secretKey } = key;
  if (!secretKey || path.length === 0) return key;
  let passed: Omit<ExtendedKey, 'publicKey' | 'parentFingerprint'> = key;
  for (const child of path) {
    const { tweak, ...next } = childHashes(withSecretKey({ ...passed }, secretKey))(child);
    secretKey = addSecret(secretKey, tweak) ?? refuseSum(child);
    passed = next;
  }
  const { depth, childNumber, chainCode } = passed;
  const parentFingerprint = new Uint8Array(4);
  return withSecretKey(
    { depth, parentFingerprint, childNumber, chainCode, publicKey: ecc.publicKey(secretKey) },
    secretKey,
  );
}
