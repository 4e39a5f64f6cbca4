import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { withoutSecrets } from '../../core/encoding/redaction.ts';
import type { NodeRpc } from '../../node/createNodeRpc.ts';
import { answerEsplora, type Esplora, openEsplora } from '../../node/esplora/answerEsplora.ts';
import { type EsploraReply, textReply } from '../../node/esplora/replies.ts';
import { decodeUtf8 } from '../terminal/lines.ts';
import { UsageError } from '../terminal/usageError.ts';
import { type IsAllowed, isLocal, isLocalName } from './clients.ts';
import { type Connections, closeServers, createConnections } from './connections.ts';
import { listen } from './listen.ts';
import { type BodyReader, createBodyReader } from './readBody.ts';

// The limits of electrs: bytes, and milliseconds.
const MAX_BODY = 1_000_000;
const HEADERS_TIMEOUT = 10_000;
const REQUEST_TIMEOUT = 30_000;
const MAX_HEADERS = 8192;

/** Who may send requests: no login protects the server. */
export interface EsploraRules {
  readonly isAllowed: IsAllowed;
  /** The only origin whose web pages may call the server; `*` for all. Default: none. */
  readonly cors?: string | undefined;
}

export interface EsploraServer {
  /**
   * Indexes the chain, the first time.
   * @throws BtcError `block/unknown` if the chain lacks the transactions of a block; `store/*`
   */
  readonly open: () => Server;
  /** Answers the requests that have arrived in full, and disconnects all other clients. */
  readonly stop: () => Promise<void>;
  readonly cutOff: () => void;
}

/** @throws UsageError for an invalid origin */
export function createEsploraServer(rpc: NodeRpc, rules: EsploraRules): EsploraServer {
  assertOrigin(rules.cors);
  let esplora: Esplora | undefined;
  const stopping = new AbortController();
  const connections = createConnections(stopping.signal);
  const bodies = createBodyReader(MAX_BODY);
  const servers: Server[] = [];
  return {
    open: () => {
      esplora ??= openEsplora(rpc);
      const parts = { esplora, rules, connections, bodies };
      const server = createServer({
        maxHeaderSize: MAX_HEADERS,
        headersTimeout: HEADERS_TIMEOUT,
        requestTimeout: REQUEST_TIMEOUT,
      });
      connections.watch(server);
      server.on('request', (request, response) => {
        void handle(parts, request, response);
      });
      servers.push(server);
      return server;
    },
    stop: () => {
      stopping.abort();
      return closeServers(servers, connections);
    },
    cutOff: connections.closeAll,
  };
}

/** @see RFC 6454 section 6.2 */
function assertOrigin(text: string | undefined): void {
  if (text === undefined || text === '*' || /^https?:\/\/[^/?#@\s]+$/.test(text)) return;
  const what = `"${withoutSecrets(text)}"`;
  throw new UsageError(`cors must be an origin such as http://localhost:5173, or "*" for all, not ${what}`);
}

interface Parts {
  readonly esplora: Esplora;
  readonly rules: EsploraRules;
  readonly connections: Connections;
  readonly bodies: BodyReader;
}

async function handle(parts: Parts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { esplora, rules, connections, bodies } = parts;
  const reply = (content: EsploraReply): void => send(response, content, rules);
  const refusal = refuse(request, rules);
  if (refusal) return reply(refusal);
  if (request.method === 'OPTIONS' && rules.cors !== undefined) return allowPost(response, rules.cors);
  const body = await bodies.read(request);
  if (body.kind === 'broken') return;
  if (body.kind === 'too-large') return reply(textReply('Request body too large', 413));
  if (body.kind === 'crowded-out') return reply(textReply('Too many unfinished requests: send this one again', 503));
  const text = decodeUtf8(body.bytes);
  if (text === undefined) return reply(textReply('The body is not valid UTF-8', 400));
  await connections.takeTurn(request, response);
  reply(answerSafely(esplora, { method: request.method ?? '', path: request.url ?? '', body: text }));
}

function answerSafely(...[esplora, request]: Parameters<typeof answerEsplora>): EsploraReply {
  try {
    return answerEsplora(esplora, request);
  } catch {
    return textReply('Internal server error', 500);
  }
}

/** Answers what a browser asks before a page sends JSON. */
function allowPost(response: ServerResponse, cors: string): void {
  response.writeHead(204, {
    'Access-Control-Allow-Origin': cors,
    'Access-Control-Allow-Methods': 'GET, POST',
    'Access-Control-Allow-Headers': 'Content-Type',
  });
  response.end();
}

/** Refuses other machines, and web pages, also those whose host name has become that of this machine. */
function refuse({ socket, headers }: IncomingMessage, { isAllowed, cors }: EsploraRules): EsploraReply | undefined {
  const address = socket.remoteAddress;
  if (!isAllowed(address)) return textReply('This address may not connect', 403);
  if (headers.origin !== undefined && cors !== '*' && cors !== headers.origin) {
    return textReply('Requests with an Origin header are refused: web pages may not call this server', 403);
  }
  if (isLocal(address) && headers.host !== undefined && !isLocalName(headers.host)) {
    return textReply('The host must be localhost or an IP address', 403);
  }
  return undefined;
}

/** Nothing is cached, unlike the answers of electrs: here, blocks come and go within a second. */
function send(response: ServerResponse, { status, type, body }: EsploraReply, { cors }: EsploraRules): void {
  if (response.destroyed) return;
  response.writeHead(status, {
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    ...(cors !== undefined && { 'Access-Control-Allow-Origin': cors }),
    ...((status === 413 || status === 503) && { Connection: 'close' }),
  });
  response.end(body);
}

/** A listening server of Esplora's HTTP API. */
export interface EsploraListener {
  /** Without a slash at the end. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

/**
 * Listens for requests of Esplora's HTTP API, from this machine only, and indexes the chain of the node by script.
 *
 * - `port`: by default any free port
 * - `cors`: the only origin whose web pages may call the server; `*` for all. Default: none
 *
 * @throws UsageError for an invalid origin or a port in use; BtcError `block/unknown` if the chain lacks the transactions of a block; `store/*`
 */
export async function listenEsplora(
  rpc: NodeRpc,
  { port = 0, cors }: { readonly port?: number; readonly cors?: string } = {},
): Promise<EsploraListener> {
  const server = createEsploraServer(rpc, { isAllowed: isLocal, cors });
  const [place = ''] = await listen(server.open, [{ address: '127.0.0.1', port }]);
  return {
    url: `http://${place}`,
    close: async () => {
      const stopped = server.stop();
      server.cutOff();
      await stopped;
    },
  };
}
