import { parseAmountArgument } from '../arguments/amountArgument.ts';
import type { Amount } from '../arguments/argumentTypes.ts';
import { checkValue, parseInt32, parseInt64, parseUint32, readValue } from '../arguments/argumentValues.ts';
import type { RpcContext } from '../dialect/dialect.ts';
import type { JsonValue } from '../json/jsonValue.ts';
import { argumentRules } from './argumentRules.ts';
import type { ArgumentOf, EntriesOf, ListOf, MembersOf } from './callerTypes.ts';
import { type JsonType, KINDS, type Kind, type Param, type ParamTraits, type Reader } from './param.ts';
import { readMembers, type Values } from './values.ts';

function declared<const N extends string, V, A>(
  name: N,
  kind: Kind,
  { about, traits = {} }: { readonly about: string; readonly traits: ParamTraits | undefined },
  read: Reader<V>,
): Param<N, V, A> {
  return { name, kind, type: traits.isUnchecked ? 'any' : KINDS[kind], about, ...traits, read };
}

/** Reads a value of one type of JSON. */
const typed =
  <T extends JsonType, V>(
    type: T,
    traits: ParamTraits | undefined,
    unwrap: (value: Extract<JsonValue, { type: T }>, context: RpcContext) => V,
  ): Reader<V> =>
  (value, context) =>
    unwrap(traits?.isChecked ? checkValue(value, type) : readValue(value, type, context.dialect), context);

const textual =
  (kind: 'string' | 'hex') =>
  <const N extends string>(name: N, about: string, traits?: ParamTraits): Param<N, string, string> =>
    declared(
      name,
      kind,
      { about, traits },
      typed('string', traits, ({ value }) => value),
    );

export const string = textual('string');
/** Declares bytes in hex, which the method parses. */
export const hexString = textual('hex');

export const choice = <const N extends string, const A extends string>(
  name: N,
  values: readonly A[],
  about: string,
  traits?: ParamTraits,
): Param<N, string, A> => {
  const { read } = string(name, about, traits);
  return { ...declared(name, 'string', { about, traits }, read), values };
};

export const bool = <const N extends string>(
  name: N,
  about: string,
  traits?: ParamTraits,
): Param<N, boolean, boolean> =>
  declared(
    name,
    'bool',
    { about, traits },
    typed('bool', traits, ({ value }) => value),
  );

const numeric =
  <V>(unwrap: (written: Extract<JsonValue, { type: 'number' }>) => V) =>
  <const N extends string>(name: N, about: string, traits?: ParamTraits): Param<N, V, number> =>
    declared(name, 'number', { about, traits }, typed('number', traits, unwrap));

/** Declares a number that the method reads as it is written. */
export const number = numeric((written) => written);
export const int32 = numeric(parseInt32);
export const int64 = numeric(parseInt64);
export const uint32 = numeric(parseUint32);

/** Declares coins, which the method reads in satoshi. */
export const coinAmount = <const N extends string>(
  name: N,
  about: string,
  traits?: ParamTraits,
): Param<N, bigint, Amount> =>
  declared(name, 'amount', { about, traits }, (value, { network }) => parseAmountArgument(value, network));

/** `T`: members that a node reads, too, but does not tell of. */
export const object = <
  const N extends string,
  const M extends readonly Param[],
  const T extends readonly Param[] = readonly [],
>(
  name: N,
  members: M,
  about: string,
  { tolerates, ...traits }: ParamTraits & { readonly tolerates?: T } = {},
): Param<N, Values<M[number] | T[number]>, MembersOf<M[number]>> => {
  const all = [...members, ...(tolerates ?? [])];
  const read = typed('object', traits, (value, context) =>
    readMembers<M[number] | T[number]>(all, value.members, context),
  );
  return { ...declared(name, 'object', { about, traits }, read), members, ...(tolerates && { tolerates }) };
};

/** Declares an object whose names vary, such as addresses. */
export const userKeys = <const N extends string, V, A>(
  name: N,
  entry: Param<string, V, A>,
  about: string,
  traits?: ParamTraits,
): Param<N, readonly (readonly [string, V])[], EntriesOf<A>> => ({
  ...declared(
    name,
    'object',
    { about, traits },
    typed('object', traits, ({ members }, context) =>
      members.map(([key, value]) => [key, entry.read(value, context)] as const),
    ),
  ),
  entry,
});

/** The values of a list. Each is read when its turn comes. */
export interface List<V> extends Iterable<V> {
  readonly length: number;
  readonly map: <T>(make: (value: V, index: number) => T) => readonly T[];
}

export const array = <const N extends string, V, A>(
  name: N,
  item: Param<string, V, A>,
  about: string,
  traits?: ParamTraits,
): Param<N, List<V>, ListOf<A>> => ({
  ...declared(
    name,
    'array',
    { about, traits },
    typed('array', traits, ({ items }, context) => readItems(items, item, context)),
  ),
  item,
});

const readItems = <V>(items: readonly JsonValue[], { read }: Param<string, V>, context: RpcContext): List<V> => ({
  length: items.length,
  map: (make) => items.map((each, i) => make(read(each, context), i)),
  *[Symbol.iterator]() {
    for (const each of items) yield read(each, context);
  },
});

/** Declares a value of several kinds, which the last of them reads unless it has the type of an earlier one. */
export const anyOf = <const N extends string, const P extends readonly Param[]>(
  name: N,
  alternatives: P,
  about: string,
  traits?: ParamTraits,
): Param<N, ReturnType<P[number]['read']>, ArgumentOf<P[number]>> => ({
  ...declared(name, 'any', { about, traits }, (value, context) => {
    const fitting = alternatives.find(({ type }) => type === value?.type) ?? alternatives.at(-1);
    return fitting?.read(value, context) as ReturnType<P[number]['read']>;
  }),
  alternatives,
});

export type ReadingParam<N extends string, V, A> = Param<N, V, A> & { readonly readsAbsent: true };

/** Declares a range of indexes, which `parse` reads. */
export const rangeParam = <const N extends string, V, A>(
  name: N,
  about: string,
  parse: (value: JsonValue | undefined) => V,
  traits?: ParamTraits,
): Param<N, V, A> => declared(name, 'range', { about, traits }, parse);

/** Leaves a value to the method as JSON. */
export const unread = <N extends string, A>(param: Param<N, unknown, A>): ReadingParam<N, JsonValue | undefined, A> =>
  reading(param, (value) => value);

function countsAsAbsent(
  value: JsonValue | undefined,
  { countsNull, refusesNull }: ParamTraits,
  { dialect }: RpcContext,
): boolean {
  if (value?.type !== 'null') return value === undefined;
  return !countsNull && !(refusesNull && !argumentRules[dialect.generation].checksAllTypes);
}

const NO_ITEMS: JsonValue = { type: 'array', items: [] };
const NO_MEMBERS: JsonValue = { type: 'object', members: [] };

/** Counts an absent list or object as an empty one. */
export const emptyIfAbsent = <N extends string, V, A>(param: Param<N, V, A>): ReadingParam<N, V, A> => {
  const none = param.kind === 'array' ? NO_ITEMS : NO_MEMBERS;
  return reading(param, (value, context) => param.read(countsAsAbsent(value, param, context) ? none : value, context));
};

/** Counts a value of another type as an empty list or object. */
export const lenient = <N extends string, V, A>(param: Param<N, V, A>): ReadingParam<N, V, A> => {
  const none = param.kind === 'array' ? NO_ITEMS : NO_MEMBERS;
  return reading(param, (value, context) => param.read(value?.type === param.kind ? value : none, context));
};

/** Gives a parameter a reader of its own, also for an absent value. */
export const reading = <N extends string, A, V>(
  param: Param<N, unknown, A>,
  read: Reader<V>,
): ReadingParam<N, V, A> => ({
  ...param,
  readsAbsent: true,
  read,
});

export type OptionalParam<N extends string, V, A> = Param<N, V, A> & { readonly isOptional: true };

/** Counts null as absent, and reads it as `fallback`, unless the parameter has a reader of its own. */
export function optional<N extends string, V, A>(param: ReadingParam<N, V, A>): OptionalParam<N, V, A>;
export function optional<N extends string, V, A>(param: Param<N, V, A>): OptionalParam<N, V | undefined, A>;
export function optional<N extends string, V, A>(
  param: Param<N, V, A>,
  fallback: V & (string | number | boolean),
): OptionalParam<N, V, A>;
export function optional<N extends string, V, A>(
  param: Param<N, V, A>,
  fallback?: V & (string | number | boolean),
): OptionalParam<N, V | undefined, A> {
  const { read, readsAbsent } = param;
  return {
    ...param,
    isOptional: true,
    ...(fallback !== undefined && { default: String(fallback) }),
    read: (value, context) => {
      if (readsAbsent) return read(value, context);
      return countsAsAbsent(value, param, context) ? fallback : read(value, context);
    },
  };
}

/** Options whose members requests may name as arguments. */
export type OptionsParam<N extends string, V, M extends Param> = OptionalParam<N, V, MembersOf<M>> & {
  readonly takesNames: true;
};

/** Declares options: without them, every member is absent. @see Core `RPCArg::Type::OBJ_NAMED_PARAMS` */
export const options = <
  const N extends string,
  const M extends readonly Param[],
  const T extends readonly Param[] = readonly [],
>(
  name: N,
  members: M,
  about: string,
  traits: ParamTraits & { readonly tolerates?: T } = {},
): OptionsParam<N, Values<M[number] | T[number]>, M[number]> => ({
  ...optional(emptyIfAbsent(object<N, M, T>(name, members, about, traits))),
  takesNames: true,
});

export type ReadArguments<P extends readonly Param[]> = Values<P[number]>;
