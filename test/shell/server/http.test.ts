import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decide, type RequestHead } from '../../../src/shell/server/http.ts';
import { HTTP_CASES, PASSWORD, RETRIED, STRICTER, USER, usual } from '../../support/httpCases.ts';
import { exchange, type Observed, observed } from '../../support/rawHttp.ts';
import { type RunningServe, startServe } from '../../support/server.ts';

const WITH_USER = ['--rpcuser', USER, '--rpcpassword-file', 'password'];
const files = { password: PASSWORD };

/** Starts a server for the tests of a `describe` block. */
function server(...options: string[]): () => number {
  let running: RunningServe | undefined;
  beforeAll(async () => {
    running = await startServe([...WITH_USER, ...options], { files });
  });
  afterAll(() => running?.close());
  return () => running?.port ?? 0;
}

describe('litecoin-0.21', () => {
  const port = server('--network', 'litecoin-regtest', '--dialect', 'litecoin-0.21');
  // Recorded from Litecoin Core 0.21.2.1 by test/live/http.live.test.ts.
  const text = readFileSync(new URL('../../../vectors/node/http.litecoin-0.21.json', import.meta.url), 'utf8');
  const recorded: Readonly<Record<string, Observed>> = JSON.parse(text);

  test('all cases are recorded', () => {
    expect(Object.keys(recorded)).toEqual(Object.keys(HTTP_CASES));
  });

  // Most of the time of each goes into waiting for the server to fall silent.
  test.concurrent.each(Object.entries(recorded))('%s', RETRIED, async (name, wanted) => {
    expect(observed(await exchange(port(), HTTP_CASES[name] ?? ''))).toEqual(wanted);
  });
});

/** An answer of newer nodes: status, body without its newline, and whether the connection is closed. */
interface Newer {
  readonly status: number;
  readonly reason?: string;
  readonly body?: string | RegExp;
  readonly isClosed?: true;
  readonly isDelayed?: true;
}

const ONLY_POST = 'JSONRPC server handles only POST requests';
const OK: Newer = {
  status: 200,
  body: '{"result":{"asm":"OP_RETURN","desc":"raw(6a)#4mhr9ur5","type":"nulldata"},"error":null,"id":1}',
};
const REFUSED: Newer = { status: 400, isClosed: true };
const WRONG: Newer = { status: 401, isDelayed: true };
const TOO_LARGE: Newer = { status: 413, reason: 'Content too large', isClosed: true };
const failure = (status: number, code: number, message: string, id = ',"id":null'): Newer => ({
  status,
  body: `{"result":null,"error":{"code":${code},"message":"${message}"}${id}}`,
});
const V2 = '{"jsonrpc":"2.0"';

/** One row per case; cases without a row are answered as in 0.21. */
const NEWER: Readonly<Record<string, Newer>> = {
  'a call': OK,
  'a call that fails': failure(500, -8, "argument must be hexadecimal string (not 'zz')", ',"id":"x"'),
  'an unknown method': failure(404, -32601, 'Method not found', ',"id":1'),
  'a call by name': OK,
  'no body': failure(500, -32700, 'Parse error'),
  'no JSON': failure(500, -32700, 'Parse error'),
  'no UTF-8': failure(500, -32700, 'Parse error'),
  'a text': failure(500, -32700, 'Top-level object parse error'),
  'no method': failure(400, -32600, 'Missing method', ',"id":1'),
  'a method that is no text': failure(400, -32600, 'Method must be a string', ',"id":1'),
  'parameters that are none': failure(400, -32600, 'Params must be an array or object', ',"id":1'),
  'version 2.0': {
    status: 200,
    body: `${V2},"result":{"asm":"OP_RETURN","desc":"raw(6a)#4mhr9ur5","type":"nulldata"},"id":1}`,
  },
  'version 1.1': failure(400, -32600, 'JSON-RPC version not supported', ',"id":1'),
  'a version that is a number': failure(400, -32600, 'jsonrpc field must be a string', ',"id":1'),
  'a notification': { status: 204 },
  'version 2.0 without method': {
    status: 400,
    body: `${V2},"error":{"code":-32600,"message":"Missing method"},"id":1}`,
  },
  'a batch': {
    status: 200,
    body: /^\[\{"result":\{.*"id":1\},.*"id":2\},.*Invalid Request object"\},"id":2\},.*Missing method"\},"id":3\}\]$/,
  },
  'an empty batch': { status: 200, body: '[]' },
  'a batch of notifications': { status: 204 },
  'an id with odd numbers': { status: 200, body: /"id":\[1\.50,1e5\]\}$/ },
  'a wallet path': OK,
  'the wallet path without name': OK,
  'a wallet path with percent signs': OK,
  'a wallet path with a query': OK,
  'a wallet path without its last slash': { status: 404 },
  'another path': { status: 404 },
  'a query': { status: 404 },
  'another path and no login': { status: 404 },
  GET: { status: 405, body: ONLY_POST },
  PUT: { status: 405, body: ONLY_POST },
  'PUT elsewhere': { status: 404 },
  'GET without login': { status: 405, body: ONLY_POST },
  DELETE: { status: 405 },
  'DELETE elsewhere': { status: 405 },
  OPTIONS: { status: 405 },
  'OPTIONS elsewhere': { status: 405 },
  PATCH: { status: 405 },
  TRACE: { status: 405 },
  'a method that nobody knows': { status: 405, isClosed: true },
  'a method in small letters': { status: 405, isClosed: true },
  'no login': { status: 401 },
  'a wrong password': WRONG,
  'a wrong name': WRONG,
  'a name without password': WRONG,
  'an empty login': WRONG,
  'a login of another scheme': WRONG,
  'a login whose scheme is in small letters': WRONG,
  'a login with blanks around': OK,
  'a login that is no base64': WRONG,
  'two logins, the first wrong': WRONG,
  'two logins, the second wrong': OK,
  'a type of content that is none': OK,
  'a connection to be closed': { ...OK, isClosed: true },
  'HTTP/1.0': { ...OK, isClosed: true },
  'HTTP/1.0, to be kept': OK,
  'HTTP/2.0': REFUSED,
  'no version': REFUSED,
  'no host': OK,
  chunks: OK,
  'chunks that are none': REFUSED,
  'no length': failure(500, -32700, 'Parse error'),
  'a length that is negative': REFUSED,
  'a length that is no number': REFUSED,
  'a length beyond all': TOO_LARGE,
  'a length beyond all, without login': TOO_LARGE,
  'headers beyond all': REFUSED,
  'a path beyond all': REFUSED,
  'large headers': OK,
  'a header without colon': REFUSED,
  'an unknown expectation': { status: 417, isClosed: true },
  'a wish for another protocol': OK,
  'no HTTP': REFUSED,
  'the beginning of TLS': REFUSED,
};

describe.each(['core-32', 'documented'])('%s', (dialect) => {
  const port = server('--dialect', dialect);

  test.concurrent.each(Object.entries(HTTP_CASES))('%s', RETRIED, async (name, request) => {
    const wanted = NEWER[name];
    const { replies, isClosed, isDelayed } = observed(await exchange(port(), request));
    const [reply] = replies;
    expect(replies).toHaveLength(1);
    expect({ status: reply?.status, isClosed, isDelayed }).toEqual({
      status: wanted?.status,
      isClosed: wanted?.isClosed ?? false,
      isDelayed: wanted?.isDelayed ?? false,
    });
    if (wanted?.reason !== undefined) expect(reply?.reason).toBe(wanted.reason);
    if (typeof wanted?.body === 'object') expect(reply?.body.trimEnd()).toMatch(wanted.body);
    else expect(reply?.body.replace(/\n$/, '')).toBe(wanted?.body ?? '');
    const isJson = reply?.body.endsWith('\n') === true;
    expect(reply?.headers['content-type']).toBe(
      wanted?.status === 204 ? undefined : isJson ? 'application/json' : 'text/html; charset=ISO-8859-1',
    );
    expect(reply?.headers['www-authenticate']).toBe(wanted?.status === 401 ? 'Basic realm="jsonrpc"' : undefined);
  });

  test.concurrent.each(Object.entries(STRICTER))('%s', RETRIED, async (_, request) => {
    expect(await exchange(port(), request)).toMatchObject({ replies: [{ status: 400, body: '' }], isClosed: true });
  });

  test('a HEAD request gets no body, as HTTP requires', async () => {
    const reply = await fetch(`http://127.0.0.1:${port()}/`, { method: 'HEAD' });
    expect([reply.status, await reply.text()]).toEqual([405, '']);
  });

  test('pipelined requests are answered in order', async () => {
    const { replies, isClosed } = await exchange(port(), usual() + usual({ login: 'x:y' }) + usual({ body: '[]' }), {
      least: 3,
    });
    expect(replies.map(({ status }) => status)).toEqual([200, 401, 200]);
    expect(isClosed).toBe(false);
  });

  test('a client that expects 100-continue gets it, unless it is refused', async () => {
    const expecting = { headers: ['Expect: 100-continue'] };
    expect((await exchange(port(), usual(expecting))).replies[0]).toMatchObject({ status: 200 });
    expect((await exchange(port(), usual({ ...expecting, login: undefined }))).replies[0]).toMatchObject({
      status: 401,
    });
  });

  test.each(['http://evil.example', 'null', 'http://127.0.0.1', ''])(
    'a web page of %j is refused, even with the password',
    async (origin) => {
      const request = usual({ headers: [`Origin: ${origin}`] });
      const body = 'Requests with an Origin header are refused: web pages may not call this server';
      expect((await exchange(port(), request)).replies[0]).toMatchObject({ status: 403, body });
      expect(
        (await exchange(port(), usual({ method: 'OPTIONS', headers: [`Origin: ${origin}`] }))).replies[0],
      ).toMatchObject({ status: 403 });
    },
  );

  test('an HTTP/1.0 client gets no 100-continue, only its answer', async () => {
    const socket = connect({ port: port(), host: '127.0.0.1' });
    socket.end(usual({ version: '1.0', headers: ['Expect: 100-continue'] }));
    const [first] = (await once(socket, 'data')) as [Buffer];
    expect(first.toString('latin1')).toMatch(/^HTTP\/1\.[01] 200 /);
    socket.destroy();
  });
});

describe('the order of checks', () => {
  const rules = {
    generation: 'core-32',
    credentials: [],
    isAllowed: (address: string | undefined) => address === 'good',
  } as const;
  const good: RequestHead = {
    httpMajor: 1,
    address: 'good',
    method: 'POST',
    path: '/',
    authorization: undefined,
    contentLength: '2',
    origin: undefined,
  };
  const statusOf = (head: Partial<RequestHead>): number | undefined => {
    const decision = decide({ ...good, ...head }, rules);
    return decision.kind === 'refused' ? decision.reply.status : undefined;
  };

  test('is address, method, path, POST, login', () => {
    const bad = { address: 'bad', method: 'BREW', path: '/x' };
    expect(statusOf(bad)).toBe(403);
    expect(statusOf({ ...bad, address: 'good' })).toBe(405);
    expect(statusOf({ ...bad, address: 'good', method: 'GET' })).toBe(404);
    expect(statusOf({ ...bad, address: 'good', method: 'GET', path: '/' })).toBe(405);
    expect(statusOf({})).toBe(401);
    expect(statusOf({ authorization: 'Basic eA==' })).toBe(401);
    expect(statusOf({ address: undefined })).toBe(403);
  });
});
