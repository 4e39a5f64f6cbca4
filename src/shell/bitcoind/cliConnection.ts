import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { findMember, type JsonMember, type JsonValue } from '../../answers/json/jsonValue.ts';
import { parseJson } from '../../answers/json/parseJson.ts';
import { stringifyJsonValue } from '../../answers/json/stringify.ts';
import { InitError } from './initError.ts';
import type { Options } from './options.ts';

/** The server is not there yet, or warms up: with `-rpcwait`, a client tries again. */
export class NotConnected extends InitError {}

export interface Server {
  readonly host: string;
  readonly port: number;
  /** `name:password`; missing if there is no cookie. */
  readonly login: string | undefined;
  readonly configPath: string;
  /** In seconds; 0 for ever. */
  readonly timeout: number;
}

const DEFAULT_TIMEOUT = 900;
const HIGHEST_PORT = 0xffff;

/**
 * Reads where the server is, and how to log in.
 * @throws InitError
 * @see Bitcoin Core `CallRPC`
 */
export function readConnection(
  { text, integer }: Options,
  defaultPort: number,
  {
    cookieFile,
    configPath,
    print,
  }: { readonly cookieFile: string; readonly configPath: string; readonly print: (text: string) => void },
): Server {
  const place = text('rpcconnect') ?? '127.0.0.1';
  const { host = place, port: named } =
    /^(?:\[(?<six>[^\]]*)\]|(?<host>[^:]*))(?::(?<port>.*))?$/.exec(place)?.groups ?? {};
  const plain = place.startsWith('[') ? place.slice(1, place.indexOf(']')) : host;
  const ownPort = named === undefined ? undefined : parsePort(named, 'rpcconnect', place);
  const given = text('rpcport');
  const port = given === undefined ? (ownPort ?? defaultPort) : parsePort(given, 'rpcport', given);
  if (given !== undefined && ownPort !== undefined) {
    print(`Warning: Port specified in both -rpcconnect and -rpcport. Using -rpcport ${port}\n`);
  }
  const password = text('rpcpassword') ?? '';
  const login = password === '' ? readCookie(cookieFile) : `${text('rpcuser') ?? ''}:${password}`;
  return { host: plain, port, login, configPath, timeout: integer('rpcclienttimeout') ?? DEFAULT_TIMEOUT };
}

function parsePort(text: string, option: string, shown: string): number {
  const port = /^[0-9]{1,5}$/.test(text) ? Number(text) : 0;
  if (port > 0 && port <= HIGHEST_PORT) return port;
  throw new InitError(`Invalid port provided in -${option}: ${shown}`);
}

function readCookie(path: string): string | undefined {
  if (path === '') return '';
  try {
    return readFileSync(path, 'utf8').split('\n')[0];
  } catch {
    return undefined;
  }
}

export interface Call {
  readonly method: string;
  readonly params: JsonValue;
  readonly wallet: string | undefined;
}

/** Calls the server. @throws NotConnected, InitError */
export async function callServer(server: Server, { method, params, wallet }: Call): Promise<readonly JsonMember[]> {
  const id: JsonValue = { type: 'number', text: '1' };
  const members: JsonMember[] = [
    ['method', { type: 'string', value: method }],
    ['params', params],
    ['id', id],
    ['jsonrpc', { type: 'string', value: '2.0' }],
  ];
  const path = wallet === undefined ? '/' : `/wallet/${encodeURIComponent(wallet)}`;
  const { status, body } = await post(server, path, `${stringifyJsonValue({ type: 'object', members })}\n`);
  if (status === 401) throw loginFault(server);
  if (status === 503) throw new InitError(`Server response: ${body}`);
  if (status >= 400 && ![400, 404, 500].includes(status)) {
    throw new InitError(`server returned HTTP error ${status}`);
  }
  if (body === '') throw new InitError('no response from server');
  const reply = parseJson(body);
  if (!reply) throw new InitError("couldn't parse reply from server");
  if (reply.type !== 'object') throw new InitError('expected reply to have result, error and id properties');
  if (errorCode(reply.members) === WARMUP) throw new NotConnected('server in warmup');
  return reply.members;
}

/** @see Bitcoin Core `RPC_IN_WARMUP` */
const WARMUP = '-28';

function errorCode(members: readonly JsonMember[]): string | undefined {
  const error = findMember(members, 'error');
  const code = error?.type === 'object' ? findMember(error.members, 'code') : undefined;
  return code?.type === 'number' ? code.text : undefined;
}

const loginFault = ({ login, configPath }: Server): InitError =>
  new InitError(
    login === undefined
      ? `Could not locate RPC credentials. No authentication cookie could be found, and RPC password is not set.  See -rpcpassword and -stdinrpcpass.  Configuration file: (${configPath})`
      : 'Authorization failed: Incorrect rpcuser or rpcpassword',
  );

interface HttpReply {
  readonly status: number;
  readonly body: string;
}

function post({ host, port, login = '', timeout }: Server, path: string, content: string): Promise<HttpReply> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string): void =>
      reject(
        new NotConnected(
          `Could not connect to the server ${host}:${port}${reason}\n\nMake sure the bitcoind server is running and that you are connecting to the correct RPC port.\nUse "bitcoin-cli -help" for more info.`,
        ),
      );
    const sent = request(
      {
        host,
        port,
        path,
        method: 'POST',
        headers: {
          authorization: `Basic ${Buffer.from(login).toString('base64')}`,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(content),
          connection: 'close',
        },
        ...(timeout > 0 && { timeout: timeout * 1000 }),
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString().trimEnd() }),
        );
        response.on('error', () => fail(''));
      },
    );
    sent.on('timeout', () => {
      fail(' (error code 0 - "timeout reached")');
      sent.destroy();
    });
    sent.on('error', () => fail(''));
    sent.end(content);
  });
}
