import { RpcError } from '../errors.ts';
import { deriveaddresses } from './descriptors/deriveaddresses.ts';
import { getdescriptorinfo } from './descriptors/getdescriptorinfo.ts';
import { type RpcContext, type RpcOptions, resolveContext } from './dialect.ts';
import { RPC_METHOD_NOT_FOUND } from './errorCodes.ts';
import { type JsonValue, toJsonValue } from './json/jsonValue.ts';
import type { RpcAnswer, RpcMethod } from './method.ts';
import { callMethod } from './params.ts';
import { analyzepsbt } from './psbt/analyzepsbt.ts';
import { combinepsbt } from './psbt/combinepsbt.ts';
import { converttopsbt } from './psbt/converttopsbt.ts';
import { createpsbt } from './psbt/createpsbt.ts';
import { decodepsbt } from './psbt/decodepsbt.ts';
import { descriptorprocesspsbt } from './psbt/descriptorprocesspsbt.ts';
import { finalizepsbt } from './psbt/finalizepsbt.ts';
import { joinpsbts } from './psbt/joinpsbts.ts';
import { utxoupdatepsbt } from './psbt/utxoupdatepsbt.ts';
import { decoderawtransaction } from './rawtransaction/decoderawtransaction.ts';
import { decodescript } from './rawtransaction/decodescript.ts';
import { signrawtransactionwithkey } from './rawtransaction/signrawtransactionwithkey.ts';
import { verifyrawtransaction } from './rawtransaction/verifyrawtransaction.ts';

/** All methods that need no node, in help order. */
export const methods: readonly RpcMethod[] = [
  decodepsbt,
  decoderawtransaction,
  decodescript,
  signrawtransactionwithkey,
  createpsbt,
  converttopsbt,
  utxoupdatepsbt,
  descriptorprocesspsbt,
  combinepsbt,
  finalizepsbt,
  analyzepsbt,
  joinpsbts,
  getdescriptorinfo,
  deriveaddresses,
  verifyrawtransaction,
];

/** {@link methods} by name. */
export const METHODS_BY_NAME: ReadonlyMap<string, RpcMethod> = new Map(methods.map((method) => [method.name, method]));

/** Dispatches calls by method name, as a node does. */
export interface Rpc {
  readonly context: RpcContext;
  /**
   * Calls a method with arguments by position (an array) or by name (an object).
   * @throws RpcError with the node's code and text
   */
  readonly call: (
    method: string,
    params?: readonly unknown[] | Readonly<Record<string, unknown>>,
    wallet?: string,
  ) => RpcAnswer;
  /** Like `call`, with the parameters of a parsed request; `wallet`: the wallet named by the request's path, if any. */
  readonly callJson: (method: string, params: JsonValue, wallet?: string) => RpcAnswer;
}

/**
 * Makes a dispatcher of the methods that need no node.
 * @throws BtcError `network/unknown`, `network/invalid`, `dialect/unknown`
 */
export function createRpc(options: RpcOptions = {}): Rpc {
  const context = resolveContext(options);
  const callJson = (name: string, params: JsonValue): RpcAnswer => {
    const method = METHODS_BY_NAME.get(name);
    if (!method) throw new RpcError(RPC_METHOD_NOT_FOUND, 'Method not found');
    return callMethod(method, params, context);
  };
  return { context, callJson, call: (name, params = []) => callJson(name, toJsonValue(params)) };
}
