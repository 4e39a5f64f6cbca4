import type { Ecc } from '../crypto/ecc.ts';
import type { ExtendedKey } from '../keys/bip32.ts';
import type { KeyOrigin } from '../keys/path.ts';
import type { Network } from '../network/networks.ts';
import type { DescriptorRules } from './descriptorRules.ts';
import type { Miniscript } from './miniscript/index.ts';

/** @see BIP389 */
type DescriptorStep = number | readonly number[];

interface Derivation {
  readonly path: readonly DescriptorStep[];
  readonly wildcard: 'none' | 'unhardened' | 'hardened';
}

interface Marked {
  readonly origin?: KeyOrigin;
  readonly mark: "'" | 'h';
}

export type FixedKey = Marked & {
  readonly kind: 'fixed';
  /** 33 or 65 bytes; for an x-only key, the point with even y. */
  readonly publicKey: Uint8Array;
  readonly isXOnly: boolean;
  /** Logs show `[secret]`; JSON, clones and spreads leave it out. */
  readonly secretKey?: Uint8Array;
};

export type ExtendedKeyExpression = Marked &
  Derivation & {
    readonly kind: 'extended';
    readonly key: ExtendedKey;
    /** Set beyond depth 255, where Core 0.21 counts on from 0. */
    readonly wrapsDepth?: true;
  };

/** @see BIP390 */
export type Musig2Key = Derivation & { readonly kind: 'musig'; readonly participants: readonly KeyExpression[] };

/** A key in a descriptor. @see BIP380 "Key Expressions"; BIP390 */
export type KeyExpression = FixedKey | ExtendedKeyExpression | Musig2Key;

/** A leaf of `tr()`, with the number of branches above it. */
export interface TreeLeaf {
  readonly depth: number;
  readonly script: Descriptor;
}

/** An output descriptor. A multipath descriptor is one value, which `singlePaths` expands. @see BIP380 */
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

export interface Reading {
  readonly network: Network;
  readonly ecc: Ecc;
  readonly rules: DescriptorRules;
  /** See `parseDescriptor`. */
  readonly wasAccepted?: boolean;
}
