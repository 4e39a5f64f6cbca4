import { isInDialect } from '../../src/answers/dialect/dialect.ts';
import type { Result } from '../../src/answers/method/results.ts';
import { type DialectName, dialects } from './library.ts';

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const SCALARS: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  hex: (value) => typeof value === 'string' && /^([0-9a-f]{2})*$/.test(value),
  number: (value) => typeof value === 'number',
  'amount in coins': (value) => typeof value === 'number',
  'UNIX time': (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  object: isObject,
};

/** Returns the place of the first part of an answer that its declaration does not have, or undefined. */
export function undeclaredPart(result: Result, value: unknown, dialect: DialectName, at = ''): string | undefined {
  const { type, item, members, places, entry, alternatives, values } = result;
  if (alternatives) {
    const faults = alternatives.map((one) => undeclaredPart(one, value, dialect, at));
    return faults.every((fault) => fault !== undefined) ? faults.join(' | ') : undefined;
  }
  const wrong = `${at}: ${JSON.stringify(value)?.slice(0, 80)}`;
  if (values) return values.includes(value as string) ? undefined : wrong;
  if (item || places) return Array.isArray(value) ? faultInArray(result, value, dialect, at) : wrong;
  if (members || entry) return isObject(value) ? faultInObject(result, value, dialect, at) : wrong;
  return SCALARS[type]?.(value) ? undefined : wrong;
}

function faultInArray({ item, places }: Result, value: readonly unknown[], dialect: DialectName, at: string) {
  return firstFault(
    value.map((element, i) => [`${at}[${i}]`, item ?? places?.[i], element]),
    dialect,
  );
}

function faultInObject({ members = {}, entry }: Result, value: object, dialect: DialectName, at: string) {
  for (const [name, { isOptional }] of Object.entries(members)) {
    if (!isOptional && !Object.hasOwn(value, name)) return `${at}.${name} is missing`;
  }
  return firstFault(
    Object.entries(value).map(([name, member]) => [`${at}.${name}`, entry ?? members[name], member]),
    dialect,
  );
}

type Part = readonly [at: string, declared: Result | undefined, value: unknown];

function firstFault(parts: readonly Part[], dialect: DialectName): string | undefined {
  for (const [at, declared, value] of parts) {
    if (!declared || !isIn(declared, dialect)) return `${at} is not declared`;
    const fault = undeclaredPart(declared, value, dialect, at);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

const isIn = (result: Result, name: DialectName): boolean => isInDialect(dialects[name], result);
