import type { HashName } from '../descriptors/miniscript/index.ts';

/** What an input would need to be complete, as far as the signer got. */
export type Missing =
  | { readonly kind: 'coin' }
  | { readonly kind: 'amount' }
  /** For taproot: what other inputs spend, with their amounts. */
  | { readonly kind: 'other-coins' }
  | { readonly kind: 'private-key'; readonly publicKey: Uint8Array }
  /** The key of this hash. */
  | { readonly kind: 'key'; readonly hash: Uint8Array }
  /** A key of this form, but segwit takes compressed ones only. */
  | { readonly kind: 'compressed-key'; readonly publicKey: Uint8Array }
  | { readonly kind: 'output-key'; readonly outputKey: Uint8Array }
  /** The private key of an x-only key in a leaf. */
  | { readonly kind: 'leaf-key'; readonly publicKey: Uint8Array }
  | { readonly kind: 'redeem-script'; readonly hash: Uint8Array }
  | { readonly kind: 'witness-script'; readonly program: Uint8Array }
  | { readonly kind: 'preimage'; readonly name: HashName; readonly hash: Uint8Array }
  | { readonly kind: 'lock'; readonly of: 'older' | 'after'; readonly lock: number };
