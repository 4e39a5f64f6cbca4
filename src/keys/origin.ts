/** A key's origin: its master key, and the path from there. @see BIP32, BIP174 */
export interface KeyOrigin {
  /** First 4 bytes of the master public key's hash160. */
  readonly fingerprint: Uint8Array;
  /** Child numbers; hardened ones have bit 31 set. */
  readonly path: readonly number[];
}
