import { invalidOption } from '../../core/bytes/knownOptions.ts';
import { formatAmount } from '../../core/encoding/amount.ts';
import type { BtcError } from '../../core/errors.ts';

/** JSON as written: numbers keep their text, objects their order and duplicate members. */
export type JsonValue =
  | { readonly type: 'null' }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'number'; readonly text: string }
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'array'; readonly items: readonly JsonValue[] }
  | { readonly type: 'object'; readonly members: readonly JsonMember[] };

export type JsonMember = readonly [name: string, value: JsonValue];

export const JSON_NULL: JsonValue = { type: 'null' };

/** Finds the first member of a name, as a node does. */
export function findMember(members: readonly JsonMember[], name: string): JsonValue | undefined {
  return members.find(([candidate]) => candidate === name)?.[1];
}

/**
 * Numbers become the text that `JSON.stringify` gives them, and a bigint, in satoshi, the amount in coins.
 * @throws `argument/invalid` for values that JSON cannot express
 */
export function toJsonValue(value: unknown): JsonValue {
  if (value === null || value === undefined) return JSON_NULL;
  if (typeof value === 'boolean') return { type: 'bool', value };
  if (typeof value === 'string') return { type: 'string', value };
  if (typeof value === 'bigint') return { type: 'number', text: formatAmount(value) };
  if (typeof value === 'number' && Number.isFinite(value)) return { type: 'number', text: String(value) };
  if (Array.isArray(value)) return { type: 'array', items: value.map(toJsonValue) };
  if (typeof value !== 'object') throw inexpressible(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return { type: 'object', members: members.map(([name, member]) => [name, toJsonValue(member)] as const) };
}

/** A value that no JSON has, such as a function. */
export const inexpressible = (value: unknown): BtcError =>
  invalidOption('value', `must be something that JSON can express, not of type ${typeof value}`);
