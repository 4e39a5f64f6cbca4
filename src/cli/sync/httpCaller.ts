import { withoutSecrets } from '../../text/secrets.ts';
import type { Call, Caller, Reply } from './caller.ts';
import { SyncFault } from './fault.ts';

/** What an HTTP caller is made of. */
export interface HttpParts {
  readonly url: URL;
  /** Reads the login, `name:password`, if there is one. It is read anew when it is refused: cookies change. */
  readonly login: () => Promise<string | undefined>;
  /** How long a call may take, in milliseconds. */
  readonly timeout: number;
  /** Once it is aborted, every call fails. */
  readonly stop: AbortSignal;
  /** Lets time go by before a busy node is asked again; told why. */
  readonly wait: (why: string) => Promise<void>;
}

/** The most that is held of a reply, in bytes: as much as a node takes as a request. */
const MAX_REPLY = 0x02000000;
/** How often a node that is starting or busy, or whose login changes, is asked. */
const MAX_WAITS = 600;
const RPC_IN_WARMUP = -28;

type Outcome =
  | { readonly kind: 'replies'; readonly replies: readonly Reply[] }
  | { readonly kind: 'too-large' | 'unauthorized' }
  | { readonly kind: 'busy'; readonly why: string };

/** Calls a node over HTTP. */
export function httpCaller(parts: HttpParts): Caller {
  const name = `the node at ${withoutSecrets(shownUrl(parts.url))}`;
  /** The login as it was read last. */
  let known: { readonly login: string | undefined } | undefined;
  const readLogin = async (): Promise<boolean> => {
    const before = known;
    known = { login: await parts.login() };
    return before?.login !== known.login;
  };
  const renewLogin = async (): Promise<void> => {
    if (await readLogin()) return;
    const said = known?.login === undefined ? 'wants a' : 'refuses the';
    throw new SyncFault(`${name} ${said} name and password (HTTP 401)`);
  };
  return {
    name,
    callAll: async (calls) => {
      if (!known) await readLogin();
      const body = JSON.stringify(calls.map(({ method, params }, id) => ({ id, method, params })));
      for (let waits = 0; waits < MAX_WAITS; waits += 1) {
        const outcome = await post(parts, name, { body, login: known?.login, calls });
        if (outcome.kind === 'replies') return outcome.replies;
        if (outcome.kind === 'too-large') return outcome.kind;
        await (outcome.kind === 'busy' ? parts.wait(`${name}: ${outcome.why}`) : renewLogin());
      }
      throw new SyncFault(`${name} is not ready for too long`, { isPassing: true });
    },
  };
}

/** With its port, even where it is the one of the scheme; without name and password. */
function shownUrl({ protocol, hostname, port, pathname }: URL): string {
  const standard = protocol === 'https:' ? '443' : '80';
  return `${protocol}//${hostname}:${port || standard}${pathname === '/' ? '' : pathname}`;
}

interface Posted {
  readonly body: string;
  readonly login: string | undefined;
  readonly calls: readonly Call[];
}

async function post(parts: HttpParts, name: string, posted: Posted): Promise<Outcome> {
  const { url, timeout, stop } = parts;
  for (let tries = 0; ; tries += 1) {
    const late = AbortSignal.timeout(timeout);
    try {
      const response = await fetch(url, { ...requestOf(posted), signal: AbortSignal.any([stop, late]) });
      return read(response.status, await readText(response), { name, posted });
    } catch (error) {
      // A connection that the node has closed in the meantime; all that is called may be called twice.
      if (tries > 0 || !CLOSED.has(systemCode(error))) throw faultOf(error, name, { ...parts, late });
    }
  }
}

/** What a person is told of a request that failed. */
function faultOf(
  error: unknown,
  name: string,
  { stop, late, timeout }: Pick<HttpParts, 'stop' | 'timeout'> & { readonly late: AbortSignal },
): SyncFault {
  if (error instanceof SyncFault) return error;
  if (stop.aborted) return new SyncFault('stopped');
  const why = late.aborted ? `no whole answer within ${timeout / 1000} s` : systemCode(error);
  return new SyncFault(`cannot reach ${name}: ${REASONS[why] ?? why}`, { isPassing: true });
}

function requestOf({ login, body }: Posted): RequestInit {
  const authorization = login === undefined ? {} : { authorization: `Basic ${Buffer.from(login).toString('base64')}` };
  // A login is for this address, not for one that it names.
  return {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/json', ...authorization },
    body,
  };
}

const CLOSED: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'no such host for now',
  EHOSTUNREACH: 'no way to this host',
  ENETUNREACH: 'no way to this network',
  ECONNRESET: 'it closed the connection',
  EPIPE: 'it closed the connection',
  UND_ERR_SOCKET: 'it closed the connection',
};

/** What `fetch` hides behind its own error. */
function systemCode(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : undefined;
  if (!(cause instanceof Error)) return 'unreachable';
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message;
}

/** The text of a reply, `undefined` where it is too large: then the rest of it is not read. */
async function readText(response: Response): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    // Leaving the loop cancels the rest.
    if (size > MAX_REPLY) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

const HTTP_UNAUTHORIZED = 401;
const HTTP_FORBIDDEN = 403;
const HTTP_UNAVAILABLE = 503;
/** What a node of 0.21 says with the status 500. */
const QUEUE_FULL = 'Work queue depth exceeded';

function read(
  status: number,
  text: string | undefined,
  { name, posted }: { readonly name: string; readonly posted: Posted },
): Outcome {
  if (text === undefined) return { kind: 'too-large' };
  if (status === HTTP_UNAUTHORIZED) return { kind: 'unauthorized' };
  if (status === HTTP_FORBIDDEN) {
    throw new SyncFault(`${name} does not let us ask (HTTP 403): see its rpcallowip and rpcwhitelist`);
  }
  if (status === HTTP_UNAVAILABLE || text.trim() === QUEUE_FULL)
    return { kind: 'busy', why: text.trim() === QUEUE_FULL ? QUEUE_FULL : 'busy' };
  const value = parsed(text);
  const replies = Array.isArray(value) ? repliesOf(value, posted.calls.length) : undefined;
  if (!replies) {
    const refusal = errorOf(value);
    const said = refusal ? `: ${refusal.message}` : ', which is no answer of a node';
    throw new SyncFault(`${name} answers HTTP ${status}${said}`);
  }
  const warming = replies.find((reply) => reply.kind === 'error' && reply.code === RPC_IN_WARMUP);
  return warming?.kind === 'error' ? { kind: 'busy', why: warming.message } : { kind: 'replies', replies };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // No JSON, so no answer of a node.
    return undefined;
  }
}

/** The replies in the order of the calls, by their ids; `undefined` unless there is one for each. */
function repliesOf(items: readonly unknown[], count: number): readonly Reply[] | undefined {
  const replies = new Map<number, Reply>();
  for (const item of items) {
    if (!isRecord(item) || typeof item['id'] !== 'number') return undefined;
    const error = errorOf(item);
    if (!error && !('result' in item)) return undefined;
    replies.set(item['id'], error ? { kind: 'error', ...error } : { kind: 'result', result: item['result'] });
  }
  const ordered = Array.from({ length: count }, (_, id) => replies.get(id)).filter((reply) => reply !== undefined);
  return ordered.length === count && items.length === count ? ordered : undefined;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function errorOf(item: unknown): { readonly code: number; readonly message: string } | undefined {
  const error = isRecord(item) ? item['error'] : undefined;
  if (!isRecord(error)) return undefined;
  const { code, message } = error;
  return typeof code === 'number' && typeof message === 'string' ? { code, message: shownText(message) } : undefined;
}

const MAX_TEXT = 300;

/** A text of somebody else's, fit for a terminal: in one line, without what would control it, and not too long. */
function shownText(text: string): string {
  return text.slice(0, MAX_TEXT).replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ');
}
