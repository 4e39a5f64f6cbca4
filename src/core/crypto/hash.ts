import { hmac } from '@noble/hashes/hmac.js';
import { ripemd160, sha1 } from '@noble/hashes/legacy.js';
import { sha256, sha384, sha512 } from '@noble/hashes/sha2.js';

export { ripemd160, sha1, sha256, sha384, sha512 };

export interface Sha256State {
  readonly update: (bytes: Uint8Array) => Sha256State;
  readonly clone: () => Sha256State;
  readonly digest: () => Uint8Array;
}

export function startSha256(): Sha256State {
  return sha256.create();
}

export function sha256d(bytes: Uint8Array): Uint8Array {
  return sha256(sha256(bytes));
}

export function hmacSha256(key: Uint8Array, message: Uint8Array): Uint8Array {
  return hmac(sha256, key, message);
}

export function hmacSha512(key: Uint8Array, message: Uint8Array): Uint8Array {
  return hmac(sha512, key, message);
}

/** Hashes the key only once. */
export function hmacSha512With(key: Uint8Array): (message: Uint8Array) => Uint8Array {
  const start = hmac.create(sha512, key);
  return (message) => start.clone().update(message).digest();
}

export function hash160(bytes: Uint8Array): Uint8Array {
  return ripemd160(sha256(bytes));
}

/** Creates SHA256(SHA256(tag) || SHA256(tag) || parts). @see BIP340 "Design" */
export function taggedHash(tag: string): (...parts: readonly Uint8Array[]) => Uint8Array {
  let start: Sha256State | undefined;
  return (...parts) => {
    start ??= startTaggedSha256(tag);
    const state = start.clone();
    for (const part of parts) state.update(part);
    return state.digest();
  };
}

function startTaggedSha256(tag: string): Sha256State {
  const hash = sha256(Uint8Array.from(tag, (letter) => letter.charCodeAt(0)));
  return startSha256().update(hash).update(hash);
}
