import type { DialectName, IfInDialect } from '../dialect/dialectNames.ts';
import type { Param } from './param.ts';
import type { Answer } from './results.ts';

/** What callers pass for an object with these members. */
export interface MembersOf<P extends Param> {
  readonly '~members': P;
}

/** What callers pass for an object whose names vary. */
export interface EntriesOf<A> {
  readonly '~entry': A;
}

/** What callers pass for a list. */
export interface ListOf<A> {
  readonly '~item': A;
}

/** What callers pass for a parameter, or for a part of one. */
export type ArgumentFor<Q, D extends DialectName = DialectName> = Argument<ArgumentOf<Q>, D>;

export type ArgumentOf<Q> = Q extends Param<string, unknown, infer A> ? A : never;

/** What callers pass for `A`, in one dialect `D` or in any. */
type Argument<A, D extends DialectName> =
  A extends MembersOf<infer P>
    ? ObjectArgument<P, D>
    : A extends EntriesOf<infer E>
      ? Readonly<Record<string, Argument<E, D>>>
      : A extends ListOf<infer I>
        ? readonly Argument<I, D>[]
        : A;

/**
 * The arguments by position, in one dialect `D` or in any. Of parameters of one name, which differ by dialect, any
 * dialect takes the last.
 */
export type Positional<P extends readonly unknown[], D extends DialectName = DialectName> = P extends readonly [
  infer Q,
  ...infer R,
]
  ? [IfInDialect<Q, D, true>] extends [never]
    ? Positional<R, D>
    : [NameOf<Q>] extends [NameOf<NextIn<R, D>>]
      ? Positional<R, D>
      : PositionalFrom<Q, R, D>
  : readonly [];

type NameOf<Q> = Q extends { readonly name: infer N } ? N : never;
type NextIn<R, D extends DialectName> = R extends readonly [infer Q, ...unknown[]] ? IfInDialect<Q, D, Q> : never;

type PositionalFrom<Q, R extends readonly unknown[], D extends DialectName> = Q extends { readonly isOptional: true }
  ? readonly [value?: Argument<ArgumentOf<Q>, D> | null | undefined, ...Positional<R, D>]
  : readonly [value: Argument<ArgumentOf<Q>, D>, ...Positional<R, D>];

type Required<Q extends Param> = Q extends { readonly isOptional: true } ? never : Q;
type Optional<Q extends Param> = Q extends { readonly isOptional: true } ? Q : never;

type ObjectArgument<P extends Param, D extends DialectName> = {
  readonly [Q in Required<P> as IfInDialect<Q, D, Q['name']>]: Argument<ArgumentOf<Q>, D>;
} & {
  readonly [Q in Optional<P> as IfInDialect<Q, D, Q['name']>]?: Argument<ArgumentOf<Q>, D> | null | undefined;
};

/** The members of options, which a request may name as arguments. */
type NamedMembers<Q> = Q extends Param<string, unknown, MembersOf<infer M>> & { readonly takesNames: true } ? M : never;

/** The arguments by name; an array has none of these members. */
export type Named<P extends readonly Param[], D extends DialectName = DialectName> = ObjectArgument<
  P[number] | NamedMembers<P[number]>,
  D
> & { readonly [Symbol.iterator]?: never };

/** The answer to arguments `X`, by position or by name, of parameters `P`. */
export type AnswerTo<R, P extends readonly unknown[], X, D extends DialectName, A> = R extends {
  readonly chosenBy: infer N;
  readonly choices: readonly (infer C)[];
}
  ? ChosenAnswer<C, Fitting<C, GivenFor<N, P, X, D>>, P, X, D, A>
  : Answer<R, D, A>;

type ChosenAnswer<C, F, P extends readonly unknown[], X, D extends DialectName, A> = [F] extends [never]
  ? AnswerOf<C, P, X, D, A>
  : AnswerOf<F, P, X, D, A>;

type AnswerOf<C, P extends readonly unknown[], X, D extends DialectName, A> = C extends { readonly result: infer R }
  ? AnswerTo<R, P, X, D, A>
  : never;

/** The choices that a value of type `V` may make. */
type Fitting<C, V> = C extends { readonly when: readonly (infer W)[] }
  ? [Extract<V, W> | Extract<W, V>] extends [never]
    ? never
    : C
  : never;

/** The type of the argument for a parameter. */
type GivenFor<N, P extends readonly unknown[], X, D extends DialectName> = unknown extends X
  ? unknown
  : X extends readonly unknown[]
    ? GivenAt<N, P, X, D>
    : N extends keyof X
      ? OrAbsent<X[N]>
      : undefined;

type GivenAt<
  N,
  P extends readonly unknown[],
  X extends readonly unknown[],
  D extends DialectName,
> = P extends readonly [infer Q, ...infer R]
  ? [IfInDialect<Q, D, true>] extends [never]
    ? GivenAt<N, R, X, D>
    : X extends readonly []
      ? undefined
      : X extends readonly [infer V, ...infer Y]
        ? NameOf<Q> extends N
          ? OrAbsent<V>
          : GivenAt<N, R, Y, D>
        : unknown
  : unknown;

type OrAbsent<V> = V extends null ? undefined : V;
