import type { DialectName, DialectTraits, IfInDialect } from '../dialect/dialectNames.ts';

/** The part that all declarations have. */
export interface Described extends DialectTraits {
  /** As help names it. */
  readonly type: string;
  readonly about: string;
  readonly isOptional?: true;
  /** The value of `-deprecatedrpc` that keeps it in later releases. */
  readonly keptBy?: string;
  /** What stands for an absent argument. */
  readonly default?: string;
}

/** Declares an answer or a part of one, for help and for the types of callers. */
export interface Result extends Described {
  /** Of an object. */
  readonly members?: ResultMembers;
  /** Of a list. */
  readonly item?: Result;
  /** Of a list whose places differ. */
  readonly places?: readonly Result[];
  /** Of an object whose names vary. */
  readonly entry?: Result;
  readonly alternatives?: readonly Result[];
  /** The argument that chooses an alternative. */
  readonly chosenBy?: string;
  readonly choices?: readonly Choice<unknown, Result>[];
  /** The only values. */
  readonly values?: readonly (string | boolean)[];
  /** The method whose help shows the members. */
  readonly shownBy?: string;
  /** Of an object whose order depends on the dialect. */
  readonly orders?: readonly MemberOrder[];
  /** A number of coins. */
  readonly isAmount?: true;
  /** Bytes in hex. */
  readonly isHex?: true;
  /** A number that is not whole. */
  readonly isDouble?: true;
}

/** In these dialects, some members come first or last, and the others as they are declared. */
export interface MemberOrder extends DialectTraits {
  /** All come as the method returns them. */
  readonly isDrafted?: true;
  readonly first?: readonly string[];
  readonly last?: readonly string[];
}

export type ResultMembers = Readonly<Record<string, Result>>;

/** A value without parts. */
export interface Scalar<T> extends Described {
  /** The only values. */
  readonly values?: readonly (string | boolean)[];
  /** Only for types. */
  readonly answer?: T;
}

export interface AmountResult extends Described {
  readonly isAmount: true;
}

export interface HexResult extends Described {
  readonly isHex: true;
}

export interface ListResult<I extends Described> extends Described {
  readonly item: I;
}

export interface TupleResult<P extends readonly Described[]> extends Described {
  readonly places: P;
}

export interface DictionaryResult<E extends Described> extends Described {
  readonly entry: E;
}

export interface EitherResult<V extends readonly Described[]> extends Described {
  readonly alternatives: V;
}

/** An answer, and the values of the argument with which a method gives it; `undefined` is an absent argument. */
export interface Choice<V, R extends Described> {
  readonly when: readonly V[];
  readonly result: R;
}

/** An answer that the argument of this name chooses. */
export interface ChosenResult<N extends string, C extends readonly Choice<unknown, Described>[]> extends Described {
  readonly chosenBy: N;
  readonly choices: C;
  /** The results, and when they are given. */
  readonly alternatives: readonly C[number]['result'][];
}

/** Tells a result that an argument chooses. */
export interface IsChosen {
  readonly chosenBy: string;
}

/** An object, whose members other objects may take over. */
export interface ObjectResult<M extends Readonly<Record<string, Described>>> extends Described {
  readonly members: M;
}

/** The type of what a result declares, in one dialect `D` or in any; `A` is the type of amounts. */
export type Answer<R, D extends DialectName = DialectName, A = number> = R extends { readonly members: infer M }
  ? AnswerMembers<M, D, A>
  : R extends { readonly item: infer I }
    ? readonly Answer<I, D, A>[]
    : R extends { readonly entry: infer E }
      ? Readonly<Record<string, Answer<E, D, A>>>
      : R extends { readonly places: infer P }
        ? AnswerPlaces<P, D, A>
        : R extends { readonly alternatives: readonly (infer V)[] }
          ? Answer<V, D, A>
          : R extends { readonly isAmount: true }
            ? A
            : R extends { readonly isHex: true }
              ? string
              : R extends Scalar<infer T>
                ? T
                : never;

type Optional = { readonly isOptional: true };

/**
 * What a method returns for a result: amounts in satoshi, hex as bytes or as text, and the members that any dialect
 * has, of which the answer shows those of its own, in the declared order.
 */
export type Draft<R> = R extends { readonly members: infer M }
  ? DraftMembers<M>
  : R extends { readonly item: infer I }
    ? readonly Draft<I>[]
    : R extends { readonly entry: infer E }
      ? Readonly<Record<string, Draft<E>>> | Entries<Draft<E>>
      : R extends { readonly places: infer P }
        ? DraftPlaces<P>
        : R extends { readonly alternatives: readonly (infer V)[] }
          ? Draft<V>
          : R extends { readonly isAmount: true }
            ? bigint
            : R extends { readonly isHex: true }
              ? string | Uint8Array
              : R extends Scalar<infer T>
                ? T
                : never;

/** The names and values of an object whose names vary. */
export class Entries<V> {
  readonly entries: readonly (readonly [string, V])[];

  constructor(entries: readonly (readonly [string, V])[]) {
    this.entries = entries;
  }
}

type DraftMembers<M> = Flat<
  { readonly [N in keyof M as M[N] extends Optional ? never : N]: Draft<M[N]> } & {
    readonly [N in keyof M as M[N] extends Optional ? N : never]?: Draft<M[N]> | undefined;
  }
>;

type DraftPlaces<P> = P extends readonly [infer R, ...infer S]
  ? R extends Optional
    ? readonly [Draft<R>?, ...DraftPlaces<S>]
    : readonly [Draft<R>, ...DraftPlaces<S>]
  : readonly [];

type AnswerMembers<M, D extends DialectName, A> = Flat<
  { readonly [N in keyof M as M[N] extends Optional ? never : N]: Answer<M[N], D, A> } & {
    readonly [N in keyof M as M[N] extends Optional ? IfInDialect<M[N], D, N> : never]?: Answer<M[N], D, A>;
  }
>;

type Flat<T> = { [N in keyof T]: T[N] };

type AnswerPlaces<P, D extends DialectName, A> = P extends readonly [infer R, ...infer S]
  ? R extends Optional
    ? readonly [Answer<R, D, A>?, ...AnswerPlaces<S, D, A>]
    : readonly [Answer<R, D, A>, ...AnswerPlaces<S, D, A>]
  : readonly [];

const scalar =
  <T>(type: string) =>
  (about = ''): Scalar<T> => ({ type, about });

export const text: <T extends string = string>(about?: string) => Scalar<T> = scalar('string');
export const hex = (about = ''): HexResult => ({ type: 'hex', about, isHex: true });
export const numeric = scalar<number>('number');
/** A number that is not whole, which is printed with 16 digits. */
export const double = (about = ''): Scalar<number> & { readonly isDouble: true } => ({
  type: 'number',
  about,
  isDouble: true,
});
export const time = scalar<number>('UNIX time');
export const flag = scalar<boolean>('boolean');
export const nothing = scalar<null>('null');

export const amount = (about = ''): AmountResult => ({
  type: 'amount in coins',
  about,
  isAmount: true,
});

export const oneOf = <const T extends string>(values: readonly T[], about = ''): Scalar<T> => ({
  type: 'string',
  about,
  values,
});

export const always = <const T extends boolean>(value: T, about = ''): Scalar<T> => ({
  type: String(value),
  about,
  values: [value],
});

export const list = <const I extends Described>(item: I, about = ''): ListResult<I> => ({
  type: 'array',
  about,
  item,
});

export const tuple = <const P extends readonly Described[]>(places: P, about = ''): TupleResult<P> => ({
  type: 'array',
  about,
  places,
});

/** An object whose names vary, such as addresses. */
export const dictionary = <const E extends Described>(entry: E, about = ''): DictionaryResult<E> => ({
  type: 'object',
  about,
  entry,
});

export const members = <const M extends Readonly<Record<string, Described>>>(
  declared: M,
  about = '',
  orders?: readonly MemberOrder[],
): ObjectResult<M> => ({
  type: 'object',
  about,
  members: declared,
  ...(orders && { orders }),
});

export const either = <const V extends readonly Described[]>(...alternatives: V): EitherResult<V> => ({
  type: 'either',
  about: '',
  alternatives,
});

/** Declares the answer for these values of an argument. */
export const when = <const V extends Chooser, const R extends Described>(
  values: readonly V[],
  result: R,
): Choice<V, R> => ({ when: values, result });

type Chooser = string | number | boolean | undefined;

/** Declares an answer that an argument chooses; other values choose the last that fits. */
export const chosenBy = <const N extends string, const C extends readonly Choice<Chooser, Described>[]>(
  name: N,
  ...choices: C
): ChosenResult<N, C> => ({
  type: 'either',
  about: '',
  chosenBy: name,
  choices,
  alternatives: choices.map(({ when: values, result }) => withCondition(result, conditionText(name, values))),
});

function conditionText(name: string, values: readonly Chooser[]): string {
  const shown = values.filter((value) => value !== undefined).join(' or ');
  return `with ${name} ${shown}${values.includes(undefined) ? ', the default' : ''}`;
}

function withCondition(result: Result, condition: string): Result {
  const { about, alternatives } = result;
  return alternatives
    ? { ...result, alternatives: alternatives.map((each) => withCondition(each, condition)) }
    : { ...result, about: about === '' ? condition : `${about}, ${condition}` };
}

/** Declares a member that some answers lack, or all answers of some dialects. */
export const maybe = <R extends Described, const T extends DialectTraits = Record<never, never>>(
  result: R,
  traits?: T,
): R & T & Optional => ({ ...result, ...(traits as T), isOptional: true });

/** Refers help to the method that answers the same. */
export const likeAnswer = <R extends Described>(method: string, result: R, about = ''): R => ({
  ...result,
  about,
  shownBy: method,
});

/** An object whose type is declared elsewhere. */
export const typed = <T extends object>(about: string): Scalar<T> => ({ type: 'object', about });
