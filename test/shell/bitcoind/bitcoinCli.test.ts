import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { convertArguments, convertNamed } from '../../../src/shell/bitcoind/cliArguments.ts';
import { run } from '../../support/io.ts';

/** What the server was asked, and answers next. */
let asked: { path: string; login: string; method: string; params: unknown }[] = [];
let replies: { status?: number; body: unknown }[] = [];
let server: Server;
let datadir = '';

beforeAll(async () => {
  datadir = mkdtempSync(join(tmpdir(), 'countersign-cli-'));
  mkdirSync(join(datadir, 'regtest'));
  writeFileSync(join(datadir, 'regtest/.cookie'), '__cookie__:abc');
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += String(chunk);
    });
    request.on('end', () => {
      const { method, params } = JSON.parse(body) as { method: string; params: unknown };
      const login = Buffer.from(request.headers.authorization?.slice(6) ?? '', 'base64').toString();
      asked.push({ path: request.url ?? '', login, method, params });
      const { status = 200, body: content } = replies.shift() ?? { body: { result: null, error: null, id: 1 } };
      response.writeHead(status).end(JSON.stringify(content));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  writeFileSync(join(datadir, 'bitcoin.conf'), `regtest=1\n[regtest]\nrpcport=${port}\nfallbackfee=1\nunknown=1\n`);
});

afterAll(() => {
  server.close();
  rmSync(datadir, { recursive: true });
});

const cli = (argv: readonly string[], stdin = '') => {
  asked = [];
  return run(['bitcoin-cli', `-datadir=${datadir}`, ...argv], { stdin });
};

const answer = (result: unknown): void => {
  replies = [{ body: { result, error: null, id: 1 } }];
};

describe('countersign bitcoin-cli', () => {
  test('calls the node of bitcoin.conf with its cookie, and prints as bitcoin-cli does', async () => {
    answer({ a: 1, b: [true, { c: 'x' }], d: [] });
    const { code, out } = await cli(['-rpcwallet=a b', 'getblock', 'ff', '2']);
    expect([code, out]).toEqual([
      0,
      '{\n  "a": 1,\n  "b": [\n    true,\n    {\n      "c": "x"\n    }\n  ],\n  "d": [\n  ]\n}\n',
    ]);
    expect(asked).toEqual([{ path: '/wallet/a%20b', login: '__cookie__:abc', method: 'getblock', params: ['ff', 2] }]);
  });

  test('prints texts without quotes, and nothing for null', async () => {
    answer('text');
    expect((await cli(['help'])).out).toBe('text\n');
    answer(null);
    expect((await cli(['ping'])).out).toBe('');
  });

  test('takes a password, a passphrase and arguments from standard input', async () => {
    answer(null);
    await cli(['-rpcuser=u', '-stdinrpcpass', '-stdinwalletpassphrase', '-stdin', 'walletpassphrase'], 'p\nw\n60\n');
    expect(asked[0]).toMatchObject({ login: 'u:p', params: ['w', 60] });
  });

  test('mines blocks for a new address', async () => {
    replies = [{ body: { result: 'bcrt1', error: null } }, { body: { result: ['00'], error: null } }];
    expect(JSON.parse((await cli(['-generate', '2'])).out)).toEqual({ address: 'bcrt1', blocks: ['00'] });
    expect(asked.map(({ method, params }) => [method, params])).toEqual([
      ['getnewaddress', []],
      ['generatetoaddress', [2, 'bcrt1']],
    ]);
  });

  test('prints errors of the node, whose code is the exit code', async () => {
    replies = [{ status: 500, body: { result: null, error: { code: -8, message: 'wrong' }, id: 1 } }];
    expect(await cli(['getblockhash', '1'])).toMatchObject({
      code: 8,
      error: 'error code: -8\nerror message:\nwrong\n',
    });
  });

  test.each([
    [['-rpcport=1', 'help'], 'error: timeout on transient error: Could not connect to the server 127.0.0.1:1'],
    [['-rpcport=0', 'help'], 'error: Invalid port provided in -rpcport: 0'],
    [['-rpcconnect=[::1]:x', 'help'], 'error: Invalid port provided in -rpcconnect: [::1]:x'],
    [['-netinfo'], 'error: -netinfo is not served by countersign: there are no peers'],
    [['-foo'], 'Error parsing command line arguments: Invalid parameter -foo'],
    [[], 'error: too few parameters (need at least command)'],
    [['getblockhash', 'x'], 'error: Error parsing JSON: x'],
  ])('%j', async (argv, said) => {
    const { code, error } = await cli(argv);
    expect([code, error.slice(0, said.length)]).toEqual([1, said]);
  });
});

describe('arguments', () => {
  const values = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

  test('are JSON, unless a parameter is a text', () => {
    expect(values(convertArguments('getnewaddress', ['1', 'bech32']))).toEqual({
      type: 'array',
      items: [
        { type: 'string', value: '1' },
        { type: 'string', value: 'bech32' },
      ],
    });
  });

  test('are named where the name is one of the method', () => {
    const label = { type: 'string', value: 'a=b' };
    expect(convertNamed('getnewaddress', ['a=b'])).toEqual({
      type: 'object',
      members: [['args', { type: 'array', items: [label] }]],
    });
    expect(convertNamed('getnewaddress', ['label=a=b'])).toEqual({ type: 'object', members: [['label', label]] });
  });
});
