import type { RpcContext } from '../dialect/dialect.ts';
import type { DialectTraits } from '../dialect/dialectNames.ts';
import type { JsonValue } from '../json/jsonValue.ts';

export type JsonType = Exclude<JsonValue['type'], 'null'>;

/** What a parameter takes, and what a node therefore checks before a method runs. @see Core `RPCArg::Type`, `ExpectedType` */
export const KINDS = {
  string: 'string',
  hex: 'string',
  number: 'number',
  amount: 'any',
  range: 'any',
  bool: 'bool',
  object: 'object',
  array: 'array',
  any: 'any',
} as const satisfies Readonly<Record<string, JsonType | 'any'>>;

export type Kind = keyof typeof KINDS;

export interface ParamTraits {
  /** Other names. */
  readonly aliases?: readonly string[];
  /** Replaces the name in the first line of help. @see Bitcoin Core `oneline_description` */
  readonly shownAs?: string;
  /** Help leaves it out. */
  readonly isHidden?: true;
  /** Holds private keys or a passphrase, and must never be shown. */
  readonly isSecret?: true;
  /** The value of an absent argument, as help shows it. */
  readonly default?: string;
  /** The method checks the type when it reads the value. @see Core `skip_type_check` */
  readonly isUnchecked?: true;
  /** A member of options that is a parameter, too: a request names the parameter. @see Core `also_positional` */
  readonly isAlsoPositional?: true;
  /** Null has the wrong type, rather than being absent. @see Core `UniValue::exists` */
  readonly countsNull?: true;
  /** 0.21, too, answers a wrong type with -3 when the method reads it. @see Core 0.21 `RPCTypeCheckArgument` */
  readonly isChecked?: true;
  /** That check of 0.21 does not take null for absent. @see Core 0.21 `RPCTypeCheck` */
  readonly refusesNull?: true;
}

export type Reader<V> = (value: JsonValue | undefined, context: RpcContext) => V;

/** A parameter of a method, or a part of one. `V` is what the method reads, `A` what callers pass. */
export interface Param<N extends string = string, V = unknown, A = unknown> extends ParamTraits, DialectTraits {
  readonly name: N;
  readonly kind: Kind;
  /** `any` if the method itself checks the type. */
  readonly type: JsonType | 'any';
  readonly about: string;
  readonly isOptional?: true;
  /** Of an object. */
  readonly members?: readonly Param[];
  /** Requests may name the members as arguments. @see Core `RPCArg::Type::OBJ_NAMED_PARAMS` */
  readonly takesNames?: true;
  /** Members that a node reads, too, but does not tell of, and does not take by name. */
  readonly tolerates?: readonly Param[];
  /** Of an object whose names vary. @see Core `RPCArg::Type::OBJ_USER_KEYS` */
  readonly entry?: Param;
  /** Of a list. */
  readonly item?: Param;
  /** Of a value of several kinds. */
  readonly alternatives?: readonly Param[];
  /** The usual texts. Others reach the method, which refuses them as a node does. */
  readonly values?: readonly string[];
  /** The method itself reads an absent value, or null. */
  readonly readsAbsent?: true;
  /** @throws RpcError -3, in 0.21 -1 */
  readonly read: Reader<V>;
  /** Only for types. */
  readonly argument?: A;
}
