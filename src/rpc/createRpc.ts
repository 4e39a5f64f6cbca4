import { RpcError } from '../errors.ts';
import type { DecodedScriptJson, PsbtJson, TransactionJson } from './answers.ts';
import { type RpcContext, type RpcOptions, resolveContext } from './dialect.ts';
import { type JsonValue, toJsonValue } from './jsonValue.ts';
import type { RpcMethod } from './method.ts';
import { decodepsbt } from './methods/decodepsbt.ts';
import { decoderawtransaction } from './methods/decoderawtransaction.ts';
import { decodescript } from './methods/decodescript.ts';
import { checkParams } from './params.ts';

const RPC_METHOD_NOT_FOUND = -32601;

/** Every method, in the order of the help. */
export const methods: readonly RpcMethod[] = [decodepsbt, decoderawtransaction, decodescript];

const METHODS_BY_NAME: ReadonlyMap<string, RpcMethod> = new Map(methods.map((method) => [method.name, method]));

/** Answers calls by method name, as one node would. */
export interface Rpc {
  readonly context: RpcContext;
  /**
   * Calls a method with arguments by position (an array) or by name (an object).
   * @throws RpcError with the node's code and text
   */
  readonly call: (method: string, params?: readonly unknown[] | Readonly<Record<string, unknown>>) => object;
  /** The same with parameters as they stood in a request. */
  readonly callJson: (method: string, params: JsonValue) => object;
}

/**
 * Makes the one dispatcher behind the CLI, `batch` and the server.
 * @throws BtcError `network/unknown`, `network/invalid`, `dialect/unknown`
 */
export function createRpc(options: RpcOptions = {}): Rpc {
  const context = resolveContext(options);
  const callJson = (name: string, params: JsonValue): object => {
    const method = METHODS_BY_NAME.get(name);
    if (!method) throw new RpcError(RPC_METHOD_NOT_FOUND, 'Method not found');
    return invoke(method, params, context);
  };
  return {
    context,
    callJson,
    call: (name, params = []) => callJson(name, toJsonValue(params)),
  };
}

function invoke<R extends object>(method: RpcMethod<R>, params: JsonValue, context: RpcContext): R {
  return method.run(checkParams(method, params, context.dialect), context);
}

/**
 * Decodes a PSBT to the JSON of `decodepsbt`.
 *
 * - `base64`: standard alphabet, padded, no white space
 *
 * @throws RpcError -22 with the node's text; -3 for anything but a string
 * @see Bitcoin Core RPC `decodepsbt`
 */
export function decodePsbt(base64: string, options: RpcOptions = {}): PsbtJson {
  return invoke(decodepsbt, toJsonValue([base64]), resolveContext(options));
}

/**
 * Decodes a transaction to the JSON of `decoderawtransaction`.
 *
 * - `isWitness`: whether it is in the extended format; without it, both formats are tried as a node does
 *
 * @throws RpcError -22 `TX decode failed`; -3 for wrong types
 * @see Bitcoin Core RPC `decoderawtransaction`
 */
export function decodeRawTransaction(hex: string, isWitness?: boolean, options: RpcOptions = {}): TransactionJson {
  const params = isWitness === undefined ? [hex] : [hex, isWitness];
  return invoke(decoderawtransaction, toJsonValue(params), resolveContext(options));
}

/**
 * Decodes a script to the JSON of `decodescript`.
 * @throws RpcError -8 unless `hex` is hex; -3 for anything but a string
 * @see Bitcoin Core RPC `decodescript`
 */
export function decodeScript(hex: string, options: RpcOptions = {}): DecodedScriptJson {
  return invoke(decodescript, toJsonValue([hex]), resolveContext(options));
}
