import type { Ecc } from '../crypto/ecc.ts';
import type { ExtendedKey } from '../keys/bip32.ts';
import type { KeyOrigin } from '../keys/path.ts';
import type { Network } from '../network/networks.ts';
import type { DescriptorRules } from './descriptorRules.ts';
import type { Miniscript } from './miniscript/index.ts';

/** A step of a path, or the alternatives of a multipath specifier. @see BIP389 */
type DescriptorStep = number | readonly number[];

/** The derivation path behind a key. */
interface Derivation {
  readonly path: readonly DescriptorStep[];
  /** The end of the path: nothing, `*`, or `*h`. */
  readonly wildcard: 'none' | 'unhardened' | 'hardened';
}

interface Marked {
  /** The key origin, if the text has one. */
  readonly origin?: KeyOrigin;
  /** The hardened marker. */
  readonly mark: "'" | 'h';
}

/** A single key, the same at every index. */
export type FixedKey = Marked & {
  readonly kind: 'fixed';
  /** 33 or 65 bytes; for an x-only key, the point with even y. */
  readonly publicKey: Uint8Array;
  /** True if the key is printed as 32 bytes. */
  readonly isXOnly: boolean;
  /** Logs show `[secret]`; JSON, clones and spreads leave it out. */
  readonly secretKey?: Uint8Array;
};

/** An extended key with the derivation path behind it, which may be empty. */
export type ExtendedKeyExpression = Marked &
  Derivation & {
    readonly kind: 'extended';
    readonly key: ExtendedKey;
    /** Present if the derived keys lie beyond depth 255, where Core 0.21 counts on from 0. */
    readonly wrapsDepth?: true;
  };

/** A MuSig2 aggregate key with the derivation path behind it, which may be empty. @see BIP390 */
export type Musig2Key = Derivation & { readonly kind: 'musig'; readonly participants: readonly KeyExpression[] };

/** A key in a descriptor: fixed, extended, or an aggregate of several. @see BIP380 "Key Expressions"; BIP390 */
export type KeyExpression = FixedKey | ExtendedKeyExpression | Musig2Key;

/** A leaf of `tr()`, with the number of branches above it. */
export interface TreeLeaf {
  readonly depth: number;
  readonly script: Descriptor;
}

/** An output descriptor as plain data. A multipath descriptor is one value, which `singlePaths` expands. @see BIP380 */
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

/** The settings of a parse. */
export interface Reading {
  readonly network: Network;
  readonly ecc: Ecc;
  readonly rules: DescriptorRules;
  /** True if a wallet already holds the descriptor: see `parseDescriptor`. */
  readonly wasAccepted?: boolean;
}
