import type { ExtendedKey } from '../keys/bip32.ts';
import type { KeyOrigin } from '../keys/origin.ts';
import type { Miniscript } from './miniscript/index.ts';

/** A step of a path, or the steps that a multipath descriptor takes in turn. @see BIP389 */
type DescriptorStep = number | readonly number[];

/** What follows a key from which others are derived. */
interface Derivation {
  readonly path: readonly DescriptorStep[];
  /** What stands at the end: nothing, `*`, or `*h`. */
  readonly wildcard: 'none' | 'unhardened' | 'hardened';
}

interface Marked {
  /** Where the key comes from, if that is written. */
  readonly origin?: KeyOrigin;
  /** How its hardened steps are marked. */
  readonly mark: "'" | 'h';
}

/** One key that does not change. */
export type FixedKey = Marked & {
  readonly kind: 'fixed';
  /** 33 or 65 bytes; an x-only key has an even y. */
  readonly publicKey: Uint8Array;
  /** Whether it is written as 32 bytes. */
  readonly isXOnly: boolean;
  /** Logs show `[secret]`; JSON, clones and spreads leave it out. */
  readonly secretKey?: Uint8Array;
};

/** An extended key, itself or what is derived from it. */
export type ExtendedKeyExpression = Marked & Derivation & { readonly kind: 'extended'; readonly key: ExtendedKey };

/** A MuSig2 aggregate of keys, itself or what is derived from it. @see BIP390 */
export type Musig2Key = Derivation & { readonly kind: 'musig'; readonly participants: readonly KeyExpression[] };

/** @see BIP380 "Key Expressions" */
export type KeyExpression = FixedKey | ExtendedKeyExpression | Musig2Key;

/** A leaf of `tr()`, with the number of branches above it. */
export interface TreeLeaf {
  readonly depth: number;
  readonly script: Descriptor;
}

/** An output descriptor as plain data. A multipath descriptor is one value: `singlePaths` takes it apart. @see BIP380 */
export type Descriptor =
  | { readonly kind: 'pk' | 'pkh' | 'wpkh' | 'combo' | 'rawtr' | 'unused'; readonly key: KeyExpression }
  | {
      readonly kind: 'multi' | 'sortedmulti' | 'multi_a' | 'sortedmulti_a';
      readonly required: number;
      readonly keys: readonly KeyExpression[];
    }
  | { readonly kind: 'sh' | 'wsh'; readonly inner: Descriptor }
  | { readonly kind: 'tr'; readonly key: KeyExpression; readonly leaves: readonly TreeLeaf[] }
  | { readonly kind: 'addr' | 'raw'; readonly script: Uint8Array }
  | { readonly kind: 'miniscript'; readonly root: Miniscript<KeyExpression> };
