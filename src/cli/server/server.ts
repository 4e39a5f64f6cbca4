import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { HttpAnswer } from '../../rpc/envelope.ts';
import { decodeUtf8 } from '../utf8.ts';
import { readBody } from './body.ts';
import { decide, MAX_BODY, type Refusal, type RequestHead, type Rules } from './http.ts';
import { type HttpReply, jsonReply, REFUSALS } from './replies.ts';
import { send, sendRaw } from './send.ts';
import type { WorkQueue } from './workQueue.ts';

/** The longest request line and headers. @see Bitcoin Core `MAX_HEADERS_SIZE` */
const MAX_HEADERS = 8192;
/** How many times the time-out a request may take to arrive, however steadily it comes. */
const WHOLE_REQUEST = 10;
/** How often late clients are looked for, in milliseconds, at most. */
const CHECK_INTERVAL = 5000;

/**
 * How many wrong logins may wait for their refusal: as many as a node's four workers and the places before them hold.
 * Nobody is asked for a login meanwhile, so that passwords cannot be tried out by the thousand.
 */
const MAX_WRONG_LOGINS = 20;

/** What a server is made of. */
export interface ServerParts {
  readonly rules: Rules;
  readonly queue: WorkQueue;
  /** Once it is aborted, nothing new is taken, and every answer is the last of its connection. */
  readonly stopping: AbortSignal;
  /** How long a client may be silent, or take for its headers, in milliseconds. */
  readonly timeout: number;
  /** Answers a body. Must not throw. */
  readonly answer: (body: string, asked: { readonly user: string; readonly wallet: string | undefined }) => HttpAnswer;
}

/** Answers requests on any number of listening sockets. */
export interface RpcServer {
  /** Makes one more listening socket's server; the caller lets it listen. */
  readonly open: () => Server;
  /**
   * For when `stopping` has been aborted: ends listening, answers what had arrived in full, and cuts off all others.
   * Resolves when everything is closed.
   */
  readonly stop: () => Promise<void>;
  /** Cuts off every client, whether answered or not. */
  readonly cutOff: () => void;
}

/**
 * Makes a server that treats requests as a node does.
 * @see Bitcoin Core `http_request_cb`, `HTTPReq_JSONRPC`
 */
export function createRpcServer({ rules, queue, stopping, timeout, answer }: ServerParts): RpcServer {
  const refusals = REFUSALS[rules.generation];
  const servers: Server[] = [];
  const sockets = new Set<Socket>();
  /** Requests that have arrived in full and are not answered yet. */
  const accepted = new Map<ServerResponse, Socket>();
  let wrongLogins = 0;
  const answersOn = (socket: Socket): readonly ServerResponse[] =>
    [...accepted].flatMap(([response, other]) => (other === socket ? [response] : []));

  const reply = (response: ServerResponse<IncomingMessage>, content: HttpReply): void =>
    send(response, content, stopping.aborted ? { isLast: true } : {});

  const refuse = (response: ServerResponse<IncomingMessage>, { reply: content, delay }: Refusal): void => {
    if (delay > 0) {
      wrongLogins += 1;
      setTimeout(() => {
        wrongLogins -= 1;
        reply(response, content);
      }, delay);
    } else {
      reply(response, content);
    }
  };

  const handle = async (request: IncomingMessage, response: ServerResponse<IncomingMessage>): Promise<void> => {
    if (stopping.aborted) return reply(response, refusals.stopping);
    if (wrongLogins >= MAX_WRONG_LOGINS) return reply(response, refusals.busy);
    const decision = decide(headOf(request), rules);
    if (decision.kind === 'refused') return refuse(response, decision);
    // HTTP/1.0 knows no interim replies: its clients would take one for the answer.
    if (request.headers.expect !== undefined && request.httpVersionMinor > 0) response.writeContinue();
    const body = await readBody(request, MAX_BODY);
    if (body.kind === 'broken') return;
    if (body.kind === 'too-large') return reply(response, refusals.tooLarge);
    accepted.set(response, request.socket);
    response.once('close', () => {
      accepted.delete(response);
      if (stopping.aborted) request.socket.destroySoon();
    });
    const isTaken = queue.accept(() => {
      // What is no text is no JSON either, and neither is the empty text.
      reply(response, jsonReply(answer(decodeUtf8(body.bytes) ?? '', decision)));
    });
    if (!isTaken) reply(response, refusals.busy);
  };

  const open = (): Server => {
    const server = createServer({
      maxHeaderSize: MAX_HEADERS,
      requireHostHeader: false,
      headersTimeout: timeout,
      requestTimeout: timeout * WHOLE_REQUEST,
      keepAliveTimeout: timeout,
      connectionsCheckingInterval: Math.min(timeout, CHECK_INTERVAL),
    });
    server.timeout = timeout;
    server.on('connection', (socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    });
    server.on('request', handle);
    server.on('checkContinue', handle);
    server.on('checkExpectation', (_request, response) => reply(response, refusals.expectationFailed));
    // Not at once: what a client has sent before, in time and in full, may still be to be read, and its answer comes first.
    const refuseRaw = (socket: Socket, content: HttpReply | undefined): void => {
      setImmediate(() => {
        const [pending] = answersOn(socket);
        if (pending) pending.once('finish', () => socket.destroy());
        else if (content && socket.writable) sendRaw(socket, content);
        else socket.destroy();
      });
    };
    server.on('connect', (_request, socket: Socket) => {
      // node:http no longer listens: a client that is gone by now must not end the process.
      socket.on('error', () => socket.destroy());
      refuseRaw(socket, refusals.unknownMethod);
    });
    server.on('clientError', (error: ClientError, socket: Socket) => refuseRaw(socket, refusalOf(error, rules)));
    server.on('timeout', (socket) => {
      const before = socket.bytesRead;
      // After a long call, what a client has sent in the meantime is still to be read.
      setImmediate(() => {
        const isAnswering = answersOn(socket).some(({ headersSent }) => !headersSent);
        if (socket.bytesRead === before && !isAnswering) socket.destroy();
      });
    });
    servers.push(server);
    return server;
  };

  const stop = async (): Promise<void> => {
    // node:http's own way to close takes an answer that is still on its way to a slow reader for sent, and cuts it off.
    const closed = servers.map((server) => new Promise((resolve) => NetServer.prototype.close.call(server, resolve)));
    const busy = new Set(accepted.values());
    for (const socket of sockets) if (!busy.has(socket)) socket.destroy();
    await Promise.all(closed);
  };

  const cutOff = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return { open, stop, cutOff };
}

const headOf = ({ socket, httpVersionMajor, method = '', url = '', headers }: IncomingMessage): RequestHead => ({
  httpMajor: httpVersionMajor,
  address: socket.remoteAddress,
  method,
  path: url,
  authorization: headers.authorization,
  contentLength: headers['content-length'],
  origin: headers.origin,
});

/** What the parser found wrong, with the bytes in which it did. */
interface ClientError extends NodeJS.ErrnoException {
  readonly rawPacket?: Uint8Array;
}

/** A request line whose method is a word that nobody knows. */
const REQUEST_LINE = /^[!-~]+ [!-~]+ HTTP\/1\.[0-9]\r?\n/;

/** What to say to a client whose words are no HTTP; nothing to one that is late or gone. */
function refusalOf({ code = '', rawPacket }: ClientError, { generation }: Rules): HttpReply | undefined {
  const refusals = REFUSALS[generation];
  if (code === 'HPE_INVALID_METHOD' && REQUEST_LINE.test(Buffer.from(rawPacket ?? []).toString('latin1'))) {
    return refusals.unknownMethod;
  }
  if (code === 'HPE_INVALID_EOF_STATE') return undefined;
  if (code.startsWith('HPE_') && code.includes('CHUNK')) return refusals.badChunk;
  return code.startsWith('HPE_') ? refusals.badRequest : undefined;
}
