import { byteName } from '../bytes/compare.ts';
import { formatHex, parseHex } from '../bytes/hex.ts';
import type { Scrypt } from '../crypto/sealing.ts';
import { openMasterKey, openSecret, type SealedMasterKey, type SealedSecret, sealSecret } from './secrets.ts';

/** A private key as a journal holds it: in hex, or sealed under the wallet's master key. */
export type StoredSecret = string | SealedSecret;

/** Random bytes from a good source. */
export type Random = (size: number) => Uint8Array;

const NONCE_SIZE = 24;

/** The private keys of a wallet, by their public keys' names. It changes in place, by the functions of this file only. */
export interface Vault {
  /** Set once the wallet is encrypted. */
  master: SealedMasterKey | undefined;
  /** Only while an encrypted wallet is unlocked. */
  masterKey: Uint8Array | undefined;
  /** Empty while an encrypted wallet is locked. */
  readonly secrets: Map<string, Uint8Array>;
  /** Empty unless the wallet is encrypted. */
  readonly sealed: Map<string, { readonly publicKey: Uint8Array; readonly secret: SealedSecret }>;
}

export const createVault = (): Vault => ({
  master: undefined,
  masterKey: undefined,
  secrets: new Map(),
  sealed: new Map(),
});

/** Whether private keys cannot be had for want of the passphrase. */
export const isLocked = ({ master, masterKey }: Vault): boolean => master !== undefined && masterKey === undefined;

/** A private key; `undefined` where it is not held, or locked. */
export const secretOf = ({ secrets }: Vault, publicKey: Uint8Array): Uint8Array | undefined =>
  secrets.get(byteName(publicKey));

/** A private key as it is to be written into the journal of this wallet, which must not be locked. */
export function storeSecret(
  { masterKey }: Vault,
  { publicKey, secretKey }: { readonly publicKey: Uint8Array; readonly secretKey: Uint8Array },
  random: Random,
): StoredSecret {
  return masterKey ? sealSecret(masterKey, secretKey, publicKey, random(NONCE_SIZE)) : formatHex(secretKey);
}

/** Adds a private key that {@link storeSecret} has written. */
export function addSecret(vault: Vault, publicKey: Uint8Array, stored: StoredSecret): void {
  const name = byteName(publicKey);
  if (typeof stored === 'string') {
    vault.secrets.set(name, parseHex(stored));
    return;
  }
  vault.sealed.set(name, { publicKey, secret: stored });
  const secret = vault.masterKey && openSecret(vault.masterKey, stored, publicKey);
  if (secret) vault.secrets.set(name, secret);
}

/** Has the wallet encrypted from now on, and locked. Its secrets come again with {@link addSecret}. */
export function encryptVault(vault: Vault, master: SealedMasterKey): void {
  vault.master = master;
  lockVault(vault);
}

/** Forgets the master key and all private keys: they are overwritten. */
export function lockVault(vault: Vault): void {
  if (!vault.master) return;
  for (const secret of vault.secrets.values()) secret.fill(0);
  vault.secrets.clear();
  vault.masterKey?.fill(0);
  vault.masterKey = undefined;
}

/** Opens the vault of an encrypted wallet. @returns whether the passphrase was right; if not, nothing has changed */
export function unlockVault(vault: Vault, passphrase: string, scrypt?: Scrypt): boolean {
  const masterKey = vault.master && openMasterKey(vault.master, passphrase, scrypt);
  if (!masterKey) return false;
  lockVault(vault);
  vault.masterKey = masterKey;
  for (const [name, { publicKey, secret }] of vault.sealed) {
    const opened = openSecret(masterKey, secret, publicKey);
    if (opened) vault.secrets.set(name, opened);
  }
  return true;
}
