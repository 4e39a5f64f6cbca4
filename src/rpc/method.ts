import type { RpcContext } from './dialect.ts';
import type { JsonValue } from './jsonValue.ts';

/** One parameter of a method. */
export interface RpcParam {
  readonly name: string;
  readonly type: JsonValue['type'];
  readonly isOptional?: true;
  /** Holds keys: never to be shown. */
  readonly isSecret?: true;
}

/** A method as data: what it takes, and the function behind it. */
export interface RpcMethod<R extends object = object> {
  readonly name: string;
  readonly params: readonly RpcParam[];
  /** Whether 0.21 lets null stand for any argument at first, as signing methods do. */
  readonly takesNull?: true;
  /** The help text after its first line. Ours: nodes word theirs differently from version to version. */
  readonly help: string;
  /** Gets arguments whose types have been checked; optional ones may be absent or null. */
  readonly run: (args: readonly (JsonValue | undefined)[], context: RpcContext) => R;
}

/** The first line of a method's help: its name and parameters, optional ones in parentheses. */
export function synopsis({ name, params }: RpcMethod): string {
  const shown = params.map(({ name: param, type, isOptional }) => {
    const text = type === 'string' ? `"${param}"` : type === 'array' ? `[${param}]` : param;
    return isOptional ? `( ${text} )` : text;
  });
  return [name, ...shown].join(' ');
}

/** The content of a string argument. */
export function stringArg(args: readonly (JsonValue | undefined)[], position: number): string {
  const value = args[position];
  return value?.type === 'string' ? value.value : '';
}

/** The content of an optional boolean argument. */
export function boolArg(args: readonly (JsonValue | undefined)[], position: number): boolean | undefined {
  const value = args[position];
  return value?.type === 'bool' ? value.value : undefined;
}
