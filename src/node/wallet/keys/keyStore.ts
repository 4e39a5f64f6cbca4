import { hash160 } from '../../../core/crypto/hash.ts';
import type { TemplateRules } from '../../../core/script/template.ts';
import { scriptsById, unwrap } from '../../../core/script/unwrap.ts';
import type { SigningProvider } from '../../../core/signing/signingProvider.ts';

/** The wallet's relation to an output: not its own, watch-only, or spendable. @see Bitcoin Core 0.21 `isminetype` */
export type Ownership = 'no' | 'watched' | 'own';

/** The birth time of a key or script, and the origin of a key. */
export interface KeyMetadata {
  /** UNIX time. */
  readonly time: number;
  /** The key origin, if known. */
  readonly origin?: KeyPlace;
  /** HASH160 of the 0.21 seed that the key comes from, if any. */
  readonly seedId?: Uint8Array;
}

interface KeyPlace {
  /** 4 bytes. */
  readonly fingerprint: Uint8Array;
  readonly path: readonly number[];
}

/** The keys and scripts of a wallet, and its answers about outputs. */
export interface KeyStore {
  /** Lists all scriptPubKeys that may be the wallet's, and possibly some that are not. */
  readonly scriptPubKeys: () => Iterable<Uint8Array>;
  readonly ownershipOf: (scriptPubKey: Uint8Array) => Ownership;
  /**
   * Returns an object to cache derived facts of an output under. The object is replaced as soon as the wallet learns more
   * about the output. `undefined` for an output that is not the wallet's.
   */
  readonly knowledgeOf: (scriptPubKey: Uint8Array) => object | undefined;
  /** Returns a provider for solving an output, without private keys; `undefined` if the wallet cannot provide one. */
  readonly providerFor: (scriptPubKey: Uint8Array) => SigningProvider | undefined;
  /** Returns the metadata of an output's key, or of the output itself. */
  readonly metadataOf: (scriptPubKey: Uint8Array) => KeyMetadata | undefined;
}

/** Returns the hash of the single key that an address pays to. @see Bitcoin Core `GetKeyForDestination` */
export function keyHashOf(
  script: Uint8Array,
  {
    templates,
    scriptOf,
  }: {
    readonly templates: TemplateRules;
    readonly scriptOf: (hash: Uint8Array) => Uint8Array | undefined;
  },
): Uint8Array | undefined {
  const { outer, inner } = unwrap(script, scriptsById(scriptOf), templates);
  if (outer.type === 'pubkey') return hash160(outer.pubkey);
  if (outer.type === 'pubkeyhash') return outer.hash;
  return inner.type === 'witness_v0_keyhash' ? inner.program : undefined;
}
