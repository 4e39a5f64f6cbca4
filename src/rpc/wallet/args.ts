import { withoutSecrets } from '../../encoding/redaction.ts';
import { RpcError } from '../../errors.ts';
import { valueRules } from '../../generations.ts';
import type { Dialect } from '../dialect.ts';
import { RPC_TYPE_ERROR } from '../errorCodes.ts';
import { lateTypeError } from '../fields.ts';
import type { JsonMember, JsonValue } from '../json/jsonValue.ts';

type Type = Exclude<JsonValue['type'], 'null'>;
type Typed<T extends Type> = Extract<JsonValue, { type: T }>;

/**
 * Returns an optional argument, which a node checks with `RPCTypeCheckArgument`; `undefined` if it is absent or null.
 * @throws RpcError -3
 * @see Bitcoin Core 0.21 `RPCTypeCheckArgument`
 */
export function checkedArg<T extends Type>(value: JsonValue | undefined, type: T): Typed<T> | undefined {
  return !value || value.type === 'null' ? undefined : checkedNow(value, type);
}

/** Returns a required argument, checked in the same way. @throws RpcError -3 */
export function checkedNow<T extends Type>(value: JsonValue | undefined, type: T): Typed<T> {
  if (value && isOf(value, type)) return value;
  throw new RpcError(RPC_TYPE_ERROR, `Expected type ${type}, got ${value?.type ?? 'null'}`);
}

/**
 * Returns an optional argument, which a node reads without a check before; `undefined` if it is absent or null. The
 * error for a wrong type depends on the generation.
 * @throws RpcError -1 or -3
 */
export function takenArg<T extends Type>(
  value: JsonValue | undefined,
  type: T,
  dialect: Dialect,
): Typed<T> | undefined {
  return !value || value.type === 'null' ? undefined : taken(value, type, dialect);
}

/** Returns a required value, which a node reads without a check before. @throws RpcError -1 or -3 */
export function taken<T extends Type>(value: JsonValue | undefined, type: T, dialect: Dialect): Typed<T> {
  if (value && isOf(value, type)) return value;
  throw lateTypeError(value?.type ?? 'null', type, dialect);
}

const isOf = <T extends Type>(value: JsonValue, type: T): value is Typed<T> => value.type === type;

/**
 * Checks that an object has only these members, of these types; they may be absent or null.
 * @throws RpcError -3
 * @see Bitcoin Core `RPCTypeCheckObj`
 */
export function checkMembers(
  members: readonly JsonMember[],
  expected: Readonly<Record<string, Type | 'any'>>,
  { generation }: Dialect,
): void {
  for (const [name, type] of Object.entries(expected).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const value = members.find(([member]) => member === name)?.[1];
    if (!value || value.type === 'null' || type === 'any' || value.type === type) continue;
    throw new RpcError(RPC_TYPE_ERROR, valueRules[generation].wrongField(name, type, value.type));
  }
  const unknown = members.find(([name]) => !Object.hasOwn(expected, name));
  if (unknown) throw new RpcError(RPC_TYPE_ERROR, `Unexpected key ${withoutSecrets(unknown[0])}`);
}
