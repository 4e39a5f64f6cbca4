import { withoutSecrets } from '../../core/encoding/redaction.ts';
import { RpcError } from '../../core/errors.ts';
import { isAbsent } from '../arguments/argumentValues.ts';
import { isInDialect, type RpcContext } from '../dialect/dialect.ts';
import { findMember, type JsonMember, type JsonValue } from '../json/jsonValue.ts';
import { fieldRules } from './argumentRules.ts';
import { RPC_TYPE_ERROR } from './errorCodes.ts';
import type { Param } from './param.ts';

/**
 * The values of parameters by name. Each is read, and its type checked, when a method uses it: the order of use decides
 * which error a call with several faults gets.
 */
export type Values<P extends Param> = { readonly [Q in P as Q['name']]: ReturnType<Q['read']> };

interface Given {
  readonly params: readonly Param[];
  readonly members: readonly JsonMember[];
  readonly context: RpcContext;
}

const GIVEN = Symbol('given');

export function readMembers<P extends Param>(
  params: readonly P[],
  members: readonly JsonMember[],
  context: RpcContext,
): Values<P> {
  const given: Given = { params, members, context };
  // What the dialect lacks reads as absent, unless it has another of that name.
  const find = (name: string): Param | undefined => {
    const named = params.filter((each) => each.name === name);
    return named.find((each) => isInDialect(context.dialect, each)) ?? named[0];
  };
  const jsonOf = (found: Param): JsonValue | undefined =>
    isInDialect(context.dialect, found) ? findMember(members, found.name) : undefined;
  return new Proxy({} as Values<P>, {
    get: (_, name) => {
      if (name === GIVEN) return given;
      const found = typeof name === 'string' ? find(name) : undefined;
      return found?.read(jsonOf(found), context);
    },
    has: (_, name) => typeof name === 'string' && findMember(members, name) !== undefined,
  });
}

/** Tells whether a value is given, even as null. @see Core `UniValue::exists` */
export const has = <T extends object>(values: T, name: keyof T & string): boolean => name in values;

/** Reads from `others` what is not given in `values`. */
export const orElse = <K extends object, T extends K>(values: T, others: Partial<K>): T =>
  new Proxy(values, {
    get: (_, name) => Reflect.get(Reflect.has(values, name) || !(name in others) ? values : others, name),
    has: (_, name) => Reflect.has(values, name) || Reflect.has(others, name),
  });

/**
 * Checks the types of members, in the order of their names, and that required ones are there.
 *
 * - `only`: leaves optional members for another check
 * - `isStrict`: refuses unknown names
 *
 * @throws RpcError -3
 * @see Core `RPCTypeCheckObj`
 */
export function checkMembers(
  values: object,
  { only, isStrict = false }: { readonly only?: 'required'; readonly isStrict?: boolean } = {},
): void {
  const { params, members, context } = (values as { readonly [GIVEN]: Given })[GIVEN];
  const own = params.filter((each) => isInDialect(context.dialect, each));
  for (const each of [...own].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (only === undefined || !each.isOptional) checkMember(each, findMember(members, each.name), context);
  }
  const unknown = isStrict && members.find(([name]) => !own.some((each) => each.name === name));
  if (unknown) throw new RpcError(RPC_TYPE_ERROR, `Unexpected key ${withoutSecrets(unknown[0], 'name')}`);
}

function checkMember({ name, type, isOptional }: Param, value: JsonValue | undefined, { dialect }: RpcContext): void {
  if (isAbsent(value)) {
    if (isOptional) return;
    throw new RpcError(RPC_TYPE_ERROR, `Missing ${name}`);
  }
  if (type === 'any' || value.type === type) return;
  throw new RpcError(RPC_TYPE_ERROR, fieldRules[dialect.generation].wrongField(name, type, value.type));
}
