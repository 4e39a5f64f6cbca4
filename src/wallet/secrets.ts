import { concatBytes } from '../bytes/compare.ts';
import { formatHex, parseHex } from '../bytes/hex.ts';
import {
  assertSize,
  openBytes,
  type Scrypt,
  type ScryptCost,
  sealBytes,
  stretchPassphrase,
} from '../crypto/sealing.ts';

/** A master key under a passphrase, as JSON can hold it; `salt`, `nonce` and `box` in hex. */
export interface SealedMasterKey extends ScryptCost {
  readonly kdf: 'scrypt';
  readonly cipher: 'xchacha20-poly1305';
  readonly salt: string;
  readonly nonce: string;
  readonly box: string;
}

/** A secret under a master key, as JSON can hold it; both in hex. */
export interface SealedSecret {
  readonly nonce: string;
  readonly box: string;
}

/** The least that OWASP's Password Storage Cheat Sheet advises: 128 MiB for each try. */
const COST: ScryptCost = { N: 2 ** 17, r: 8, p: 1 };

/** How a master key is sealed. */
interface SealOptions {
  readonly salt: Uint8Array;
  readonly nonce: Uint8Array;
  readonly cost?: ScryptCost;
  readonly scrypt?: Scrypt | undefined;
}

/** What keeps the box of a master key from being taken for that of a secret, and the reverse. */
const MASTER = ascii('countersign master key\0');
const SECRET = ascii('countersign secret\0');

/**
 * Seals a master key under a passphrase. The key under which it is sealed is wiped; of the passphrase, which is a
 * string, the engine may hold copies that nobody can wipe.
 *
 * - `masterKey`: 32 random bytes
 * - `passphrase`: any text, taken as it is; who calls says which are good enough
 * - `salt`: 16 or more random bytes; `nonce`: 24 random bytes; both new each time
 * - `cost`: of each try; kept with the result
 * - `scrypt`: default that of @noble/hashes
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
 * Opens a master key. How long it takes does not depend on how nearly right the passphrase is.
 * @returns 32 bytes, for the caller to wipe; `undefined` for another passphrase, or where `sealed` was altered
 * @throws BtcError `secret/size`, `secret/cost`, `hex/invalid` for what {@link sealMasterKey} cannot have made
 */
export function openMasterKey(sealed: SealedMasterKey, passphrase: string, scrypt?: Scrypt): Uint8Array | undefined {
  const nonce = parseHex(sealed.nonce);
  const box = parseHex(sealed.box);
  const use = (key: Uint8Array): Uint8Array | undefined => openBytes({ key, nonce, context: MASTER }, box);
  return withStretched(passphrase, { salt: parseHex(sealed.salt), cost: sealed, scrypt }, use);
}

/** Uses the key that a passphrase gives, and wipes it, whatever comes of it. */
function withStretched<T>(
  passphrase: string,
  { salt, cost, scrypt }: { readonly salt: Uint8Array; readonly cost: ScryptCost; readonly scrypt: Scrypt | undefined },
  use: (key: Uint8Array) => T,
): T {
  const key = stretchPassphrase(passphrase, salt, cost, scrypt);
  try {
    return use(key);
  } finally {
    key.fill(0);
  }
}

/**
 * Seals a secret, such as a private key, under a master key.
 *
 * - `secret`: any bytes; their number shows
 * - `context`: what the secret belongs to, e.g. its public key: it opens with nothing else
 * - `nonce`: 24 random bytes, new each time
 *
 * @throws BtcError `secret/size`
 */
export function sealSecret(
  masterKey: Uint8Array,
  secret: Uint8Array,
  context: Uint8Array,
  nonce: Uint8Array,
): SealedSecret {
  const box = sealBytes({ key: masterKey, nonce, context: concatBytes(SECRET, context) }, secret);
  return { nonce: formatHex(nonce), box: formatHex(box) };
}

/**
 * Opens a secret.
 * @returns the secret, for the caller to wipe; `undefined` for another master key or context, or where it was altered
 * @throws BtcError `secret/size`, `hex/invalid` for what {@link sealSecret} cannot have made
 */
export function openSecret(masterKey: Uint8Array, sealed: SealedSecret, context: Uint8Array): Uint8Array | undefined {
  const nonce = parseHex(sealed.nonce);
  return openBytes({ key: masterKey, nonce, context: concatBytes(SECRET, context) }, parseHex(sealed.box));
}

function ascii(text: string): Uint8Array {
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}
