import type { AnswerForm } from '../dialect/dialect.ts';
import type { DialectName, IfInDialect } from '../dialect/dialectNames.ts';
import { type JsonValue, toJsonValue } from '../json/jsonValue.ts';
import type { AnswerTo, Named, Positional } from './callerTypes.ts';
import type { AnyMethod, RpcAnswer } from './method.ts';
import type { Param } from './param.ts';
import type { IsChosen } from './results.ts';

/** Methods by name, as a module that exports them. */
export type Methods = Readonly<Record<string, AnyMethod>>;

export type Params<X> = X extends { readonly params: infer P extends readonly Param[] } ? P : never;

/**
 * The arguments of a method by position, or by name, in one dialect `D` or in any; any arguments if the compiler does
 * not have the name.
 */
export type CallArguments<M extends Methods, N extends string, D extends DialectName = DialectName> = N extends keyof M
  ? Positional<Params<M[N]>, D> | Named<Params<M[N]>, D>
  : readonly unknown[] | Readonly<Record<string, unknown>>;

/**
 * The answer of a method, in one dialect `D` or in any; `A` is the type of amounts, and `X` that of the arguments, some
 * of which choose the answer.
 */
export type CallAnswer<
  M extends Methods,
  N extends string,
  D extends DialectName = DialectName,
  A = number,
  X = unknown,
> = N extends keyof M ? AnswerTo<M[N]['result'], Params<M[N]>, X, D, A> : RpcAnswer;

/** Accepts the names of methods, and any value of type `string`, but no other literal. */
export type CallableName<M extends Methods, N extends string, D extends DialectName = DialectName> = string extends N
  ? N
  : N extends keyof M
    ? IfInDialect<M[N], D, N>
    : keyof M;

/** The methods with an argument that chooses the answer. */
type ChoosingName<M extends Methods, D extends DialectName> = {
  [N in keyof M]: M[N]['result'] extends IsChosen ? IfInDialect<M[N], D, N> : never;
}[keyof M] &
  string;

/** Refuses the members of `X` that `P` lacks. */
type Exact<X, P> = X extends readonly unknown[] ? unknown : { readonly [K in Exclude<keyof X, MemberOf<P>>]: never };

type MemberOf<P> = P extends readonly unknown[] ? never : keyof P;

/** Accepts the names of methods that need no arguments. */
type BareName<M extends Methods, N extends string, D extends DialectName> =
  readonly [] extends CallArguments<M, N, D> ? CallableName<M, N, D> : never;

/**
 * Calls a method with arguments by position (an array) or by name (an object). A misspelt name does not compile: pass a
 * name that only the running program knows as a `string`.
 *
 * - `wallet`: the wallet that the request names, if any
 *
 * @throws RpcError with the node's code and text
 */
export interface RpcCall<M extends Methods> {
  <N extends string>(method: BareName<M, N, DialectName>): CallAnswer<M, N, DialectName, number, readonly []>;
  <N extends ChoosingName<M, DialectName>, const X extends CallArguments<M, N>>(
    method: N,
    params: X & Exact<X, CallArguments<M, N>>,
    wallet?: string,
  ): CallAnswer<M, N, DialectName, number, X>;
  <N extends string>(method: CallableName<M, N>, params: CallArguments<M, N>, wallet?: string): CallAnswer<M, N>;
}

/** As `RpcCall`, of another program. */
export interface RemoteCall<M extends Methods, D extends DialectName, A> {
  <N extends string>(method: BareName<M, N, D>): Promise<CallAnswer<M, N, D, A, readonly []>>;
  <N extends ChoosingName<M, D>, const X extends CallArguments<M, N, D>>(
    method: N,
    params: X & Exact<X, CallArguments<M, N, D>>,
  ): Promise<CallAnswer<M, N, D, A, X>>;
  <N extends string>(method: CallableName<M, N, D>, params: CallArguments<M, N, D>): Promise<CallAnswer<M, N, D, A>>;
}

export type CallJson = (method: string, params: JsonValue, wallet?: string, form?: AnswerForm) => RpcAnswer;

export function typedCall<M extends Methods>(callJson: CallJson): RpcCall<M> {
  const call = (name: string, params: unknown = [], wallet?: string): RpcAnswer =>
    callJson(name, toJsonValue(params), wallet);
  return call as unknown as RpcCall<M>;
}
