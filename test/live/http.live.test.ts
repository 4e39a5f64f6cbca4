import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HTTP_CASES, LOGIN, PASSWORD, RETRIED, STRICTER, USER } from '../support/httpCases.ts';
import { exchange, type Observed, observed } from '../support/rawHttp.ts';
import { type RunningServe, startServe } from '../support/server.ts';
import { hasLitecoind, type Node, startNode } from './litecoind.ts';

const NETWORK = ['--network', 'litecoin-regtest', '--dialect', 'litecoin-0.21'];
const WITH_USER = [...NETWORK, '--rpcuser', USER, '--rpcpassword-file', 'password'];
const files = { password: `${PASSWORD}\n` };

const runFile = promisify(execFile);
/** The recorded replies of the node, for runs without one; rewritten if `COUNTERSIGN_RECORD` is set. */
const RECORD = new URL('../../vectors/node/http.litecoin-0.21.json', import.meta.url);

describe.skipIf(!hasLitecoind())('our HTTP server, compared with Litecoin Core', () => {
  let node: Node;
  let ours: RunningServe;
  const recorded: Record<string, Observed> = {};
  beforeAll(async () => {
    node = await startNode([`-rpcuser=${USER}`, `-rpcpassword=${PASSWORD}`], { login: LOGIN });
    ours = await startServe(WITH_USER, { files });
  });
  afterAll(async () => {
    await ours?.close();
    await node?.stop();
    if (process.env['COUNTERSIGN_RECORD'] !== undefined)
      writeFileSync(RECORD, `${JSON.stringify(recorded, null, 1)}\n`);
  });

  test.each(Object.entries(HTTP_CASES))('%s', RETRIED, async (name, request) => {
    const [theirs, own] = await Promise.all([exchange(node.port, request), exchange(ours.port, request)]);
    recorded[name] = observed(theirs);
    expect(observed(own)).toEqual(recorded[name]);
  });

  test.each(Object.entries(STRICTER))('%s: refused by us, unlike by the node', async (_, request) => {
    const { replies, isClosed } = await exchange(ours.port, request);
    expect(replies[0]?.status).toBe(400);
    expect(isClosed).toBe(true);
  });

  describe('litecoin-cli', () => {
    const cli = async (...args: string[]): Promise<string> =>
      (await runFile('litecoin-cli', ['-regtest', '-conf=/dev/null', ...args])).stdout;

    test('authenticates with a user name and password', async () => {
      const login = [`-rpcuser=${USER}`, `-rpcpassword=${PASSWORD}`];
      const answer = await cli(`-rpcport=${ours.port}`, ...login, 'decodescript', '6a');
      expect(answer).toBe(await cli(`-rpcport=${node.port}`, ...login, 'decodescript', '6a'));
      expect(JSON.parse(answer)).toMatchObject({ asm: 'OP_RETURN' });
    });

    test('authenticates with a cookie, shows errors, and stops the server', async () => {
      const server = await startServe(NETWORK);
      const ask = (...args: string[]): Promise<string> =>
        cli(`-rpcport=${server.port}`, `-rpccookiefile=${server.cookieFile}`, ...args);
      expect(JSON.parse(await ask('-rpcwallet=x', 'decodescript', '51'))).toMatchObject({ asm: '1' });
      await expect(ask('decodescript', 'zz')).rejects.toMatchObject({ code: 8 });
      await expect(ask('nope')).rejects.toMatchObject({
        code: 89,
        stderr: expect.stringContaining('Method not found'),
      });
      expect(await ask('help', 'stop')).toContain('Stops the server');
      expect(await ask('help', 'nope')).toBe('help: unknown command: nope\n');
      expect(await ask('stop')).toBe('Litecoin Core stopping\n');
      expect(await server.ended).toBe(0);
      await expect(ask('stop')).rejects.toMatchObject({ code: 1 });
      await server.close();
    });
  });
});
