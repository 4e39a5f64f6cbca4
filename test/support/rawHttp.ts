import { connect, type Socket } from 'node:net';

/** A reply, taken apart without a library's help. */
interface RawReply {
  readonly status: number;
  readonly reason: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What came back over one connection. */
export interface Exchange {
  readonly replies: readonly RawReply[];
  /** Whether the server ended the connection, rather than keeping it. */
  readonly isClosed: boolean;
  readonly milliseconds: number;
}

/** What of an exchange clients may rely on, and a replay must repeat. */
export interface Observed {
  readonly replies: readonly RawReply[];
  readonly isClosed: boolean;
  /** Whether the reply took as long as one to a wrong password. */
  readonly isDelayed: boolean;
}

const OBSERVED_HEADERS = ['content-type', 'content-length', 'connection', 'www-authenticate'];
const DELAY = 245;

/** Takes out of an exchange what changes from one to the next. A date is only there or not. */
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

/** How long a connection is watched after its last byte before it counts as kept, in milliseconds. */
const QUIET = 60;

/**
 * Sends bytes over a new connection and reads what comes back, until the server closes it or has been quiet.
 *
 * - `sent`: one character a byte
 * - `least`: how many replies to wait for at least; 0 where the connection is expected to close
 * - `endsHalf`: whether the client ends its half of the connection afterwards
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

/** Reads what comes over a connection that is there already. */
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

/** Whether a reply says that the connection ends with it, or has no other end. */
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

/** Parts of a request that a test wants to have different from a usual one. */
export interface RequestParts {
  readonly method?: string;
  readonly path?: string;
  readonly version?: string;
  /** `name:password`; none leaves the header out. */
  readonly login?: string | undefined;
  /** More header lines. */
  readonly headers?: readonly string[];
  readonly body?: string;
  /** Where the headers shall not tell the body's length. */
  readonly hasNoLength?: boolean;
}

/** Writes a request as a usual client would, but for what is asked for. */
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

/** A body as one chunk. */
export const chunked = (body: string): string => `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n`;
