import { isHex, parseHex } from '../bytes/hex.ts';
import { utf8Size } from '../bytes/utf8.ts';
import { type Wanted, withoutSecrets } from '../encoding/redaction.ts';
import { RpcError } from '../errors.ts';
import { valueRules } from '../generations.ts';
import { parseTxid } from '../tx/txid.ts';
import type { Txid } from '../tx/types.ts';
import type { Dialect } from './dialect.ts';
import { RPC_INVALID_PARAMETER, RPC_MISC_ERROR, RPC_TYPE_ERROR } from './errorCodes.ts';
import { type JsonMember, type JsonValue, memberOf } from './json/jsonValue.ts';

/**
 * Returns a member that an object must have, checked to be of the given type; null counts as missing.
 * @throws RpcError -3
 * @see Bitcoin Core `RPCTypeCheckObj`
 */
export function requiredMember<T extends JsonValue['type']>(
  members: readonly JsonMember[],
  name: string,
  type: T,
  dialect: Dialect,
): Extract<JsonValue, { type: T }> {
  const value = memberOf(members, name);
  if (!value || value.type === 'null') throw new RpcError(RPC_TYPE_ERROR, `Missing ${name}`);
  if (value.type === type) return value as Extract<JsonValue, { type: T }>;
  throw new RpcError(RPC_TYPE_ERROR, valueRules[dialect.generation].wrongField(name, type, value.type));
}

/**
 * Returns the node's error for a value of the wrong type inside an argument.
 * @see Bitcoin Core `UniValue::checkType`
 */
export function lateTypeError(
  got: JsonValue['type'],
  want: Exclude<JsonValue['type'], 'null'>,
  { generation }: Dialect,
): RpcError {
  if (valueRules[generation].namesValueTypes) {
    return new RpcError(RPC_TYPE_ERROR, `JSON value of type ${got} is not of expected type ${want}`);
  }
  return new RpcError(RPC_MISC_ERROR, `JSON value is not ${IN_WORDS[want]} as expected`);
}

const IN_WORDS: Readonly<Record<Exclude<JsonValue['type'], 'null'>, string>> = {
  string: 'a string',
  array: 'an array',
  object: 'an object',
  bool: 'a boolean',
  number: 'an integer',
};

/** Parses a signed 32-bit integer. @throws RpcError -1 */
export const parseInt32 = (number: { readonly text: string }): number =>
  parseWithin(number, /^-?[0-9]+$/, -(2 ** 31), 2 ** 31 - 1);

/** Parses an unsigned 32-bit integer. @throws RpcError -1 */
export const parseUint32 = (number: { readonly text: string }): number =>
  parseWithin(number, /^[0-9]+$/, 0, 2 ** 32 - 1);

function parseWithin({ text }: { readonly text: string }, form: RegExp, least: number, most: number): number {
  const value = form.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw outOfRange();
}

/** Parses a signed 64-bit integer; beyond 2^53 it is rounded, good enough for a range check. @throws RpcError -1 */
export function parseInt64({ text }: { readonly text: string }): number {
  // A 64-bit integer has at most 19 digits, as JSON has no leading zeros. `BigInt` is slow with very long texts.
  const isWhole = /^-?[0-9]{1,19}$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);
  if (isWhole) return Number(text);
  throw outOfRange();
}

const outOfRange = (): RpcError => new RpcError(RPC_MISC_ERROR, 'JSON integer out of range');

/** Parses hex of at least one byte. @throws RpcError -8 @see Bitcoin Core `ParseHexV` */
export function parseHexArgument(name: string, text: string): Uint8Array {
  if (isHex(text)) return parseHex(text);
  throw notHex(name, text, 'script');
}

const notHex = (name: string, text: string, wanted: Wanted): RpcError =>
  new RpcError(RPC_INVALID_PARAMETER, `${name} must be hexadecimal string (not '${withoutSecrets(text, wanted)}')`);

/** Parses a txid in display order. @throws RpcError -8 @see Bitcoin Core `ParseHashV` */
export function parseTxidArgument(name: string, text: string): Txid {
  const size = utf8Size(text);
  if (size !== 64) {
    throw new RpcError(
      RPC_INVALID_PARAMETER,
      `${name} must be of length 64 (not ${size}, for '${withoutSecrets(text, 'hash')}')`,
    );
  }
  if (!isHex(text)) throw notHex(name, text, 'hash');
  return parseTxid(text);
}
