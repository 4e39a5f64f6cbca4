import { connect, type Socket } from 'node:net';

/** A reply, parsed without an HTTP library. */
interface RawReply {
  readonly status: number;
  readonly reason: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The replies over one connection. */
export interface Exchange {
  readonly replies: readonly RawReply[];
  /** True if the server closed the connection instead of keeping it alive. */
  readonly isClosed: boolean;
  readonly milliseconds: number;
}

/** The parts of an exchange on which clients may rely, and which a replay must reproduce. */
export interface Observed {
  readonly replies: readonly RawReply[];
  readonly isClosed: boolean;
  /** True if the reply took as long as the reply to a wrong password. */
  readonly isDelayed: boolean;
}

const OBSERVED_HEADERS = ['content-type', 'content-length', 'connection', 'www-authenticate'];
const DELAY = 245;

/** Removes from an exchange whatever differs between runs. Records only that there is a date, not which. */
export function observed({ replies, isClosed, milliseconds }: Exchange): Observed {
  return {
    replies: replies.map(({ headers, ...reply }) => {
      const kept = Object.entries(headers).filter(([name]) => OBSERVED_HEADERS.includes(name));
      if (headers['date'] !== undefined) kept.push(['date', 'some']);
      return { ...reply, headers: Object.fromEntries(kept.sort(([a], [b]) => (a < b ? -1 : 1))) };
    }),
    isClosed,
    isDelayed: milliseconds >= DELAY,
  };
}

/** Milliseconds without a byte after which a connection counts as kept alive. */
const QUIET = 60;

/**
 * Sends bytes over a new connection and reads the replies until the server closes it or falls silent.
 *
 * - `sent`: the request in Latin-1, one character per byte
 * - `least`: the least number of replies to wait for; 0 if the connection is expected to close
 * - `endsHalf`: true to close the client's half of the connection after sending
 */
export async function exchange(
  port: number,
  sent: string,
  { least = 1, endsHalf = false }: { readonly least?: number; readonly endsHalf?: boolean } = {},
): Promise<Exchange> {
  const start = performance.now();
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  if (endsHalf) socket.end(sent, 'latin1');
  else socket.write(sent, 'latin1');
  return await watch(socket, least, start);
}

/** Reads the replies over an existing connection. */
export function watch(socket: Socket, least = 1, start = performance.now()): Promise<Exchange> {
  return new Promise((resolve) => {
    let text = '';
    let last = start;
    let quiet: NodeJS.Timeout | undefined;
    const finish = (isClosed: boolean): void => {
      clearTimeout(quiet);
      socket.destroy();
      resolve({ replies: parseReplies(text), isClosed, milliseconds: last - start });
    };
    socket.on('data', (chunk) => {
      last = performance.now();
      text += chunk.toString('latin1');
      clearTimeout(quiet);
      const replies = parseReplies(text);
      const isEnding = replies.some(isLast);
      if (least > 0 && replies.length >= least && !isEnding) quiet = setTimeout(() => finish(false), QUIET);
    });
    socket.on('end', () => {
      last = Math.max(last, start);
      finish(true);
    });
    socket.on('error', () => finish(true));
    socket.on('close', () => finish(true));
    if (socket.destroyed || socket.readableEnded) finish(true);
    socket.resume();
  });
}

/** Tells whether the connection ends with a reply: its headers say so, or give no length. */
const isLast = ({ status, headers }: RawReply): boolean =>
  headers['connection'] === 'close' || (headers['content-length'] === undefined && status !== 204);

function parseReplies(text: string): RawReply[] {
  const replies: RawReply[] = [];
  let rest = text;
  while (rest !== '') {
    const [, head, status, reason] = /^(HTTP\/1\.[01] ([0-9]{3}) ([^\r\n]*)\r\n(?:[^\r\n]+\r\n)*)\r\n/.exec(rest) ?? [];
    if (head === undefined) break;
    const headers = Object.fromEntries(
      head
        .split('\r\n')
        .slice(1, -1)
        .map((line) => [line.split(': ')[0]?.toLowerCase() ?? '', line.slice(line.indexOf(': ') + 2)]),
    );
    const body = rest.slice(head.length + 2);
    const isInterim = status === '100';
    const length = isInterim ? 0 : Number(headers['content-length'] ?? body.length);
    if (body.length < length) break;
    if (!isInterim)
      replies.push({ status: Number(status), reason: reason ?? '', headers, body: body.slice(0, length) });
    rest = body.slice(length);
  }
  return replies;
}

/** The parts of a request that differ from a usual one. */
export interface RequestParts {
  readonly method?: string;
  readonly path?: string;
  readonly version?: string;
  /** `name:password`; without it, there is no Authorization header. */
  readonly login?: string | undefined;
  /** Additional header lines. */
  readonly headers?: readonly string[];
  readonly body?: string;
  /** True to omit Content-Length. */
  readonly hasNoLength?: boolean;
}

/** Formats a request like a usual client's, except for the given parts. */
export function rawRequest({
  method = 'POST',
  path = '/',
  version = '1.1',
  login,
  headers = [],
  body = '',
  hasNoLength = false,
}: RequestParts): string {
  return [
    `${method} ${path} HTTP/${version}`,
    'Host: 127.0.0.1',
    ...(login === undefined ? [] : [`Authorization: Basic ${Buffer.from(login).toString('base64')}`]),
    ...headers,
    ...(hasNoLength ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
    '',
    body,
  ].join('\r\n');
}

/** Encodes a body as a single chunk. */
export const chunked = (body: string): string => `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n`;
