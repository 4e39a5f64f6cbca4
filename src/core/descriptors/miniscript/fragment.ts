/** The context of a script: a P2WSH output or a tapscript leaf. */
export type Context = 'wsh' | 'tapscript';

/** The hash function of a preimage. */
export type HashName = 'sha256' | 'hash256' | 'ripemd160' | 'hash160';

/** Fragments with one argument, written before a colon: `v:older(1)`. @see BIP379 "Translation Table" */
export type Wrapper = 'a' | 's' | 'c' | 'd' | 'v' | 'j' | 'n';

/** Fragments with two arguments. */
export type Pair = 'and_v' | 'and_b' | 'or_b' | 'or_c' | 'or_d' | 'or_i';

/**
 * A fragment with its arguments. Kinds have miniscript's names; `hash` covers all four hash functions.
 *
 * - `K`: the type of keys: bytes if decoded from a script, key expressions if parsed from text
 *
 * @see BIP379 "Translation Table"
 */
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

/** Fragments with expressions as arguments. */
export type Compound<K> = Extract<Fragment<K>, { readonly sub: unknown } | { readonly subs: unknown }>;
/** Fragments without expressions as arguments. */
export type Leaf<K> = Exclude<Fragment<K>, Compound<K>>;

/**
 * A miniscript expression; `typed` creates it. A tree can be as deep as its script is long, so nothing may recurse over
 * its levels.
 *
 * - `scriptSize`: bytes of its script, not counting the VERIFY that an enclosing `v:` may add
 */
export interface Miniscript<K = Uint8Array> {
  readonly fragment: Fragment<K>;
  readonly context: Context;
  readonly type: Type;
  readonly scriptSize: number;
}

/**
 * The correctness properties of an expression. `base` is `none` if its arguments have the wrong types; all others are
 * false then.
 *
 * - `z`: consumes no stack item; `o`: consumes exactly one
 * - `n`: some satisfaction exists whose top item is nonzero
 * - `d`: anyone can dissatisfy it
 * - `u`: leaves exactly 1 when satisfied
 * - `x`: its last opcode has no -VERIFY form
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
 * The malleability properties of an expression.
 *
 * - `e`: has a unique dissatisfaction, which needs no signature
 * - `f`: every dissatisfaction needs a signature, or none exists
 * - `s`: every satisfaction needs a signature
 * - `m`: if it can be satisfied, then by a witness that third parties cannot malleate
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
 * The timelock properties of an expression: it contains a relative lock by time (`g`) or height (`h`), an absolute lock
 * by time (`i`) or height (`j`); no satisfaction needs both kinds of the same lock (`k`), which no transaction can meet.
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
