import type { Dialect, RpcContext } from './dialect.ts';
import type { JsonValue } from './jsonValue.ts';
import { lateTypeError } from './members.ts';

/** One parameter of a method. */
export interface RpcParam {
  readonly name: string;
  /** `any` where the method itself looks at the type. */
  readonly type: JsonValue['type'] | 'any';
  readonly isOptional?: true;
  /** The first generation that takes it, unless all do. */
  readonly since?: 'core-31';
  /** Holds keys: never to be shown. */
  readonly isSecret?: true;
  /** Names of members of an object that newer nodes take in its place. */
  readonly members?: readonly string[];
}

/** What a method may answer. */
export type RpcAnswer = object | string | number | boolean | null;

/** A method as data: what it takes. */
export interface RpcSignature {
  readonly name: string;
  readonly params: readonly RpcParam[];
  /** Whether 0.21 lets null stand for any argument at first, as signing methods do. */
  readonly takesNull?: true;
  /** Whether types are looked at in 0.21 only as the method comes to them. */
  readonly checksLate?: true;
  /** Whether it uses the chain and mempool that a node was fed, where there is one. */
  readonly usesChain?: true;
  /** The help text after its first line. Ours: nodes word theirs differently from version to version. */
  readonly help: string;
}

/** A method, and the function behind it. */
export interface RpcMethod<R extends RpcAnswer = RpcAnswer, C extends RpcContext = RpcContext> extends RpcSignature {
  /** Gets arguments whose types have been checked; optional ones may be absent or null. */
  readonly run: (args: readonly (JsonValue | undefined)[], context: C) => R;
}

/** The first line of a method's help: its name and parameters, optional ones in parentheses. */
export function synopsis({ name, params }: RpcSignature): string {
  const shown = params.map(({ name: param, type, isOptional }) => {
    const text = type === 'string' ? `"${param}"` : type === 'array' ? `[${param}]` : param;
    return isOptional ? `( ${text} )` : text;
  });
  return [name, ...shown].join(' ');
}

/** The whole help of a method, without a line's end. */
export const helpOf = (method: RpcSignature): string => `${synopsis(method)}\n\n${method.help}`;

/** The content of a string argument. */
export function stringArg(args: readonly (JsonValue | undefined)[], position: number): string {
  const value = args[position];
  return value?.type === 'string' ? value.value : '';
}

/** The content of a string argument that null has got through for. @throws RpcError -1, -3 */
export function textArg(args: readonly (JsonValue | undefined)[], position: number, dialect: Dialect): string {
  const value = args[position];
  if (value?.type !== 'string') throw lateTypeError(value?.type ?? 'null', 'string', dialect);
  return value.value;
}

/** The items of an array argument that null has got through for. @throws RpcError -1, -3 */
export function listArg(
  args: readonly (JsonValue | undefined)[],
  position: number,
  dialect: Dialect,
): readonly JsonValue[] {
  const value = args[position];
  if (value?.type !== 'array') throw lateTypeError(value?.type ?? 'null', 'array', dialect);
  return value.items;
}

/** The content of an optional boolean argument. */
export function boolArg(args: readonly (JsonValue | undefined)[], position: number): boolean | undefined {
  const value = args[position];
  return value?.type === 'bool' ? value.value : undefined;
}

/** The items of an array argument. */
export function itemsArg(args: readonly (JsonValue | undefined)[], position: number): readonly JsonValue[] {
  const value = args[position];
  return value?.type === 'array' ? value.items : [];
}
