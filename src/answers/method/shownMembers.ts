import { type Dialect, isInDialect } from '../dialect/dialect.ts';
import type { DialectName } from '../dialect/dialectNames.ts';
import type { Result } from './results.ts';

const NAMES = /* @__PURE__ */ new WeakMap<Result, Map<DialectName, readonly string[]>>();

/** Returns the members that a dialect has, in the order of their declaration. */
function namesIn(declared: Result, dialect: Dialect): readonly string[] {
  const byDialect = NAMES.get(declared) ?? new Map<DialectName, readonly string[]>();
  NAMES.set(declared, byDialect);
  const names =
    byDialect.get(dialect.name) ??
    Object.entries(declared.members ?? {}).flatMap(([name, member]) => (isInDialect(dialect, member) ? [name] : []));
  byDialect.set(dialect.name, names);
  return names;
}

/** Keeps the members that the dialect has, in the order of their declaration. */
export function shownMembers<V extends object>(declared: Result, values: V, dialect: Dialect): V {
  const shown: Record<string, unknown> = {};
  for (const name of namesIn(declared, dialect)) {
    const value = (values as Readonly<Record<string, unknown>>)[name];
    if (value !== undefined) shown[name] = value;
  }
  return shown as V;
}
