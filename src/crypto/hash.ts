import { hmac } from '@noble/hashes/hmac.js';
import { ripemd160, sha1 } from '@noble/hashes/legacy.js';
import { sha256, sha512 } from '@noble/hashes/sha2.js';

export { ripemd160, sha1, sha256 };

/** A SHA256 under way: it can be fed, and cloned so that a shared beginning is hashed once. */
export interface Sha256State {
  readonly update: (bytes: Uint8Array) => Sha256State;
  readonly clone: () => Sha256State;
  /** Ends the state: it cannot be fed or cloned any more. */
  readonly digest: () => Uint8Array;
}

/** Starts a SHA256 of nothing. */
export function startSha256(): Sha256State {
  return sha256.create();
}

/** SHA256 twice: txids, block hashes, base58 checksums. */
export function sha256d(bytes: Uint8Array): Uint8Array {
  return sha256(sha256(bytes));
}

/** HMAC of SHA512: what BIP32 derives with. */
export function hmacSha512(key: Uint8Array, message: Uint8Array): Uint8Array {
  return hmac(sha512, key, message);
}

/** RIPEMD160 of SHA256: what P2PKH, P2SH and P2WPKH commit to. */
export function hash160(bytes: Uint8Array): Uint8Array {
  return ripemd160(sha256(bytes));
}

/**
 * Makes the hash function of one tag. The tag is hashed once, when the function is first used.
 *
 * - `tag`: ASCII
 *
 * @returns a function of the message's parts: SHA256(SHA256(tag) || SHA256(tag) || parts)
 * @see BIP340 "Design", tagged hashes
 */
export function taggedHash(tag: string): (...parts: readonly Uint8Array[]) => Uint8Array {
  let start: Sha256State | undefined;
  return (...parts) => {
    start ??= startOfTag(tag);
    const state = start.clone();
    for (const part of parts) state.update(part);
    return state.digest();
  };
}

function startOfTag(tag: string): Sha256State {
  const hash = sha256(Uint8Array.from(tag, (letter) => letter.charCodeAt(0)));
  return startSha256().update(hash).update(hash);
}
