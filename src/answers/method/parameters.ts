import { checkValue, isAbsent, parseInt32, parseInt64, readValue } from '../arguments/argumentValues.ts';
import type { Dialect } from '../dialect/dialect.ts';
import type { DialectName, DialectTraits, IfInDialect } from '../dialect/dialectNames.ts';
import type { JsonMember, JsonValue } from '../json/jsonValue.ts';
import { argumentRules } from './argumentRules.ts';

type JsonType = Exclude<JsonValue['type'], 'null'>;
type JsonNumber = Extract<JsonValue, { type: 'number' }>;

export interface ParamTraits {
  readonly aliases?: readonly string[];
  /** Replaces the name in the first line of help. @see Bitcoin Core `oneline_description` */
  readonly shownAs?: string;
  /** Holds private keys or a passphrase, and must never be shown. */
  readonly isSecret?: true;
  /** The value of an absent argument, as help shows it. */
  readonly default?: string;
  /** 0.21, too, answers a wrong type with -3 when the method reads it. @see Core 0.21 `RPCTypeCheckArgument` */
  readonly isChecked?: true;
  /** That check of 0.21 does not take null for absent. @see Core 0.21 `RPCTypeCheck` */
  readonly refusesNull?: true;
}

/** `V` is what the method reads, `A` what callers pass. */
export interface Param<N extends string = string, V = unknown, A = unknown> extends ParamTraits, DialectTraits {
  readonly name: N;
  /** `any` if the method itself checks the type. */
  readonly type: JsonType | 'any';
  readonly shownType?: string;
  readonly about: string;
  readonly isOptional?: true;
  /** Fields of the object, which Core 29 also takes as named arguments. */
  readonly members?: readonly string[];
  /** The method itself reads an absent argument, or null. */
  readonly readsAbsent?: true;
  /** @throws RpcError -3, in 0.21 -1 */
  readonly read: (value: JsonValue | undefined, dialect: Dialect) => V;
  /** Only for types. */
  readonly argument?: A;
}

function declared<const N extends string, T extends JsonType, V, A>(
  name: N,
  type: T,
  { about, traits = {} }: { readonly about: string; readonly traits: ParamTraits | undefined },
  unwrap: (value: Extract<JsonValue, { type: T }>) => V,
): Param<N, V, A> {
  const read = (value: JsonValue | undefined, dialect: Dialect): V =>
    unwrap(traits.isChecked ? checkValue(value, type) : readValue(value, type, dialect));
  return { name, type, about, ...traits, read };
}

/** The type of what callers pass, for the compiler only. */
export interface Shape<T> {
  readonly type?: T;
}

export const of = <T>(): Shape<T> => ({});

export const string = <const N extends string>(
  name: N,
  about: string,
  traits?: ParamTraits,
): Param<N, string, string> => choice(name, of<string>(), about, traits);

/** Callers may pass only some texts. Others reach the method, which refuses them as a node does. */
export function choice<const N extends string, A extends string>(
  name: N,
  _choices: Shape<A>,
  about: string,
  traits?: ParamTraits,
): Param<N, string, A> {
  return declared(name, 'string', { about, traits }, ({ value }) => value);
}

export function bool<const N extends string>(name: N, about: string, traits?: ParamTraits): Param<N, boolean, boolean> {
  return declared(name, 'bool', { about, traits }, ({ value }) => value);
}

const numeric =
  <V>(unwrap: (written: JsonNumber) => V) =>
  <const N extends string>(name: N, about: string, traits?: ParamTraits): Param<N, V, number> =>
    declared(name, 'number', { about, traits }, unwrap);

export const number = numeric((written) => written);
export const int32 = numeric(parseInt32);
export const int64 = numeric(parseInt64);

export function array<const N extends string, A>(
  name: N,
  _items: Shape<A>,
  about: string,
  traits?: ParamTraits,
): Param<N, readonly JsonValue[], readonly A[]> {
  return declared(name, 'array', { about, traits }, ({ items }) => items);
}

export function object<const N extends string, A extends object>(
  name: N,
  _members: Shape<A>,
  about: string,
  traits?: ParamTraits,
): Param<N, readonly JsonMember[], A> {
  return declared(name, 'object', { about, traits }, ({ members }) => members);
}

/** Declares a value that the method reads itself: `type` is checked before the method runs, and `any` type is not. */
export const json = <const N extends string, A>(
  name: N,
  _value: Shape<A>,
  { type = 'any', ...shown }: { readonly type?: Param['type']; readonly shownType?: string },
  about: string,
  traits: ParamTraits = {},
): Param<N, JsonValue | undefined, A> => ({
  name,
  type,
  about,
  ...shown,
  ...traits,
  readsAbsent: true,
  read: (value) => value,
});

export type OptionalParam<N extends string, V, A> = Param<N, V, A> & { readonly isOptional: true };

/** Counts null as absent, and reads it as `fallback`. A `json` parameter reads as it is. */
export function optional<N extends string, V, A>(param: Param<N, V, A>): OptionalParam<N, V | undefined, A>;
export function optional<N extends string, V, A>(
  param: Param<N, V, A>,
  fallback: V & (string | number | boolean),
): OptionalParam<N, V, A>;
export function optional<N extends string, V, A>(
  param: Param<N, V, A>,
  fallback?: V & (string | number | boolean),
): OptionalParam<N, V | undefined, A> {
  const { read } = param;
  return {
    ...param,
    isOptional: true,
    ...(fallback !== undefined && { default: String(fallback) }),
    read: (value, dialect) => {
      const isRefused = value !== undefined && param.refusesNull && !argumentRules[dialect.generation].checksAllTypes;
      return isAbsent(value) && !param.readsAbsent && !isRefused ? fallback : read(value, dialect);
    },
  };
}

export type OptionsParam<N extends string, V, A> = OptionalParam<N, V, A> & { readonly members: readonly string[] };

/** Requests may name the members as arguments. @see Core `RPCArg::Type::OBJ_NAMED_PARAMS` */
export const named = <N extends string, V, A>(
  param: OptionalParam<N, V, A>,
  members: readonly string[],
): OptionsParam<N, V, A> => ({ ...param, members });

export type ReadArguments<P extends readonly Param[]> = {
  readonly [Q in P[number] as Q['name']]: ReturnType<Q['read']>;
};

/** Reads each argument, and checks its type, when the method uses it. */
export function readable<P extends readonly Param[]>(
  params: readonly Param[],
  valueFor: (param: Param) => JsonValue | undefined,
  dialect: Dialect,
): ReadArguments<P> {
  const readers = params.map((param): [string, PropertyDescriptor] => [
    param.name,
    { enumerable: true, get: () => param.read(valueFor(param), dialect) },
  ]);
  return Object.defineProperties({}, Object.fromEntries(readers)) as ReadArguments<P>;
}

type Argument<Q> = Q extends Param<string, unknown, infer A> ? A : never;

/** The arguments by position, in one dialect `D` or in any. */
export type Positional<P extends readonly unknown[], D extends DialectName = DialectName> = P extends readonly [
  infer Q,
  ...infer R,
]
  ? [IfInDialect<Q, D, true>] extends [never]
    ? Positional<R, D>
    : Q extends { readonly isOptional: true }
      ? readonly [value?: Argument<Q> | null | undefined, ...Positional<R, D>]
      : readonly [value: Argument<Q>, ...Positional<R, D>]
  : readonly [];

type Required<Q extends Param> = Q extends { readonly isOptional: true } ? never : Q;
type Optional<Q extends Param> = Q extends { readonly isOptional: true } ? Q : never;

/** The arguments by name; an array has none of these members. */
export type Named<P extends readonly Param[], D extends DialectName = DialectName> = {
  readonly [Q in Required<P[number]> as Q['name']]: Argument<Q>;
} & {
  readonly [Q in Optional<P[number]> as IfInDialect<Q, D, Q['name']>]?: Argument<Q> | null | undefined;
} & { readonly [Symbol.iterator]?: never };
