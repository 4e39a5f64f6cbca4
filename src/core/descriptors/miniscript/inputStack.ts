/** Bottom first; nested, because most combinations are dropped, and copying costs time. */
type Items = Uint8Array | readonly Items[];

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

/**
 * Picks the better alternative. A third party could replace the choice by one without a signature, so that one wins; if
 * neither has a signature, the result is malleable. Else prefers what is not malleable, then the smaller.
 */
export function either(a: Satisfaction, b: Satisfaction): Satisfaction {
  if (!a.isAvailable || !b.isAvailable) return a.isAvailable ? a : b;
  if (a.hasSignature !== b.hasSignature) return a.hasSignature ? b : a;
  const [x, y] = a.hasSignature ? [a, b] : [malleable(a), malleable(b)];
  if (x.isMalleable !== y.isMalleable) return x.isMalleable ? y : x;
  return y.size < x.size ? y : x;
}

export function flattenItems({ items }: Satisfaction): readonly Uint8Array[] {
  const list: Uint8Array[] = [];
  const pending: Items[] = [items];
  for (let last = pending.pop(); last; last = pending.pop()) {
    if (last instanceof Uint8Array) list.push(last);
    else for (const item of last) pending.push(item);
  }
  return list.reverse();
}
