import type { DialectTraits } from '../dialect/dialectNames.ts';

/** Declares an answer or a part of one, for help and for the type `T` of callers. */
export interface Result<T = unknown> extends DialectTraits {
  /** As help names it. */
  readonly type: string;
  readonly about: string;
  readonly isOptional?: true;
  /** Of an object. */
  readonly members?: ResultMembers;
  /** Of a list. */
  readonly item?: Result;
  /** Of a list whose places differ. */
  readonly places?: readonly Result[];
  /** Of an object whose names vary. */
  readonly entry?: Result;
  readonly alternatives?: readonly Result[];
  /** The only values. */
  readonly values?: readonly (string | boolean)[];
  /** The method whose help shows the members. */
  readonly shownBy?: string;
  /** Only for types. */
  readonly answer?: T;
}

export type ResultMembers = Readonly<Record<string, Result>>;

/** The type of what a result declares. */
export type Answer<R> = R extends Result<infer T> ? T : never;

type OptionalNames<M> = { [N in keyof M]: M[N] extends { readonly isOptional: true } ? N : never }[keyof M];

type Flat<T> = { [N in keyof T]: T[N] };

type AnswerMembers<M> = Flat<
  { readonly [N in Exclude<keyof M, OptionalNames<M>>]: Answer<M[N]> } & {
    readonly [N in OptionalNames<M>]?: Answer<M[N]>;
  }
>;

type Places<I> = I extends readonly [infer R, ...infer S]
  ? R extends { readonly isOptional: true }
    ? readonly [Answer<R>?, ...Places<S>]
    : readonly [Answer<R>, ...Places<S>]
  : readonly [];

const scalar =
  <T>(type: string) =>
  (about = ''): Result<T> => ({ type, about });

export const text: <T extends string = string>(about?: string) => Result<T> = scalar('string');
export const hex = scalar<string>('hex');
export const numeric = scalar<number>('number');
export const amount = scalar<number>('amount in coins');
export const time = scalar<number>('UNIX time');
export const flag = scalar<boolean>('boolean');
export const nothing = scalar<null>('null');

export const oneOf = <const T extends string>(values: readonly T[], about = ''): Result<T> => ({
  type: 'string',
  about,
  values,
});

export const always = <const T extends boolean>(value: T, about = ''): Result<T> => ({
  type: String(value),
  about,
  values: [value],
});

export const list = <T>(item: Result<T>, about = ''): Result<readonly T[]> => ({ type: 'array', about, item });

export const tuple = <const I extends readonly Result[]>(places: I, about = ''): Result<Places<I>> => ({
  type: 'array',
  about,
  places,
});

/** An object whose names vary, such as addresses. */
export const dictionary = <T>(entry: Result<T>, about = ''): Result<Readonly<Record<string, T>>> => ({
  type: 'object',
  about,
  entry,
});

/** An object, whose members other objects may take over. */
export interface ObjectResult<M extends ResultMembers> extends Result<AnswerMembers<M>> {
  readonly members: M;
}

export const members = <const M extends ResultMembers>(declared: M, about = ''): ObjectResult<M> => ({
  type: 'object',
  about,
  members: declared,
});

export const either = <const A extends readonly Result[]>(...alternatives: A): Result<Answer<A[number]>> => ({
  type: 'either',
  about: '',
  alternatives,
});

export type OptionalResult<R> = R & { readonly isOptional: true };

export const maybe = <R extends Result>(result: R, traits: DialectTraits = {}): OptionalResult<R> => ({
  ...result,
  ...traits,
  isOptional: true,
});

/** Refers help to the method that answers the same. */
export const likeAnswer = <R extends Result>(method: string, result: R, about = ''): R => ({
  ...result,
  about,
  shownBy: method,
});

/** An object whose type is declared elsewhere. */
export const typed = <T extends object>(about: string): Result<T> => ({ type: 'object', about });
