import { bytesKey } from '../../../core/bytes/compare.ts';
import { concealed } from '../../../core/crypto/concealed.ts';
import type { Scrypt } from '../../../core/crypto/sealing.ts';
import { openMasterKey, openPrivateKey, type SealedMasterKey, type SealedSecret, sealSecret } from './sealedSecrets.ts';

/** A private key in an event: its bytes, or sealed under the wallet's master key. */
export type StoredSecret = Uint8Array | SealedSecret;

/** Returns cryptographically secure random bytes. */
export type Random = (size: number) => Uint8Array;

const NONCE_SIZE = 24;

/** The private keys of a wallet, by the names of their public keys. */
export interface Vault {
  /** Set once the wallet is encrypted. */
  master: SealedMasterKey | undefined;
  /** Empty unless the wallet is encrypted. */
  readonly sealed: Map<string, { readonly publicKey: Uint8Array; readonly secret: SealedSecret }>;
}

/** The secrets of a vault, kept apart so that printing, serializing or cloning a wallet cannot expose them. */
interface Held {
  /** Set only while an encrypted wallet is unlocked. */
  masterKey: Uint8Array | undefined;
  /** Private keys; empty while an encrypted wallet is locked. */
  readonly secrets: Map<string, Uint8Array>;
}

const HELD: WeakMap<Vault, Held> = /* @__PURE__ */ new WeakMap();

export function createVault(): Vault {
  const vault: Vault = { master: undefined, sealed: new Map() };
  HELD.set(vault, { masterKey: undefined, secrets: new Map() });
  return vault;
}

/** Returns the secrets of a vault; a copy of a vault has none. */
const heldBy = (vault: Vault): Held => HELD.get(vault) ?? { masterKey: undefined, secrets: new Map() };

/** Tells whether a wallet is encrypted and locked. */
export const isLocked = (vault: Vault): boolean => vault.master !== undefined && heldBy(vault).masterKey === undefined;

/** Returns a private key; `undefined` if it is unknown or locked. */
export const secretOf = (vault: Vault, publicKey: Uint8Array): Uint8Array | undefined =>
  heldBy(vault).secrets.get(bytesKey(publicKey));

/** Returns the available private keys, by the names of their public keys. */
export const secretsOf = (vault: Vault): ReadonlyMap<string, Uint8Array> => heldBy(vault).secrets;

/** Converts a private key for an event, sealing it if the wallet is encrypted. The wallet must not be locked. */
export function storeSecret(
  vault: Vault,
  { publicKey, secretKey }: { readonly publicKey: Uint8Array; readonly secretKey: Uint8Array },
  random: Random,
): StoredSecret {
  const { masterKey } = heldBy(vault);
  return masterKey
    ? sealSecret(masterKey, secretKey, publicKey, random(NONCE_SIZE))
    : concealed(new Uint8Array(secretKey));
}

/** Adds a private key in the form that {@link storeSecret} returns. */
export function addSecret(vault: Vault, publicKey: Uint8Array, stored: StoredSecret): void {
  const { secrets, masterKey } = heldBy(vault);
  const key = bytesKey(publicKey);
  if (stored instanceof Uint8Array) {
    secrets.set(key, stored);
    return;
  }
  vault.sealed.set(key, { publicKey, secret: stored });
  const secret = masterKey && openPrivateKey(masterKey, stored, publicKey);
  if (secret) secrets.set(key, concealed(secret));
}

/** Makes the vault encrypted, and locks it. The caller adds the sealed secrets with {@link addSecret}. */
export function encryptVault(vault: Vault, master: SealedMasterKey): void {
  vault.master = master;
  lockVault(vault);
}

/** Overwrites and forgets the master key and all private keys of an encrypted vault. */
export function lockVault(vault: Vault): void {
  if (!vault.master) return;
  const held = heldBy(vault);
  for (const secret of held.secrets.values()) secret.fill(0);
  held.secrets.clear();
  held.masterKey?.fill(0);
  held.masterKey = undefined;
}

/**
 * Unlocks an encrypted vault. If it fails, the vault stays as it was.
 * @returns false if the passphrase is wrong
 * @throws BtcError `secret/*`, `hex/invalid` for a master key or private key that no wallet seals
 */
export function unlockVault(vault: Vault, passphrase: string, scrypt?: Scrypt): boolean {
  const masterKey = vault.master && openMasterKey(vault.master, passphrase, scrypt);
  if (!masterKey) return false;
  openVault(vault, masterKey);
  return true;
}

/**
 * Unlocks an encrypted vault with its master key, which it keeps. If it fails, the vault stays as it was.
 * @throws as {@link unlockVault}
 */
export function openVault(vault: Vault, masterKey: Uint8Array): void {
  const opened = new Map<string, Uint8Array>();
  try {
    for (const [name, { publicKey, secret }] of vault.sealed) {
      const secretKey = openPrivateKey(masterKey, secret, publicKey);
      if (secretKey) opened.set(name, concealed(secretKey));
    }
  } catch (error) {
    for (const bytes of [masterKey, ...opened.values()]) bytes.fill(0);
    throw error;
  }
  lockVault(vault);
  const held = heldBy(vault);
  held.masterKey = concealed(masterKey);
  for (const [name, secretKey] of opened) held.secrets.set(name, secretKey);
}
