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

/** The arguments of a method by position, or by name; of a name that only the running program knows, any arguments. */
export type CallArguments<M extends Methods, N extends string> = N extends keyof M
  ? Positional<Params<M[N]>> | (Named<Params<M[N]>> & OptionMembers<Params<M[N]>[number]>)
  : readonly unknown[] | Readonly<Record<string, unknown>>;

/** The answer of a method; of a name that only the running program knows, any answer. */
export type CallAnswer<M extends Methods, N extends string> = N extends keyof M ? ReturnType<M[N]['run']> : RpcAnswer;

/** Accepts the names of methods, and any value of type `string`, but no other literal. */
export type CallableName<M extends Methods, N extends string> = string extends N ? N : N extends keyof M ? N : keyof M;

/**
 * Calls a method with arguments by position (an array) or by name (an object); the name of the method types them and the
 * answer. A misspelt name does not compile: to call a method by a name that only the running program knows, pass it as a
 * `string`.
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

/** Calls a method with the parameters of a parsed request. */
export type CallJson = (method: string, params: JsonValue, wallet?: string, json?: JsonForm) => RpcAnswer;

/** Makes the typed form of `callJson`, which answers the methods `M`. */
export function typedCall<M extends Methods>(callJson: CallJson): RpcCall<M> {
  const call = (name: string, params: unknown = [], wallet?: string): RpcAnswer =>
    callJson(name, toJsonValue(params), wallet);
  return call as unknown as RpcCall<M>;
}
