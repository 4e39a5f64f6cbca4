import { formatBase64 } from '../../core/bytes/base64.ts';
import { encodeUtf8 } from '../../core/bytes/utf8.ts';
import { shownPath } from '../../core/encoding/redaction.ts';
import type { Caller, Reply } from './nodeClient.ts';
import { SyncFault } from './sourceAndSink.ts';

export interface HttpParts {
  readonly url: URL;
  /** Returns `name:password`, if any. Called again when the node refuses it, since cookies change. */
  readonly login: () => Promise<string | undefined>;
  /** In milliseconds. */
  readonly timeout: number;
  readonly stop: AbortSignal;
  /** Sends a request again, once, if the node closes the connection. */
  readonly retries: boolean;
  /** Waits before the next attempt; `why` is for the user. */
  readonly wait: (why: string) => Promise<void>;
}

/** In bytes: the largest request that a node accepts. */
const MAX_REPLY = 0x02000000;
/** Attempts while a node is starting or busy, or its login changes. */
const MAX_WAITS = 600;
const RPC_IN_WARMUP = -28;

type Outcome<T> =
  | { readonly kind: 'read'; readonly value: T }
  | { readonly kind: 'too-large' | 'unauthorized' }
  | { readonly kind: 'busy'; readonly why: string };

export function httpCaller(parts: HttpParts): Caller {
  const { name, send } = createSender(parts);
  return {
    name,
    callAll: (calls) => {
      const body = JSON.stringify(calls.map(({ method, params }, id) => ({ id, method, params })));
      return send(body, (status, text) => readReplies(status, text, { name, count: calls.length }));
    },
  };
}

/** Sends a request as it is, and returns the reply as it is. */
export type TextCaller = (body: string) => Promise<string | 'too-large'>;

/** @throws SyncFault, when the function is called, if the node does not reply with JSON */
export function httpTexts(parts: HttpParts): TextCaller {
  const { name, send } = createSender(parts);
  return (body) =>
    send(body, (status, text) => {
      const value = parsed(text);
      if (value === undefined) throw new SyncFault(`${name} answers HTTP ${status} without a JSON-RPC reply`);
      return errorIn(value)?.code === RPC_IN_WARMUP
        ? { kind: 'busy', why: 'starting' }
        : { kind: 'read', value: text.trimEnd() };
    });
}

type ReadReply<T> = (status: number, text: string) => Outcome<T>;

interface Sender {
  readonly name: string;
  readonly send: <T>(body: string, readReply: ReadReply<T>) => Promise<T | 'too-large'>;
}

/** Waits while a node is starting or busy, and reads the login again when the node refuses it. */
export function createSender(parts: HttpParts): Sender {
  const name = `the node at ${shownPath(shownUrl(parts.url))}`;
  let lastRead: { readonly login: string | undefined } | undefined;
  const readLogin = async (): Promise<string | undefined> => {
    lastRead = { login: await parts.login() };
    return lastRead.login;
  };
  /** Another request may have read a new login since this one was sent. */
  const renewLogin = async (refused: string | undefined): Promise<void> => {
    if (lastRead?.login !== refused || (await readLogin()) !== refused) return;
    const verb = refused === undefined ? 'requires a' : 'refuses the';
    throw new SyncFault(`${name} ${verb} name and password (HTTP 401)`);
  };
  return {
    name,
    send: async (body, readReply) => {
      if (!lastRead) await readLogin();
      for (let waits = 0; waits < MAX_WAITS; waits += 1) {
        const login = lastRead?.login;
        const outcome = await post(parts, name, { body, login, readReply });
        if (outcome.kind === 'read') return outcome.value;
        if (outcome.kind === 'too-large') return outcome.kind;
        await (outcome.kind === 'busy' ? parts.wait(`${name}: ${outcome.why}`) : renewLogin(login));
      }
      throw new SyncFault(`${name} has not become ready in time`, { isPassing: true });
    },
  };
}

/** Always shows the port, but never name and password. */
function shownUrl({ protocol, hostname, port, pathname }: URL): string {
  const standard = protocol === 'https:' ? '443' : '80';
  return `${protocol}//${hostname}:${port || standard}${pathname === '/' ? '' : pathname}`;
}

interface Posted<T> {
  readonly body: string;
  readonly login: string | undefined;
  readonly readReply: ReadReply<T>;
}

async function post<T>(parts: HttpParts, name: string, posted: Posted<T>): Promise<Outcome<T>> {
  const { url, timeout, stop } = parts;
  for (let tries = 0; ; tries += 1) {
    const late = AbortSignal.timeout(timeout);
    try {
      const response = await fetch(url, { ...buildRequest(posted), signal: AbortSignal.any([stop, late]) });
      return read(response.status, await readText(response), { name, ...posted });
    } catch (error) {
      // The node may have closed a kept connection. Retrying is safe where all methods that are called are idempotent.
      if (tries > 0 || !parts.retries || !CLOSED.has(systemCode(error)))
        throw toSyncFault(error, name, { ...parts, late });
    }
  }
}

function toSyncFault(
  error: unknown,
  name: string,
  { url, stop, late, timeout }: Pick<HttpParts, 'url' | 'stop' | 'timeout'> & { readonly late: AbortSignal },
): SyncFault {
  if (error instanceof SyncFault) return error;
  if (stop.aborted) return new SyncFault('stopped');
  const why = late.aborted ? `no complete answer within ${timeout / 1000} s` : systemCode(error);
  if (why === BAD_PORT) {
    return new SyncFault(`cannot reach ${name}: fetch refuses port ${url.port}, which another protocol uses`);
  }
  return new SyncFault(`cannot reach ${name}: ${REASONS[why] ?? why}`, { isPassing: true });
}

function buildRequest({ login, body }: Pick<Posted<unknown>, 'login' | 'body'>): RequestInit {
  const authorization = login === undefined ? {} : { authorization: `Basic ${formatBase64(encodeUtf8(login))}` };
  // The login is for this address only.
  return {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/json', ...authorization },
    body,
  };
}

/** In place of an error code. @see Fetch standard, "port blocking" */
const BAD_PORT = 'bad port';
const CLOSED: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'temporary failure in name resolution',
  EHOSTUNREACH: 'no route to host',
  ENETUNREACH: 'network unreachable',
  ECONNRESET: 'connection closed by the node',
  EPIPE: 'connection closed by the node',
  UND_ERR_SOCKET: 'connection closed by the node',
  UND_ERR_HEADERS_TIMEOUT: 'no answer within 300 s',
  UND_ERR_BODY_TIMEOUT: 'no more of the answer within 300 s',
};

/** `fetch` puts the system's error code into the cause of its own error. */
function systemCode(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : undefined;
  if (!(cause instanceof Error)) return 'unreachable';
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message;
}

async function readText(response: Response): Promise<string | undefined> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for (;;) {
    const { done = true, value } = (await reader?.read()) ?? {};
    if (done || !value) return text + decoder.decode();
    size += value.length;
    if (size > MAX_REPLY) {
      await reader?.cancel();
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}

const HTTP_UNAUTHORIZED = 401;
const HTTP_FORBIDDEN = 403;
const HTTP_UNAVAILABLE = 503;
/** Core 0.21 answers so with status 500. */
const QUEUE_FULL = 'Work queue depth exceeded';

function read<T>(
  status: number,
  text: string | undefined,
  { name, readReply }: { readonly name: string; readonly readReply: ReadReply<T> },
): Outcome<T> {
  if (text === undefined) return { kind: 'too-large' };
  if (status === HTTP_UNAUTHORIZED) return { kind: 'unauthorized' };
  if (status === HTTP_FORBIDDEN) {
    throw new SyncFault(`${name} does not allow this call (HTTP 403): check its rpcallowip and rpcwhitelist`);
  }
  if (status === HTTP_UNAVAILABLE || text.trim() === QUEUE_FULL)
    return { kind: 'busy', why: text.trim() === QUEUE_FULL ? QUEUE_FULL : 'busy' };
  return readReply(status, text);
}

function readReplies(
  status: number,
  text: string,
  { name, count }: { readonly name: string; readonly count: number },
): Outcome<readonly Reply[]> {
  const value = parsed(text);
  const replies = Array.isArray(value) ? orderReplies(value, count) : undefined;
  if (!replies) {
    const refusal = errorIn(value);
    const detail = refusal ? `: ${refusal.message}` : ' without a valid JSON-RPC reply';
    throw new SyncFault(`${name} answers HTTP ${status}${detail}`);
  }
  const warming = replies.find((reply) => reply.kind === 'error' && reply.code === RPC_IN_WARMUP);
  return warming?.kind === 'error' ? { kind: 'busy', why: warming.message } : { kind: 'read', value: replies };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The caller reports a reply that is not JSON.
    return undefined;
  }
}

/** Orders replies by their ids; returns `undefined` unless each call has exactly one. */
function orderReplies(items: readonly unknown[], count: number): readonly Reply[] | undefined {
  const replies = new Map<number, Reply>();
  for (const item of items) {
    if (!isRecord(item) || typeof item['id'] !== 'number') return undefined;
    const error = errorIn(item);
    if (!error && !('result' in item)) return undefined;
    replies.set(item['id'], error ? { kind: 'error', ...error } : { kind: 'result', result: item['result'] });
  }
  const ordered = Array.from({ length: count }, (_, id) => replies.get(id)).filter((reply) => reply !== undefined);
  return ordered.length === count && items.length === count ? ordered : undefined;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function errorIn(item: unknown): { readonly code: number; readonly message: string } | undefined {
  const error = isRecord(item) ? item['error'] : undefined;
  if (!isRecord(error)) return undefined;
  const { code, message } = error;
  return typeof code === 'number' && typeof message === 'string' ? { code, message: shownText(message) } : undefined;
}

const MAX_TEXT = 300;

/** Makes another program's text safe for a terminal. */
function shownText(text: string): string {
  return text.slice(0, MAX_TEXT).replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ');
}
