import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runCommand } from '../../../../src/shell/cli/command.ts';
import { GENESIS, type MadeBlock, spend } from '../../../support/blocks.ts';
import { answerBatch, createFakeNode, type FakeNode, serveFake } from '../../../support/fakeNode.ts';
import { fakeWorld, type RunInput, run } from '../../../support/io.ts';
import { encodeTransaction, formatHex, RpcError, txid } from '../../../support/library.ts';
import { startServe } from '../../../support/server.ts';

const root = mkdtempSync(join(tmpdir(), 'countersign-sync-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let names = 0;
const newPath = (): string => {
  names += 1;
  return join(root, `${names}`);
};

const REGTEST = ['--network', 'regtest'];
const last = (blocks: readonly MadeBlock[]): MadeBlock => blocks[blocks.length - 1] ?? GENESIS;

/** Serves a node over HTTP that requires this login. */
let fake: FakeNode;
let url: string;
let login: string;
let close: () => Promise<void>;
beforeEach(async () => {
  fake = createFakeNode();
  login = '__cookie__:1234';
  ({ url, close } = await serveFake(({ headers }, body, response) => {
    const isRight = headers.authorization === `Basic ${Buffer.from(login).toString('base64')}`;
    response.writeHead(isRight ? 200 : 401).end(isRight ? answerBatch(body, fake.call) : '');
  }));
});
afterEach(() => close());

const files = { cookie: '__cookie__:1234', password: 'secret\n' };
const from = (): readonly string[] => [...REGTEST, '--from-rpc', url, '--from-cookie', 'cookie'];
const sync = (argv: readonly string[], input: RunInput = {}) => run(['sync', ...argv], { files, ...input });
const tipIn = async (directory: string): Promise<string> =>
  (await run(['getbestblockhash', ...REGTEST, '--wallet-dir', directory])).out.trim();

describe('an invalid command line', () => {
  const FROM = '--from-rpc http://127.0.0.1:1';
  const rows: readonly (readonly [argv: string, said: string])[] = [
    ['--form-rpc x', 'unknown option --form-rpc; did you mean --from-rpc?'],
    ['--from-cooky x', 'unknown option --from-cooky; did you mean --from-cookie?'],
    ['--from-password secret', 'unknown option --from-password; did you mean --from-password-file?'],
    ['--to-pasword-file x', 'unknown option --to-pasword-file; did you mean --to-password-file?'],
    ['--folow', 'unknown option --folow; did you mean --follow?'],
    ['--intervall 1', 'unknown option --intervall; did you mean --interval?'],
    ['x', 'sync takes no arguments; see "countersign help sync"'],
    ['--file x', 'sync takes no arguments; see "countersign help sync"'],
    ['', 'sync needs a source: either --from-rpc URL or --from-file FILE'],
    [`${FROM} --from-file x`, 'sync needs a source: either --from-rpc URL or --from-file FILE'],
    [FROM, 'sync needs one destination: --wallet-dir DIRECTORY, --to-rpc URL or --to-file FILE'],
    [
      `${FROM} --wallet-dir x --to-file y`,
      'sync needs one destination: --wallet-dir DIRECTORY, --to-rpc URL or --to-file FILE',
    ],
    ['--from-file x --to-file y', '--to-file needs --from-rpc'],
    ['--from-file x --wallet-dir y --follow', '--follow needs --from-rpc'],
    [`${FROM} --wallet-dir x --interval 5`, '--interval needs --follow'],
    [`${FROM} --wallet-dir x --since 5`, '--since needs --to-file'],
    ['--from-file x --wallet-dir y --start 5', '--start needs --from-rpc'],
    ['--from-file x --wallet-dir y --rescan', '--rescan needs --from-rpc'],
    [`${FROM} --to-file x --start 5`, '--start needs --wallet-dir or --wallet-store'],
    [`${FROM} --to-rpc http://127.0.0.1:1 --prune 300`, '--prune needs --wallet-dir or --wallet-store'],
    [`${FROM} --wallet-dir x --prune 287`, '--prune must be a number from 288 to 2147483647, not "287"'],
    [
      `${FROM} --wallet-dir x --start 2026-13-01`,
      '--start needs a height, a block hash, a UNIX time, or a date such as 2026-01-31',
    ],
    [`${FROM} --wallet-dir x --to-cookie y`, '--to-cookie needs --to-rpc'],
    [`${FROM} --wallet-dir x --xor-file y`, '--xor-file needs --from-file'],
    [
      `${FROM} --to-file x --since -1`.replace('--since -1', '--since=-1'),
      '--since must be a number from 0 to 2147483647, not "-1"',
    ],
    [`${FROM} --wallet-dir x --follow --interval 0`, '--interval must be a number from 1 to 86400, not "0"'],
    [`${FROM} --wallet-dir x --rpcclienttimeout x`, '--rpcclienttimeout must be a number from 1 to 300, not "x"'],
    [`${FROM} --wallet-dir x --rpcclienttimeout 301`, '--rpcclienttimeout must be a number from 1 to 300, not "301"'],
    ['--from-rpc 127.0.0.1:8332 --wallet-dir x', '--from-rpc needs a URL such as http://127.0.0.1:8332'],
    ['--from-rpc file:///secret --wallet-dir x', '--from-rpc needs a URL such as http://127.0.0.1:8332'],
    [
      '--from-rpc http://rt:secret@127.0.0.1 --wallet-dir x',
      '--from-rpc contains a name or password, which others can read: use --from-cookie, or --from-user with --from-password-file',
    ],
    [
      `${FROM} --to-rpc http://secret@127.0.0.1`,
      '--to-rpc contains a name or password, which others can read: use --to-cookie, or --to-user with --to-password-file',
    ],
    [`${FROM} --wallet-dir x --from-password-file password`, '--from-password-file needs --from-user'],
    [
      `${FROM} --wallet-dir x --from-user rt`,
      '--from-user needs a password: use --from-password-file, or set COUNTERSIGN_FROM_PASSWORD',
    ],
    [`${FROM} --wallet-dir x --from-user a:b`, '--from-user needs a name without ":"'],
    [
      `${FROM} --wallet-dir x --from-user a --from-cookie cookie`,
      '--from-cookie and --from-user contradict each other: give only one of them',
    ],
    [`${FROM} --wallet-dir x --from-cookie nowhere`, '--from-cookie: cannot read nowhere: no such file'],
    [`${FROM} --wallet-dir x --from-cookie password`, '--from-cookie: password is not the cookie file of a node'],
    [`${FROM} --wallet-dir x --rpcport 1`, '--rpcport does not apply to sync'],
  ];
  test.each(rows)('%s', async (argv, said) => {
    const options = argv
      .replace(/--wallet-dir x/, `--wallet-dir ${newPath()}`)
      .split(' ')
      .filter(Boolean);
    const { code, out, error } = await sync(options);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(error).toBe(`error: ${said}\n`);
    expect(error).not.toContain('secret');
  });

  test('with options of sync for another command, or the typo "snyc", is explained, and there is help', async () => {
    expect((await run(['decodescript', '6a', '--follow'])).error).toBe(
      'error: --follow does not apply to decodescript\n',
    );
    expect((await run(['snyc'])).error).toContain('did you mean sync?');
    expect((await run(['help', 'sync'])).out).toContain('--from-password-file FILE');
    expect((await run(['help', 'node'])).out).toContain('countersign sync');
  });
});

describe('a node', () => {
  test('is read into a directory, and later from where that stopped', async () => {
    const directory = newPath();
    const chain = fake.extend(GENESIS, 120);
    fake.moveTo(last(chain));
    const coin = { txid: txid(chain[0]?.txs[0] ?? spend([])), vout: 0 };
    fake.setMempool([spend([coin])]);
    expect(await sync([...from(), '--wallet-dir', directory])).toEqual({
      code: 0,
      out: `fed 120 blocks and 1 transaction; at block 120 ${fake.tip().hash}\n`,
      error: '',
    });
    fake.calls.clear();
    fake.moveTo(last(fake.extend(fake.tip(), 1)));
    fake.setMempool([]);
    expect((await sync([...from(), '--wallet-dir', directory])).out).toBe(
      `fed 1 block and 0 transactions; at block 121 ${fake.tip().hash}; 1 transaction dropped\n`,
    );
    expect(fake.calls.get('getblock')).toBe(1);
    expect(await tipIn(directory)).toBe(fake.tip().hash);
  });

  test('gets a password from a file, the environment or a prompt', async () => {
    login = 'rt:secret';
    const argv = (): string[] => [...REGTEST, '--from-rpc', url, '--from-user', 'rt', '--wallet-dir', newPath()];
    expect(await sync([...argv(), '--from-password-file', 'password'])).toMatchObject({ code: 0 });
    expect(await sync(argv(), { environment: { COUNTERSIGN_FROM_PASSWORD: 'secret' } })).toMatchObject({ code: 0 });
    const { code, error } = await sync(argv(), { typed: ['secret'] });
    expect({ code, error }).toEqual({ code: 0, error: 'Password of rt at --from-rpc (not shown): \n' });
    expect(await sync(argv(), { environment: { COUNTERSIGN_FROM_PASSWORD: 'wrong' } })).toEqual({
      code: 1,
      out: '',
      error: `error: the node at ${url} refuses the name and password (HTTP 401)\n`,
    });
  });

  test('that is pruned, on another network or unreachable is an error; blocks fed before stay fed', async () => {
    const directory = newPath();
    const chain = fake.extend(GENESIS, 10);
    fake.moveTo(last(chain));
    const gone = chain[7]?.hash;
    const { call } = fake;
    fake = {
      ...fake,
      call: (method, params) => {
        if (method === 'getblock' && params?.[0] === gone) {
          throw new RpcError(-1, 'Block not available (pruned data)');
        }
        return call(method, params);
      },
    };
    const { code, error } = await sync([...from(), '--wallet-dir', directory]);
    expect(code).toBe(1);
    expect(error).toMatch(
      new RegExp(
        `^error: the node at ${url} is pruned: it no longer has block ${gone} \\([0-9] blocks before that were fed\\)\n$`,
      ),
    );
    expect(await tipIn(directory)).not.toBe(GENESIS.hash);
    const other = await sync([
      '--network',
      'signet',
      '--from-rpc',
      url,
      '--from-cookie',
      'cookie',
      '--wallet-dir',
      newPath(),
    ]);
    expect(other.error).toMatch(
      /^error: the node at .* is on another chain: its genesis block is 0f9188f1.*2206, that of .* is 00000008819873e9.*1ef6\n$/,
    );
    await close();
    expect(await sync([...from(), '--wallet-dir', directory])).toEqual({
      code: 1,
      out: '',
      error: `error: cannot reach the node at ${url}: connection refused\n`,
    });
  });

  test('is read with a progress line on a terminal', async () => {
    fake.moveTo(last(fake.extend(GENESIS, 12)));
    const { error } = await sync([...from(), '--wallet-dir', newPath()], { isWatched: true });
    expect(error).toMatch(/block 12 of 12 \(100 %\), [0-9]+ a second, [0-9.]+ MB\/s/);
  });
});

/** Runs sync with --follow until it is stopped. */
function follow(argv: readonly string[]) {
  const world = fakeWorld({ files });
  const ended = runCommand(['sync', ...argv, '--follow', '--interval', '1'], '0.0.0-test', world.io);
  const saying = async (text: string): Promise<void> => {
    for (let tries = 0; tries < 500; tries += 1) {
      if (`${world.written.out}${world.written.error}`.includes(text)) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error(`never said ${text}, but ${world.written.out}${world.written.error}`);
  };
  return { ...world, ended, saying };
}

describe('--follow', () => {
  test('keeps running until it is stopped', async () => {
    const directory = newPath();
    const { written, ended, saying, requestStop } = follow([...from(), '--wallet-dir', directory]);
    fake.moveTo(last(fake.extend(GENESIS, 3)));
    await saying('at block 3 ');
    const branch = fake.extend(fake.chain()[1] ?? GENESIS, 1, 'bb');
    fake.moveTo(last(branch));
    await saying('at block 2 ');
    requestStop();
    expect(await ended).toBe(0);
    expect(written.error).toBe('');
    expect(await tipIn(directory)).toBe(last(branch).hash);
  });

  test('waits for a node that is unreachable', async () => {
    const { written, ended, saying, requestStop } = follow([...from(), '--wallet-dir', newPath()]);
    await saying('at block 0 ');
    const { port } = new URL(url);
    await close();
    await saying('connection refused; trying again');
    fake.moveTo(last(fake.extend(GENESIS, 2)));
    const again = await serveFake((_, body, response) => response.end(answerBatch(body, fake.call)), Number(port));
    close = again.close;
    await saying('at block 2 ');
    requestStop();
    expect(await ended).toBe(0);
    expect(written.out.split('\n')).toHaveLength(3);
  });
});

describe('a node behind serve', () => {
  test('is fed over HTTP, and wallets follow', async () => {
    const server = await startServe([...REGTEST, '--dialect', 'core-32']);
    try {
      fake.moveTo(last(fake.extend(GENESIS, 30)));
      const to = ['--to-rpc', `http://127.0.0.1:${server.port}`, '--to-cookie', 'ours'];
      const input = { files: { ...files, ours: server.cookie() } };
      const fed = `fed 30 blocks and 0 transactions; at block 30 ${fake.tip().hash}\n`;
      expect(await sync([...from(), ...to], input)).toEqual({ code: 0, out: fed, error: '' });
      fake.moveTo(last(fake.extend(fake.chain()[10] ?? GENESIS, 5, 'bb')));
      expect((await sync([...from(), ...to], input)).out).toContain(`at block 15 ${fake.tip().hash}`);
      expect((await sync([...from(), ...to])).error).toBe('error: --to-cookie: cannot read ours: no such file\n');
    } finally {
      await server.close();
    }
  });
});

describe('--to-file', () => {
  const wrote = (count: number, more = ''): string =>
    `wrote ${count} blocks and ${more === '' ? 0 : 1} transaction${more === '' ? 's' : ''}; at block ${fake.tip().height} ${fake.tip().hash}\n`;

  test('writes a file that another machine reads, the whole chain or only new blocks', async () => {
    const chain = fake.extend(GENESIS, 110);
    fake.moveTo(last(chain));
    const tx = spend([{ txid: txid(chain[0]?.txs[0] ?? spend([])), vout: 0 }]);
    fake.setMempool([tx]);
    const [whole, more, directory] = [newPath(), newPath(), newPath()];
    expect(await sync([...from(), '--to-file', whole])).toEqual({ code: 0, out: wrote(110, 'tx'), error: '' });
    const lines = [...chain.map(({ hex }) => `block ${hex}`), `tx ${formatHex(encodeTransaction(tx))}`, ''];
    expect(readFileSync(whole, 'utf8').split('\n')).toEqual(lines);

    fake.setMempool([]);
    fake.moveTo(last(fake.extend(chain[107] ?? GENESIS, 4, 'bb')));
    expect((await sync([...from(), '--to-file', more, '--since', '105'])).out).toBe(wrote(7));
    const text = { files: { whole: readFileSync(whole, 'utf8'), more: readFileSync(more, 'utf8') } };
    const argv = [...REGTEST, '--wallet-dir', directory, '--from-file', 'whole', '--from-file', 'more'];
    expect((await sync(argv, text)).out).toBe(
      `fed 114 blocks and 1 transaction; at block ${fake.tip().height} ${fake.tip().hash}\n`,
    );
  });

  test('writes a chain that changes in the meantime, and to standard output', async () => {
    const chain = fake.extend(GENESIS, 40);
    const branch = fake.extend(chain[19] ?? GENESIS, 5, 'bb');
    fake.moveTo(last(chain));
    const { call } = fake;
    let blocks = 0;
    const changing = fake;
    fake = {
      ...fake,
      call: (method, params) => {
        if (method === 'getblock') blocks += 1;
        if (blocks === 30) changing.moveTo(last(branch));
        return call(method, params);
      },
    };
    const { code, out, error } = await sync([...from(), '--to-file', '-']);
    expect(code).toBe(0);
    expect(error).toBe(`wrote 45 blocks and 0 transactions; at block 25 ${last(branch).hash}\n`);
    expect(out.split('\n').slice(-6)).toEqual([...branch.map(({ hex }) => `block ${hex}`), '']);
  });

  test('never overwrites a file, and refuses --since above the tip', async () => {
    const path = newPath();
    writeFileSync(path, 'mine');
    expect((await sync([...from(), '--to-file', path])).error).toBe(`error: cannot write ${path}: file exists\n`);
    expect(readFileSync(path, 'utf8')).toBe('mine');
    const unwritten = newPath();
    expect((await sync([...from(), '--to-file', unwritten, '--since', '7'])).error).toBe(
      `error: --since 7: the node at ${url} has no block at that height\n`,
    );
    login = 'changed';
    expect((await sync([...from(), '--to-file', unwritten])).error).toContain('refuses the name and password');
    expect(existsSync(unwritten)).toBe(false);
  });
});
