declare const legacyBrand: unique symbol;
declare const segwitV0Brand: unique symbol;
declare const taprootBrand: unique symbol;

/** The 32-byte digest that an ECDSA signature of a non-witness input signs. Made by `legacySighash`. */
export type LegacySighash = Uint8Array & { readonly [legacyBrand]: true };
/** The 32-byte digest that an ECDSA signature of a version 0 witness input signs. Made by `segwitV0Sighash`. */
export type SegwitV0Sighash = Uint8Array & { readonly [segwitV0Brand]: true };
/** The 32-byte digest that a Schnorr signature of a taproot input signs. Made by `taprootSighash`. */
export type TaprootSighash = Uint8Array & { readonly [taprootBrand]: true };
