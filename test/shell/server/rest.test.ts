import { afterAll, describe, expect, test } from 'vitest';
import { startRegtest } from '../../../src/shell/regtest/startRegtest.ts';
import { createRest } from '../../../src/shell/server/rest.ts';
import { openNode } from '../../support/feeding.ts';
import { createMemoryStore, type DialectName } from '../../support/library.ts';
import { exchange, rawRequest } from '../../support/rawHttp.ts';
import { startServe } from '../../support/server.ts';

const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

/** Starts a node of a release; returns its port. */
async function listen(dialect: DialectName, rest = true): Promise<number> {
  const chain = startRegtest({ dialect });
  closing.push(chain.close);
  const { url } = await chain.listen({ rest });
  return Number(new URL(url).port);
}

const ports = { 'core-31': await listen('core-31'), 'core-32': await listen('core-32') } as const;
type Release = keyof typeof ports;

async function reply(release: Release, parts: Parameters<typeof rawRequest>[0]) {
  const { replies, isClosed } = await exchange(ports[release], rawRequest(parts));
  const { status = 0, headers = {}, body = '' } = replies[0] ?? {};
  return {
    status,
    type: headers['content-type'],
    cache: headers['cache-control'],
    length: headers['content-length'],
    body,
    isClosed,
  };
}

const get = (release: Release, path: string) => reply(release, { method: 'GET', path });

describe('REST over HTTP', () => {
  test('needs no login, and keeps the connection', async () => {
    const { body, ...rest } = await get('core-31', '/rest/chaininfo.json');
    expect(rest).toMatchObject({ status: 200, type: 'application/json', cache: undefined, isClosed: false });
    expect(JSON.parse(body)).toMatchObject({ chain: 'regtest' });
  });

  test('sends bytes as they are', async () => {
    const { type, length, body } = await get('core-32', '/rest/blockhashbyheight/0.bin');
    const hash = '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206';
    expect({ type, length }).toEqual({ type: 'application/octet-stream', length: '32' });
    expect(Buffer.from(body, 'latin1').reverse().toString('hex')).toBe(hash);
  });

  test('takes outputs in the body of a POST, also in bytes that are no text', async () => {
    const body = `\u0001\u0001${'\u00ff'.repeat(32)}\0\0\0\0`;
    const { status, length } = await reply('core-32', {
      path: '/rest/getutxos.bin',
      headers: ['Content-Length: 38'],
      hasNoLength: true,
      body,
    });
    expect({ status, length }).toEqual({ status: 200, length: String(4 + 32 + 2 + 1) });
  });

  test('repeats the bytes of a wrong path', async () => {
    expect(await get('core-32', '/rest/tx/%C3%A9.json')).toMatchObject({
      status: 400,
      type: 'text/plain',
      cache: 'no-store',
      body: 'Invalid hash: %C3%A9\r\n',
    });
  });

  test.each([
    ['core-31', undefined],
    ['core-32', 'no-store'],
  ] as const)('%s knows no other path', async (release, cache) => {
    for (const path of ['/rest', '/rest/', '/rest/tx', '/rest/does-not-exist', '/rest?x=1']) {
      expect(await get(release, path)).toMatchObject({ status: 404, cache, body: '', isClosed: false });
    }
  });

  test('refuses web pages, also those whose name has become that of this machine', async () => {
    const path = '/rest/chaininfo.json';
    const page = { method: 'GET', path, headers: ['Origin: http://example.com'] };
    expect(await reply('core-31', page)).toMatchObject({ status: 403 });
    const { replies } = await exchange(ports['core-31'], `GET ${path} HTTP/1.1\r\nHost: example.com\r\n\r\n`);
    expect(replies[0]?.status).toBe(403);
  });

  test('is off by default', async () => {
    const port = await listen('core-31', false);
    const { replies } = await exchange(port, rawRequest({ method: 'GET', path: '/rest/chaininfo.json' }));
    expect(replies[0]?.status).toBe(404);
  });
});

test('a failure of the node is a reply, which ends the connection', () => {
  const node = openNode(createMemoryStore(), 'core-32');
  const inContext = (): never => {
    throw new Error('secret');
  };
  const { answerPublic } = createRest({ ...node, inContext });
  expect(answerPublic({ path: '/rest/chaininfo.json', body: new Uint8Array() })).toMatchObject({
    status: 500,
    body: 'Internal error',
    cacheControl: 'no-store',
    isLast: true,
  });
});

describe('serve --rest', () => {
  test('answers both from one node, and warns if other machines may ask', async () => {
    const open = ['--rpcbind', '0.0.0.0', '--rpcallowip', '10.0.0.0/8'];
    const server = await startServe(['--network', 'regtest', '--workers', '0', '--rest', ...open]);
    closing.push(server.close);
    const info = await fetch(`http://127.0.0.1:${server.port}/rest/chaininfo.json`);
    expect(await info.json()).toMatchObject({ chain: 'regtest', blocks: 0 });
    expect(server.said()).toContain('warning: REST asks them for no login\n');
  });
});
