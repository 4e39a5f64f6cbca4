import { isBytes } from '../../bytes/assertBytes.ts';
/** A lock of a script. */
export interface Lock {
  readonly kind: 'older' | 'after';
  readonly lock: number;
}

/** Bottom first, with the locks in between; nested, because most combinations are dropped, and copying costs time. */
type Items = Uint8Array | Lock | readonly Items[];

/**
 * `hasSignature`: third parties cannot make it. `isMalleable`: they can turn it into another one. `size`: bytes,
 * counting one for each length.
 * @see Bitcoin Core `miniscript::internal::InputStack`
 */
export interface Satisfaction {
  readonly isAvailable: boolean;
  readonly hasSignature: boolean;
  readonly isMalleable: boolean;
  readonly size: number;
  readonly items: Items;
}

export interface Both {
  readonly no: Satisfaction;
  readonly yes: Satisfaction;
}

export const of = (...items: readonly Uint8Array[]): Satisfaction => ({
  isAvailable: true,
  hasSignature: false,
  isMalleable: false,
  size: items.reduce((size, item) => size + item.length + 1, 0),
  items,
});
/** Takes no item, but a lock has to be met. */
export const onceMet = (lock: Lock): Satisfaction => ({ ...of(), items: [lock] });
export const malleable = (satisfaction: Satisfaction): Satisfaction => ({ ...satisfaction, isMalleable: true });

export const NOTHING: Satisfaction = /* @__PURE__ */ of();
export const NONE: Satisfaction = /* @__PURE__ */ (() => ({ ...of(), isAvailable: false }))();
export const ZERO: Satisfaction = /* @__PURE__ */ of(/* @__PURE__ */ new Uint8Array(0));
export const ONE: Satisfaction = /* @__PURE__ */ of(/* @__PURE__ */ Uint8Array.of(1));
/** Malleable, because almost any other 32 bytes do as well. */
export const NO_PREIMAGE: Satisfaction = /* @__PURE__ */ malleable(
  /* @__PURE__ */ of(/* @__PURE__ */ new Uint8Array(32)),
);

/** Puts `a` at the bottom. */
export function join(a: Satisfaction, b: Satisfaction): Satisfaction {
  if (!a.isAvailable || !b.isAvailable) return NONE;
  if (a === NOTHING || b === NOTHING) return a === NOTHING ? b : a;
  return {
    isAvailable: true,
    hasSignature: a.hasSignature || b.hasSignature,
    isMalleable: a.isMalleable || b.isMalleable,
    size: a.size + b.size,
    items: [a.items, b.items],
  };
}

export type Either = (a: Satisfaction, b: Satisfaction) => Satisfaction;

export const smaller: Either = (a, b) => pick(a, b, (size, than) => size < than);
export const larger: Either = (a, b) => pick(a, b, (size, than) => size > than);

/**
 * Picks the better alternative. A third party could replace the choice by one without a signature, so that one wins; if
 * neither has a signature, the result is malleable. Else prefers what is not malleable, then by size.
 */
function pick(a: Satisfaction, b: Satisfaction, isBetter: (size: number, than: number) => boolean): Satisfaction {
  if (!a.isAvailable || !b.isAvailable) return a.isAvailable ? a : b;
  if (a.hasSignature !== b.hasSignature) return a.hasSignature ? b : a;
  const [x, y] = a.hasSignature ? [a, b] : [malleable(a), malleable(b)];
  if (x.isMalleable !== y.isMalleable) return x.isMalleable ? y : x;
  return isBetter(y.size, x.size) ? y : x;
}

/** Witness items, bottom first, and the locks that have to be met. */
export interface Way {
  readonly items: readonly Uint8Array[];
  readonly locks: readonly Lock[];
}

export function flatten({ items }: Satisfaction): Way {
  const list: Uint8Array[] = [];
  const locks: Lock[] = [];
  const pending: Items[] = [items];
  for (let last = pending.pop(); last; last = pending.pop()) {
    if (isBytes(last)) list.push(last);
    else if ('kind' in last) locks.push(last);
    else for (const item of last) pending.push(item);
  }
  return { items: list.reverse(), locks: locks.reverse() };
}
