import type { HashName } from '../descriptors/miniscript/index.ts';

/** Something that an input still needs, as far as the signer could tell. */
export type Missing =
  | { readonly kind: 'coin' }
  | { readonly kind: 'amount' }
  /** For taproot: the coins that other inputs spend, with their amounts. */
  | { readonly kind: 'other-coins' }
  | { readonly kind: 'private-key'; readonly publicKey: Uint8Array }
  /** The public key of this hash. */
  | { readonly kind: 'key'; readonly hash: Uint8Array }
  /** A compressed key: segwit does not accept this uncompressed one. */
  | { readonly kind: 'compressed-key'; readonly publicKey: Uint8Array }
  | { readonly kind: 'output-key'; readonly outputKey: Uint8Array }
  /** The private key of an x-only key in a leaf. */
  | { readonly kind: 'leaf-key'; readonly publicKey: Uint8Array }
  | { readonly kind: 'redeem-script'; readonly hash: Uint8Array }
  | { readonly kind: 'witness-script'; readonly program: Uint8Array }
  | { readonly kind: 'preimage'; readonly name: HashName; readonly hash: Uint8Array }
  | { readonly kind: 'lock'; readonly of: 'older' | 'after'; readonly lock: number };
