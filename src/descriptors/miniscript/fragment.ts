/** What a preimage is hashed with. */
export type HashName = 'sha256' | 'hash256' | 'ripemd160' | 'hash160';

/** One expression of miniscript, as decoded from a script. Names are miniscript's. @see BIP379 "Fragments" */
export type Fragment =
  | { readonly kind: '0' | '1' }
  | { readonly kind: 'pk_k'; readonly key: Uint8Array }
  | { readonly kind: 'pk_h'; readonly hash: Uint8Array; readonly key: Uint8Array }
  | { readonly kind: 'older' | 'after'; readonly lock: number }
  | { readonly kind: 'hash'; readonly name: HashName; readonly hash: Uint8Array }
  | { readonly kind: 'multi'; readonly required: number; readonly keys: readonly Uint8Array[] }
  | { readonly kind: Wrapper; readonly sub: Typed }
  | { readonly kind: 'and_v' | 'and_b' | 'or_b' | 'or_c' | 'or_d' | 'or_i'; readonly subs: readonly [Typed, Typed] }
  | { readonly kind: 'andor'; readonly subs: readonly [Typed, Typed, Typed] }
  | { readonly kind: 'thresh'; readonly required: number; readonly subs: readonly Typed[] };

export type Wrapper = 'a' | 's' | 'c' | 'd' | 'v' | 'j' | 'n';

/** A fragment that fits together, with its type. */
export interface Typed {
  readonly fragment: Fragment;
  readonly type: Type;
}

/**
 * What an expression does to the stack: its basic type, and whether it takes none (`z`) or one (`o`) item, needs a top
 * item that is not zero (`n`), can be dissatisfied (`d`), and leaves exactly 1 (`u`).
 * @see BIP379 "Correctness"
 */
export interface Type {
  readonly base: 'B' | 'V' | 'K' | 'W';
  readonly z: boolean;
  readonly o: boolean;
  readonly n: boolean;
  readonly d: boolean;
  readonly u: boolean;
}
