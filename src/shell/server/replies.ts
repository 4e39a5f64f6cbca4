import { STATUS_CODES } from 'node:http';
import type { HttpAnswer } from '../../answers/envelope.ts';
import { type ByGeneration, byGeneration } from '../../core/generations.ts';

export interface HttpReply {
  readonly status: number;
  /** Set if Core's is not the standard one. */
  readonly reason?: string;
  readonly contentType: string | undefined;
  readonly challenge?: string;
  readonly cacheControl?: string | undefined;
  readonly body: string | Uint8Array;
  /** Closes the connection. */
  readonly isLast?: true;
}

/** The default of libevent, which newer nodes have kept. */
const PLAIN = 'text/html; charset=ISO-8859-1';
const NO_CONTENT = 204;
/** Newer nodes say it of what they refuse before a call. */
const NO_STORE = { cacheControl: 'no-store' } as const;

export const plainReply = (status: number, body = ''): HttpReply => ({ status, contentType: PLAIN, body });

export const jsonReply = ({ status, body }: HttpAnswer): HttpReply => ({
  status,
  contentType: status === NO_CONTENT ? undefined : 'application/json',
  body,
});

export const UNAUTHORIZED: HttpReply = { ...plainReply(401), challenge: 'Basic realm="jsonrpc"' };

export const reasonPhrase = ({ status, reason = STATUS_CODES[status] ?? '' }: HttpReply): string => reason;

/** Tells of a failure that no endpoint of REST expects. @see Bitcoin Core `MaybeDispatchRequestToWorker` */
export const failedReply = (message: string, { unknownPath: { cacheControl } }: Refusals): HttpReply => ({
  ...plainReply(500, message),
  cacheControl,
  isLast: true,
});

/** Core 0.21 leaves most to libevent, which sends an HTML page. */
export interface Refusals {
  readonly badRequest: HttpReply;
  /** For malformed chunks. */
  readonly badChunk: HttpReply;
  readonly tooLarge: HttpReply;
  readonly expectationFailed: HttpReply;
  readonly unknownMethod: HttpReply;
  /** For `DELETE`. */
  readonly badMethod: HttpReply;
  readonly unknownPath: HttpReply;
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

export const REFUSALS: ByGeneration<Refusals> = byGeneration<Refusals>({
  'core-0.21': {
    badRequest: page(400),
    badChunk: page(413, 'Request Entity Too Large'),
    tooLarge: page(413, 'Request Entity Too Large'),
    expectationFailed: page(417),
    unknownMethod: page(501),
    badMethod: plainReply(405),
    unknownPath: plainReply(404),
    busy: plainReply(500, BUSY),
    stopping: page(503),
  },
  'core-29': {
    badRequest: last(400),
    badChunk: last(400),
    tooLarge: { ...last(413), reason: 'Content too large' },
    expectationFailed: last(417),
    unknownMethod: plainReply(405),
    busy: plainReply(503, BUSY),
    stopping: last(503),
  },
  'core-32': {
    badRequest: { ...last(400), ...NO_STORE },
    badChunk: { ...last(400), ...NO_STORE },
    tooLarge: { ...last(413), ...NO_STORE, reason: 'Content too large' },
    unknownMethod: { ...plainReply(405), ...NO_STORE },
    badMethod: { ...plainReply(405), ...NO_STORE },
    unknownPath: { ...plainReply(404), ...NO_STORE },
    busy: { ...plainReply(503, BUSY), ...NO_STORE },
    stopping: { ...last(503), ...NO_STORE },
  },
});
