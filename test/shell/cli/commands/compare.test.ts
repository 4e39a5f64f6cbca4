import { afterEach, describe, expect, test } from 'vitest';
import { serveFake } from '../../../support/fakeNode.ts';
import { type Run, run } from '../../../support/io.ts';
import { dialects } from '../../../support/library.ts';
import { type RunningServe, startServe } from '../../../support/server.ts';

const RELEASES = Object.keys(dialects).filter((name) => name !== 'documented');
const REGTEST = ['--network', 'regtest'];
/** A key of these tests only. */
const KEY = 'cMahea7zqjxrtgAbB7LSGbcQUr1uX1ojuat9jZodMN87JcbXMTcA';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function serve(dialect: string): Promise<RunningServe> {
  const server = await startServe([...REGTEST, '--dialect', dialect]);
  closers.push(server.close);
  return server;
}

const compare = (server: RunningServe, argv: readonly string[] = [], calls = ''): Promise<Run> =>
  run(['compare', '--url', `http://127.0.0.1:${server.port}`, '--cookie', 'cookie', ...REGTEST, ...argv], {
    files: { cookie: server.cookie(), calls },
  });

/** Compares with a server that gives one answer, and returns the bodies of the requests, too. */
async function compareFixed(answer: string, argv: readonly string[], calls: string) {
  const bodies: string[] = [];
  const { url, close } = await serveFake((_, body, response) => {
    bodies.push(body);
    response.writeHead(200).end(answer);
  });
  closers.push(close);
  return { ...(await run(['compare', '--url', url, ...REGTEST, ...argv], { files: { calls } })), bodies };
}

describe('a node of each release', () => {
  test.each(RELEASES)('is recognized: %s', async (dialect) => {
    const { code, out, error } = await compare(await serve(dialect));
    expect({ code, error }).toEqual({ code: 0, error: '' });
    expect(out).toContain(`\n${dialect}: 26 of 26 alike\n`.slice(dialect === RELEASES[0] ? 1 : 0));
    expect(out.trimEnd().split('\n').at(-1)).toBe(`The node answers as ${dialect}.`);
  });
});

describe('a node of another release than --dialect', () => {
  test('differs where the texts part, and is named', async () => {
    const { code, out } = await compare(await serve('core-31'), ['--dialect', 'core-32']);
    expect(code).toBe(1);
    expect(out).toContain(
      [
        '{"id":7,"method":"createpsbt","params":[[],[{"data":"00"}]]}',
        '  node: {"result":"cHNidP8BABYCAAAAAAEAAAAAAAAAAANqAQAAAAAAAAA=","error":null,"id":7}',
        '  ours: {"result":"cHNidP8BAgQCAAAAAQMEAAAAAAEEAQABBQEBAfsEAgAAAAABAwgAAAAAAAAAAAEEA2oBAAA=","erro...',
      ].join('\n'),
    );
    expect(out).toContain('\nThe node answers as core-31.\n');
  });

  test('is compared by another name of its release', async () => {
    expect((await compare(await serve('core-31'), ['--dialect', 'core'])).code).toBe(0);
  });
});

describe('calls of a file', () => {
  test('are answered in their order, by a node in memory, and may be recorded lines', async () => {
    const calls = [
      '{"method":"createwallet","params":["a",true]}',
      '',
      '{"label":"x","method":"listwallets","result":["b"]}',
      '{"method":"getblockcount","params":{}}',
    ].join('\n');
    const { code, out } = await compare(await serve('core-30'), ['calls', '--dialect', 'core-30'], calls);
    expect(code).toBe(0);
    expect(out).toContain('core-30: 3 of 3 alike\n');
  });

  test('are not sent with private keys or passwords, unless --with-keys allows it', async () => {
    const calls = [
      '{"method":"decodescript","params":["6a"]}',
      `{"method":"getdescriptorinfo","params":["wpkh(${KEY})"]}`,
      '{"method":"walletpassphrase","params":["open sesame",10]}',
      '{"method":"migratewallet","params":["w","open sesame"]}',
    ].join('\n');
    const fixed = await compareFixed('{"result":1,"error":null,"id":0}', ['calls'], calls);
    expect(fixed.bodies).toEqual(['{"id":0,"method":"decodescript","params":["6a"]}']);
    expect(fixed.out).toContain('\n3 not sent, since they may hold secrets or call methods that are not here');
    const sent = await compareFixed('{"result":1,"error":null,"id":0}', ['calls', '--with-keys'], calls);
    expect(sent.bodies).toHaveLength(4);
    expect(sent.code).toBe(1);
    expect(sent.out).toContain('\nThe node is none of these; the closest is core-0.21 or ');
    expect(sent.out).not.toContain(KEY);
    expect(sent.out).not.toContain('sesame');
  });

  test.each([
    '{"args":["open sesame",10]}',
    '{"passphrase":"open sesame","timeout":10}',
    '{"pasphrase":"open sesame","timeout":10}',
    '["open sesame"]',
  ])('are not sent with a passphrase, however it is passed: %s', async (params) => {
    const calls = `{"method":"walletpassphrase","params":${params}}`;
    const { bodies, out, error } = await compareFixed('{}', ['calls'], calls);
    expect(bodies).toEqual([]);
    expect(error).toContain('FILE has no calls to send: all 1 may hold secrets or call methods that are not here');
    expect(out + error).not.toContain('sesame');
  });

  test('whose answer holds a private key are not shown', async () => {
    const answer = `{"result":"${KEY}","error":null,"id":0}`;
    const { out } = await compareFixed(answer, ['calls'], '{"method":"decodescript","params":["6a"]}');
    expect(out).toContain('node: (not shown: it may hold a secret)\n');
    expect(out).not.toContain(KEY);
  });
});

describe('an invalid command line', () => {
  const NODE = '--url http://127.0.0.1:39999';
  test.each([
    ['', 'compare needs a node: --url http://127.0.0.1:18443'],
    ['--url 127.0.0.1:18443', '--url needs a URL such as http://127.0.0.1:8332'],
    ['--url http://a:secret@127.0.0.1', '--url contains a name or password, which others can read: use --cookie'],
    ['--url http://node.example:8332', '--url names another machine, which would see the calls: add --remote'],
    [`${NODE} --dialect core-33`, 'unknown dialect "core-33"'],
    [`${NODE} --dialect documented`, 'no node answers as documented: --dialect takes core-0.21'],
    [`${NODE} --cooki x`, 'unknown option --cooki; did you mean --cookie?'],
    [`${NODE} --with-key`, 'unknown option --with-key; did you mean --with-keys?'],
    [`${NODE} --password-file x`, '--password-file needs --user'],
    [`${NODE} bad`, 'FILE: line 2 is not a call such as {"method": "decodescript", "params": ["6a"]}'],
    [`${NODE} missing`, 'FILE: cannot read missing: no such file'],
    [`${NODE} a b`, 'compare takes one file of calls at most'],
    [`${NODE} binary`, 'FILE: the calls are not UTF-8 text'],
    [`${NODE} blank`, 'FILE has no calls'],
    [NODE, 'cannot reach the node at http://127.0.0.1:39999: connection refused'],
  ])('%s', async (argv, said) => {
    const files = {
      bad: '{"method":"help"}\n{"params":[]}\n',
      binary: Uint8Array.of(0xc0, 0x80),
      blank: '\n\n',
    };
    const { code, error } = await run(['compare', ...argv.split(' ').filter(Boolean)], { files });
    expect(code).toBe(1);
    expect(error).toContain(said);
    expect(error).not.toContain('secret');
  });
});
