import { bytesKey } from '../../../core/bytes/compare.ts';
import { concealed } from '../../../core/crypto/concealed.ts';
import type { Scrypt } from '../../../core/crypto/sealing.ts';
import { openMasterKey, openPrivateKey, type SealedMasterKey, type SealedSecret, sealSecret } from './sealedSecrets.ts';

/** Sealed under the master key if the wallet is encrypted. */
export type StoredSecret = Uint8Array | SealedSecret;

/** Returns cryptographically secure random bytes. */
export type Random = (size: number) => Uint8Array;

const NONCE_SIZE = 24;

export interface Vault {
  /** Set once the wallet is encrypted. */
  master: SealedMasterKey | undefined;
  /** By `bytesKey` of the public key; empty unless the wallet is encrypted. */
  readonly sealed: Map<string, { readonly publicKey: Uint8Array; readonly secret: SealedSecret }>;
}

/** Secrets, kept apart so that printing, serializing or cloning a wallet cannot expose them. */
interface Held {
  /** Set while an encrypted wallet is unlocked. */
  masterKey: Uint8Array | undefined;
  /** Private keys by `bytesKey` of the public key; empty while locked. */
  readonly secrets: Map<string, Uint8Array>;
}

const HELD: WeakMap<Vault, Held> = /* @__PURE__ */ new WeakMap();

export function createVault(): Vault {
  const vault: Vault = { master: undefined, sealed: new Map() };
  HELD.set(vault, { masterKey: undefined, secrets: new Map() });
  return vault;
}

/** Returns no secrets for a copy of a vault. */
const heldBy = (vault: Vault): Held => HELD.get(vault) ?? { masterKey: undefined, secrets: new Map() };

export const isLocked = (vault: Vault): boolean => vault.master !== undefined && heldBy(vault).masterKey === undefined;

/** Returns `undefined` for an unknown or locked key. */
export const findSecret = (vault: Vault, publicKey: Uint8Array): Uint8Array | undefined =>
  heldBy(vault).secrets.get(bytesKey(publicKey));

export const availableSecrets = (vault: Vault): ReadonlyMap<string, Uint8Array> => heldBy(vault).secrets;

/** Seals a private key for an event if the wallet is encrypted, which must be unlocked then. */
export function storeSecret(
  vault: Vault,
  { publicKey, secretKey }: { readonly publicKey: Uint8Array; readonly secretKey: Uint8Array },
  random: Random,
): StoredSecret {
  const { masterKey } = heldBy(vault);
  return masterKey
    ? sealSecret(masterKey, secretKey, { context: publicKey, nonce: random(NONCE_SIZE) })
    : concealed(new Uint8Array(secretKey));
}

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

/** Locks the vault, too. The caller adds the sealed secrets with {@link addSecret}. */
export function encryptVault(vault: Vault, master: SealedMasterKey): void {
  vault.master = master;
  lockVault(vault);
}

/** Overwrites and forgets all secrets of an encrypted vault. */
export function lockVault(vault: Vault): void {
  if (!vault.master) return;
  const contents = heldBy(vault);
  for (const secret of contents.secrets.values()) secret.fill(0);
  contents.secrets.clear();
  contents.masterKey?.fill(0);
  contents.masterKey = undefined;
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

/** Keeps `masterKey`, or wipes it on failure. @throws as {@link unlockVault} */
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
  const contents = heldBy(vault);
  contents.masterKey = concealed(masterKey);
  for (const [name, secretKey] of opened) contents.secrets.set(name, secretKey);
}
