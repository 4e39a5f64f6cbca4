import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { networks } from '../../../src/core/network/networks.ts';
import { atPorts, chooseEndpoints } from '../../../src/shell/server/endpoints.ts';
import { createWhitelist } from '../../../src/shell/server/serveOptions.ts';
import { run } from '../../support/io.ts';
import { exchange, rawRequest } from '../../support/rawHttp.ts';
import { startServe } from '../../support/server.ts';

const CALL = '{"id":1,"method":"decodescript","params":["6a"]}';
const SALTED = 'rt:93648e835a54c573682c2eb19f882535$7681e9c5b74bdd85e78166031d2058e1069b3ed7ed967c93fc63abba06f31144';
const USER = ['--rpcuser', 'alice', '--rpcpassword-file', 'password'];
const files = { password: 'secret\n', empty: '\n', binary: Uint8Array.of(0xff) };

describe('an invalid command line', () => {
  const rows: readonly (readonly [argv: string, said: string])[] = [
    ['--rprport 1', 'unknown option --rprport; did you mean --rpcport?'],
    ['--rpcusr a', 'unknown option --rpcusr; did you mean --rpcuser?'],
    ['--rpcpassword secret', 'unknown option --rpcpassword; did you mean --rpcpassword-file?'],
    ['--rpcpassword=secret', 'unknown option --rpcpassword; did you mean --rpcpassword-file?'],
    ['--rpcpasswordfile x', 'unknown option --rpcpasswordfile; did you mean --rpcpassword-file?'],
    ['--rpcaut x', 'unknown option --rpcaut; did you mean --rpcauth?'],
    ['--rpccokiefile x', 'unknown option --rpccokiefile; did you mean --rpccookiefile?'],
    ['--norpccokiefile', 'unknown option --norpccokiefile; did you mean --norpccookiefile?'],
    ['--rpcbin ::1', 'unknown option --rpcbin; did you mean --rpcbind?'],
    ['--rpcallowips ::1', 'unknown option --rpcallowips; did you mean --rpcallowip?'],
    ['--rpcwhitlist a:b', 'unknown option --rpcwhitlist; did you mean --rpcwhitelist?'],
    ['--rpcworkque 1', 'unknown option --rpcworkque; did you mean --rpcworkqueue?'],
    ['--rpcserverimeout 1', 'unknown option --rpcserverimeout; did you mean --rpcservertimeout?'],
    ['--rpcport x', '--rpcport must be a number from 0 to 65535, not "x"'],
    ['--rpcport 65536', '--rpcport must be a number from 0 to 65535, not "65536"'],
    ['--rpcport=-1', '--rpcport must be a number from 0 to 65535, not "-1"'],
    ['--rpcport=1e3', '--rpcport must be a number from 0 to 65535, not "1e3"'],
    ['--rpcworkqueue 0', '--rpcworkqueue must be a number from 1 to 100000, not "0"'],
    ['--rpcservertimeout 0', '--rpcservertimeout must be a number from 1 to 86400, not "0"'],
    ['--rpcbind localhost', '--rpcbind needs an IP address, not "localhost"'],
    ['--rpcbind 127.0.0.1:x', '--rpcbind must be a number from 0 to 65535, not "x"'],
    [
      '--rpcbind 0.0.0.0',
      '--rpcbind 0.0.0.0 is reachable from other machines, without encryption: name the allowed clients with --rpcallowip',
    ],
    ['--rpcallowip 10.0.0.1', '--rpcallowip needs --rpcbind: without it, only this machine can connect'],
    [
      '--rpcbind :: --rpcallowip nobody',
      '--rpcallowip needs an IP address or a network such as 10.0.0.0/8, not "nobody"',
    ],
    ['--rpcauth secret', "--rpcauth must be USER:SALT$HASH, as printed by Bitcoin Core's share/rpcauth/rpcauth.py"],
    ['--rpcwhitelist alice', '--rpcwhitelist must be USER:METHOD,METHOD'],
    ['--norpccookiefile', 'no client could log in: --norpccookiefile needs --rpcuser or --rpcauth'],
    [
      '--norpccookiefile --rpccookiefile x',
      '--norpccookiefile and --rpccookiefile contradict each other: give only one of them',
    ],
    ['--rpcpassword-file password', '--rpcpassword-file needs --rpcuser'],
    ['--rpcuser alice', '--rpcuser needs a password: use --rpcpassword-file, or set COUNTERSIGN_RPCPASSWORD'],
    ['--rpcuser a:b --rpcpassword-file password', '--rpcuser needs a name without ":"'],
    ['--rpcuser= --rpcpassword-file password', '--rpcuser needs a name without ":"'],
    ['--rpcuser a --rpcpassword-file empty', 'the password is empty'],
    ['--rpcuser a --rpcpassword-file binary', '--rpcpassword-file: binary is not a line of UTF-8 text'],
    [
      '--rpcuser a --rpcpassword-file nowhere',
      '--rpcpassword-file: cannot read the file, whose name may be the password: no such file',
    ],
    [
      '--rpcuser a --rpcpassword-file password --rpccookiefile x',
      '--rpccookiefile does not apply with --rpcuser: clients log in with either a cookie or a password',
    ],
    [
      '--rpccookiefile /no/such/place --rpcport 0',
      '^error: cannot write /no/such/place: no such directory; name another file with --rpccookiefile, or use --norpccookiefile',
    ],
    [
      '--dialect core-28',
      'unknown dialect "core-28"; did you mean core-29? (known: documented, core-0.21, litecoin-0.21, core-29, core-30, core-31, core-32)',
    ],
    ['--network regtset', /^error: unknown network "regtset"; did you mean regtest\?/.source],
    ['extra', 'serve takes no arguments: requests come over HTTP'],
    ['--file password', 'serve takes no arguments: requests come over HTTP'],
  ];
  test.each(rows)('%s', async (argv, said) => {
    const { code, out, error } = await run(['serve', ...argv.split(' ')], { files });
    expect({ code, out }).toEqual({ code: 1, out: '' });
    if (said.startsWith('^')) expect(error).toMatch(new RegExp(said));
    else expect(error).toBe(`error: ${said}\n`);
    expect(error).not.toContain('secret');
  });

  test('with options of serve for another command, or the typo "sevre", is explained', async () => {
    expect((await run(['decodescript', '6a', '--rpcport', '1'])).error).toBe(
      'error: --rpcport does not apply to decodescript\n',
    );
    expect((await run(['sevre'])).error).toContain('did you mean serve?');
    expect((await run(['help', 'serve'])).out).toContain('--rpcallowip');
  });

  test('with a port in use is refused', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const address = other.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const { code, error } = await run(['serve', '--rpcport', `${port}`, ...USER], { files });
    other.close();
    expect({ code, error }).toEqual({
      code: 1,
      error: `error: cannot listen on 127.0.0.1, port ${port}: the port is already in use\n`,
    });
  });

  test('with the address of another machine is refused', async () => {
    const { error } = await run(['serve', '--rpcbind', '192.0.2.1', '--rpcallowip', '192.0.2.2', ...USER], { files });
    expect(error).toBe('error: cannot listen on 192.0.2.1, port 8332: this machine has no such address\n');
  });
});

describe('serve', () => {
  test('listens on this machine only, on the port of the network', () => {
    const ports = Object.values(networks).map((network) => atPorts(chooseEndpoints({}), network)[0]?.port);
    expect(ports).toEqual([8332, 18332, 48332, 38332, 18443, 9332, 19332, 19443]);
    expect(atPorts(chooseEndpoints({}), networks['litecoin-regtest'])).toEqual([
      { address: '127.0.0.1', port: 19443 },
      { address: '::1', port: 19443, isOptional: true },
    ]);
    expect(atPorts(chooseEndpoints({}), {})[0]?.port).toBe(8332);
  });

  test('listens on other addresses if both options allow it', () => {
    const rpcbind = ['0.0.0.0', '::', '[::1]:1', '10.0.0.1:2', '[fe80::1]'];
    expect(chooseEndpoints({ rpcport: '9', rpcbind, rpcallowip: ['10.0.0.0/8'] })).toEqual([
      { address: '0.0.0.0', port: 9 },
      { address: '::', port: 9 },
      { address: '::1', port: 1 },
      { address: '10.0.0.1', port: 2 },
      { address: 'fe80::1', port: 9 },
    ]);
    expect(chooseEndpoints({ rpcport: '9', rpcbind: ['127.0.0.2'] })).toEqual([{ address: '127.0.0.2', port: 9 }]);
  });

  test('warns when other machines can connect', async () => {
    const server = await startServe(['--rpcbind', '0.0.0.0', '--rpcallowip', '192.0.2.1']);
    await server.close();
    expect(server.said()).toContain('listening on http://0.0.0.0:');
    expect(server.said()).toContain('warning: other machines can connect, and nothing is encrypted\n');
  });
});

test('serve warns of a name in --rpcwhitelist without a login', async () => {
  const login = ['--rpcuser', 'alice', '--rpcpassword-file', 'password'];
  const list = ['--rpcwhitelist', 'alice:stop', '--rpcwhitelist', 'alcie:stop'];
  const server = await startServe([...login, ...list], { files });
  await server.close();
  expect(server.said().match(/^warning: .*$/gm)).toEqual(['warning: --rpcwhitelist: there is no login for user alcie']);
});

describe('the accepted logins', () => {
  const ask = async (port: number, login: string | undefined, body = CALL): Promise<number | undefined> =>
    (await exchange(port, rawRequest({ login, body }))).replies[0]?.status;

  test('are the cookie and those of --rpcauth', async () => {
    const server = await startServe(['--rpcauth', SALTED, '--network', 'regtest', '--arithmetic', 'noble']);
    expect(await ask(server.port, server.cookie())).toBe(200);
    expect(await ask(server.port, 'rt:cA773lm788buwYe4g4WT+05pKyNruVKjQ25x3n0DQcM=')).toBe(200);
    expect(await ask(server.port, 'rt:x')).toBe(401);
    const facts = `network regtest, dialect documented\narithmetic noble\nname and password in ${server.cookieFile}\n`;
    expect(server.said()).toContain(facts);
    await server.close();
    expect(() => server.cookie()).toThrow('ENOENT');
    expect(server.said()).not.toContain('__cookie__');
  });

  test.each([
    ['a file', { files }, ['--rpcpassword-file', 'password'], ''],
    ['the environment', { environment: { COUNTERSIGN_RPCPASSWORD: 'secret' } }, [], ''],
    ['a prompt', { typed: ['secret'] }, [], 'Password (not shown): \n'],
  ])('include --rpcuser with its password from %s', async (_, input, options, asked) => {
    const server = await startServe(['--rpcuser', 'alice', ...options], input);
    expect(await ask(server.port, 'alice:secret')).toBe(200);
    expect(await ask(server.port, 'alice:secret\n')).toBe(401);
    expect(await ask(server.port, undefined)).toBe(401);
    await server.close();
    expect(server.said().replace(/(?:listening|arithmetic) .*\n/g, '')).toBe(
      `${asked}network main, dialect documented\nstopping\n`,
    );
  });

  test('are limited by --rpcwhitelist: other methods get 403 without a body, even for a whole batch', async () => {
    const server = await startServe(
      ['--rpcuser', 'alice', '--rpcauth', SALTED, '--rpcwhitelist', 'alice:decodescript,stop'],
      { environment: { COUNTERSIGN_RPCPASSWORD: 'secret' } },
    );
    const reply = async (body: string) =>
      (await exchange(server.port, rawRequest({ login: 'alice:secret', body }))).replies[0];
    expect((await reply(CALL))?.status).toBe(200);
    expect(await reply('{"method":"decodepsbt"}')).toMatchObject({ status: 403, body: '' });
    expect(await reply(`[${CALL},{"method":"decodepsbt"}]`)).toMatchObject({ status: 403, body: '' });
    expect(await reply('{"id":1}')).toMatchObject({ status: 400 });
    expect(await reply(`[1,${CALL}]`)).toMatchObject({ status: 200 });
    expect(await ask(server.port, 'rt:cA773lm788buwYe4g4WT+05pKyNruVKjQ25x3n0DQcM=')).toBe(403);
    await server.close();
  });

  test('may call only what both lists allow if they name a user twice', () => {
    const mayCall = createWhitelist(['a:x,y', 'a:y, z', 'b:']);
    expect(['x', 'y', 'z'].filter((method) => mayCall('a', method))).toEqual(['y']);
    expect(mayCall('b', 'x')).toBe(false);
    expect(mayCall('c', 'y')).toBe(false);
    expect(createWhitelist([])('c', 'y')).toBe(true);
  });
});
