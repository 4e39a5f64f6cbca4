import type { DecodedScriptJson, PsbtJson, TransactionJson, VerifiedTransactionJson } from './answers.ts';
import { type RpcOptions, resolveContext } from './dialect.ts';
import { toJsonValue } from './jsonValue.ts';
import { decodepsbt } from './methods/decodepsbt.ts';
import { decoderawtransaction } from './methods/decoderawtransaction.ts';
import { decodescript } from './methods/decodescript.ts';
import { verifyrawtransaction } from './methods/verifyrawtransaction.ts';
import { callMethod } from './params.ts';

/**
 * Decodes a PSBT to the JSON of `decodepsbt`.
 *
 * - `base64`: standard alphabet, padded, no white space
 *
 * @throws RpcError -22 with the node's text; -3 for anything but a string
 * @see Bitcoin Core RPC `decodepsbt`
 */
export function decodePsbt(base64: string, options: RpcOptions = {}): PsbtJson {
  return callMethod(decodepsbt, toJsonValue([base64]), resolveContext(options));
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
  return callMethod(decoderawtransaction, toJsonValue(params), resolveContext(options));
}

/**
 * Decodes a script to the JSON of `decodescript`.
 * @throws RpcError -8 unless `hex` is hex; -3 for anything but a string
 * @see Bitcoin Core RPC `decodescript`
 */
export function decodeScript(hex: string, options: RpcOptions = {}): DecodedScriptJson {
  return callMethod(decodescript, toJsonValue([hex]), resolveContext(options));
}

/** An output being spent, as signing methods take it. */
export interface Prevtx {
  /** As people see it. */
  readonly txid: string;
  readonly vout: number;
  /** Hex. */
  readonly scriptPubKey: string;
  /** In coins; needed where segwit signatures commit to it. Text is exact. */
  readonly amount?: number | string;
}

/**
 * Runs the scripts of a signed transaction against the outputs that it spends.
 *
 * - `flags`: rules by Core's names, separated by commas; default standard
 *
 * @throws RpcError -22, -8, -3, -1 for what cannot be read, with the node's texts for signing; a spend that the rules
 * refuse is in the answer's `errors`
 */
export function verifyRawTransaction(
  hex: string,
  prevtxs: readonly Prevtx[],
  flags?: string,
  options: RpcOptions = {},
): VerifiedTransactionJson {
  const params = flags === undefined ? [hex, prevtxs] : [hex, prevtxs, flags];
  return callMethod(verifyrawtransaction, toJsonValue(params), resolveContext(options));
}
