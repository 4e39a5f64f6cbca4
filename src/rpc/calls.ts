import type {
  DecodedScriptJson,
  PsbtJson,
  SigningResultJson,
  TransactionJson,
  VerifiedTransactionJson,
} from './answers.ts';
import { type RpcOptions, resolveContext } from './dialect.ts';
import { toJsonValue } from './jsonValue.ts';
import { decodepsbt } from './methods/decodepsbt.ts';
import { decoderawtransaction } from './methods/decoderawtransaction.ts';
import { decodescript } from './methods/decodescript.ts';
import { signrawtransactionwithkey } from './methods/signrawtransactionwithkey.ts';
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
  /** Hex; needed for P2SH. */
  readonly redeemScript?: string;
  /** Hex; needed for P2WSH and P2SH-P2WSH. */
  readonly witnessScript?: string;
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

/** Names of the hash types that signing methods take. */
export type SighashName =
  | 'DEFAULT'
  | 'ALL'
  | 'NONE'
  | 'SINGLE'
  | 'ALL|ANYONECANPAY'
  | 'NONE|ANYONECANPAY'
  | 'SINGLE|ANYONECANPAY';

/**
 * Signs what can be signed with these keys, and verifies every input.
 *
 * - `privkeys`: wallet import format, of the network
 * - `sighashtype`: default ALL; in core-31 DEFAULT, which is ALL without a byte for taproot
 *
 * What is missing or wrong with an input is in the answer's `errors`; in the `documented` dialect with a `code` and a
 * `hint`. No key appears in any error.
 * @throws RpcError -22, -5, -8, -3, -1 with the node's text
 * @see Bitcoin Core RPC `signrawtransactionwithkey`
 */
export function signRawTransactionWithKey(
  hex: string,
  privkeys: readonly string[],
  prevtxs: readonly Prevtx[] = [],
  sighashtype?: SighashName,
  options: RpcOptions = {},
): SigningResultJson {
  const params = [hex, privkeys, prevtxs, ...(sighashtype === undefined ? [] : [sighashtype])];
  return callMethod(signrawtransactionwithkey, toJsonValue(params), resolveContext(options));
}
