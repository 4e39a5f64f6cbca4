import { byteName } from '../bytes/compare.ts';
import { formatHex, parseHex } from '../bytes/hex.ts';
import { concealed } from '../crypto/concealed.ts';
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
  /** Empty unless the wallet is encrypted. */
  readonly sealed: Map<string, { readonly publicKey: Uint8Array; readonly secret: SealedSecret }>;
}

/** The secrets of a vault, held apart so that printing, serialising or cloning a wallet cannot reach them. */
interface Held {
  /** Only while an encrypted wallet is unlocked. */
  masterKey: Uint8Array | undefined;
  /** Private keys; none while an encrypted wallet is locked. */
  readonly secrets: Map<string, Uint8Array>;
}

const HELD: WeakMap<Vault, Held> = /* @__PURE__ */ new WeakMap();

export function createVault(): Vault {
  const vault: Vault = { master: undefined, sealed: new Map() };
  HELD.set(vault, { masterKey: undefined, secrets: new Map() });
  return vault;
}

/** A copy of a vault holds nothing. */
const heldBy = (vault: Vault): Held => HELD.get(vault) ?? { masterKey: undefined, secrets: new Map() };

/** Whether private keys cannot be had for want of the passphrase. */
export const isLocked = (vault: Vault): boolean => vault.master !== undefined && heldBy(vault).masterKey === undefined;

/** A private key; `undefined` where it is not held, or locked. */
export const secretOf = (vault: Vault, publicKey: Uint8Array): Uint8Array | undefined =>
  heldBy(vault).secrets.get(byteName(publicKey));

/** The private keys that are held now, by their public keys' names. */
export const secretsOf = (vault: Vault): ReadonlyMap<string, Uint8Array> => heldBy(vault).secrets;

/** A private key as it is to be written into the journal of this wallet, which must not be locked. */
export function storeSecret(
  vault: Vault,
  { publicKey, secretKey }: { readonly publicKey: Uint8Array; readonly secretKey: Uint8Array },
  random: Random,
): StoredSecret {
  const { masterKey } = heldBy(vault);
  return masterKey ? sealSecret(masterKey, secretKey, publicKey, random(NONCE_SIZE)) : formatHex(secretKey);
}

/** Adds a private key that {@link storeSecret} has written. */
export function addSecret(vault: Vault, publicKey: Uint8Array, stored: StoredSecret): void {
  const { secrets, masterKey } = heldBy(vault);
  const name = byteName(publicKey);
  if (typeof stored === 'string') {
    secrets.set(name, concealed(parseHex(stored)));
    return;
  }
  vault.sealed.set(name, { publicKey, secret: stored });
  const secret = masterKey && openSecret(masterKey, stored, publicKey);
  if (secret) secrets.set(name, concealed(secret));
}

/** Has the wallet encrypted from now on, and locked. Its secrets come again with {@link addSecret}. */
export function encryptVault(vault: Vault, master: SealedMasterKey): void {
  vault.master = master;
  lockVault(vault);
}

/** Forgets the master key and all private keys: they are overwritten. */
export function lockVault(vault: Vault): void {
  if (!vault.master) return;
  const held = heldBy(vault);
  for (const secret of held.secrets.values()) secret.fill(0);
  held.secrets.clear();
  held.masterKey?.fill(0);
  held.masterKey = undefined;
}

/** Opens the vault of an encrypted wallet. @returns whether the passphrase was right; if not, nothing has changed */
export function unlockVault(vault: Vault, passphrase: string, scrypt?: Scrypt): boolean {
  const masterKey = vault.master && openMasterKey(vault.master, passphrase, scrypt);
  if (!masterKey) return false;
  lockVault(vault);
  const held = heldBy(vault);
  held.masterKey = concealed(masterKey);
  for (const [name, { publicKey, secret }] of vault.sealed) {
    const opened = openSecret(masterKey, secret, publicKey);
    if (opened) held.secrets.set(name, concealed(opened));
  }
  return true;
}
