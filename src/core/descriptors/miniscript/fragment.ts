export type Context = 'wsh' | 'tapscript';

export type HashName = 'sha256' | 'hash256' | 'ripemd160' | 'hash160';

/** Fragments before a colon: `v:older(1)`. @see BIP379 "Translation Table" */
export type Wrapper = 'a' | 's' | 'c' | 'd' | 'v' | 'j' | 'n';

export type Pair = 'and_v' | 'and_b' | 'or_b' | 'or_c' | 'or_d' | 'or_i';

/** `hash` covers all four hash functions. Keys are bytes if decoded from a script, expressions if parsed from text. */
export type Fragment<K = Uint8Array> =
  | { readonly kind: '0' | '1' }
  | { readonly kind: 'pk_k' | 'pk_h'; readonly key: K }
  | { readonly kind: 'older' | 'after'; readonly lock: number }
  | { readonly kind: 'hash'; readonly name: HashName; readonly hash: Uint8Array }
  | { readonly kind: 'multi' | 'multi_a'; readonly required: number; readonly keys: readonly K[] }
  | { readonly kind: Wrapper; readonly sub: Miniscript<K> }
  | { readonly kind: Pair; readonly subs: readonly [Miniscript<K>, Miniscript<K>] }
  | { readonly kind: 'andor'; readonly subs: readonly [Miniscript<K>, Miniscript<K>, Miniscript<K>] }
  | { readonly kind: 'thresh'; readonly required: number; readonly subs: readonly Miniscript<K>[] };

export type Compound<K> = Extract<Fragment<K>, { readonly sub: unknown } | { readonly subs: unknown }>;
export type Leaf<K> = Exclude<Fragment<K>, Compound<K>>;

/**
 * A tree can be as deep as its script is long, so nothing may recurse over its levels. `scriptSize` leaves out the
 * VERIFY of an enclosing `v:`.
 */
export interface Miniscript<K = Uint8Array> {
  readonly fragment: Fragment<K>;
  readonly context: Context;
  readonly type: Type;
  readonly scriptSize: number;
}

/**
 * `base` is `none` if arguments have the wrong types.
 *
 * - `z`: consumes no stack item; `o`: consumes exactly one
 * - `n`: some satisfaction has a nonzero top item
 * - `d`: anyone can dissatisfy it
 * - `u`: leaves exactly 1 when satisfied
 * - `x`: the last opcode has no -VERIFY form
 *
 * @see BIP379 "Correctness"
 */
export interface Correctness {
  readonly base: 'B' | 'V' | 'K' | 'W' | 'none';
  readonly z: boolean;
  readonly o: boolean;
  readonly n: boolean;
  readonly d: boolean;
  readonly u: boolean;
  readonly x: boolean;
}

/**
 * - `e`: has a unique dissatisfaction, which needs no signature
 * - `f`: every dissatisfaction needs a signature, or none exists
 * - `s`: every satisfaction needs a signature
 * - `m`: if satisfiable, then by a witness that third parties cannot malleate
 *
 * @see BIP379 "Malleability"
 */
export interface Malleability {
  readonly e: boolean;
  readonly f: boolean;
  readonly s: boolean;
  readonly m: boolean;
}

/**
 * Relative locks by time (`g`) or height (`h`), absolute locks by time (`i`) or height (`j`); no satisfaction needs
 * both kinds of one lock (`k`).
 * @see BIP379 "Timelock Type Mixing"
 */
export interface Timelocks {
  readonly g: boolean;
  readonly h: boolean;
  readonly i: boolean;
  readonly j: boolean;
  readonly k: boolean;
}

export type Type = Correctness & Malleability & Timelocks;
