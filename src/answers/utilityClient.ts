import { assertKnownOptions, type OptionNames } from '../core/bytes/knownOptions.ts';
import type { InputArgument, OutputsArgument } from './arguments/constructTransaction.ts';
import { call } from './client.ts';
import type { RpcOptions } from './dialect/dialect.ts';
import { createrawtransaction } from './rawtransaction/createrawtransaction.ts';
import type { MultisigAddressJson } from './util/createmultisig.ts';
import { createmultisig } from './util/createmultisig.ts';
import type { ValidatedAddressJson } from './util/validateaddress.ts';
import { validateaddress } from './util/validateaddress.ts';

/** The optional arguments of `createrawtransaction`. */
export interface NewTransactionArguments {
  /** Default: 0. */
  readonly locktime?: number;
  /** The inputs signal replaceability (BIP125). Default: true, in 0.21 false. */
  readonly replaceable?: boolean;
  /** 1 to 3; default 2; not in 0.21. */
  readonly version?: number;
}

const NEW_TRANSACTION: OptionNames<NewTransactionArguments> = { locktime: true, replaceable: true, version: true };

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
 * import { createRawTransaction } from 'countersign';
 *
 * const inputs = [{ txid: '11'.repeat(32), vout: 0 }];
 * const outputs = { bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq9e75rs: '0.00004096' };
 * createRawTransaction(inputs, outputs).length; // 164
 * ```
 */
export function createRawTransaction(
  inputs: readonly InputArgument[],
  outputs: OutputsArgument | readonly OutputsArgument[],
  details: NewTransactionArguments = {},
  options: RpcOptions = {},
): string {
  assertKnownOptions(details, NEW_TRANSACTION);
  const { locktime = 0, replaceable, version } = details;
  // 0.21 takes no version.
  const more = version === undefined ? [] : [version];
  return call(createrawtransaction, [inputs, outputs, locktime, replaceable ?? null, ...more], options);
}

/**
 * Makes the address that `required` of these keys can spend from.
 *
 * - `keys`: public keys in hex, in the order of the script
 * - `addressType`: default `legacy`, which is P2SH
 *
 * @throws RpcError -8, -5, -3, -1
 * @see Bitcoin Core RPC `createmultisig`
 *
 * @example
 * ```ts
 * import { createMultisig, formatHex, nobleEcc } from 'countersign';
 *
 * const keys = [1, 2].map((n) => formatHex(nobleEcc.publicKey(new Uint8Array(32).fill(n))));
 * createMultisig(2, keys, 'bech32', { network: 'regtest' }).address.slice(0, 6); // bcrt1q
 * ```
 */
export function createMultisig(
  required: number,
  keys: readonly string[],
  addressType: 'legacy' | 'p2sh-segwit' | 'bech32' = 'legacy',
  options: RpcOptions = {},
): MultisigAddressJson {
  return call(createmultisig, [required, keys, addressType], options);
}

/**
 * Tells whether a text is an address of the network, of which kind, or what is wrong and where.
 * @throws RpcError -3, in 0.21 -1
 * @see Bitcoin Core RPC `validateaddress`
 *
 * @example
 * ```ts
 * import { validateAddress } from 'countersign';
 *
 * validateAddress('bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq9e75rs').witness_version; // 0
 * validateAddress('bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq9e75rr').error_locations?.join(); // 41
 * ```
 */
export function validateAddress(address: string, options: RpcOptions = {}): ValidatedAddressJson {
  return call(validateaddress, [address], options);
}
