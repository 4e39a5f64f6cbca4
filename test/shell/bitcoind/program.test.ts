import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { runCommand } from '../../../src/shell/cli/command.ts';
import { freePort } from '../../support/freePort.ts';
import { fakeWorld, run } from '../../support/io.ts';

const home = mkdtempSync(join(tmpdir(), 'countersign-bitcoind-'));
afterAll(() => rmSync(home, { recursive: true }));

let count = 0;
let datadir = '';
beforeEach(() => {
  count += 1;
  datadir = join(home, String(count));
  mkdirSync(datadir);
});

interface Bitcoind {
  readonly call: (method: string, params?: unknown, path?: string) => Promise<unknown>;
  readonly url: string;
  readonly directory: string;
  readonly log: () => string;
  /** Resolves with the exit code. */
  readonly ended: Promise<number>;
  readonly said: () => string;
  readonly requestStop: () => void;
}

/** Starts a node on regtest in the data directory of the test. */
const start = (...options: readonly string[]): Promise<Bitcoind> => startIn({}, ...options);

async function startIn(
  environment: Readonly<Record<string, string>>,
  ...options: readonly string[]
): Promise<Bitcoind> {
  const port = await freePort();
  const world = fakeWorld({ environment });
  const io = { ...world.io, now: () => performance.now(), unixTime: () => Date.now() / 1000 };
  const argv = ['bitcoind', '-regtest', `-datadir=${datadir}`, `-rpcport=${port}`, '-printtoconsole=0', ...options];
  const ended = runCommand(argv, '0.0.0-test', io);
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  const directory = join(datadir, 'regtest');
  const log = (): string =>
    existsSync(join(directory, 'debug.log')) ? readFileSync(join(directory, 'debug.log'), 'utf8') : '';
  const before = log().length;
  const lines = (): string => log().slice(before) + world.written.out;
  while (!lines().includes('init message: Done loading') && !isOver) await sleep(2);
  const login = readCookie(directory);
  const call = async (method: string, params: unknown = [], path = ''): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${port}/${path}`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(login).toString('base64')}` },
      body: JSON.stringify({ id: 1, method, params }),
    });
    const { result, error } = (await response.json()) as { result: unknown; error: { message: string } | null };
    if (error) throw new Error(error.message);
    return result;
  };
  return {
    call,
    url: `http://127.0.0.1:${port}/`,
    directory,
    log,
    ended,
    said: () => world.written.error,
    requestStop: world.requestStop,
  };
}

const readCookie = (directory: string): string => {
  const path = join(directory, '.cookie');
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
};

/** Starts a node that does not run. */
const refused = (...options: readonly string[]) => run(['bitcoind', `-datadir=${datadir}`, ...options]);

describe('countersign bitcoind', () => {
  test('answers like a node, and leaves its data directory as a node does', async () => {
    const node = await start();
    expect(await node.call('getblockchaininfo')).toMatchObject({ chain: 'regtest', blocks: 0 });
    expect(readFileSync(join(node.directory, 'bitcoind.pid'), 'utf8')).toBe(`${process.pid}\n`);
    expect(statSync(join(node.directory, '.cookie')).mode & 0o777).toBe(0o600);
    expect(await node.call('stop')).toBe('Bitcoin Core stopping');
    expect(await node.ended).toBe(0);
    expect(node.said()).toBe('');
    for (const name of ['.cookie', 'bitcoind.pid']) expect(existsSync(join(node.directory, name))).toBe(false);
    expect(node.log()).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ Bitcoin Core version v31\.0\.0/);
    expect(node.log()).toContain('Shutdown done');
  });

  test('loads at the start the wallets of load_on_startup and -wallet, and no others', async () => {
    const first = await start();
    await first.call('createwallet', { wallet_name: 'kept', load_on_startup: true });
    await first.call('createwallet', { wallet_name: 'named' });
    await first.call('createwallet', { wallet_name: 'left', load_on_startup: false });
    await first.call('stop');
    await first.ended;
    const second = await start('-wallet=named');
    expect(await second.call('listwallets')).toEqual(['named', 'kept']);
    await second.call('unloadwallet', { wallet_name: 'kept', load_on_startup: false });
    await second.call('stop');
    await second.ended;
    const third = await start('-wallet=missing');
    expect(await third.call('listwallets')).toEqual([]);
    expect(third.said()).toMatch(
      /Warning: Skipping -wallet path that doesn't exist\. Failed to load database path '.+\/missing'\. Path does not exist\./,
    );
    await third.call('stop');
    await third.ended;
  });

  test.each([
    ['core-31', '', 'debug.log'],
    ['core-31', '-debuglogfile=other.log', 'other.log'],
    ['core-31', '-nodebuglogfile', undefined],
    // As litecoind 0.21.2.1 answers.
    ['core-0.21', '-nodebuglogfile', '0'],
  ])('shows the path of its log, in %s with "%s"', async (dialect, option, name) => {
    const node = await start(`-dialect=${dialect}`, '-printtoconsole', ...(option ? [option] : []));
    const logpath = name === undefined ? '' : join(node.directory, name);
    expect(await node.call('getrpcinfo')).toMatchObject({ logpath });
    expect(existsSync(logpath)).toBe(option !== '-nodebuglogfile');
    await node.call('stop');
    await node.ended;
  });

  test('answers REST requests with -rest alone, and without a login', async () => {
    const node = await start('-rest');
    const { url } = node;
    expect(await (await fetch(`${url}rest/chaininfo.json`)).json()).toEqual(await node.call('getblockchaininfo'));
    await node.call('stop');
    await node.ended;
    const silent = await start();
    expect((await fetch(`${silent.url}rest/chaininfo.json`)).status).toBe(404);
    await silent.call('stop');
    await silent.ended;
  });

  test('reads bitcoin.conf, its sections and what it includes', async () => {
    writeFileSync(join(datadir, 'bitcoin.conf'), 'regtest=1\nincludeconf=more.conf\n[regtest]\nmocktime=1700000000\n');
    writeFileSync(join(datadir, 'more.conf'), 'rpcuser=alice\nrpcpassword=secret-word\nunknown=1\n');
    const node = await start();
    expect(node.log()).toContain('Ignoring unknown configuration value unknown');
    expect(node.log()).toContain('Config file arg: rpcpassword=****');
    expect(node.log()).not.toContain('secret-word');
    await expect(node.call('getblockcount')).rejects.toThrow();
    node.requestStop();
    expect(await node.ended).toBe(0);
  });
});

describe('a node that cannot start says why', () => {
  test.each([
    ['-prunes', 'Error parsing command line arguments: Invalid parameter -prunes'],
    ['-chain=moon', 'Unknown chain moon.'],
    ['-zmqpubrawtx=tcp://127.0.0.1', "Invalid port specified in -zmqpubrawtx: 'tcp://127.0.0.1'"],
    ['-zmqpubhashtx=ipc:///tmp/x', "Invalid port specified in -zmqpubhashtx: 'ipc:///tmp/x'"],
    [
      '-loadblock=x',
      '-loadblock is not served by countersign: blocks are records of one database, not files. Leave it out, add -ignoreunserved, or start bitcoind.',
    ],
    ['-rpcport=0', "Invalid port specified in -rpcport: '0'"],
    ['-dialect=core-1', 'unknown release for -dialect "core-1"'],
    ['-acceptnonstdtxn', 'acceptnonstdtxn is not currently supported for main chain'],
    ['-conf=missing.conf', 'specified config file'],
  ])('%s', async (option, said) => {
    const { code, error } = await refused(option);
    expect(code).toBe(1);
    expect(error).toContain(`Error: `);
    expect(error).toContain(said);
  });

  test('but not an address of ZeroMQ that cannot be bound, as in a node', async () => {
    const port = await freePort();
    const bound = await start(`-zmqpubhashtx=tcp://127.0.0.1:${port}`, `-zmqpubrawtx=tcp://127.0.0.1:${port}`);
    const shown = { address: `tcp://127.0.0.1:${port}`, hwm: 1000 };
    expect(await bound.call('getzmqnotifications')).toEqual([
      { type: 'pubhashtx', ...shown },
      { type: 'pubrawtx', ...shown },
    ]);
    await bound.call('stop');
    await bound.ended;
    const unbound = await start(`-zmqpubhashtx=tcp://127.0.0.1:${port}`, '-zmqpubrawtx=foo');
    expect(await unbound.call('getzmqnotifications')).toEqual([]);
    expect(unbound.log()).toContain('[warning] Failed to bind address foo: Invalid argument.');
    await unbound.call('stop');
    expect(await unbound.ended).toBe(0);
  });

  test('unless what it cannot serve is switched off', async () => {
    const node = await start('-blocksdir=0', '-nozmqpubrawtx', '-coinstatsindex=0');
    await node.call('stop');
    expect(await node.ended).toBe(0);
  });

  test.each([
    ['-ignoreunserved', {}],
    ['-printtoconsole=0', { COUNTERSIGN_IGNORE_UNSERVED: '1' }],
  ])('unless %s with %j lets it go on without them', async (option, environment) => {
    const node = await startIn(environment, option, '-dialect=core-0.21', '-loadblock=x', '-deprecatedrpc=bumpfee');
    await node.call('stop');
    expect(await node.ended).toBe(0);
    for (const name of ['-loadblock', '-deprecatedrpc=bumpfee']) {
      expect(node.log().split(`${name} is not served by countersign`)).toHaveLength(2);
    }
    expect(node.log()).toContain(
      '-loadblock is not served by countersign: blocks are records of one database, not files. It has no effect.',
    );
  });

  test('which -ignoreunserved=0 demands, whatever the environment says', async () => {
    const world = { environment: { COUNTERSIGN_IGNORE_UNSERVED: '1' } };
    const { code, error } = await run(['bitcoind', `-datadir=${datadir}`, '-loadblock=x', '-ignoreunserved=0'], world);
    expect(code).toBe(1);
    expect(error).toContain('-loadblock is not served by countersign');
  });

  test('a second node in the same directory', async () => {
    const node = await start();
    const { error } = await refused('-regtest');
    expect(error).toBe(
      `Error: Cannot obtain a lock on directory ${node.directory}. Bitcoin Core is probably already running.\n`,
    );
    await node.call('stop');
    await node.ended;
  });
});

test('-version and -help say what answers', async () => {
  const version = await run(['bitcoind', '-version', '-dialect=core-29']);
  expect(version.out).toMatch(/^Bitcoin Core daemon version v29\.0\.0 bitcoind\n/);
  const help = await run(['bitcoind', '-help']);
  expect(help.out).toContain('-rpcport=PORT');
  expect((await run(['help', 'bitcoind'])).out).toContain('-rpcport=PORT');
});
