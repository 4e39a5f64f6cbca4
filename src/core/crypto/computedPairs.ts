import type { KeyPair } from './ecc.ts';

/** The pairs whose public key was computed from their secret key, by a backend of this process. */
const computed = /* @__PURE__ */ new WeakSet<KeyPair>();

/** Marks a pair whose public key the caller has just computed, so that a signer need not compute it again. */
export function computedPair<T extends KeyPair>(pair: T): T {
  computed.add(pair);
  return pair;
}

/** Tells whether a pair is marked; one that a program put together, or copied, is not. */
export function isComputedPair(pair: KeyPair): boolean {
  return computed.has(pair);
}
