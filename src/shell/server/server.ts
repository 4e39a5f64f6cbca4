import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpAnswer } from '../../answers/envelope.ts';
import type { RestRequest } from '../../node/rest/answerRest.ts';
import { decodeUtf8 } from '../terminal/lines.ts';
import { type Connections, closeServers, createConnections } from './connections.ts';
import { decide, MAX_BODY, type Refusal, type RequestHead, type Rules } from './http.ts';
import { httpRules } from './httpRules.ts';
import { createBodyReader } from './readBody.ts';
import { type HttpReply, jsonReply, REFUSALS } from './replies.ts';
import { send, sendRaw } from './sendReply.ts';
import type { WorkQueue } from './workQueue.ts';

/** In bytes. @see Bitcoin Core `MAX_HEADERS_SIZE` */
const MAX_HEADERS = 8192;
/** A whole request may take this many timeouts, however steadily it arrives. */
const WHOLE_REQUEST = 10;
/** In milliseconds. */
const CHECK_INTERVAL = 5000;

/**
 * As many as Core's four threads and queue of 16 hold. While more wait for their refusal, every request is refused as
 * busy, so that passwords cannot be tried by the thousand.
 */
const MAX_WRONG_LOGINS = 20;

export interface Asked {
  readonly user: string;
  readonly wallet: string | undefined;
}

export interface ServerParts {
  readonly rules: Rules;
  readonly queue: WorkQueue;
  /** Once aborted, no new request is accepted, and connections are closed after their answers. */
  readonly stopping: AbortSignal;
  /** Milliseconds that a client may be silent, or take to send its headers. */
  readonly timeout: number;
  /** Of all bodies that are not whole yet. Default: eight of the largest. */
  readonly mostBodyBytes?: number;
  /** Must not throw. */
  readonly answer: (body: string, sender: Asked) => HttpAnswer | Promise<HttpAnswer>;
  /** Answers the paths that `rules` call public. Must not throw. */
  readonly answerPublic?: ((request: RestRequest) => HttpReply) | undefined;
}

export interface RpcServer {
  readonly open: () => Server;
  /**
   * Call it once `stopping` is aborted. Answers the requests that have arrived in full, and disconnects all other
   * clients.
   */
  readonly stop: () => Promise<void>;
  readonly cutOff: () => void;
}

/** @see Bitcoin Core `http_request_cb`, `HTTPReq_JSONRPC` */
export function createRpcServer(parts: ServerParts): RpcServer {
  const connections = createConnections(parts.stopping);
  const handle = requestHandler(parts, connections);
  const servers: Server[] = [];
  return {
    open: () => {
      const server = listeningServer(parts, connections, handle);
      servers.push(server);
      return server;
    },
    stop: () => closeServers(servers, connections),
    cutOff: connections.closeAll,
  };
}

type Handler = (request: IncomingMessage, response: ServerResponse<IncomingMessage>) => Promise<void>;

function requestHandler(parts: ServerParts, connections: Connections): Handler {
  const { rules, queue, stopping, answer, answerPublic } = parts;
  const refusals = REFUSALS[rules.generation];
  const bodies = createBodyReader(MAX_BODY, parts.mostBodyBytes);
  const unread = { 'too-large': refusals.tooLarge, 'crowded-out': { ...refusals.busy, isLast: true } } as const;
  let wrongLogins = 0;
  const reply = (response: ServerResponse<IncomingMessage>, content: HttpReply): void =>
    send(response, content, stopping.aborted ? { isLast: true } : {});
  const refuse = (response: ServerResponse<IncomingMessage>, { reply: content, delay }: Refusal): void => {
    const isDelayed = delay > 0;
    if (isDelayed) wrongLogins += 1;
    const answerNow = (): void => {
      if (isDelayed) wrongLogins -= 1;
      reply(response, content);
    };
    if (isDelayed) setTimeout(answerNow, delay);
    else answerNow();
  };

  // Invalid UTF-8 is not valid JSON either: the empty text yields the same parse error.
  const answerBytes = (body: Uint8Array, sender: Asked): ReturnType<typeof answer> =>
    answer(decodeUtf8(body) ?? '', sender);

  return async (request, response) => {
    if (stopping.aborted) return reply(response, refusals.stopping);
    if (wrongLogins >= MAX_WRONG_LOGINS) return reply(response, refusals.busy);
    const decision = decide(requestHead(request), rules);
    if (decision.kind === 'refused') return refuse(response, decision);
    // HTTP/1.0 has no interim replies: its clients would take one for the answer.
    if (request.headers.expect !== undefined && request.httpVersionMinor > 0) response.writeContinue();
    // Does not read ahead: bodies that the client has sent early stay with it.
    await connections.isAnswered(request.socket);
    const body = await bodies.read(request);
    if (body.kind === 'broken') return;
    if (body.kind !== 'whole') return reply(response, unread[body.kind]);
    await connections.takeTurn(request, response);
    const isAccepted = queue.accept(() => {
      if (decision.kind === 'public') {
        reply(response, answerPublic?.({ path: request.url ?? '', body: body.bytes }) ?? refusals.unknownPath);
        return undefined;
      }
      const outcome = answerBytes(body.bytes, decision);
      if (outcome instanceof Promise) return outcome.then((whole) => reply(response, jsonReply(whole)));
      reply(response, jsonReply(outcome));
      return undefined;
    });
    if (!isAccepted) reply(response, refusals.busy);
  };
}

function listeningServer({ rules, stopping, timeout }: ServerParts, connections: Connections, handle: Handler): Server {
  const refusals = REFUSALS[rules.generation];
  const server = createServer({
    maxHeaderSize: MAX_HEADERS,
    requireHostHeader: false,
    headersTimeout: timeout,
    requestTimeout: timeout * WHOLE_REQUEST,
    keepAliveTimeout: timeout,
    connectionsCheckingInterval: Math.min(timeout, CHECK_INTERVAL),
  });
  server.timeout = timeout;
  connections.watch(server);
  if (httpRules[rules.generation].closesForeign) {
    server.on('connection', (socket) => {
      if (!rules.isAllowed(socket.remoteAddress)) socket.destroy();
    });
  }
  server.on('request', handle);
  server.on('checkContinue', handle);
  server.on('checkExpectation', (_request, response) =>
    send(response, refusals.expectationFailed, stopping.aborted ? { isLast: true } : {}),
  );
  server.on('connect', (_request, socket: Socket) => {
    // node:http has removed its listeners: without one, an error of the client would end the process.
    socket.on('error', () => socket.destroy());
    refuseRaw(socket, refusals.unknownMethod, connections);
  });
  server.on('clientError', (error: ClientError, socket: Socket) =>
    refuseRaw(socket, chooseRefusal(error, rules), connections),
  );
  server.on('timeout', (socket) => {
    const before = socket.bytesRead;
    // After a long call, data that the client sent in the meantime may still be unread.
    setImmediate(() => {
      const isAnswering = connections.pendingOn(socket).some(({ headersSent }) => !headersSent);
      if (socket.bytesRead === before && !isAnswering) socket.destroy();
    });
  });
  return server;
}

/** Waits for earlier requests, which may still be unread, to be answered. */
function refuseRaw(socket: Socket, content: HttpReply | undefined, { pendingOn }: Connections): void {
  setImmediate(() => {
    const [pending] = pendingOn(socket);
    if (pending) pending.once('finish', () => socket.destroy());
    else if (content && socket.writable) sendRaw(socket, content);
    else socket.destroy();
  });
}

const requestHead = ({ socket, httpVersionMajor, method = '', url = '', headers }: IncomingMessage): RequestHead => ({
  httpMajor: httpVersionMajor,
  address: socket.remoteAddress,
  method,
  path: url,
  authorization: headers.authorization,
  contentLength: headers['content-length'],
  origin: headers.origin,
  host: headers.host,
});

interface ClientError extends NodeJS.ErrnoException {
  readonly rawPacket?: Uint8Array;
}

const REQUEST_LINE = /^[!-~]+ [!-~]+ HTTP\/1\.[0-9]\r?\n/;

/** Returns `undefined` for a timeout or disconnection. */
function chooseRefusal({ code = '', rawPacket }: ClientError, { generation }: Rules): HttpReply | undefined {
  const refusals = REFUSALS[generation];
  if (code === 'HPE_INVALID_METHOD' && REQUEST_LINE.test(Buffer.from(rawPacket ?? []).toString('latin1'))) {
    return refusals.unknownMethod;
  }
  if (code === 'HPE_INVALID_EOF_STATE') return undefined;
  if (code.startsWith('HPE_') && code.includes('CHUNK')) return refusals.badChunk;
  return code.startsWith('HPE_') ? refusals.badRequest : undefined;
}
