import { bytesKey } from '../../../core/bytes/compare.ts';
import { withSecretKey } from '../../../core/crypto/concealed.ts';
import type { Ecc } from '../../../core/crypto/ecc.ts';
import { createDeriver, type Derived } from '../../../core/descriptors/derive.ts';
import { withKeys } from '../../../core/descriptors/keyExpressions.ts';
import type { Descriptor } from '../../../core/descriptors/types.ts';
import type { ScriptsAt } from './derivations.ts';
import { secretsIn, withSecret } from './descriptorKeys.ts';
import { findSecret, type Vault } from './vault.ts';

/** An imported descriptor, without private keys. */
export interface DescriptorImport {
  readonly descriptor: Descriptor;
  /** After its hardened steps: only hardened wildcards still need private keys. */
  readonly normalized: Descriptor;
  /** UNIX time. */
  readonly timestamp: number;
  /** The first index of the range; `end` is exclusive. */
  readonly first: number;
  readonly end: number;
  /** The first unused index. */
  readonly next: number;
}

export interface OwnedDescriptor {
  /** Text of `descriptor` with uniform hardened markers. */
  readonly id: string;
  readonly isRanged: boolean;
  /** True if it has a hardened wildcard: new indexes need private keys. */
  readonly isHardened: boolean;
  source: DescriptorImport;
  /** Text of `normalized`; safe to show. */
  text: string;
  derive: (index: number) => Derived;
  /** Returns scripts for recognizing outputs, possibly from a log. */
  scriptsAt: ScriptsAt;
  /** `bytesKey`s of the public keys whose private keys came with it; it signs with no others. */
  readonly held: Set<string>;
}

/** The index of a script of a descriptor. */
export interface Place {
  readonly owned: OwnedDescriptor;
  readonly index: number;
}

/** Adds the private keys, as far as the vault is unlocked. @see Bitcoin Core 31 `m_map_keys` */
export function withVaultSecrets({ source, held }: Pick<OwnedDescriptor, 'source' | 'held'>, vault: Vault): Descriptor {
  const lookup = (publicKey: Uint8Array): Uint8Array | undefined =>
    held.has(bytesKey(publicKey)) ? findSecret(vault, publicKey) : undefined;
  return withKeys(source.descriptor, (key) => withSecret(key, lookup));
}

export function addSecrets(
  derived: Derived,
  { owned, index }: Place,
  { vault, ecc }: { readonly vault: Vault; readonly ecc: Ecc },
): Derived {
  const full = withVaultSecrets(owned, vault);
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
