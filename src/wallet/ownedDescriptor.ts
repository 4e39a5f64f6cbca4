import { byteName } from '../bytes/compare.ts';
import { withSecretKey } from '../crypto/concealed.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { createDeriver, type Derived } from '../descriptors/derive.ts';
import { withKeys } from '../descriptors/keyExpressions.ts';
import type { Descriptor } from '../descriptors/types.ts';
import type { ScriptsAt } from './derivations.ts';
import { secretsIn, withSecret } from './descriptorKeys.ts';
import { secretOf, type Vault } from './vault.ts';

/** A descriptor that a wallet owns, as it was imported, without its private keys. */
export interface DescriptorImport {
  readonly descriptor: Descriptor;
  /** The same with hardened steps taken, so that scripts can be derived while private keys are locked. */
  readonly normalized: Descriptor;
  /** UNIX time. */
  readonly timestamp: number;
  /** The first index of the range, and the one after the last. */
  readonly first: number;
  readonly end: number;
  /** The first index that has not been used. */
  readonly next: number;
}

/** A descriptor of a wallet. */
export interface OwnedDescriptor {
  /** The text of `descriptor`, its hardened steps marked in one way. */
  readonly id: string;
  readonly isRanged: boolean;
  source: DescriptorImport;
  /** The text of `normalized`, as others may see it. */
  text: string;
  derive: (index: number) => Derived;
  /** The scripts that `derive` gives, by which the wallet recognizes its outputs. They may come from a log. */
  scriptsAt: ScriptsAt;
  /** Names of the public keys whose private keys were imported with it: with no others does it sign. */
  readonly held: Set<string>;
}

/** The descriptor with its own private keys, as far as the vault is open. @see Bitcoin Core 31 `m_map_keys` */
export function withSecretsOf({ source, held }: OwnedDescriptor, vault: Vault): Descriptor {
  const lookup = (publicKey: Uint8Array): Uint8Array | undefined =>
    held.has(byteName(publicKey)) ? secretOf(vault, publicKey) : undefined;
  return withKeys(source.descriptor, (key) => withSecret(key, lookup));
}

/** Adds the private keys to a derived index, as far as the vault is open. */
export function addSecrets(derived: Derived, one: OwnedDescriptor, index: number, vault: Vault, ecc: Ecc): Derived {
  const full = withSecretsOf(one, vault);
  if (secretsIn(full).length === 0) return derived;
  const { keys } = createDeriver(full, ecc)(index);
  const secrets = new Map(keys.map(({ publicKey, secretKey }) => [byteName(publicKey), secretKey]));
  return {
    ...derived,
    keys: derived.keys.map((key) => {
      const secretKey = secrets.get(byteName(key.publicKey));
      return secretKey ? withSecretKey({ ...key }, secretKey) : key;
    }),
  };
}
