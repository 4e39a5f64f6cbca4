import { STATUS_CODES } from 'node:http';
import type { HttpAnswer } from '../../answers/envelope.ts';

/** An HTTP response, without the headers that depend on the connection. */
export interface HttpReply {
  readonly status: number;
  /** The reason phrase, if a node's differs from the usual one. */
  readonly reason?: string;
  readonly contentType: string | undefined;
  readonly challenge?: string;
  readonly body: string;
  /** Set if the connection is closed after this reply. */
  readonly isLast?: true;
}

/** Content type of bodies that are not JSON: libevent's default, which newer nodes have kept. */
const PLAIN = 'text/html; charset=ISO-8859-1';
const NO_CONTENT = 204;

/** Creates a reply with a plain body, empty by default. */
export const plainReply = (status: number, body = ''): HttpReply => ({ status, contentType: PLAIN, body });

/** Converts an answer of the dispatcher to a reply. */
export const jsonReply = ({ status, body }: HttpAnswer): HttpReply => ({
  status,
  contentType: status === NO_CONTENT ? undefined : 'application/json',
  body,
});

export const UNAUTHORIZED: HttpReply = { ...plainReply(401), challenge: 'Basic realm="jsonrpc"' };

/** Returns the reason phrase of a reply. */
export const reasonOf = ({ status, reason = STATUS_CODES[status] ?? '' }: HttpReply): string => reason;

/** Refusals of each generation at the HTTP level; Core 0.21 leaves most to libevent, which sends an HTML page. */
export interface Refusals {
  readonly badRequest: HttpReply;
  /** For a body with malformed chunks. */
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

/** The refusals of each generation. */
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
