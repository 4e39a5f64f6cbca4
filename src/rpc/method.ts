import type { GenerationName } from '../generations.ts';
import type { DialectName, RpcContext } from './dialect.ts';
import type { JsonValue } from './json/jsonValue.ts';

/** One parameter of a method. */
export interface RpcParam {
  readonly name: string;
  /** `any` if the method itself checks the type. */
  readonly type: JsonValue['type'] | 'any';
  readonly isOptional?: true;
  /** Other names by which a request may give it. */
  readonly aliases?: readonly string[];
  /** The first generation that takes it; by default all do. */
  readonly since?: 'core-31';
  /** The only dialect that takes it; by default all do. */
  readonly onlyIn?: DialectName;
  /** True if it holds private keys or a passphrase, and must never be shown. */
  readonly isSecret?: true;
  /** Names of the object's fields, which Core 31 also takes as named arguments. */
  readonly members?: readonly string[];
}

/** The answer of a method. */
export type RpcAnswer = object | string | number | boolean | null;

/** The thing that a method works on, besides its arguments. */
type Needs = 'nothing' | 'node' | 'wallet';

/** The name, parameters and help of a method. */
export interface RpcSignature {
  readonly name: string;
  /** `wallet`: the wallet that the request names. */
  readonly needs: Needs;
  /** The only generation that has it; by default all do. */
  readonly onlyIn?: GenerationName;
  readonly params: readonly RpcParam[];
  /** True if 0.21's first type check passes null for any argument, as in its signing methods. */
  readonly takesNull?: true;
  /** True if 0.21 checks the type of an argument only when the method reads it. */
  readonly checksLate?: true;
  /** True if it looks up outputs in the chain and mempool of the node, if any. */
  readonly usesChain?: true;
  /** The help text after its first line, in our words: those of nodes change from version to version. */
  readonly help: string;
}

/** A method with its implementation. */
export interface MethodThatNeeds<N extends Needs, C extends RpcContext, R extends RpcAnswer> extends RpcSignature {
  readonly needs: N;
  /** Receives type-checked arguments; optional ones may be absent or null. */
  readonly run: (args: readonly (JsonValue | undefined)[], context: C) => R;
}

/** A method that needs neither node nor wallet. */
export type RpcMethod<R extends RpcAnswer = RpcAnswer> = MethodThatNeeds<'nothing', RpcContext, R>;

/** Indexes methods by name. */
export const methodsByName = <M extends RpcSignature>(...lists: readonly (readonly M[])[]): ReadonlyMap<string, M> =>
  new Map(lists.flatMap((methods) => methods.map((method) => [method.name, method] as const)));

/** Returns the first line of a method's help: its name and parameters, optional ones in parentheses. */
export function synopsis({ name, params }: RpcSignature): string {
  const shown = params.map(({ name: param, type, isOptional }) => {
    const text = type === 'string' ? `"${param}"` : type === 'array' ? `[${param}]` : param;
    return isOptional ? `( ${text} )` : text;
  });
  return [name, ...shown].join(' ');
}

/** Returns the whole help of a method, without a final newline. */
export const helpOf = (method: RpcSignature): string => `${synopsis(method)}\n\n${method.help}`;
