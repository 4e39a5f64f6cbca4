import { STATUS_CODES } from 'node:http';
import type { HttpAnswer } from '../../rpc/envelope.ts';

/** What is sent back, all but what depends on the connection. */
export interface HttpReply {
  readonly status: number;
  /** The word for the status, where a node has another than usual. */
  readonly reason?: string;
  readonly contentType: string | undefined;
  readonly challenge?: string;
  readonly body: string;
  /** Whether the connection ends with it. */
  readonly isLast?: true;
}

/** What bodies are called that are no JSON: libevent's default, which newer nodes have kept. */
const PLAIN = 'text/html; charset=ISO-8859-1';
const NO_CONTENT = 204;

/** A body as it stands, by default none. */
export const plainReply = (status: number, body = ''): HttpReply => ({ status, contentType: PLAIN, body });

/** An answer of the dispatcher. */
export const jsonReply = ({ status, body }: HttpAnswer): HttpReply => ({
  status,
  contentType: status === NO_CONTENT ? undefined : 'application/json',
  body,
});

export const UNAUTHORIZED: HttpReply = { ...plainReply(401), challenge: 'Basic realm="jsonrpc"' };

/** The word for a status. */
export const reasonOf = ({ status, reason = STATUS_CODES[status] ?? '' }: HttpReply): string => reason;

/** How the two generations refuse what is hardly HTTP: the first through libevent, with a page for people. */
export interface Refusals {
  readonly badRequest: HttpReply;
  /** For a body whose chunks make no sense. */
  readonly badChunk: HttpReply;
  readonly tooLarge: HttpReply;
  readonly expectationFailed: HttpReply;
  readonly unknownMethod: HttpReply;
  readonly busy: HttpReply;
  readonly stopping: HttpReply;
}

const BUSY = 'Work queue depth exceeded';

const page = (status: number, reason = STATUS_CODES[status] ?? ''): HttpReply => ({
  status,
  reason,
  contentType: 'text/html',
  body: `<HTML><HEAD>\n<TITLE>${status} ${reason}</TITLE>\n</HEAD><BODY>\n<H1>${reason}</H1>\n</BODY></HTML>\n`,
  isLast: true,
});

const last = (status: number): HttpReply => ({ ...plainReply(status), isLast: true });

/** By generation. */
export const REFUSALS: Readonly<Record<'core-0.21' | 'core-31', Refusals>> = {
  'core-0.21': {
    badRequest: page(400),
    badChunk: page(413, 'Request Entity Too Large'),
    tooLarge: page(413, 'Request Entity Too Large'),
    expectationFailed: page(417),
    unknownMethod: page(501),
    busy: plainReply(500, BUSY),
    stopping: page(503),
  },
  'core-31': {
    badRequest: last(400),
    badChunk: last(400),
    tooLarge: { ...last(413), reason: 'Content too large' },
    expectationFailed: last(417),
    unknownMethod: plainReply(405),
    busy: plainReply(503, BUSY),
    stopping: last(503),
  },
};
