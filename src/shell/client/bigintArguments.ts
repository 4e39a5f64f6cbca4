import { type Dialect, dialects, isInDialect } from '../../answers/dialect/dialect.ts';
import type { DialectName } from '../../answers/dialect/dialectNames.ts';
import type { RpcSignature } from '../../answers/method/method.ts';
import type { Kind, Param } from '../../answers/method/param.ts';
import { paramsIn } from '../../answers/method/readParams.ts';
import { BtcError } from '../../core/errors.ts';
import { hasBigint } from './hasBigint.ts';

const WANTED: Readonly<Partial<Record<Kind, string>>> = {
  number: 'a number',
  range: 'a number, or an array of two',
  bool: 'true or false',
  object: 'an object',
  array: 'an array',
};

/**
 * Refuses a bigint, which is an amount in satoshi, where the declaration has none: it would reach the node as coins. What
 * is not declared passes, since a node may know more.
 * @throws BtcError `argument/invalid`
 */
export function assertAmounts(params: unknown, method: RpcSignature, dialectName: DialectName): void {
  const dialect = dialects[dialectName];
  const misplaced = findMisplaced(argumentsIn(params, paramsIn(method, dialect), dialect), dialect);
  if (!misplaced) return;
  const { place, kind } = misplaced;
  const reason = `must be ${WANTED[kind] ?? 'a string'}: a bigint is an amount in satoshi`;
  const message = `The argument ${place} of ${method.name} ${reason}`;
  throw new BtcError('argument/invalid', { argument: place, reason }, message);
}

interface Misplaced {
  readonly place: string;
  readonly kind: Kind;
}

/** A value, how an error names its place, and its declaration if there is one. */
interface Part {
  readonly value: unknown;
  readonly place: string;
  readonly param: Param | undefined;
}

function argumentsIn(params: unknown, declared: readonly Param[], dialect: Dialect): readonly Part[] {
  if (Array.isArray(params)) {
    return params.map((value, i) => ({ value, place: declared[i]?.name ?? '', param: declared[i] }));
  }
  const named = declared.flatMap((param) => [param, ...(param.takesNames ? (param.members ?? []) : [])]);
  return Object.entries(params ?? {}).flatMap(([name, value]) =>
    name === 'args' && Array.isArray(value)
      ? argumentsIn(value, declared, dialect)
      : [{ value, place: name, param: paramNamed(name, named, dialect) }],
  );
}

function paramNamed(name: string, declared: readonly Param[], dialect: Dialect): Param | undefined {
  const named = declared.filter((each) => each.name === name || each.aliases?.includes(name));
  return named.find((each) => isInDialect(dialect, each)) ?? named[0];
}

function findMisplaced(parts: readonly Part[], dialect: Dialect): Misplaced | undefined {
  for (const part of parts) {
    const found = findInPart(part, dialect);
    if (found) return found;
  }
  return undefined;
}

function findInPart({ value, place, param }: Part, dialect: Dialect): Misplaced | undefined {
  if (!param || !hasBigint(value)) return undefined;
  const kinds = kindsOf(param);
  if (typeof value === 'bigint') {
    const isAmount = kinds.some(({ kind }) => kind === 'amount' || kind === 'any');
    return isAmount ? undefined : { place, kind: kinds[0]?.kind ?? param.kind };
  }
  const outcomes = kinds.flatMap((each) => {
    const parts = partsOf({ value, place, param: each }, dialect);
    return parts ? [findMisplaced(parts, dialect)] : [];
  });
  return outcomes.includes(undefined) ? undefined : outcomes[0];
}

const kindsOf = (param: Param): readonly Param[] => param.alternatives?.flatMap(kindsOf) ?? [param];

/** Returns `undefined` for a value of another kind, which the node refuses. */
function partsOf(
  { value, place, param }: Part & { readonly param: Param },
  dialect: Dialect,
): readonly Part[] | undefined {
  const { item, entry, members, tolerates = [] } = param;
  if (Array.isArray(value)) {
    return item && value.map((each, i) => ({ value: each, place: `${place}[${i}]`, param: item }));
  }
  if (!entry && !members) return undefined;
  // The names of entries are the caller's, such as addresses.
  return Object.entries(value ?? {}).map(([name, each]) =>
    members
      ? { value: each, place: `${place}.${name}`, param: paramNamed(name, [...members, ...tolerates], dialect) }
      : { value: each, place, param: entry },
  );
}
