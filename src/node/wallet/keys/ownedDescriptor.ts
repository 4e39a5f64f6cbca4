import { bytesKey } from '../../../core/bytes/compare.ts';
import { withSecretKey } from '../../../core/crypto/concealed.ts';
import type { Ecc } from '../../../core/crypto/ecc.ts';
import { createDeriver, type Derived } from '../../../core/descriptors/derive.ts';
import { withKeys } from '../../../core/descriptors/keyExpressions.ts';
import type { Descriptor } from '../../../core/descriptors/types.ts';
import type { ScriptsAt } from './derivations.ts';
import { secretsIn, withSecret } from './descriptorKeys.ts';
import { secretOf, type Vault } from './vault.ts';

/** A descriptor as it was imported, without its private keys. */
export interface DescriptorImport {
  readonly descriptor: Descriptor;
  /** The descriptor after its hardened steps; but for hardened wildcards, it is derived without private keys. */
  readonly normalized: Descriptor;
  /** UNIX time. */
  readonly timestamp: number;
  /** The first index of the range, and the one after the last. */
  readonly first: number;
  readonly end: number;
  /** The first unused index. */
  readonly next: number;
}

export interface OwnedDescriptor {
  /** The text of `descriptor` with uniform hardened markers. */
  readonly id: string;
  readonly isRanged: boolean;
  /** True if it has a hardened wildcard, so that new indexes need the private keys. */
  readonly isHardened: boolean;
  source: DescriptorImport;
  /** The text of `normalized`; safe to show. */
  text: string;
  derive: (index: number) => Derived;
  /** Returns the scripts of an index, possibly from a log; the wallet recognizes its outputs by them. */
  scriptsAt: ScriptsAt;
  /** Names of the public keys whose private keys were imported with it; it signs with no others. */
  readonly held: Set<string>;
}

/** Returns the descriptor with its private keys, as far as the vault is unlocked. @see Bitcoin Core 31 `m_map_keys` */
export function withSecretsOf({ source, held }: Pick<OwnedDescriptor, 'source' | 'held'>, vault: Vault): Descriptor {
  const lookup = (publicKey: Uint8Array): Uint8Array | undefined =>
    held.has(bytesKey(publicKey)) ? secretOf(vault, publicKey) : undefined;
  return withKeys(source.descriptor, (key) => withSecret(key, lookup));
}

/** Adds the private keys to a derived index, as far as the vault is unlocked. */
export function addSecrets(derived: Derived, owned: OwnedDescriptor, index: number, vault: Vault, ecc: Ecc): Derived {
  const full = withSecretsOf(owned, vault);
  if (secretsIn(full).length === 0) return derived;
  const { keys } = createDeriver(full, ecc)(index);
  const secrets = new Map(keys.map(({ publicKey, secretKey }) => [bytesKey(publicKey), secretKey]));
  return {
    ...derived,
    keys: derived.keys.map((key) => {
      const secretKey = secrets.get(bytesKey(key.publicKey));
      return secretKey ? withSecretKey({ ...key }, secretKey) : key;
    }),
  };
}
