import { bytesKey, parseBytesKey } from '../../../core/bytes/compare.ts';
import { concealed } from '../../../core/crypto/concealed.ts';
import type { Scrypt } from '../../../core/crypto/sealing.ts';
import { BtcError } from '../../../core/errors.ts';
import { formatJson } from '../../store/codecs.ts';
import type { RecordCodec, Table } from '../../store/tables.ts';
import { openMasterKey, openPrivateKey, type SealedMasterKey, type SealedSecret, sealSecret } from './sealedSecrets.ts';
import type { Settings } from './settings.ts';

/** Sealed under the master key if the wallet is encrypted. */
export type StoredSecret = Uint8Array | SealedSecret;

/** Returns cryptographically secure random bytes. */
export type Random = (size: number) => Uint8Array;

const NONCE_SIZE = 24;
const KEY_SIZE = 32;

export interface Vault {
  /** Set once the wallet is encrypted. */
  readonly master: SealedMasterKey | undefined;
}

type VaultSettings = Settings<Partial<Vault>>;

/** Secrets, kept apart so that printing, serializing or cloning a wallet cannot expose them. */
interface Held {
  readonly settings: VaultSettings;
  /** By `bytesKey` of the public key. */
  readonly keys: Table<string, StoredSecret>;
  /** Set while an encrypted wallet is unlocked. */
  masterKey: Uint8Array | undefined;
  /** The private keys of an encrypted wallet; empty while locked. */
  readonly opened: Map<string, Uint8Array>;
}

const HELD: WeakMap<Vault, Held> = /* @__PURE__ */ new WeakMap();

/** A private key is its 32 bytes, or the JSON of a sealed one. */
export const secretCodec: RecordCodec<StoredSecret> = {
  encode: (secret) => (secret instanceof Uint8Array ? new Uint8Array(secret) : parseBytesKey(formatJson(secret))),
  decode: (bytes) =>
    bytes.length === KEY_SIZE ? concealed(new Uint8Array(bytes)) : (JSON.parse(bytesKey(bytes)) as SealedSecret),
};

/** Creates a vault that keeps its private keys in a table. */
export function createVault(settings: VaultSettings, keys: Table<string, StoredSecret>): Vault {
  const vault: Vault = {
    get master() {
      return settings.row.master;
    },
  };
  HELD.set(vault, { settings, keys, masterKey: undefined, opened: new Map() });
  return vault;
}

const heldBy = (vault: Vault): Held | undefined => HELD.get(vault);

export const isLocked = (vault: Vault): boolean => vault.master !== undefined && heldBy(vault)?.masterKey === undefined;

/** Tells whether there is a private key, locked or not. */
export const hasSecret = (vault: Vault, publicKey: Uint8Array): boolean =>
  heldBy(vault)?.keys.has(bytesKey(publicKey)) ?? false;

/** Returns a private key that the wallet has, unless it is locked. @throws BtcError `store/corrupt`, and as {@link findSecret} */
export function ownSecret(vault: Vault, publicKey: Uint8Array): Uint8Array | undefined {
  if (hasSecret(vault, publicKey) || !heldBy(vault)) return findSecret(vault, publicKey);
  throw missingSecret();
}

export function missingSecret(): BtcError {
  const message = 'A private key is missing that the wallet has: restore the store from a backup';
  return new BtcError('store/corrupt', { path: '', reason: 'missing' }, message);
}

/**
 * Returns `undefined` for an unknown or locked key.
 * @throws BtcError `secret/*`, `hex/invalid` for a key that no wallet seals
 */
export function findSecret(vault: Vault, publicKey: Uint8Array): Uint8Array | undefined {
  // A copy of a vault has no secrets.
  const held = heldBy(vault);
  return held && openedSecret(held, bytesKey(publicKey));
}

function openedSecret({ keys, masterKey, opened }: Held, name: string): Uint8Array | undefined {
  const stored = keys.get(name);
  if (stored instanceof Uint8Array) return stored;
  if (stored === undefined || !masterKey) return undefined;
  const before = opened.get(name);
  if (before) return before;
  const secret = openPrivateKey(masterKey, stored, parseBytesKey(name));
  if (secret) opened.set(name, concealed(secret));
  return secret;
}

/** Yields the private keys that are not locked, by `bytesKey` of their public keys. @throws as {@link findSecret} */
export function* availableSecrets(vault: Vault): Generator<readonly [name: string, secret: Uint8Array]> {
  const held = heldBy(vault);
  for (const name of held?.keys.keys() ?? []) {
    const secret = held && openedSecret(held, name);
    if (secret) yield [name, secret];
  }
}

/** Seals a private key for an event if the wallet is encrypted, which must be unlocked then. */
export function storeSecret(
  vault: Vault,
  { publicKey, secretKey }: { readonly publicKey: Uint8Array; readonly secretKey: Uint8Array },
  random: Random,
): StoredSecret {
  const masterKey = heldBy(vault)?.masterKey;
  return masterKey
    ? sealSecret(masterKey, secretKey, { context: publicKey, nonce: random(NONCE_SIZE) })
    : concealed(new Uint8Array(secretKey));
}

/** Overwrites a private key that was not sealed. */
export function addSecret(vault: Vault, publicKey: Uint8Array, stored: StoredSecret): void {
  const keys = heldBy(vault)?.keys;
  const before = keys?.get(bytesKey(publicKey));
  keys?.set(bytesKey(publicKey), stored);
  if (before instanceof Uint8Array && !(stored instanceof Uint8Array)) before.fill(0);
}

/** Sets or replaces the sealed master key. The caller adds the sealed secrets with {@link addSecret}. */
export function sealVault(vault: Vault, master: SealedMasterKey): void {
  heldBy(vault)?.settings.change({ master });
}

/** Overwrites and forgets the master key of an encrypted vault, and all keys opened with it. */
export function lockVault(vault: Vault): void {
  const held = heldBy(vault);
  if (!held) return;
  for (const secret of held.opened.values()) secret.fill(0);
  held.opened.clear();
  held.masterKey?.fill(0);
  held.masterKey = undefined;
}

/**
 * Unlocks an encrypted vault, which stays as it was on failure. @returns false for a wrong passphrase
 * @throws BtcError `secret/*`, `hex/invalid` for a key that no wallet seals
 */
export function unlockVault(vault: Vault, passphrase: string, scrypt?: Scrypt): boolean {
  const masterKey = vault.master && openMasterKey(vault.master, passphrase, scrypt);
  if (!masterKey) return false;
  openVault(vault, masterKey);
  return true;
}

/** Keeps `masterKey`, or wipes it on failure. Opens all keys, so that a damaged one is found. @throws as {@link unlockVault} */
export function openVault(vault: Vault, masterKey: Uint8Array): void {
  const held = heldBy(vault);
  if (!held) return;
  const unlocked: Held = { ...held, masterKey: concealed(masterKey), opened: new Map() };
  try {
    for (const name of held.keys.keys()) openedSecret(unlocked, name);
  } catch (error) {
    for (const bytes of [masterKey, ...unlocked.opened.values()]) bytes.fill(0);
    throw error;
  }
  lockVault(vault);
  HELD.set(vault, unlocked);
}
