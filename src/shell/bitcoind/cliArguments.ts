import type { JsonMember, JsonValue } from '../../answers/json/jsonValue.ts';
import { parseJson } from '../../answers/json/parseJson.ts';
import type { Param } from '../../answers/method/param.ts';
import { withoutSecrets } from '../../core/encoding/redaction.ts';
import { findMethod } from '../../node/registry.ts';
import { InitError } from './initError.ts';

/**
 * Converts the arguments of a call: texts for parameters that are strings or unknown, else JSON.
 * @throws InitError
 * @see Bitcoin Core `RPCConvertValues`
 */
export const convertArguments = (method: string, args: readonly string[]): JsonValue => ({
  type: 'array',
  items: args.map((text, i) => convert(text, paramAt(method, i))),
});

/**
 * Converts arguments of which some are `name=value`; the others are parameters by position.
 * @throws InitError
 * @see Bitcoin Core `RPCConvertNamedValues`
 */
export function convertNamed(method: string, args: readonly string[]): JsonValue {
  const members = new Map<string, JsonValue>();
  const items: JsonValue[] = [];
  for (const text of args) {
    const end = text.indexOf('=');
    const name = text.slice(0, Math.max(end, 0));
    const place = paramAt(method, items.length);
    if (end < 0 || isPositional(text, name, method, place)) items.push(convert(text, place));
    else members.set(name, convertMember(text.slice(end + 1), method, name));
  }
  const named: JsonMember[] = [...members];
  if (items.length > 0) named.push(['args', { type: 'array', items }]);
  return { type: 'object', members: named };
}

/** Core does not list the parameters of `echo`, which are texts, unlike those of `echojson`. */
const paramsOf = (method: string): readonly Param[] => (method === 'echo' ? [] : (findMethod(method)?.params ?? []));

const paramAt = (method: string, i: number): Param | undefined => paramsOf(method)[i];

/** An equals sign may also be part of a text, or of JSON. */
function isPositional(text: string, name: string, method: string, place: Param | undefined): boolean {
  const isName = paramsOf(method).some((param) => param.name === name || findMember(param, name));
  return !isName && place !== undefined && (place.type === 'string' || parseJson(text) !== undefined);
}

function convert(text: string, param: Param | undefined): JsonValue {
  if (!param || param.type === 'string') return { type: 'string', value: text };
  const value = parseJson(text);
  if (value) return value;
  if (param.type === 'any') return { type: 'string', value: text };
  throw new InitError(`Error parsing JSON: ${param.isSecret ? '...' : withoutSecrets(text)}`);
}

const findMember = ({ takesNames, members = [] }: Param, name: string): Param | undefined =>
  takesNames ? members.find((member) => member.name === name) : undefined;

/** An argument that is not known is a text. */
function convertMember(text: string, method: string, name: string): JsonValue {
  const params = paramsOf(method);
  const param = params.find((candidate) => candidate.name === name);
  return convert(text, param ?? params.map((each) => findMember(each, name)).find((member) => member !== undefined));
}
