import { concatBytes } from '../../../core/bytes/compare.ts';
import { formatHex, parseHex } from '../../../core/bytes/hex.ts';
import {
  assertSize,
  openBytes,
  type Scrypt,
  type ScryptCost,
  type Stretching,
  sealBytes,
  stretchPassphrase,
} from '../../../core/crypto/sealing.ts';
import { BtcError } from '../../../core/errors.ts';

/** In JSON; `salt`, `nonce` and `box` in hex. */
export interface SealedMasterKey extends ScryptCost {
  readonly kdf: 'scrypt';
  readonly cipher: 'xchacha20-poly1305';
  readonly salt: string;
  readonly nonce: string;
  readonly box: string;
}

/** In JSON; both fields in hex. */
export interface SealedSecret {
  readonly nonce: string;
  readonly box: string;
}

/** The minimum of OWASP's Password Storage Cheat Sheet: 128 MiB per attempt. */
const COST: ScryptCost = { N: 2 ** 17, r: 8, p: 1 };

interface SealOptions {
  readonly salt: Uint8Array;
  readonly nonce: Uint8Array;
  readonly cost?: ScryptCost;
  readonly scrypt?: Scrypt | undefined;
}

/** Contexts that keep a sealed master key and a sealed secret apart. */
const MASTER = ascii('countersign master key\0');
const SECRET = ascii('countersign secret\0');

/**
 * Seals a master key under a passphrase. Wipes the stretched key; the engine may keep copies of the passphrase string.
 *
 * - `masterKey`: 32 random bytes
 * - `passphrase`: used as is; the caller decides which are strong enough
 * - `salt`: 16 or more random bytes; `nonce`: 24 random bytes; both new each time
 *
 * @throws BtcError `secret/size`, `secret/cost`
 */
export function sealMasterKey(
  masterKey: Uint8Array,
  passphrase: string,
  { salt, nonce, cost = COST, scrypt }: SealOptions,
): SealedMasterKey {
  assertSize('master key', masterKey, 32);
  if (salt.length < 16) assertSize('salt', salt, 16);
  const { N, r, p } = cost;
  const use = (key: Uint8Array): Uint8Array => sealBytes({ key, nonce, context: MASTER }, masterKey);
  const box = withStretched(passphrase, { salt, cost, scrypt }, use);
  return {
    kdf: 'scrypt',
    N,
    r,
    p,
    cipher: 'xchacha20-poly1305',
    salt: formatHex(salt),
    nonce: formatHex(nonce),
    box: formatHex(box),
  };
}

/**
 * Opens a master key. The time taken does not depend on how close the passphrase is.
 * @returns 32 bytes, for the caller to wipe; `undefined` if the passphrase is wrong or `sealed` was altered
 * @throws BtcError `secret/size`, `secret/cost`, `hex/invalid` for a value that {@link sealMasterKey} cannot make
 */
export function openMasterKey(sealed: SealedMasterKey, passphrase: string, scrypt?: Scrypt): Uint8Array | undefined {
  const nonce = readHex('nonce', sealed.nonce, NONCE_SIZE);
  const box = readHex('box', sealed.box, KEY_BOX_SIZE);
  const salt = readHex('salt', sealed.salt, SALT_SIZES);
  const use = (key: Uint8Array): Uint8Array | undefined => openBytes({ key, nonce, context: MASTER }, box);
  return withStretched(passphrase, { salt, cost: sealed, scrypt }, use);
}

interface SizeRange {
  readonly least: number;
  readonly most: number;
}

const NONCE_SIZE: SizeRange = { least: 24, most: 24 };
const SALT_SIZES: SizeRange = { least: 16, most: 64 };
/** With the authentication tag. */
const KEY_BOX_SIZE: SizeRange = { least: 48, most: 48 };

/** At least the authentication tag. */
const BOX_SIZES: SizeRange = { least: 16, most: 65_536 };

/** Reads a field of a record, which may hold any JSON value. @throws BtcError `secret/size`, `hex/invalid` */
function readHex(what: string, hex: unknown, { least, most }: SizeRange): Uint8Array {
  const size = typeof hex === 'string' ? Math.ceil(hex.length / 2) : 0;
  if (typeof hex !== 'string' || size < least || size > most) {
    const range = least === most ? least : `${least} to ${most}`;
    throw new BtcError(
      'secret/size',
      { what, size, expected: least },
      `The ${what} has ${size} bytes instead of ${range}`,
    );
  }
  return parseHex(hex);
}

/**
 * Keeps passphrases apart that differ only by NULs at their ends: HMAC pads short keys with these. Changes no others but
 * those that would look like the result.
 */
function withoutFinalNul(passphrase: string): string {
  let end = passphrase.length;
  while (passphrase[end - 1] === '\u0001') end -= 1;
  return passphrase[end - 1] === '\0' ? `${passphrase}\u0001` : passphrase;
}

/** Wipes the stretched key after `use`. */
function withStretched<T>(passphrase: string, stretching: Stretching, use: (key: Uint8Array) => T): T {
  const key = stretchPassphrase(withoutFinalNul(passphrase), stretching);
  try {
    return use(key);
  } finally {
    key.fill(0);
  }
}

/**
 * Seals a secret under a master key. The result reveals the secret's size.
 *
 * - `context`: identifies the secret, e.g. its public key; needed to open it
 * - `nonce`: 24 random bytes, new each time
 *
 * @throws BtcError `secret/size`
 */
export function sealSecret(
  masterKey: Uint8Array,
  secret: Uint8Array,
  { context, nonce }: { readonly context: Uint8Array; readonly nonce: Uint8Array },
): SealedSecret {
  const box = sealBytes({ key: masterKey, nonce, context: concatBytes(SECRET, context) }, secret);
  return { nonce: formatHex(nonce), box: formatHex(box) };
}

/**
 * Opens a secret, for the caller to wipe.
 * @returns `undefined` if the master key or context is wrong, or `sealed` was altered
 * @throws BtcError `secret/size`, `hex/invalid` for a value that {@link sealSecret} cannot make
 */
export function openSecret(masterKey: Uint8Array, sealed: SealedSecret, context: Uint8Array): Uint8Array | undefined {
  const { nonce, box } = toMembers(sealed);
  const input = { key: masterKey, nonce: readHex('nonce', nonce, NONCE_SIZE), context: concatBytes(SECRET, context) };
  return openBytes(input, readHex('box', box, BOX_SIZES));
}

/** Opens a secret of 32 bytes, whose context is its public key, as {@link openSecret} does. */
export function openPrivateKey(
  masterKey: Uint8Array,
  sealed: SealedSecret,
  publicKey: Uint8Array,
): Uint8Array | undefined {
  readHex('box', toMembers(sealed).box, KEY_BOX_SIZE);
  return openSecret(masterKey, sealed, publicKey);
}

const toMembers = (value: unknown): { readonly nonce?: unknown; readonly box?: unknown } =>
  typeof value === 'object' && value !== null ? value : {};

function ascii(text: string): Uint8Array {
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}
