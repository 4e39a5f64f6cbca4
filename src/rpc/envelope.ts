import { RpcError } from '../errors.ts';
import type { Rpc } from './createRpc.ts';
import { RPC_INTERNAL_ERROR, RPC_INVALID_REQUEST, RPC_PARSE_ERROR } from './errorCodes.ts';
import { JSON_NULL, type JsonMember, type JsonValue, memberOf } from './jsonValue.ts';
import { parseJson } from './parseJson.ts';
import { quote, stringifyJsonValue, stringifyRpc } from './stringify.ts';

/** The most requests in one text; a node has no such limit. */
const MAX_BATCH = 10_000;

/** What of a request shapes its reply. */
interface ReplyShape {
  /** Absent where the request has none and the dialect then leaves it out. */
  readonly id: JsonValue | undefined;
  /** JSON-RPC 2.0 replies have either `result` or `error`; before, both. */
  readonly isV2: boolean;
}

/** One reply, and whether the request was a JSON-RPC 2.0 notification, which over HTTP gets none. */
interface Reply {
  readonly text: string;
  readonly isNotification: boolean;
}

/** The shape of replies to what is no request object. */
const NO_REQUEST: ReplyShape = { id: JSON_NULL, isV2: false };

/**
 * Answers the text of one JSON-RPC request, or of a batch of them. Never throws: whatever is wrong becomes an error
 * reply. A lone notification of JSON-RPC 2.0 is answered too, since callers count on one answer per text.
 * @see JSON-RPC 1.0 and 2.0; Bitcoin Core `JSONRPCRequest::parse`
 */
export function answerText(rpc: Rpc, text: string): string {
  const request = parseJson(text);
  if (!request) return refusalText('Parse error');
  if (request.type === 'object') return answer(rpc, request.members).text;
  if (request.type !== 'array') return refusalText('Top-level object parse error');
  if (request.items.length > MAX_BATCH) return errorText(invalidRequest(`Batch of more than ${MAX_BATCH}`), NO_REQUEST);
  return answerBatch(rpc, request.items);
}

/** Answers a batch in its order, notifications left out. */
function answerBatch(rpc: Rpc, items: readonly JsonValue[]): string {
  const texts: string[] = [];
  for (const item of items) {
    const { text, isNotification } = answerItem(rpc, item);
    if (!isNotification) texts.push(text);
  }
  try {
    return `[${texts.join(',')}]`;
  } catch (error) {
    return errorText(internalError(error), NO_REQUEST);
  }
}

/** The error reply to a request that cannot even be read. */
export function refusalText(message: string): string {
  return errorText(new RpcError(RPC_PARSE_ERROR, message), NO_REQUEST);
}

function answerItem(rpc: Rpc, item: JsonValue): Reply {
  if (item.type === 'object') return answer(rpc, item.members);
  return { text: errorText(invalidRequest('Invalid Request object'), NO_REQUEST), isNotification: false };
}

function answer(rpc: Rpc, request: readonly JsonMember[]): Reply {
  const knowsV2 = rpc.context.dialect.generation === 'core-31';
  const version = knowsV2 ? memberOf(request, 'jsonrpc') : undefined;
  const isV2 = version?.type === 'string' && version.value === '2.0';
  const id = memberOf(request, 'id');
  const shape: ReplyShape = { id: id ?? (knowsV2 ? undefined : JSON_NULL), isV2 };
  return { text: replyText(rpc, request, version, shape), isNotification: isV2 && !id };
}

function replyText(
  rpc: Rpc,
  request: readonly JsonMember[],
  version: JsonValue | undefined,
  shape: ReplyShape,
): string {
  try {
    assertVersion(version);
    const result = stringifyRpc(rpc.callJson(methodOf(request), paramsOf(request)));
    return shape.isV2
      ? `{"jsonrpc":"2.0","result":${result}${idText(shape)}}`
      : `{"result":${result},"error":null${idText(shape)}}`;
  } catch (error) {
    return errorText(error instanceof RpcError ? error : internalError(error), shape);
  }
}

/**
 * An answer beyond the longest text that the engine makes, or a defect of ours, whose text stays out of the answer, since
 * nobody has vouched for what stands in it.
 */
function internalError(cause: unknown): RpcError {
  const message = cause instanceof RangeError ? 'Answer too long' : 'Internal error';
  return new RpcError(RPC_INTERNAL_ERROR, message, { cause });
}

const invalidRequest = (message: string): RpcError => new RpcError(RPC_INVALID_REQUEST, message);

function assertVersion(version: JsonValue | undefined): void {
  if (!version || version.type === 'null') return;
  if (version.type !== 'string') throw invalidRequest('jsonrpc field must be a string');
  if (version.value !== '1.0' && version.value !== '2.0') throw invalidRequest('JSON-RPC version not supported');
}

function methodOf(request: readonly JsonMember[]): string {
  const method = memberOf(request, 'method') ?? JSON_NULL;
  if (method.type === 'null') throw invalidRequest('Missing method');
  if (method.type !== 'string') throw invalidRequest('Method must be a string');
  return method.value;
}

function paramsOf(request: readonly JsonMember[]): JsonValue {
  const params = memberOf(request, 'params') ?? JSON_NULL;
  if (params.type === 'array' || params.type === 'object' || params.type === 'null') return params;
  throw invalidRequest('Params must be an array or object');
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
