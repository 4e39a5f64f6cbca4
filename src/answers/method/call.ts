import type { JsonForm } from '../json/jsonForm.ts';
import { type JsonValue, toJsonValue } from '../json/jsonValue.ts';
import type { AnyMethod, RpcAnswer } from './method.ts';
import type { Named, OptionsParam, Param, Positional } from './parameters.ts';

/** Methods by name, as a module that exports them. */
export type Methods = Readonly<Record<string, AnyMethod>>;

/** The members of the options of a method, which a call may name as arguments. */
type OptionMembers<Q> = [Extract<Q, { readonly members: readonly string[] }>] extends [
  OptionsParam<string, unknown, infer A>,
]
  ? A
  : unknown;

type Params<X> = X extends { readonly params: infer P extends readonly Param[] } ? P : never;

/** The arguments of a method by position, or by name; any arguments if the compiler does not have the name. */
export type CallArguments<M extends Methods, N extends string> = N extends keyof M
  ? Positional<Params<M[N]>> | (Named<Params<M[N]>> & OptionMembers<Params<M[N]>[number]>)
  : readonly unknown[] | Readonly<Record<string, unknown>>;

/** The answer of a method. */
export type CallAnswer<M extends Methods, N extends string> = N extends keyof M ? ReturnType<M[N]['run']> : RpcAnswer;

/** Accepts the names of methods, and any value of type `string`, but no other literal. */
export type CallableName<M extends Methods, N extends string> = string extends N ? N : N extends keyof M ? N : keyof M;

/**
 * Calls a method with arguments by position (an array) or by name (an object). A misspelt name does not compile: pass a
 * name that only the running program knows as a `string`.
 *
 * - `wallet`: the wallet that the request names, if any
 *
 * @throws RpcError with the node's code and text
 */
export type RpcCall<M extends Methods> = <N extends string>(
  method: CallableName<M, N>,
  ...rest: readonly [] extends CallArguments<M, N>
    ? [params?: CallArguments<M, N>, wallet?: string]
    : [params: CallArguments<M, N>, wallet?: string]
) => CallAnswer<M, N>;

export type CallJson = (method: string, params: JsonValue, wallet?: string, json?: JsonForm) => RpcAnswer;

export function typedCall<M extends Methods>(callJson: CallJson): RpcCall<M> {
  const call = (name: string, params: unknown = [], wallet?: string): RpcAnswer =>
    callJson(name, toJsonValue(params), wallet);
  return call as unknown as RpcCall<M>;
}
