import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { createCredential } from '../../../src/shell/server/auth.ts';
import { createRpcServer, type RpcServer } from '../../../src/shell/server/server.ts';
import { createWorkQueue, processorTime } from '../../../src/shell/server/workQueue.ts';
import { CALL } from '../../support/httpCases.ts';
import { exchange, rawRequest, watch } from '../../support/rawHttp.ts';
import { startServeProcess } from '../../support/serveProcess.ts';
import { startServe } from '../../support/server.ts';

const TIMEOUT = 300;
/** Longer than a busy machine stops between two steps of a test. */
const PATIENT = 1000;
const request = (body = '{}'): string => rawRequest({ login: 'u:p', body });

/** Takes so many milliseconds of the processor. */
function work(time: number): void {
  const end = processorTime() + time;
  while (processorTime() < end);
}

/** Creates a server with fake answers: a body of digits is the time in milliseconds for which its answer blocks others. */
async function start({
  depth = 16,
  generation = 'core-32' as 'core-32' | 'core-0.21',
  timeout = TIMEOUT,
  isAllowed = true,
  mostBodyBytes = 2 ** 28,
  clock = processorTime,
  answer = (_body: string): string => 'done',
} = {}) {
  const asked = new AbortController();
  const parts = createRpcServer({
    stopping: asked.signal,
    rules: {
      generation,
      credentials: [createCredential('u', 'p')],
      isAllowed: () => isAllowed,
    },
    queue: createWorkQueue({ depth, threads: 1, processorTime: clock, nextTurn: setImmediate }),
    timeout,
    mostBodyBytes,
    answer: (body) => {
      work(Number(/^[0-9]+$/.exec(body)?.[0] ?? 0));
      return { status: 200, body: answer(body) };
    },
  });
  const stop = (): Promise<void> => {
    asked.abort();
    return parts.stop();
  };
  const server: RpcServer = { ...parts, stop };
  const http = server.open();
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const address = http.address();
  running.push(server);
  return { server, port: typeof address === 'object' ? (address?.port ?? 0) : 0 };
}

const running: RpcServer[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) {
    const stopped = server.stop();
    server.cutOff();
    await stopped;
  }
});

/**
 * Lets the event loop look for data several times: what was sent to this machine is read then, however long it takes. A
 * timer that is over would run before the loop looks.
 */
async function untilRead(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Connects, sends a first piece, and lets the server read it. */
async function begin(port: number, text: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  await once(socket, 'connect');
  socket.write(text);
  await untilRead();
  return socket;
}

test('passwords cannot be tried by the thousand, not even on one connection', async () => {
  const { port } = await start();
  const guess = rawRequest({ login: 'u:q', body: '{}' });
  const { replies } = await watch(await begin(port, guess.repeat(30)), 30);
  const statuses = replies.map(({ status }) => status);
  expect(statuses.filter((status) => status === 401)).toHaveLength(20);
  expect(statuses.filter((status) => status === 503)).toHaveLength(10);
  const after = await exchange(port, request('7'));
  expect(after.replies[0]?.status).toBe(200);
});

test.each([
  ['core-0.21', [403]],
  ['core-32', []],
] as const)('an address that may not call is refused by %s', async (generation, statuses) => {
  const { port } = await start({ generation, isAllowed: false });
  const { replies, isClosed } = await watch(await begin(port, request()), statuses.length);
  expect(replies.map(({ status }) => status)).toEqual(statuses);
  if (statuses.length === 0) expect(isClosed).toBe(true);
});

describe('a slow client', () => {
  test.each([
    ['says nothing', ''],
    ['stops within its headers', 'POST / HTTP/1.1\r\nHost: x\r\nX'],
    ['stops within its body', request('{"id":1}').slice(0, -3)],
  ])('that %s is disconnected without a reply', async (_, text) => {
    const { port } = await start();
    const { replies, isClosed, milliseconds } = await watch(await begin(port, text), 0);
    expect({ replies, isClosed }).toEqual({ replies: [], isClosed: true });
    expect(milliseconds).toBeLessThan(5000);
  });

  test('that drips its headers is disconnected all the same', async () => {
    const { port } = await start();
    const socket = await begin(port, 'POST / HTTP/1.1\r\nX: ');
    const drip = setInterval(() => socket.write('x'), 50);
    const { replies, isClosed } = await watch(socket, 0);
    clearInterval(drip);
    expect({ replies, isClosed }).toEqual({ replies: [], isClosed: true });
  });

  test('that drips its body is disconnected after ten times as long', async () => {
    const { port } = await start({ timeout: PATIENT / 2 });
    const head = request('x'.repeat(1000));
    const started = performance.now();
    const socket = await begin(port, head.slice(0, -999));
    const drip = setInterval(() => socket.write('x'), 40);
    const { isClosed } = await watch(socket, 0);
    clearInterval(drip);
    expect(isClosed).toBe(true);
    expect(performance.now() - started).toBeGreaterThan(4500);
  });

  test('that keeps its connection without using it is disconnected', async () => {
    const { port } = await start();
    const started = performance.now();
    const { replies, isClosed } = await watch(await begin(port, request()), 0);
    expect(replies).toHaveLength(1);
    expect(isClosed).toBe(true);
    expect(performance.now() - started).toBeGreaterThan(TIMEOUT / 2);
  });

  test('is not disconnected because of a long call', async () => {
    const { port } = await start({ timeout: PATIENT });
    const idle = await begin(port, request().slice(0, -1));
    const long = exchange(port, request(`${3 * PATIENT}`));
    await sleep(50);
    idle.write('}');
    const [own, other] = await Promise.all([watch(idle), long]);
    expect(own.replies[0]?.status).toBe(200);
    expect(other.replies[0]?.status).toBe(200);
  });

  test('is not disconnected if its headers arrive during a long call', async () => {
    let silent: Socket | undefined;
    const { port } = await start({
      timeout: PATIENT,
      answer: (body) => {
        if (body !== 'long') return 'done';
        silent?.write(request());
        const end = performance.now() + 3 * PATIENT;
        while (performance.now() < end);
        return 'done';
      },
    });
    silent = await begin(port, '');
    const [own, other] = await Promise.all([watch(silent), exchange(port, request('long'))]);
    expect(own.replies[0]?.status).toBe(200);
    expect(other.replies[0]?.status).toBe(200);
  });

  test('that disconnects in the middle harms no other client', async () => {
    const { port } = await start();
    for (const text of ['POST', request().slice(0, -1), request()]) (await begin(port, text)).destroy();
    expect(await exchange(port, request().slice(0, -1), { least: 0, endsHalf: true })).toMatchObject({ replies: [] });
    expect((await exchange(port, request(), { endsHalf: true })).replies[0]?.status).toBe(200);
  });
});

describe('a client that resets its connection', () => {
  test('right after CONNECT harms no other client', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'countersign-connect-'));
    const server = await startServeProcess(directory, ['--network', 'regtest']);
    try {
      for (let count = 0; count < 30; count += 1) {
        const socket = connect({ port: server.port, host: '127.0.0.1' });
        socket.on('error', () => undefined);
        await once(socket, 'connect');
        socket.write('CONNECT / HTTP/1.1\r\nHost: x\r\n\r\n');
        socket.resetAndDestroy();
        await sleep(2);
      }
      await expect(server.ask('getblockcount', [])).resolves.toBe(0);
    } finally {
      await server.kill();
      rmSync(directory, { recursive: true, force: true });
    }
  });
});

describe('data after a request in the same packet', () => {
  test.each([
    ['not HTTP', 'garbage\r\n\r\n'],
    ['a CONNECT request', 'CONNECT / HTTP/1.1\r\nHost: x\r\n\r\n'],
  ])('that is %s does not prevent its answer', async (_, more) => {
    let carriedOut = 0;
    const { port } = await start({
      answer: () => {
        carriedOut += 1;
        return 'done';
      },
    });
    const { replies, isClosed } = await exchange(port, request() + more, { least: 0 });
    expect(replies[0]).toMatchObject({ status: 200, body: 'done' });
    expect({ carriedOut, isClosed }).toEqual({ carriedOut: 1, isClosed: true });
  });
});

describe('a large body', () => {
  const MOST = 0x02000000;
  const chunk = `100000\r\n${'x'.repeat(0x100000)}\r\n`;
  const head = rawRequest({ login: 'u:p', headers: ['Transfer-Encoding: chunked'], hasNoLength: true });

  test('of 32 MiB is read, in chunks or not', async () => {
    const { port } = await start({ timeout: 30_000, answer: (body) => `${body.length}` });
    for (const text of [request('x'.repeat(MOST)), `${head}${chunk.repeat(32)}0\r\n\r\n`]) {
      expect((await exchange(port, text)).replies[0]).toMatchObject({ status: 200, body: `${MOST}` });
    }
  });

  test.each([
    ['core-32', 'Content too large'],
    ['core-0.21', 'Request Entity Too Large'],
  ] as const)('of one byte more is refused (%s)', async (generation, reason) => {
    const { port } = await start({ generation, timeout: 30_000 });
    const { replies, isClosed } = await exchange(port, `${head}${chunk.repeat(32)}1\r\nx\r\n`);
    expect(replies[0]).toMatchObject({ status: 413, reason });
    expect(isClosed).toBe(true);
  });

  test('is not read from a client that is refused', async () => {
    const { port } = await start({ timeout: 30_000 });
    const socket = await begin(port, rawRequest({ body: 'x'.repeat(1000) }).slice(0, -1000));
    expect((await watch(socket)).replies[0]?.status).toBe(401);
  });
});

describe('bodies that are never finished', () => {
  const half = rawRequest({ login: 'u:p', headers: ['Content-Length: 99999'], hasNoLength: true }) + 'x'.repeat(99_000);

  test.each([
    ['core-32', 503],
    ['core-0.21', 500],
  ] as const)(
    'give way to others, from the most silent on, and others are answered (%s)',
    async (generation, status) => {
      const { port } = await start({ generation, timeout: 30_000, mostBodyBytes: 1_000_000 });
      const sockets: Socket[] = [];
      const exchanges = [];
      for (let i = 0; i < 40; i++) {
        const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
        sockets.push(socket);
        exchanges.push(watch(socket));
        socket.write(half);
        if (i % 4 === 0) {
          expect((await exchange(port, request('x'.repeat(50_000)))).replies[0]).toMatchObject({ status: 200 });
        }
      }
      const refused = await Promise.all(exchanges.slice(0, 20));
      for (const { replies, isClosed } of refused) {
        expect(replies[0]).toMatchObject({ status, body: 'Work queue depth exceeded' });
        expect(isClosed).toBe(true);
      }
      // The last of them still goes on.
      sockets.at(-1)?.write('x'.repeat(999));
      expect((await exchanges.at(-1))?.replies[0]).toMatchObject({ status: 200 });
      for (const socket of sockets) socket.destroy();
      await Promise.all(exchanges);
    },
  );

  test('take little memory, even in chunks of one byte', async () => {
    const { port } = await start({ timeout: 30_000, answer: (body) => `${body.length}` });
    const head = rawRequest({ login: 'u:p', headers: ['Transfer-Encoding: chunked'], hasNoLength: true });
    const before = process.memoryUsage().rss;
    const whole = await exchange(port, `${head}${'1\r\nx\r\n'.repeat(400_000)}0\r\n\r\n`);
    expect(whole.replies[0]).toMatchObject({ status: 200, body: '400000' });
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 2 ** 20);
  });
});

describe('requests beyond the depth of the queue', () => {
  test.each([
    ['core-32', 503],
    ['core-0.21', 500],
  ] as const)('are refused in plain text (%s)', async (generation, status) => {
    const { port } = await start({ generation, depth: 2, timeout: 30_000 });
    const sockets = await Promise.all(Array.from({ length: 10 }, () => begin(port, request('100').slice(0, -1))));
    for (const socket of sockets) socket.write('0');
    const replies = (await Promise.all(sockets.map((socket) => watch(socket)))).map(({ replies: [reply] }) => reply);
    const answered = replies.filter((reply) => reply?.status === 200).length;
    const refused = replies.filter((reply) => reply?.status === status);
    expect(answered).toBeGreaterThanOrEqual(3);
    expect(refused.length).toBeGreaterThan(0);
    expect(answered + refused.length).toBe(10);
    for (const reply of refused) {
      expect(reply).toMatchObject({
        body: 'Work queue depth exceeded',
        headers: { 'content-type': 'text/html; charset=ISO-8859-1' },
      });
    }
    expect((await exchange(port, request())).replies[0]?.status).toBe(200);
  });

  /** Sends a request on each connection, all before the server reads any, and counts the answers by status. */
  async function burst(sockets: readonly Socket[]): Promise<Readonly<Record<number, number>>> {
    const counts: Record<number, number> = {};
    const answers = sockets.map((socket) => once(socket, 'data'));
    for (const socket of sockets) socket.write(request());
    for (const [data] of await Promise.all(answers)) {
      const status = Number(String(data).slice(9, 12));
      counts[status] = (counts[status] ?? 0) + 1;
    }
    return counts;
  }
  const connectTo = (port: number, count: number): Promise<readonly Socket[]> =>
    Promise.all(Array.from({ length: count }, () => begin(port, '')));

  test('are none while calls take no time', async () => {
    const { port } = await start({ depth: 64, timeout: 60_000, clock: () => 0 });
    const sockets = await connectTo(port, 200);
    for (let turn = 0; turn < 20; turn += 1) expect(await burst(sockets)).toEqual({ 200: 200 });
    for (const socket of sockets) socket.destroy();
  });

  test('are those that come during a long call', async () => {
    const waiting: Socket[] = [];
    const ended: ReturnType<typeof burst>[] = [];
    const { port } = await start({
      depth: 64,
      timeout: 60_000,
      answer: (body) => {
        if (body === 'long') {
          ended.push(burst(waiting));
          work(200);
        }
        return 'done';
      },
    });
    const [slow, ...others] = await connectTo(port, 151);
    if (!slow) throw new Error('no connection');
    // Node accepts one connection in a turn.
    expect(await burst(others)).toEqual({ 200: 150 });
    waiting.push(...others);
    slow.write(request('long'));
    await once(slow, 'data');
    expect(await ended[0]).toEqual({ 200: 64, 503: 86 });
    expect(await burst([slow])).toEqual({ 200: 1 });
    for (const socket of [slow, ...others]) socket.destroy();
  });
});

describe('stopping', () => {
  test('answers requests that have arrived, disconnects other clients, and accepts nothing new', async () => {
    const { server, port } = await start({ timeout: 30_000 });
    const idle = await begin(port, request());
    const half = await begin(port, request().slice(0, -1));
    const sockets = await Promise.all(Array.from({ length: 4 }, () => begin(port, request('60').slice(0, -1))));
    for (const socket of sockets) socket.write('0');
    const watched = sockets.map((socket) => watch(socket, 0));
    await untilRead();
    // By now the first request is answered, and others wait for their turn.
    const stopped = server.stop();
    const ends = await Promise.all(watched);
    expect(ends.every(({ isClosed }) => isClosed)).toBe(true);
    const answered = ends.filter(({ replies: [reply] }) => reply?.status === 200);
    expect(answered.length).toBeGreaterThan(0);
    expect(await watch(half, 0)).toMatchObject({ replies: [], isClosed: true });
    expect((await watch(idle, 0)).isClosed).toBe(true);
    await stopped;
    expect(await exchange(port, request(), { least: 0 })).toMatchObject({ replies: [], isClosed: true });
  });

  test('waits for a reader of a long answer, or disconnects it', async () => {
    const long = 'x'.repeat(20_000_000);
    for (const isPatient of [true, false]) {
      const { server, port } = await start({ timeout: 30_000, answer: () => long });
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).pause();
      socket.write(request());
      await sleep(100);
      const stopped = server.stop();
      await expect(Promise.race([stopped, sleep(100, 'waiting')])).resolves.toBe('waiting');
      if (isPatient) {
        expect((await watch(socket, 0)).replies[0]?.body).toHaveLength(long.length);
      } else {
        server.cutOff();
      }
      await stopped;
      socket.destroy();
    }
  });
});

describe('countersign serve', () => {
  const ask = (port: number, login: string, body: string) => exchange(port, rawRequest({ login, body }));

  test('stops at a signal, and removes its cookie', async () => {
    const server = await startServe();
    expect((await ask(server.port, server.cookie(), CALL)).replies[0]?.status).toBe(200);
    server.requestStop();
    expect(await server.ended).toBe(0);
    expect(() => server.cookie()).toThrow('ENOENT');
    await server.close();
  });

  test('stops properly even if its standard error is closed', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'countersign-unheard-'));
    const server = await startServeProcess(directory, ['--network', 'regtest']);
    expect(await server.stopUnheard()).toBe(0);
    expect(readdirSync(directory)).toEqual(['wallet.sqlite']);
    rmSync(directory, { recursive: true, force: true });
  });

  test.each([
    ['{"id":1,"method":"stop"}', '{"result":"Bitcoin Core stopping","error":null,"id":1}\n'],
    [
      '[{"id":1,"method":"stop"},{"id":2,"method":"stop"}]',
      '[{"result":"Bitcoin Core stopping","error":null,"id":1},{"result":"Bitcoin Core stopping","error":null,"id":2}]\n',
    ],
  ])('stops after it has answered %s', async (body, wanted) => {
    const server = await startServe();
    const { replies, isClosed } = await ask(server.port, server.cookie(), body);
    expect(replies[0]).toMatchObject({ status: 200, body: wanted, headers: { connection: 'close' } });
    expect(isClosed).toBe(true);
    expect(await server.ended).toBe(0);
    await server.close();
  });

  test('does not stop for a "stop" with parameters, or from a client that may not call it', async () => {
    const server = await startServe();
    expect((await ask(server.port, server.cookie(), '{"method":"stop","params":[1,2]}')).replies[0]?.status).toBe(500);
    expect((await ask(server.port, 'x:y', '{"method":"stop"}')).replies[0]?.status).toBe(401);
    expect((await ask(server.port, server.cookie(), CALL)).replies[0]?.status).toBe(200);
    await server.close();
  });

  test('answers 200 clients at once, each with its own answer', async () => {
    const server = await startServe(['--rpcworkqueue', '1000']);
    const login = server.cookie();
    const ids = Array.from({ length: 200 }, (_, id) => id);
    const answers = await Promise.all(
      ids.map(async (id) => (await ask(server.port, login, CALL.replace('"id":1', `"id":${id}`))).replies[0]?.body),
    );
    expect(answers.map((answer) => JSON.parse(answer ?? '').id)).toEqual(ids);
    await server.close();
  });
});
