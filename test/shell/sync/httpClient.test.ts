import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { type HttpParts, httpCaller } from '../../../src/shell/sync/httpClient.ts';
import { createPieces } from '../../../src/shell/sync/nodeClient.ts';
import { serveFake } from '../../support/fakeNode.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

type Handle = (request: IncomingMessage, body: string, response: ServerResponse) => void;

async function callerOf(handle: Handle, parts: Partial<HttpParts> = {}) {
  const { url, close } = await serveFake(handle);
  closers.push(close);
  const waits: string[] = [];
  const caller = httpCaller({
    url: new URL(url),
    login: async () => undefined,
    timeout: 10_000,
    stop: new AbortController().signal,
    retries: true,
    wait: async (why) => {
      waits.push(why);
    },
    ...parts,
  });
  return { caller, waits, url };
}

const CALLS = [
  { method: 'a', params: [] },
  { method: 'b', params: [1, 'x'] },
];
const REPLIES = [
  { id: 1, result: null, error: { code: -8, message: 'no' } },
  { id: 0, result: 'yes', error: null },
];
const READ = [
  { kind: 'result', result: 'yes' },
  { kind: 'error', code: -8, message: 'no' },
];
const say = (response: ServerResponse, body: unknown, status = 200): void => {
  response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
};

describe('calls over HTTP', () => {
  test('go in one batch, and their replies may come in any order', async () => {
    const bodies: string[] = [];
    const { caller } = await callerOf((request, body, response) => {
      bodies.push(`${request.method} ${request.headers['content-type']} ${body}`);
      say(response, REPLIES);
    });
    expect(await caller.callAll(CALLS)).toEqual(READ);
    expect(bodies).toEqual([
      'POST application/json [{"id":0,"method":"a","params":[]},{"id":1,"method":"b","params":[1,"x"]}]',
    ]);
  });

  test('carry the login, which is read again when it is refused, since cookies change', async () => {
    const logins = ['old:1', 'new:2'];
    const { caller } = await callerOf(
      ({ headers }, _, response) => {
        const isRight = headers.authorization === `Basic ${Buffer.from('new:2').toString('base64')}`;
        say(response, isRight ? REPLIES : '', isRight ? 200 : 401);
      },
      { login: async () => logins.shift() ?? 'new:2' },
    );
    expect(await caller.callAll(CALLS)).toEqual(READ);
    expect(logins).toEqual([]);
  });

  test.each([
    ['requires a name and password (HTTP 401)', undefined],
    ['refuses the name and password (HTTP 401)', 'rt:secret'],
  ])('fail if a node %s', async (said, login) => {
    const { caller } = await callerOf((_, __, response) => say(response, '', 401), { login: async () => login });
    const refused = caller.callAll(CALLS);
    await expect(refused).rejects.toThrow(said);
    await expect(refused).rejects.not.toThrow('secret');
    await expect(refused).rejects.toMatchObject({ isPassing: false });
  });

  test('wait for a node that is starting or busy', async () => {
    const answers: (readonly [body: unknown, status: number])[] = [
      [[0, 1].map((id) => ({ id, result: null, error: { code: -28, message: 'Loading block index...' } })), 200],
      ['Work queue depth exceeded', 503],
      ['Work queue depth exceeded', 500],
      ['<html>503', 503],
      [REPLIES, 200],
    ];
    const { caller, waits, url } = await callerOf((_, __, response) => {
      const [body, status] = answers.shift() ?? ['', 500];
      say(response, body, status);
    });
    expect(await caller.callAll(CALLS)).toEqual(READ);
    const node = `the node at ${url}`;
    expect(waits).toEqual([
      `${node}: Loading block index...`,
      `${node}: Work queue depth exceeded`,
      `${node}: Work queue depth exceeded`,
      `${node}: busy`,
    ]);
  });

  test('wait only for some time for a node that never becomes ready', async () => {
    const { caller, waits } = await callerOf((_, __, response) => say(response, '', 503));
    await expect(caller.callAll(CALLS)).rejects.toMatchObject({ isPassing: true });
    expect(waits).toHaveLength(600);
  });

  const GARBAGE: readonly (readonly [what: string, body: unknown, status: number, said: string])[] = [
    ['not JSON', '<html>', 404, 'answers HTTP 404 without a valid JSON-RPC reply'],
    ['empty', '', 200, 'answers HTTP 200 without a valid JSON-RPC reply'],
    ['a redirection', '', 302, 'answers HTTP 302 without a valid JSON-RPC reply'],
    ['a text', '"yes"', 200, 'answers HTTP 200 without a valid JSON-RPC reply'],
    ['null', 'null', 200, 'answers HTTP 200 without a valid JSON-RPC reply'],
    ['too few replies', REPLIES.slice(1), 200, 'answers HTTP 200 without a valid JSON-RPC reply'],
    ['too many replies', [...REPLIES, REPLIES[0]], 200, 'answers HTTP 200 without a valid JSON-RPC reply'],
    ['one reply twice', [REPLIES[0], REPLIES[0]], 200, 'answers HTTP 200 without a valid JSON-RPC reply'],
    ['replies without ids', REPLIES.map((reply) => ({ ...reply, id: null })), 200, 'without a valid JSON-RPC reply'],
    ['replies without results', [{ id: 0 }, { id: 1 }], 200, 'without a valid JSON-RPC reply'],
    ['an array of nulls', [null, null], 200, 'without a valid JSON-RPC reply'],
    [
      'one error for all',
      { id: null, result: null, error: { code: -32700, message: 'Parse error' } },
      500,
      'HTTP 500: Parse error',
    ],
    [
      'an error that would play with the terminal',
      { error: { code: -1, message: `\u001b[2Jgone\r\n${'x'.repeat(400)}` } },
      500,
      `HTTP 500:  [2Jgone ${'x'.repeat(290)}`,
    ],
    [
      'that the call is forbidden',
      '',
      403,
      'does not allow this call (HTTP 403): check its rpcallowip and rpcwhitelist',
    ],
  ];
  test.each(GARBAGE)('fail if the answer is %s', async (_, body, status, said) => {
    const { caller } = await callerOf((__, ___, response) => {
      response.setHeader('location', 'http://127.0.0.1:1/');
      say(response, body, status);
    });
    await expect(caller.callAll(CALLS)).rejects.toThrow(said);
  });

  test('report a node that is unreachable or disconnects', async () => {
    const { caller, url } = await callerOf((request) => request.socket.destroy());
    await expect(caller.callAll(CALLS)).rejects.toThrow(
      `cannot reach the node at ${url}: connection closed by the node`,
    );
    for (const close of closers.splice(0)) await close();
    await expect(caller.callAll(CALLS)).rejects.toThrow(`cannot reach the node at ${url}: connection refused`);
    await expect(caller.callAll(CALLS)).rejects.toMatchObject({ isPassing: true });
  });

  test('are repeated if the connection was closed in the meantime', async () => {
    let count = 0;
    const { caller } = await callerOf((request, _, response) => {
      count += 1;
      if (count === 1) request.socket.destroy();
      else say(response, REPLIES);
    });
    expect(await caller.callAll(CALLS)).toEqual(READ);
  });

  test.each([
    ['says nothing', () => undefined],
    ['drips', (response: ServerResponse) => setInterval(() => response.write(' '), 20).unref()],
  ])('time out if a node %s', async (_, begin) => {
    const { caller } = await callerOf((__, ___, response) => void begin(response), { timeout: 200 });
    await expect(caller.callAll(CALLS)).rejects.toThrow('no complete answer within 0.2 s');
  });

  test('end at once when they are stopped', async () => {
    const asked = new AbortController();
    const { caller } = await callerOf(() => asked.abort(), { stop: asked.signal });
    await expect(caller.callAll(CALLS)).rejects.toThrow('stopped');
  });
});

describe('a reply that is too large', () => {
  const HUGE = 'x'.repeat(1 << 20);
  /** Answers with as many megabytes as the parameter says. */
  const megabytes: Handle = (_, body, response) => {
    const calls = JSON.parse(body) as readonly { id: number; params: readonly number[] }[];
    response.write('[');
    for (const [i, { id, params }] of calls.entries()) {
      response.write(`${i === 0 ? '' : ','}{"id":${id},"error":null,"result":"`);
      for (let count = 0; count < (params[0] ?? 0); count += 1) response.write(HUGE);
      response.write('"}');
    }
    response.end(']');
  };
  const call = (size: number) => ({ method: 'get', params: [size] });

  test('is not read to its end', async () => {
    const { caller } = await callerOf(megabytes);
    expect(await caller.callAll([call(33)])).toBe('too-large');
  });

  test('is requested in smaller pieces', async () => {
    const { caller } = await callerOf(megabytes);
    const sizes: number[][] = [];
    for await (const replies of createPieces(caller)([0, 0, 0, 0, 20, 20, 20, 1, 1].map(call))) {
      sizes.push(replies.map((reply) => (reply.kind === 'result' ? String(reply.result).length >> 20 : -1)));
    }
    expect(sizes.flat()).toEqual([0, 0, 0, 0, 20, 20, 20, 1, 1]);
    expect(Math.max(...sizes.map((piece) => piece.length))).toBe(4);
  });

  test('is an error if the piece is a single call', async () => {
    const { caller } = await callerOf(megabytes);
    const pieces = createPieces(caller)([call(33)]);
    await expect(pieces.next()).rejects.toThrow('gave too large an answer to get');
  });
});
