import { type RpcContext, type RpcOptions, resolveContext } from './dialect/dialect.ts';
import { toJsonValue } from './json/jsonValue.ts';
import type { Params } from './method/call.ts';
import type { Named, Positional } from './method/callerTypes.ts';
import type { Method } from './method/method.ts';
import type { Param } from './method/param.ts';
import { callMethod } from './method/readParams.ts';
import type { Answer, Result } from './method/results.ts';
import { decodepsbt } from './psbt/decodepsbt.ts';
import { createrawtransaction } from './rawtransaction/createrawtransaction.ts';
import { decoderawtransaction } from './rawtransaction/decoderawtransaction.ts';
import { decodescript } from './rawtransaction/decodescript.ts';
import { signrawtransactionwithkey } from './rawtransaction/signrawtransactionwithkey.ts';
import { verifyrawtransaction } from './rawtransaction/verifyrawtransaction.ts';
import { createmultisig } from './util/createmultisig.ts';
import { validateaddress } from './util/validateaddress.ts';

/** A method as a function: its arguments by position or by name, as a call of `createRpc` takes them. */
type Caller<M> = M extends { readonly result: infer R extends Result }
  ? (args: Positional<Params<M>> | Named<Params<M>>, options?: RpcOptions) => Answer<R>
  : never;

/** Makes a function of one method, so that a bundle has no other. The node's error texts say what is wrong. */
function callerOf<P extends readonly Param[], R extends Result>(
  method: Method<string, P, RpcContext, R, 'nothing'>,
): (args: unknown, options?: RpcOptions) => Answer<R> {
  return (args, options = {}) => callMethod(method, toJsonValue(args), resolveContext(options)) as Answer<R>;
}

/**
 * Decodes a PSBT in base64.
 * @throws RpcError -22, -3
 * @see Bitcoin Core RPC `decodepsbt`
 *
 * @example
 * ```ts
 * import { decodePsbt } from 'countersign/rpc';
 *
 * const psbt = 'cHNidP8BADwCAAAAARERERERERERERERERERERERERERERERERERERERERERAAAAAAD/////AQAQAAAAAAAAAAAAAAAAAAA=';
 * decodePsbt({ psbt }, { dialect: 'core-31' }).tx?.vout[0]?.value; // 0.00004096
 * ```
 */
export const decodePsbt: Caller<typeof decodepsbt> = /* @__PURE__ */ callerOf(decodepsbt);

/**
 * Decodes a transaction.
 *
 * - `iswitness`: true for the extended (segwit) format, false for the original one; by default tries both, as nodes do
 *
 * @throws RpcError -22, -3
 * @see Bitcoin Core RPC `decoderawtransaction`
 *
 * @example
 * ```ts
 * import { decodeRawTransaction } from 'countersign/rpc';
 *
 * const hexstring = `0200000001${'11'.repeat(32)}0000000000ffffffff0100100000000000000000000000`;
 * decodeRawTransaction({ hexstring }).vout[0]?.value; // 0.00004096
 * ```
 */
export const decodeRawTransaction: Caller<typeof decoderawtransaction> = /* @__PURE__ */ callerOf(decoderawtransaction);

/**
 * Decodes a script.
 * @throws RpcError -8, -3
 * @see Bitcoin Core RPC `decodescript`
 *
 * @example
 * ```ts
 * import { decodeScript } from 'countersign/rpc';
 *
 * decodeScript({ hexstring: '51' }, { network: 'regtest', dialect: 'core-31' }).p2sh; // 2ND8PB9RrfCaAcjfjP1Y6nAgFd9zWHYX4DN
 * ```
 */
export const decodeScript: Caller<typeof decodescript> = /* @__PURE__ */ callerOf(decodescript);

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
 * import { verifyRawTransaction } from 'countersign/rpc';
 *
 * const hexstring = `0200000001${'11'.repeat(32)}0000000000ffffffff0100100000000000000000000000`;
 * const prevtxs = [{ txid: '11'.repeat(32), vout: 0, scriptPubKey: '6a', amount: '0.00005' }];
 * verifyRawTransaction({ hexstring, prevtxs }).errors?.[0]?.error; // OP_RETURN was encountered
 * ```
 */
export const verifyRawTransaction: Caller<typeof verifyrawtransaction> = /* @__PURE__ */ callerOf(verifyrawtransaction);

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
 * import { formatWif } from 'countersign/keys';
 * import { signRawTransactionWithKey } from 'countersign/rpc';
 *
 * const hexstring = `0200000001${'11'.repeat(32)}0000000000ffffffff0100100000000000000000000000`;
 * const privkeys = [formatWif({ secretKey: new Uint8Array(32).fill(1), isCompressed: true }, 'regtest')];
 * const prevtxs = [{ txid: '11'.repeat(32), vout: 0, scriptPubKey: '51', amount: '0.00005' }];
 * signRawTransactionWithKey({ hexstring, privkeys, prevtxs }, { network: 'regtest' }).complete; // true
 * ```
 */
export const signRawTransactionWithKey: Caller<typeof signrawtransactionwithkey> =
  /* @__PURE__ */ callerOf(signrawtransactionwithkey);

/**
 * Creates an unsigned transaction, in hex.
 *
 * - `outputs`: amounts in coins by address, in order; under `data`, the hex of an OP_RETURN output
 *
 * @throws RpcError -8, -5, -3, -1
 * @see Bitcoin Core RPC `createrawtransaction`
 *
 * @example
 * ```ts
 * import { createRawTransaction } from 'countersign/rpc';
 *
 * const inputs = [{ txid: '11'.repeat(32), vout: 0 }];
 * const outputs = { bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq9e75rs: '0.00004096' };
 * createRawTransaction({ inputs, outputs }).length; // 164
 * ```
 */
export const createRawTransaction: Caller<typeof createrawtransaction> = /* @__PURE__ */ callerOf(createrawtransaction);

/**
 * Makes the address that some of these keys can spend from.
 *
 * - `keys`: public keys in hex, in the order of the script
 * - `address_type`: default `legacy`, which is P2SH
 *
 * @throws RpcError -8, -5, -3, -1
 * @see Bitcoin Core RPC `createmultisig`
 *
 * @example
 * ```ts
 * import { formatHex, nobleEcc } from 'countersign';
 * import { createMultisig } from 'countersign/rpc';
 *
 * const keys = [1, 2].map((n) => formatHex(nobleEcc.publicKey(new Uint8Array(32).fill(n))));
 * createMultisig({ nrequired: 2, keys, address_type: 'bech32' }, { network: 'regtest' }).address.slice(0, 6); // bcrt1q
 * ```
 */
export const createMultisig: Caller<typeof createmultisig> = /* @__PURE__ */ callerOf(createmultisig);

/**
 * Tells whether a text is an address of the network, of which kind, or what is wrong and where.
 * @throws RpcError -3, in 0.21 -1
 * @see Bitcoin Core RPC `validateaddress`
 *
 * @example
 * ```ts
 * import { validateAddress } from 'countersign/rpc';
 *
 * validateAddress({ address: 'bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq9e75rs' }).witness_version; // 0
 * validateAddress({ address: 'bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq9e75rr' }).error_locations?.join(); // 41
 * ```
 */
export const validateAddress: Caller<typeof validateaddress> = /* @__PURE__ */ callerOf(validateaddress);
