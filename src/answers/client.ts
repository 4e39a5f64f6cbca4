import type { Prevtx } from './arguments/prevtxs.ts';
import type { SighashName } from './arguments/signingArguments.ts';
import { type RpcContext, type RpcOptions, resolveContext } from './dialect/dialect.ts';
import { toJsonValue } from './json/jsonValue.ts';
import type { Method } from './method/method.ts';
import type { Param } from './method/param.ts';
import { readArguments, runMethod } from './method/readParams.ts';
import type { Answer, Result } from './method/results.ts';
import { decodepsbt } from './psbt/decodepsbt.ts';
import { decoderawtransaction } from './rawtransaction/decoderawtransaction.ts';
import type { DecodedScriptJson } from './rawtransaction/decodescript.ts';
import { decodescript } from './rawtransaction/decodescript.ts';
import type { SigningResultJson } from './rawtransaction/signingResult.ts';
import { signrawtransactionwithkey } from './rawtransaction/signrawtransactionwithkey.ts';
import type { VerifiedTransactionJson } from './rawtransaction/verifyrawtransaction.ts';
import { verifyrawtransaction } from './rawtransaction/verifyrawtransaction.ts';
import type { PsbtJson } from './views/psbtResults.ts';
import type { TransactionJson } from './views/transactionResults.ts';

/** Checks the arguments as a node does: its error texts say what is wrong. */
export function call<P extends readonly Param[], R extends Result>(
  method: Method<string, P, RpcContext, R, 'nothing'>,
  args: readonly unknown[],
  options: RpcOptions,
): Answer<R> {
  const context = resolveContext(options);
  return runMethod(method, readArguments(method, args.map(toJsonValue), context), context) as Answer<R>;
}

/**
 * Decodes a PSBT in base64 to the JSON of `decodepsbt`.
 * @throws RpcError -22, -3
 * @see Bitcoin Core RPC `decodepsbt`
 *
 * @example
 * ```ts
 * import { decodePsbt } from 'countersign';
 *
 * const psbt = 'cHNidP8BADwCAAAAARERERERERERERERERERERERERERERERERERERERERERAAAAAAD/////AQAQAAAAAAAAAAAAAAAAAAA=';
 * decodePsbt(psbt, { dialect: 'core-31' }).tx?.vout[0]?.value; // 0.00004096
 * ```
 */
export function decodePsbt(base64: string, options: RpcOptions = {}): PsbtJson {
  return call(decodepsbt, [base64], options);
}

/**
 * Decodes a transaction to the JSON of `decoderawtransaction`.
 *
 * - `isWitness`: true for the extended (segwit) format, false for the original one; by default tries both, as nodes do
 *
 * @throws RpcError -22, -3
 * @see Bitcoin Core RPC `decoderawtransaction`
 *
 * @example
 * ```ts
 * import { decodeRawTransaction } from 'countersign';
 *
 * const hex = `0200000001${'11'.repeat(32)}0000000000ffffffff0100100000000000000000000000`;
 * decodeRawTransaction(hex).vout[0]?.value; // 0.00004096
 * ```
 */
export function decodeRawTransaction(hex: string, isWitness?: boolean, options: RpcOptions = {}): TransactionJson {
  const params = isWitness === undefined ? [hex] : [hex, isWitness];
  return call(decoderawtransaction, params, options);
}

/**
 * Decodes a script to the JSON of `decodescript`.
 * @throws RpcError -8, -3
 * @see Bitcoin Core RPC `decodescript`
 *
 * @example
 * ```ts
 * import { decodeScript } from 'countersign';
 *
 * decodeScript('51', { network: 'regtest', dialect: 'core-31' }).p2sh; // 2ND8PB9RrfCaAcjfjP1Y6nAgFd9zWHYX4DN
 * ```
 */
export function decodeScript(hex: string, options: RpcOptions = {}): DecodedScriptJson {
  return call(decodescript, [hex], options);
}

/**
 * Runs the scripts of a signed transaction against the outputs that it spends; a script failure is in the answer's
 * `errors`.
 *
 * - `flags`: script verification flags by Core's names, separated by commas; default: the standard flags
 *
 * @throws RpcError -22, -8, -3, -1 for malformed arguments
 *
 * @example
 * ```ts
 * import { verifyRawTransaction } from 'countersign';
 *
 * const hex = `0200000001${'11'.repeat(32)}0000000000ffffffff0100100000000000000000000000`;
 * const prevtx = { txid: '11'.repeat(32), vout: 0, scriptPubKey: '6a', amount: '0.00005' };
 * verifyRawTransaction(hex, [prevtx]).errors?.[0]?.error; // OP_RETURN was encountered
 * ```
 */
export function verifyRawTransaction(
  hex: string,
  prevtxs: readonly Prevtx[],
  flags?: string,
  options: RpcOptions = {},
): VerifiedTransactionJson {
  const params = flags === undefined ? [hex, prevtxs] : [hex, prevtxs, flags];
  return call(verifyrawtransaction, params, options);
}

/**
 * Signs the inputs that these keys can sign, and verifies every input.
 *
 * - `privkeys`: in wallet import format
 * - `sighashtype`: default ALL; since core-29 DEFAULT, which for taproot is ALL without the sighash byte
 *
 * The answer's `errors` says what each incomplete input lacks. Private keys never appear in errors.
 * @throws RpcError -22, -5, -8, -3, -1 with the node's text
 * @see Bitcoin Core RPC `signrawtransactionwithkey`
 *
 * @example
 * ```ts
 * import { networks, signRawTransactionWithKey } from 'countersign';
 * import { formatWif } from 'countersign/keys';
 *
 * const hex = `0200000001${'11'.repeat(32)}0000000000ffffffff0100100000000000000000000000`;
 * const secretKey = new Uint8Array(32).fill(1);
 * const wif = formatWif({ secretKey, isCompressed: true }, networks.regtest);
 * const prevtx = { txid: '11'.repeat(32), vout: 0, scriptPubKey: '51', amount: '0.00005' };
 * signRawTransactionWithKey(hex, [wif], [prevtx], 'ALL', { network: 'regtest' }).complete; // true
 * ```
 */
export function signRawTransactionWithKey(
  hex: string,
  privkeys: readonly string[],
  prevtxs: readonly Prevtx[] = [],
  sighashtype?: SighashName,
  options: RpcOptions = {},
): SigningResultJson {
  const params = [hex, privkeys, prevtxs, ...(sighashtype === undefined ? [] : [sighashtype])];
  return call(signrawtransactionwithkey, params, options);
}
