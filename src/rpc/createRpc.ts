import { RpcError } from '../errors.ts';
import { type RpcContext, type RpcOptions, resolveContext } from './dialect.ts';
import { RPC_METHOD_NOT_FOUND } from './errorCodes.ts';
import type { JsonForm } from './json/jsonForm.ts';
import { type JsonValue, toJsonValue } from './json/jsonValue.ts';
import type { RpcAnswer } from './method.ts';
import { callMethod } from './params.ts';
import type { RpcCall } from './rpcMethods.ts';
import { findStatelessMethod } from './statelessMethods.ts';

/** Dispatches calls by method name, as a node does. */
export interface Rpc {
  readonly context: RpcContext;
  readonly call: RpcCall;
  /**
   * Like `call`, with the parameters of a parsed request.
   *
   * - `wallet`: the wallet named by the request's path, if any
   * - `json`: the form of the answer; by default values
   */
  readonly callJson: (method: string, params: JsonValue, wallet?: string, json?: JsonForm) => RpcAnswer;
}

/**
 * Makes a dispatcher of the methods that need neither node nor wallet.
 * @throws BtcError `network/unknown`, `network/invalid`, `dialect/unknown`
 *
 * @example
 * ```ts
 * import { createRpc } from 'countersign';
 *
 * const rpc = createRpc({ network: 'regtest', dialect: 'core-31' });
 * rpc.call('decodescript', ['51']).type; // nonstandard
 * rpc.call('getdescriptorinfo', { descriptor: 'raw(51)' }).checksum; // 8lvh9jxk
 * ```
 */
export function createRpc(options: RpcOptions = {}): Rpc {
  const context = resolveContext(options);
  const callJson: Rpc['callJson'] = (name, params, _wallet, json = context.json) => {
    const method = findStatelessMethod(name);
    if (!method) throw new RpcError(RPC_METHOD_NOT_FOUND, 'Method not found');
    return callMethod(method, params, { ...context, json });
  };
  return { context, callJson, call: typedCall(callJson) };
}

/** Types calls by `RpcMethods`, whose answers the tests compare with those of the methods. */
export function typedCall(callJson: Rpc['callJson']): RpcCall {
  const call = (name: string, params: unknown = [], wallet?: string): RpcAnswer =>
    callJson(name, toJsonValue(params), wallet);
  return call as RpcCall;
}
