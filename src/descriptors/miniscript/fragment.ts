/** Where a script stands: in a P2WSH output, or in a leaf of a taproot tree. */
export type Context = 'wsh' | 'tapscript';

/** What a preimage is hashed with. */
export type HashName = 'sha256' | 'hash256' | 'ripemd160' | 'hash160';

/** Fragments with one expression, written before a colon: `v:older(1)`. @see BIP379 "Translation Table" */
export type Wrapper = 'a' | 's' | 'c' | 'd' | 'v' | 'j' | 'n';

/** Fragments with two expressions. */
export type Pair = 'and_v' | 'and_b' | 'or_b' | 'or_c' | 'or_d' | 'or_i';

/**
 * One fragment, with the expressions inside it. Kinds have the names of miniscript; `hash` stands for all four.
 *
 * - `K`: what a key is: bytes where a script was decoded, an expression where a text was parsed
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

/** Fragments that hold expressions. */
export type Compound<K> = Extract<Fragment<K>, { readonly sub: unknown } | { readonly subs: unknown }>;
/** Fragments that hold none. */
export type Leaf<K> = Exclude<Fragment<K>, Compound<K>>;

/**
 * An expression of miniscript. Made by `typed`; the tree may be as deep as a script is long, so that
 * nothing may call itself once a level.
 *
 * - `scriptSize`: bytes of its script, within an expression that does not verify it
 */
export interface Miniscript<K = Uint8Array> {
  readonly fragment: Fragment<K>;
  readonly context: Context;
  readonly type: Type;
  readonly scriptSize: number;
}

/**
 * What an expression does to the stack. `base` is `none` where its parts do not fit together; no other property holds
 * then.
 *
 * - `z`: takes no item; `o`: takes one
 * - `n`: need not be given a top item of zero to be satisfied
 * - `d`: can be dissatisfied by anyone
 * - `u`: leaves exactly 1
 * - `x`: its last opcode has no form that verifies
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
 * What others can do to a witness.
 *
 * - `e`: can be dissatisfied in one way only, without signature
 * - `f`: dissatisfying it takes a signature, if it can be done
 * - `s`: satisfying it takes a signature
 * - `m`: if it can be satisfied, then so that nobody else can change it
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
 * Which locks there are: relative by time (`g`) or height (`h`), absolute by time (`i`) or height (`j`); and whether no
 * way to satisfy it needs both kinds of one sort (`k`), which no transaction has.
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
