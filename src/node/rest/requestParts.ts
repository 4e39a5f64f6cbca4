import { parseHex } from '../../core/bytes/hex.ts';
import type { NodeContext } from '../methods/context.ts';
import { badRequest, FORMATS, type Format, type RestReply } from './replies.ts';
import type { RestRules } from './restRules.ts';

/** A request that an endpoint answers. */
export interface Asked {
  /** As sent, with query and percent-encoding; a character for each byte. */
  readonly path: string;
  /** What follows the prefix of the endpoint. */
  readonly rest: string;
  readonly body: Uint8Array;
  readonly context: NodeContext;
  readonly rules: RestRules;
}

/** Divides a path without its query into what it names and the form of the answer. @see Bitcoin Core `ParseDataFormat` */
export function splitFormat({ rest, rules }: Asked): {
  readonly text: string;
  readonly format: Format | undefined;
} {
  const query = rules.query === 'none' ? -1 : rest.lastIndexOf('?');
  const whole = query < 0 ? rest : rest.slice(0, query);
  const dot = whole.lastIndexOf('.');
  const suffix = whole.slice(dot + 1);
  const format = FORMATS.find((name) => name === suffix);
  if (dot < 0 || (format === undefined && suffix !== '')) return { text: whole, format: undefined };
  return { text: whole.slice(0, dot), format };
}

const CHARACTERS = "[A-Za-z0-9\\-._~!$&'()*+,;=:@/]|%[0-9A-Fa-f]{2}";
/** @see libevent `evhttp_uri_parse` */
const STRICT_PATH = new RegExp(`^(?:${CHARACTERS})*(?:[?](?:${CHARACTERS}|[?])*)?(?:#(?:${CHARACTERS}|[?])*)?$`);

/** Reads a parameter behind the question mark. `otherwise`: its value if there is none. */
export function withParameter(
  { path, rules }: Asked,
  name: string,
  otherwise: string,
  answer: (value: string) => RestReply,
): RestReply {
  const isStrict = rules.query === 'strict';
  if (isStrict && !STRICT_PATH.test(path)) {
    return badRequest('URI parsing failed, it likely contained RFC 3986 invalid characters');
  }
  const query = /\?([^#]*)/.exec(path)?.[1] ?? '';
  return answer((isStrict ? strictParameter : lenientParameter)(query, name) ?? otherwise);
}

/** @see libevent `evhttp_parse_query_str` */
function strictParameter(query: string, name: string): string | undefined {
  const pairs = query.replace(/&$/, '').split('&');
  if (!pairs.every((pair) => pair.indexOf('=') > 0)) return undefined;
  const value = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
  return value === undefined ? undefined : decodePercent(value.replaceAll('+', ' '));
}

/** @see Bitcoin Core 32 `GetQueryParameterFromUri` */
function lenientParameter(query: string, name: string): string | undefined {
  for (const pair of query.split('&')) {
    const [key = '', ...value] = pair.split('=');
    if (decodePercent(key) === name) return decodePercent(value.join('='));
  }
  return undefined;
}

/** Keeps a percent sign without two hex digits. */
const decodePercent = (text: string): string =>
  text.replace(/%([0-9a-fA-F]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));

/** Takes a hash in display order; gives it in wire order. */
export function withHash(text: string, answer: (hash: Uint8Array) => RestReply): RestReply {
  return isHash(text) ? answer(parseHex(text).reverse()) : badRequest(`Invalid hash: ${text}`);
}

/** @see Bitcoin Core `uint256::FromHex` */
export const isHash = (text: string): boolean => /^[0-9a-fA-F]{64}$/.test(text);

/** @see Bitcoin Core `ToIntegral` for `uint32_t` and `size_t` */
export function parseUnsigned(text: string, bits: 32 | 64): bigint | undefined {
  if (!/^[0-9]+$/.test(text)) return undefined;
  const value = BigInt(text);
  return value < 1n << BigInt(bits) ? value : undefined;
}

/** @see Bitcoin Core `ToIntegral` for `int32_t`; before release 30, for some numbers, `ParseInt32` */
export function parseSigned(text: string, takesPlusSign: boolean): number | undefined {
  if (!(takesPlusSign ? /^[+-]?[0-9]+$/ : /^-?[0-9]+$/).test(text)) return undefined;
  const value = Number(text);
  return value >= -0x8000_0000 && value <= 0x7fff_ffff ? value : undefined;
}
