import { withoutSecrets } from '../../core/encoding/redaction.ts';
import { RpcError } from '../../core/errors.ts';
import { type Dialect, isInDialect, type RpcContext } from '../dialect/dialect.ts';
import { JSON_NULL, type JsonMember, type JsonValue } from '../json/jsonValue.ts';
import { quote } from '../json/stringify.ts';
import { toAnswer } from './answer.ts';
import { argumentRules, nameRules } from './argumentRules.ts';
import { invalidParameter, RPC_MISC_ERROR, RPC_TYPE_ERROR } from './errorCodes.ts';
import { methodHelp } from './help.ts';
import type { AnyMethod, RpcAnswer, RpcMethod, RpcSignature } from './method.ts';
import type { Param } from './param.ts';
import type { ReadArguments } from './parameters.ts';
import { readMembers } from './values.ts';

/**
 * Turns named arguments into positional ones, and checks their number and types.
 * @throws RpcError -8 (names), -1 with the help text (count), -3 (types), in this order
 */
export function readParams<P extends readonly Param[]>(
  method: RpcSignature & { readonly params: P },
  params: JsonValue,
  context: RpcContext,
): ReadArguments<P> {
  const { dialect } = context;
  const values =
    params.type === 'object' ? positional(paramsIn(method, dialect), params.members, dialect) : arrayItems(params);
  return readArguments(method, values, context);
}

export const paramsIn = ({ params }: RpcSignature, dialect: Dialect): readonly Param[] =>
  params.filter((param) => isInDialect(dialect, param));

/** @throws RpcError -1 with the help text (count), -3 (types) */
export function readArguments<P extends readonly Param[]>(
  method: RpcSignature & { readonly params: P },
  values: readonly JsonValue[],
  context: RpcContext,
): ReadArguments<P> {
  const { dialect } = context;
  const params = paramsIn(method, dialect);
  // An optional parameter may stand before a required one.
  const required = params.reduce((least, { isOptional }, position) => (isOptional ? least : position + 1), 0);
  if (values.length < required || values.length > params.length) {
    throw new RpcError(RPC_MISC_ERROR, method.helpOf?.(dialect.generation) ?? `${methodHelp({ ...method, params })}\n`);
  }
  if (argumentRules[dialect.generation].checksAllTypes) checkAllTypes(params, values);
  else if (!method.checksLate) checkFirstType(method, params, values);
  const given = params.flatMap(({ name }, position): readonly JsonMember[] => {
    const value = values[position];
    return value ? [[name, value]] : [];
  });
  return readMembers<P[number]>(method.params, given, context);
}

const arrayItems = (params: JsonValue): readonly JsonValue[] => (params.type === 'array' ? params.items : []);

/** Gaps before the last argument become null. */
function positional(params: readonly Param[], members: readonly JsonMember[], dialect: Dialect): readonly JsonValue[] {
  const { refusesRepeatedNames, takesArgsByName } = nameRules[dialect.generation];
  const named = new Map<string, JsonValue>();
  for (const [name, value] of members) {
    if (refusesRepeatedNames && named.has(name))
      throw invalidParameter(`Parameter ${withoutSecrets(name, 'name')} specified multiple times`);
    named.set(name, value);
  }
  const leading = takesArgsByName ? named.get('args') : undefined;
  const args = leading?.type === 'array' ? [...leading.items] : [];
  // Core silently drops an `args` that is not an array.
  if (leading) named.delete('args');
  const positionalCount = args.length;
  params.forEach((param, position) => {
    const { name, aliases = [] } = param;
    for (const alias of aliases) rename(named, alias, name);
    const value = takeNamed(named, param, dialect);
    if (!value) return;
    if (position < positionalCount)
      throw invalidParameter(`Parameter ${name} specified twice both as positional and named argument`);
    while (args.length < position) args.push(JSON_NULL);
    args.push(value);
    named.delete(name);
  });
  const [unknown] = named.keys();
  if (unknown !== undefined) throw invalidParameter(`Unknown named parameter ${withoutSecrets(unknown, 'name')}`);
  return args;
}

function rename(named: Map<string, JsonValue>, alias: string, name: string): void {
  const value = named.get(alias);
  if (!value || named.has(name)) return;
  named.delete(alias);
  named.set(name, value);
}

/** Lists the members of options that a request may name as arguments. */
const namedMembers = ({ members = [], takesNames }: Param, dialect: Dialect): readonly Param[] =>
  takesNames && nameRules[dialect.generation].takesOptionsByName
    ? members.filter((member) => !member.isAlsoPositional && isInDialect(dialect, member))
    : [];

/** Builds the value from the fields of an options object that were passed by name, if there are any. */
function takeNamed(named: Map<string, JsonValue>, param: Param, dialect: Dialect): JsonValue | undefined {
  const { name } = param;
  const value = named.get(name);
  const optionMembers = namedMembers(param, dialect).flatMap((member): readonly JsonMember[] => {
    const memberValue = named.get(member.name);
    named.delete(member.name);
    return memberValue ? [[member.name, memberValue]] : [];
  });
  const [first] = optionMembers;
  if (value && first) throw invalidParameter(`Parameter ${name} conflicts with parameter ${first[0]}`);
  return first ? { type: 'object', members: optionMembers } : value;
}

/** Refuses null where a type is expected, as most methods of 0.21 do. */
function checkFirstType({ takesNull }: RpcSignature, params: readonly Param[], args: readonly JsonValue[]): void {
  args.forEach((arg, position) => {
    const param = params[position];
    if (!param || param.type === 'any' || arg.type === param.type || (arg.type === 'null' && takesNull)) return;
    throw new RpcError(RPC_TYPE_ERROR, `Expected type ${param.type}, got ${arg.type}`);
  });
}

/** Counts null as absent where the parameter is optional. */
function checkAllTypes(params: readonly Param[], args: readonly JsonValue[]): void {
  const isWrong = (arg: JsonValue, { type, isOptional }: Param): boolean =>
    type !== 'any' && arg.type !== type && !(isOptional && arg.type === 'null');
  const lines = args.flatMap((arg, position) => {
    const param = params[position];
    if (!param || !isWrong(arg, param)) return [];
    const label = quote(`Position ${position + 1} (${param.name})`);
    return [`    ${label}: ${quote(`JSON value of type ${arg.type} is not of expected type ${param.type}`)}`];
  });
  if (lines.length > 0) throw new RpcError(RPC_TYPE_ERROR, `Wrong type passed:\n{\n${lines.join(',\n')}\n}`);
}

export const callMethod = (method: RpcMethod, params: JsonValue, context: RpcContext): RpcAnswer =>
  runMethod(method, readParams(method, params, context), context);

export function runMethod<C extends RpcContext>(method: AnyMethod<C>, args: object, context: C): RpcAnswer {
  const draft = method.run(args as never, context);
  return toAnswer(method.result, draft, context, args as Readonly<Record<string, unknown>>);
}
