import { isHex, parseHex } from '../../core/bytes/hex.ts';
import { utf8Size } from '../../core/bytes/utf8.ts';
import type { TextKind } from '../../core/encoding/publicForms.ts';
import { withoutSecrets } from '../../core/encoding/redaction.ts';
import { RpcError } from '../../core/errors.ts';
import { parseTxid } from '../../core/tx/txid.ts';
import type { Txid } from '../../core/tx/types.ts';
import type { Dialect } from '../dialect/dialect.ts';
import type { JsonValue } from '../json/jsonValue.ts';
import { valueRules } from '../method/argumentRules.ts';
import { invalidParameter, RPC_INVALID_PARAMETER, RPC_MISC_ERROR, RPC_TYPE_ERROR } from '../method/errorCodes.ts';

/*
 * `read…` returns a value as Core's `UniValue` does once the method uses it: the error for a wrong type depends on the
 * generation. `check…` returns one that Core checks beforehand (`RPCTypeCheckArgument`, `RPCTypeCheckObj`): the error
 * is always -3. `parse…` reads more than a type.
 */

type Type = Exclude<JsonValue['type'], 'null'>;
type Typed<T extends Type> = Extract<JsonValue, { type: T }>;

export const isGiven = (value: JsonValue | undefined): value is JsonValue =>
  value !== undefined && value.type !== 'null';

export const hasType = <T extends JsonValue['type']>(
  value: JsonValue | undefined,
  type: T,
): value is Extract<JsonValue, { type: T }> => value?.type === type;

export const isAbsent = (value: JsonValue | undefined): value is Extract<JsonValue, { type: 'null' }> | undefined =>
  !value || value.type === 'null';

/** @throws RpcError -3, in 0.21 -1 @see Core `UniValue::checkType` */
export function readValue<T extends Type>(value: JsonValue | undefined, type: T, { generation }: Dialect): Typed<T> {
  if (hasType(value, type)) return value;
  if (valueRules[generation].namesValueTypes) {
    const got = value?.type ?? 'null';
    throw new RpcError(RPC_TYPE_ERROR, `JSON value of type ${got} is not of expected type ${type}`);
  }
  throw new RpcError(RPC_MISC_ERROR, `JSON value is not ${IN_WORDS[type]} as expected`);
}

const IN_WORDS: Readonly<Record<Type, string>> = {
  string: 'a string',
  array: 'an array',
  object: 'an object',
  bool: 'a boolean',
  number: 'an integer',
};

export function readOptional<T extends Type>(
  value: JsonValue | undefined,
  type: T,
  dialect: Dialect,
): Typed<T> | undefined {
  return isAbsent(value) ? undefined : readValue(value, type, dialect);
}

export function checkValue<T extends Type>(value: JsonValue | undefined, type: T): Typed<T> {
  if (hasType(value, type)) return value;
  throw new RpcError(RPC_TYPE_ERROR, `Expected type ${type}, got ${value?.type ?? 'null'}`);
}

export const parseInt32 = (number: { readonly text: string }): number =>
  parseWithin(number, /^-?[0-9]+$/, { least: -(2 ** 31), most: 2 ** 31 - 1 });

/** Reads the output number of an outpoint. @throws RpcError -8 */
export function parseVoutArgument(number: { readonly text: string }): number {
  const vout = parseInt32(number);
  if (vout < 0) throw invalidParameter('Invalid parameter, vout cannot be negative');
  return vout;
}

export const parseUint32 = (number: { readonly text: string }): number =>
  parseWithin(number, /^[0-9]+$/, { least: 0, most: 2 ** 32 - 1 });

interface Bounds {
  readonly least: number;
  readonly most: number;
}

function parseWithin({ text }: { readonly text: string }, form: RegExp, { least, most }: Bounds): number {
  const value = form.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw outOfRange();
}

/** Rounds numbers beyond 2^53: good enough for a range check. */
export function parseInt64({ text }: { readonly text: string }): number {
  // A 64-bit integer has at most 19 digits, as JSON has no leading zeros. `BigInt` is slow with very long texts.
  const isWhole = /^-?[0-9]{1,19}$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);
  if (isWhole) return Number(text);
  throw outOfRange();
}

const outOfRange = (): RpcError => new RpcError(RPC_MISC_ERROR, 'JSON integer out of range');

/** @throws RpcError -8 @see Core `ParseHexV` */
export function parseHexArgument(name: string, text: string): Uint8Array {
  if (isHex(text)) return parseHex(text);
  throw notHex(name, text, 'script');
}

const notHex = (name: string, text: string, kind: TextKind): RpcError =>
  new RpcError(RPC_INVALID_PARAMETER, `${name} must be hexadecimal string (not '${withoutSecrets(text, kind)}')`);

/** @throws RpcError -8 @see Core `ParseHashV` */
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
