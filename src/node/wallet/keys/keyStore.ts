import { hash160 } from '../../../core/crypto/hash.ts';
import type { TemplateRules } from '../../../core/script/template.ts';
import { scriptsById, unwrap } from '../../../core/script/unwrap.ts';
import type { SigningProvider } from '../../../core/signing/signingProvider.ts';

/** `watched` is watch-only. @see Bitcoin Core 0.21 `isminetype` */
export type Ownership = 'no' | 'watched' | 'own';

export interface KeyMetadata {
  /** UNIX time of birth. */
  readonly time: number;
  readonly origin?: KeyPlace;
  /** HASH160 of the 0.21 seed of the key. */
  readonly seedId?: Uint8Array;
}

interface KeyPlace {
  readonly fingerprint: Uint8Array;
  readonly path: readonly number[];
}

export interface KeyStore {
  /** Lists all scriptPubKeys of the wallet, and possibly others. */
  readonly scriptPubKeys: () => Iterable<Uint8Array>;
  readonly findOwnership: (scriptPubKey: Uint8Array) => Ownership;
  /**
   * Returns an object to cache derived facts of an output under, which is replaced when they may change. `undefined`
   * for foreign outputs.
   */
  readonly factsKey: (scriptPubKey: Uint8Array) => object | undefined;
  /** Tells whether a private key is missing that the records name. */
  readonly lacksSecret: () => boolean;
  /** Yields what else is wrong with the records of keys, as the end of a sentence. */
  readonly faults: () => Iterable<string>;
  /** Drops what the store keeps besides records, after these have been read anew. */
  readonly forgetCaches: () => void;
  /** Returns a provider without private keys. */
  readonly providerFor: (scriptPubKey: Uint8Array) => SigningProvider | undefined;
  /** Returns the metadata of an output's key, or of the output itself. */
  readonly findMetadata: (scriptPubKey: Uint8Array) => KeyMetadata | undefined;
}

/** Returns the hash of an address's single key. @see Bitcoin Core `GetKeyForDestination` */
export function keyHashFor(
  script: Uint8Array,
  {
    templates,
    findScript,
  }: {
    readonly templates: TemplateRules;
    readonly findScript: (hash: Uint8Array) => Uint8Array | undefined;
  },
): Uint8Array | undefined {
  const { outer, inner } = unwrap(script, scriptsById(findScript), templates);
  if (outer.type === 'pubkey') return hash160(outer.pubkey);
  if (outer.type === 'pubkeyhash') return outer.hash;
  return inner.type === 'witness_v0_keyhash' ? inner.program : undefined;
}
