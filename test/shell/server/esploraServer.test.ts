import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { chooseEndpoints, withPort } from '../../../src/shell/server/endpoints.ts';
import { listenEsplora } from '../../../src/shell/server/esploraServer.ts';
import { openStore } from '../../../src/shell/store/openStore.ts';
import { blocksAfter, GENESIS, type MadeBlock } from '../../support/blocks.ts';
import { makeEsploraWorld } from '../../support/esplora.ts';
import { change, openNode, submit } from '../../support/feeding.ts';
import { run } from '../../support/io.ts';
import { parseHex } from '../../support/library.ts';
import { exchange } from '../../support/rawHttp.ts';
import { type RunningServe, startServe } from '../../support/server.ts';
import { temporaryPaths } from '../../support/temporary.ts';
import { hexOf, idOf } from '../../support/walletWorld.ts';

const running: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of running.splice(0)) await close();
});

const world = makeEsploraWorld();
const directories = temporaryPaths();
const LOGIN = `a:b$${'0'.repeat(64)}`;

const headersOf = (blocks: readonly MadeBlock[]): readonly Uint8Array[] =>
  blocks.map(({ hex }) => parseHex(hex.slice(0, 160)));

async function start(cors?: string) {
  const { url, close } = await listenEsplora(world.rpc, cors === undefined ? {} : { cors });
  running.push(close);
  return url;
}

/** Sends a request with headers that `fetch` does not let a program set. */
async function ask(url: string, headers: Readonly<Record<string, string>>, method = 'GET') {
  const sent = request(url, { method, headers });
  sent.end();
  const [reply] = (await once(sent, 'response')) as [import('node:http').IncomingMessage];
  let body = '';
  for await (const piece of reply.setEncoding('utf8')) body += piece;
  return { status: reply.statusCode, headers: reply.headers, body };
}

describe('listenEsplora', () => {
  test('answers over HTTP on a free port of this machine', async () => {
    const url = await start();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:[0-9]+$/);
    const height = await fetch(`${url}/blocks/tip/height`);
    expect([height.status, await height.text()]).toEqual([200, '112']);
    expect(Object.fromEntries(height.headers)).toMatchObject({
      'content-type': 'text/plain',
      'content-length': '3',
      'cache-control': 'no-store',
    });
    expect(height.headers.has('access-control-allow-origin')).toBe(false);
    const tx = await fetch(`${url}/tx/${idOf(world.fan)}`);
    expect(tx.headers.get('content-type')).toBe('application/json');
    expect(await tx.json()).toMatchObject({ txid: idOf(world.fan) });
    const raw = await fetch(`${url}/tx/${idOf(world.fan)}/raw`);
    expect(raw.headers.get('content-type')).toBe('application/octet-stream');
    expect(new Uint8Array(await raw.arrayBuffer())).toEqual(parseHex(hexOf(world.fan)));
    const missing = await fetch(`${url}/nope`);
    expect([missing.status, await missing.text()]).toEqual([404, 'endpoint does not exist "/nope"']);
  });

  test('answers others while hundreds of clients never finish what they send, and says so to these', async () => {
    const url = await start();
    const port = Number(new URL(url).port);
    const before = process.memoryUsage();
    const half = `POST /tx HTTP/1.1\r\nHost: localhost\r\nContent-Length: 999999\r\n\r\n${'0'.repeat(999_000)}`;
    const clients = Array.from({ length: 200 }, () => {
      const socket = connect(port, '127.0.0.1');
      let reply = '';
      socket.setEncoding('latin1').on('data', (text: string) => {
        reply += text;
      });
      const closed = once(socket, 'close').then(() => reply);
      socket.on('error', () => undefined);
      socket.write(half);
      return { socket, closed };
    });
    for (let i = 0; i < 20; i++) {
      const posted = await fetch(`${url}/tx`, { method: 'POST', body: '0'.repeat(100_000) });
      expect(posted.status).toBe(400);
      expect(await (await fetch(`${url}/blocks/tip/height`)).text()).toBe('112');
    }
    // Eight of the largest size may be on their way.
    const replies = await Promise.all(
      clients.map(({ closed }, i) => Promise.race([closed, i < 150 ? closed : sleep(300).then(() => undefined)])),
    );
    const refused = replies.filter((reply) => reply !== undefined);
    expect(refused.length).toBeGreaterThanOrEqual(190);
    for (const reply of refused) {
      expect(reply).toMatch(
        /^HTTP\/1.1 503 .*\r\nConnection: close\r\n.*\r\n\r\nToo many unfinished requests: send this one again$/s,
      );
    }
    const after = process.memoryUsage();
    // Half of what the clients sent: on a busy machine, some of what was dropped is not collected yet.
    expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(100e6);
    for (const { socket } of clients) socket.destroy();
  });

  test('takes a transaction, and refuses large bodies and other methods', async () => {
    const url = await start();
    const post = async (body: string | Uint8Array<ArrayBuffer>, method = 'POST') => {
      const reply = await fetch(`${url}/tx`, { method, body });
      return [reply.status, await reply.text()];
    };
    expect(await post(hexOf(world.pooled[0]))).toEqual([200, idOf(world.pooled[0])]);
    expect((await post('00'))[0]).toBe(400);
    expect(await post('0'.repeat(1_000_001))).toEqual([413, 'Request body too large']);
    expect(await post(Uint8Array.of(0xff))).toEqual([400, 'The body is not valid UTF-8']);
    expect((await post('00', 'PUT'))[0]).toBe(404);
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(404);
  });

  test('keeps a connection, and answers its requests in order', async () => {
    const url = await start();
    const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
    const sent = ['/blocks/tip/height', '/x', '/block-height/0'].map(get).join('');
    const { replies, isClosed } = await exchange(Number(new URL(url).port), sent, { least: 3 });
    expect(replies.map(({ status }) => status)).toEqual([200, 404, 200]);
    expect(isClosed).toBe(false);
  });

  test('stops while clients are connected', async () => {
    const { url, close } = await listenEsplora(world.rpc, { port: 0 });
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    await once(socket, 'connect');
    // The server may close it with a reset.
    socket.on('error', () => undefined);
    socket.write('GET / HT');
    await close();
    await new Promise((resolve) => socket.resume().once('close', resolve));
    await expect(fetch(url)).rejects.toThrow();
  });

  test('refuses a chain without all transactions', async () => {
    const rpc = openNode();
    change(rpc, { type: 'headers', headers: headersOf(blocksAfter(GENESIS, 1)) });
    await expect(listenEsplora(rpc)).rejects.toThrow('The chain lacks the transactions of block 1');
  });
});

describe('a web page', () => {
  const PAGE = 'http://localhost:5173';

  test('may not use it, unless its origin is allowed', async () => {
    const closed = `${await start()}/blocks/tip/height`;
    expect(await ask(closed, { Origin: PAGE })).toMatchObject({
      status: 403,
      body: expect.stringMatching(/^Requests with an Origin/),
    });
    expect((await ask(closed, { Origin: PAGE }, 'OPTIONS')).status).toBe(403);
    const open = `${await start(PAGE)}/blocks/tip/height`;
    expect(await ask(open, { Origin: PAGE })).toMatchObject({
      status: 200,
      headers: { 'access-control-allow-origin': PAGE },
      body: '112',
    });
    expect(await ask(open, { Origin: `${PAGE}0` })).toMatchObject({ status: 403 });
    expect(await ask(open, {})).toMatchObject({ status: 200 });
  });

  test('of any origin may use it where all are allowed, also to send JSON', async () => {
    const url = `${await start('*')}/txs/package`;
    expect(await ask(url, { Origin: 'null' })).toMatchObject({
      status: 404,
      headers: { 'access-control-allow-origin': '*' },
    });
    expect(await ask(url, { Origin: PAGE, 'Access-Control-Request-Method': 'POST' }, 'OPTIONS')).toMatchObject({
      status: 204,
      headers: {
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET, POST',
        'access-control-allow-headers': 'Content-Type',
      },
    });
  });

  test.each(['', 'x', 'localhost:1', 'http://', 'http://a/b', 'http://a\r\nX: y', 'ftp://a'])(
    'cannot have the origin "%s"',
    async (cors) => {
      await expect(listenEsplora(world.rpc, { cors })).rejects.toThrow('cors must be an origin such as');
    },
  );

  test('cannot use it by a name that now leads to this machine', async () => {
    const url = `${await start('*')}/blocks/tip/height`;
    for (const Host of ['evil.example', 'evil.example:80', 'localhost.evil.example', '127.0.0.1.evil.example']) {
      expect(await ask(url, { Host })).toMatchObject({
        status: 403,
        body: 'The host must be localhost or an IP address',
      });
    }
    for (const Host of ['localhost', 'LOCALHOST:3000', 'app.localhost:3000', '127.0.0.1', '[::1]:3000', '10.0.0.1:1']) {
      expect(await ask(url, { Host })).toMatchObject({ status: 200 });
    }
  });
});

describe('serve --esplora', () => {
  const begin = async (options: readonly string[]): Promise<RunningServe> => {
    const server = await startServe(['--network', 'regtest', '--workers', '0', ...options]);
    running.push(server.close);
    return server;
  };

  test('answers both APIs from one node', async () => {
    const server = await begin(['--esplora', '0']);
    const [, url] = /^Esplora on (http:\/\/127\.0\.0\.1:[0-9]+)\/$/m.exec(server.said()) ?? [];
    const height = async (): Promise<string> => (await fetch(`${url}/blocks/tip/height`)).text();
    expect(await height()).toBe('0');
    const [block] = blocksAfter(GENESIS, 1);
    const authorization = `Basic ${Buffer.from(server.cookie()).toString('base64')}`;
    const body = JSON.stringify({ id: 1, method: 'submitblock', params: [block?.hex] });
    await fetch(`http://127.0.0.1:${server.port}/`, { method: 'POST', headers: { authorization }, body });
    expect(await height()).toBe('1');
    server.requestStop();
    expect(await server.ended).toBe(0);
    await expect(height()).rejects.toThrow();
  });

  test('listens on the addresses of --rpcbind, on each once', () => {
    const rpcbind = ['127.0.0.1', '[::1]:1', '127.0.0.1:2'];
    expect(withPort(chooseEndpoints({ rpcbind }), '7')).toEqual([
      { address: '127.0.0.1', port: 7 },
      { address: '::1', port: 7 },
    ]);
    expect(withPort(chooseEndpoints({}), '7')).toEqual([
      { address: '127.0.0.1', port: 7 },
      { address: '::1', port: 7, isOptional: true },
    ]);
  });

  test('warns that it asks other machines for no login', async () => {
    const said = (await begin(['--esplora', '0', '--rpcbind', '0.0.0.0', '--rpcallowip', '10.0.0.0/8'])).said();
    expect(said).toMatch(/^Esplora on http:\/\/0\.0\.0\.0:[0-9]+\/$/m);
    expect(said).toContain('warning: Esplora asks them for no login\n');
  });

  test('ends on a chain without all transactions', async () => {
    const directory = directories();
    const rpc = openNode(openStore(directory));
    change(rpc, { type: 'headers', headers: headersOf(blocksAfter(GENESIS, 2)) });
    rpc.close();
    const options = ['--network', 'regtest', '--dialect', 'core-32', '--wallet-dir', directory, '--workers', '0'];
    const server = ['--rpcport', '0', '--norpccookiefile', '--rpcauth', LOGIN, '--esplora', '0'];
    const { code, error } = await run(['serve', ...options, ...server]);
    expect({ code, error: error.trim().split('\n').at(-1) }).toEqual({
      code: 1,
      error: expect.stringMatching(/^error: --esplora: The chain lacks the transactions of block 1, and an index/),
    });
  });

  test('is not there unless asked for', async () => {
    expect((await begin([])).said()).not.toContain('Esplora');
  });

  test.each([
    [['--esplora', 'x'], '--esplora must be a number from 0 to 65535, not "x"'],
    [['--esplora-cors', '*'], '--esplora-cors needs --esplora'],
    [
      ['--esplora', '0', '--esplora-cors', 'x', '--rpcauth', LOGIN],
      'cors must be an origin such as http://localhost:5173, or "*" for all, not "x"',
    ],
  ])('%s is refused', async (options, said) => {
    expect(await run(['serve', '--network', 'regtest', '--rpcport', '0', ...options])).toMatchObject({
      code: 1,
      error: `error: ${said}\n`,
    });
  });
});

test('submitted blocks are there at once', async () => {
  const rpc = openNode();
  const { url, close } = await listenEsplora(rpc);
  running.push(close);
  submit(rpc, blocksAfter(GENESIS, 3));
  expect(await (await fetch(`${url}/blocks/tip/height`)).text()).toBe('3');
});
