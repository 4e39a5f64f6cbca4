import type { KeyPair } from './ecc.ts';

const computed = /* @__PURE__ */ new WeakSet<KeyPair>();

/** Marks a pair whose public key was just computed, so that a signer need not compute it again. */
export function computedPair<T extends KeyPair>(pair: T): T {
  computed.add(pair);
  return pair;
}

export function isComputedPair(pair: KeyPair): boolean {
  return computed.has(pair);
}
