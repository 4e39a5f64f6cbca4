import { RpcError } from '../core/errors.ts';
import { type RpcContext, type RpcOptions, resolveContext } from './dialect/dialect.ts';
import { type CallJson, type Methods, type RpcCall, typedCall } from './method/call.ts';
import { RPC_METHOD_NOT_FOUND } from './method/errorCodes.ts';
import type { RpcMethod } from './method/method.ts';
import { callMethod } from './method/readParams.ts';
import * as statelessMethods from './statelessMethods.ts';

/** The methods that need neither node nor wallet, by name. */
export type StatelessMethods = typeof statelessMethods;

/** The methods that need neither node nor wallet. */
export const methods: readonly RpcMethod[] = Object.values(statelessMethods);

const BY_NAME: ReadonlyMap<string, RpcMethod> = new Map(methods.map((method) => [method.name, method]));

export const findStatelessMethod = (name: string): RpcMethod | undefined => BY_NAME.get(name);

/** Dispatches calls by method name, as a node does. */
export interface Rpc<M extends Methods = StatelessMethods> {
  readonly context: RpcContext;
  readonly call: RpcCall<M>;
  /** Takes the parameters of a parsed request, whose path names the `wallet`. */
  readonly callJson: CallJson;
}

/**
 * Makes a dispatcher of the methods that need neither node nor wallet.
 * @throws BtcError `network/unknown`, `network/invalid`, `dialect/unknown`
 *
 * @example
 * ```ts
 * import { createRpc } from 'countersign/rpc';
 *
 * const rpc = createRpc({ network: 'regtest', dialect: 'core-31' });
 * rpc.call('decodescript', ['51']).type; // nonstandard
 * rpc.call('getdescriptorinfo', { descriptor: 'raw(51)' }).checksum; // 8lvh9jxk
 * ```
 */
export const createRpc = (options: RpcOptions = {}): Rpc => createRpcIn(resolveContext(options));

/** Makes it in a context that also has what a node decides. */
export function createRpcIn(context: RpcContext): Rpc {
  const callJson: CallJson = (name, params, _wallet, form = context.form) => {
    const method = findStatelessMethod(name);
    if (!method) throw new RpcError(RPC_METHOD_NOT_FOUND, 'Method not found');
    return callMethod(method, params, { ...context, form });
  };
  return { context, callJson, call: typedCall(callJson) };
}
