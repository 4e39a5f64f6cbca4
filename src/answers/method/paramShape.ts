import type { Param } from './param.ts';
import type { Result } from './results.ts';

const NUMBER: Result = { type: 'number', about: '' };
const TEXT: Result = { type: 'string', about: '' };

const RANGE: Result = { type: 'array', about: '', places: [NUMBER, NUMBER] };

/** Describes what a parameter takes as answers are described, for help and schemas. */
export function shapeOfParam(param: Param): Result {
  const { kind, about, isOptional, since, until, onlyInDialect, alsoInDialect, values, default: usual } = param;
  const { members, item, entry, alternatives } = param;
  return {
    type: kind === 'bool' ? 'boolean' : kind,
    about,
    ...(isOptional && { isOptional }),
    ...(since && { since }),
    ...(until && { until }),
    ...(onlyInDialect && { onlyInDialect }),
    ...(alsoInDialect && { alsoInDialect }),
    ...(usual !== undefined && { default: usual }),
    ...(values && { values }),
    ...(members && { members: Object.fromEntries(members.map((each) => [each.name, shapeOfParam(each)])) }),
    ...(item && { item: shapeOfParam(item) }),
    ...(entry && { entry: shapeOfParam(entry) }),
    ...(alternatives && { alternatives: alternatives.map(shapeOfParam) }),
    ...(kind === 'amount' && { alternatives: [NUMBER, TEXT] }),
    ...(kind === 'range' && { alternatives: [NUMBER, RANGE] }),
  };
}
