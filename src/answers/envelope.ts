import { assertKnownOptions, type OptionNames } from '../core/bytes/knownOptions.ts';
import { RpcError } from '../core/errors.ts';
import type { Rpc } from './createRpc.ts';
import { type EnvelopeRules, envelopeRules } from './envelopeRules.ts';
import { findMember, JSON_NULL, type JsonMember, type JsonValue } from './json/jsonValue.ts';
import { parseJson } from './json/parseJson.ts';
import { quote, stringifyJsonValue, stringifyRpc } from './json/stringify.ts';
import { RPC_INTERNAL_ERROR, RPC_INVALID_REQUEST, RPC_METHOD_NOT_FOUND, RPC_PARSE_ERROR } from './method/errorCodes.ts';

/** A node has no such limit. */
const MAX_BATCH = 10_000;

/** The length of V8's longest string, for all answers of a batch together. */
const MAX_ANSWER = 2 ** 29 - 24;

const HTTP_OK = 200;
const HTTP_NO_CONTENT = 204;
const HTTP_FORBIDDEN = 403;
const HTTP_INTERNAL_SERVER_ERROR = 500;
/** All other errors have 500. */
const ERROR_STATUS: ReadonlyMap<number, number> = new Map([
  [RPC_INVALID_REQUEST, 400],
  [RPC_METHOD_NOT_FOUND, 404],
]);

/** Answers calls. */
export type Dispatcher = Pick<Rpc, 'context' | 'callJson'>;

interface ReplyShape {
  /** Absent if the request has none and the dialect then omits it. */
  readonly id: JsonValue | undefined;
  /** JSON-RPC 2.0 replies have either `result` or `error`; older ones have both. */
  readonly isV2: boolean;
}

interface Reply {
  readonly text: string;
  /** 204 for a notification that was carried out. */
  readonly status: number;
}

const NO_REQUEST: ReplyShape = { id: JSON_NULL, isV2: false };
const FORBIDDEN: Reply = { text: '', status: HTTP_FORBIDDEN };

interface Route {
  /** From the path of the request. */
  readonly wallet?: string | undefined;
  /** The member `wallet` of each request names its wallet, which nodes read only from the HTTP path. */
  readonly readsWallet?: boolean;
  /** By default, the caller may call every method. */
  readonly mayCall?: (method: string) => boolean;
}

/**
 * Answers the text of a JSON-RPC request or batch. Never throws: every failure becomes an error reply. A lone
 * notification of JSON-RPC 2.0 is answered, too, since callers count on one answer per text.
 *
 * - `readsWallet`: the member `wallet` (a string) of each request names its wallet; by default it is ignored
 *
 * @see JSON-RPC 1.0 and 2.0; Core `JSONRPCRequest::parse`
 */
export function answerText(rpc: Dispatcher, text: string, options: TextOptions = {}): string {
  assertKnownOptions(options, TEXT_OPTIONS);
  const { readsWallet = false } = options;
  return answerWhole(rpc, parseJson(text), { readsWallet }).text;
}

/** How an answer is written. */
export interface TextOptions {
  readonly readsWallet?: boolean;
}

const TEXT_OPTIONS: OptionNames<TextOptions> = { readsWallet: true };

export interface HttpAnswer {
  readonly status: number;
  /** Ends with a newline; empty for the statuses 204 and 403. */
  readonly body: string;
}

/**
 * Answers the body of an HTTP request; notifications of JSON-RPC 2.0 get an empty body. A call that `mayCall` forbids
 * refuses the whole batch with status 403. Never throws.
 * @see Core `HTTPReq_JSONRPC`
 */
export function answerBody(rpc: Dispatcher, body: string, route: HttpRoute = {}): HttpAnswer {
  return answerRequest(rpc, parseJson(body), route);
}

type HttpRoute = Omit<Route, 'readsWallet'>;

/** Takes `undefined` for a body that is not valid JSON. */
export function answerRequest(rpc: Dispatcher, request: JsonValue | undefined, route: HttpRoute): HttpAnswer {
  const { text, status } = answerWhole(rpc, request, route);
  const isEmpty = status === HTTP_NO_CONTENT || status === HTTP_FORBIDDEN;
  return { status, body: isEmpty ? '' : `${text}\n` };
}

function answerWhole(rpc: Dispatcher, request: JsonValue | undefined, route: Route): Reply {
  if (!request) return refusal(new RpcError(RPC_PARSE_ERROR, 'Parse error'));
  if (request.type === 'array') return answerBatch(rpc, request.items, route);
  if (request.type !== 'object') return refusal(new RpcError(RPC_PARSE_ERROR, 'Top-level object parse error'));
  if (isForbidden(request, route)) return FORBIDDEN;
  return answer(rpc, request.members, { ...route, shape: replyShape(request.members, rpc) });
}

function answerBatch(rpc: Dispatcher, items: readonly JsonValue[], route: Route): Reply {
  if (items.length > MAX_BATCH) return refusal(invalidRequest(`Batch has more than ${MAX_BATCH} requests`));
  if (items.some((item) => isForbidden(item, route))) return FORBIDDEN;
  const texts = answersTo(rpc, items, route);
  if (!texts) return refusal(new RpcError(RPC_INTERNAL_ERROR, TOO_LONG));
  try {
    const text = `[${texts.join(',')}]`;
    return { text, status: texts.length === 0 && items.length > 0 ? HTTP_NO_CONTENT : HTTP_OK };
  } catch (error) {
    return refusal(internalError(error));
  }
}

/** Returns `undefined` if the answers together are too long for one string. */
function answersTo(rpc: Dispatcher, items: readonly JsonValue[], route: Route): readonly string[] | undefined {
  const { repeatsBatchIds } = getRules(rpc);
  const texts: string[] = [];
  let shape = NO_REQUEST;
  let length = 0;
  for (const item of items) {
    if (item.type === 'object') shape = replyShape(item.members, rpc);
    else if (length > MAX_ANSWER) continue;
    else if (!repeatsBatchIds) shape = NO_REQUEST;
    const { text } =
      item.type === 'object'
        ? answer(rpc, item.members, { ...route, shape })
        : refusal(invalidRequest('Invalid Request object'), shape);
    if (isNotification(shape)) continue;
    length += text.length + 1;
    if (length <= MAX_ANSWER) texts.push(text);
    else texts.length = 0;
  }
  return length > MAX_ANSWER ? undefined : texts;
}

function isForbidden(request: JsonValue, { mayCall }: Route): boolean {
  if (!mayCall || request.type !== 'object') return false;
  const method = findMember(request.members, 'method');
  return method?.type === 'string' && !mayCall(method.value);
}

/** Leaves out requests without a method: they fail. */
export function calledMethods(request: JsonValue | undefined): readonly string[] {
  const items = request?.type === 'array' ? request.items : [request];
  return items.flatMap((item) => {
    const method = item?.type === 'object' ? findMember(item.members, 'method') : undefined;
    return method?.type === 'string' ? [method.value] : [];
  });
}

export function refusalText(message: string): string {
  return errorText(new RpcError(RPC_PARSE_ERROR, message), NO_REQUEST);
}

const getRules = ({ context }: Dispatcher): EnvelopeRules => envelopeRules[context.dialect.generation];

const isNotification = ({ id, isV2 }: ReplyShape): boolean => isV2 && !id;

function replyShape(request: readonly JsonMember[], rpc: Dispatcher): ReplyShape {
  const { knowsJsonRpc2 } = getRules(rpc);
  const version = knowsJsonRpc2 ? findMember(request, 'jsonrpc') : undefined;
  const id = findMember(request, 'id') ?? (knowsJsonRpc2 ? undefined : JSON_NULL);
  return { id, isV2: version?.type === 'string' && version.value === '2.0' };
}

function answer(
  rpc: Dispatcher,
  request: readonly JsonMember[],
  { shape, wallet, readsWallet = false }: Route & { readonly shape: ReplyShape },
): Reply {
  let isExecuted = false;
  try {
    if (getRules(rpc).knowsJsonRpc2) assertVersion(findMember(request, 'jsonrpc'));
    const method = requestMethod(request);
    const params = requestParams(request);
    const named = readsWallet ? requestWallet(request) : wallet;
    isExecuted = true;
    const text = resultText(stringifyRpc(rpc.callJson(method, params, named, 'text')), shape);
    return { text, status: executedStatus(shape) ?? HTTP_OK };
  } catch (error) {
    const { text, status } = refusal(error instanceof RpcError ? error : internalError(error), shape);
    return { text, status: (isExecuted ? executedStatus(shape) : undefined) ?? status };
  }
}

/** Returns the status that JSON-RPC 2.0 fixes for calls that were carried out, even if they failed. */
function executedStatus(shape: ReplyShape): number | undefined {
  if (isNotification(shape)) return HTTP_NO_CONTENT;
  return shape.isV2 ? HTTP_OK : undefined;
}

function refusal(error: RpcError, shape: ReplyShape = NO_REQUEST): Reply {
  return { text: errorText(error, shape), status: ERROR_STATUS.get(error.code) ?? HTTP_INTERNAL_SERVER_ERROR };
}

function resultText(result: string, shape: ReplyShape): string {
  return shape.isV2
    ? `{"jsonrpc":"2.0","result":${result}${idText(shape)}}`
    : `{"result":${result},"error":null${idText(shape)}}`;
}

const TOO_LONG = 'Answer too long';

/** Reports an answer beyond the engine's longest string, or a bug, whose message might hold secrets. */
function internalError(cause: unknown): RpcError {
  const message = cause instanceof RangeError ? TOO_LONG : 'Internal error';
  return new RpcError(RPC_INTERNAL_ERROR, message, { cause });
}

const invalidRequest = (message: string): RpcError => new RpcError(RPC_INVALID_REQUEST, message);

function assertVersion(version: JsonValue | undefined): void {
  if (!version || version.type === 'null') return;
  if (version.type !== 'string') throw invalidRequest('jsonrpc field must be a string');
  if (version.value !== '1.0' && version.value !== '2.0') throw invalidRequest('JSON-RPC version not supported');
}

function requestMethod(request: readonly JsonMember[]): string {
  const method = findMember(request, 'method') ?? JSON_NULL;
  if (method.type === 'null') throw invalidRequest('Missing method');
  if (method.type !== 'string') throw invalidRequest('Method must be a string');
  return method.value;
}

function requestParams(request: readonly JsonMember[]): JsonValue {
  const params = findMember(request, 'params') ?? JSON_NULL;
  if (params.type === 'array' || params.type === 'object' || params.type === 'null') return params;
  throw invalidRequest('Params must be an array or object');
}

function requestWallet(request: readonly JsonMember[]): string | undefined {
  const wallet = findMember(request, 'wallet') ?? JSON_NULL;
  if (wallet.type === 'null') return undefined;
  if (wallet.type !== 'string') throw invalidRequest('Wallet must be a string');
  return wallet.value;
}

function errorText({ code, message }: RpcError, shape: ReplyShape): string {
  const error = `{"code":${code},"message":${quote(message)}}`;
  return shape.isV2
    ? `{"jsonrpc":"2.0","error":${error}${idText(shape)}}`
    : `{"result":null,"error":${error}${idText(shape)}}`;
}

function idText({ id }: ReplyShape): string {
  return id ? `,"id":${stringifyJsonValue(id)}` : '';
}
