import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Run, run } from '../support/io.ts';
import { report } from '../support/report.ts';
import { hasLitecoind, type Node, startNode } from './litecoind.ts';

const LOGIN = 'rt:rt';
const NETWORK = ['--network', 'litecoin-regtest', '--dialect', 'litecoin-0.21'];
/** The clock of `run`, and of the node during imports; blocks are older. */
const NOW = 1_750_000_000;
const EARLIER = NOW - 1_000_000;
/** The height at which MWEB activates: that of the first block with a HogEx. */
const MWEB_HEIGHT = 432;

const main = new URL('../../dist/cli/main.js', import.meta.url).pathname;
const root = mkdtempSync(join(tmpdir(), 'countersign-sync-'));
const files = { password: 'rt\n' };

interface Listed {
  readonly txid: string;
  readonly vout?: number;
  readonly category?: string;
  readonly confirmations?: number;
  readonly time?: number;
}

describe.skipIf(!hasLitecoind())('sync from Litecoin Core', () => {
  let node: Node;
  let from: readonly string[];
  let mine: string;
  let watched: string;
  const counts = { hashes: 0, coins: 0, entries: 0 };

  async function call<T>(method: string, params: readonly unknown[] = [], wallet = ''): Promise<T> {
    const authorization = `Basic ${Buffer.from(LOGIN).toString('base64')}`;
    const body = JSON.stringify({ id: 0, method, params });
    const path = wallet === '' ? '' : `wallet/${wallet}`;
    const reply = await fetch(`http://127.0.0.1:${node.port}/${path}`, {
      method: 'POST',
      headers: { authorization },
      body,
    });
    const { result, error } = (await reply.json()) as { result: T; error: { message: string } | null };
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  }
  const generate = (count: number, address = mine): Promise<string[]> =>
    call('generatetoaddress', [count, address], 'main');
  const pay = (address: string, amount: number): Promise<string> => call('sendtoaddress', [address, amount], 'main');

  const cli = (directory: string, ...argv: readonly string[]): Promise<Run> =>
    run([...argv, ...NETWORK, '--wallet-dir', directory], { files });
  const ask = async <T>(directory: string, ...argv: readonly string[]): Promise<T> => {
    const { code, out, error } = await cli(directory, ...argv);
    if (code !== 0) throw new Error(error);
    return JSON.parse(out) as T;
  };
  const sync = (directory: string): Promise<Run> => cli(directory, 'sync', ...from);

  /** Creates a directory with a wallet that watches the same address as the node's wallet. */
  async function newDirectory(name: string): Promise<string> {
    const directory = join(root, name);
    await ask(directory, 'createwallet', 'watch', 'true');
    expect(await cli(directory, 'importaddress', watched)).toMatchObject({ code: 0 });
    return directory;
  }

  async function expectSameChain(directory: string): Promise<void> {
    const { out } = await cli(directory, 'getbestblockhash');
    expect(out.trim()).toBe(await call('getbestblockhash'));
    // One process for all hashes, since each process opens the whole journal.
    const height = await call<number>('getblockcount');
    const requests = Array.from({ length: height + 1 }, (_, i) => `{"method":"getblockhash","params":[${i}]}\n`);
    const ours = await run(['batch', ...NETWORK, '--wallet-dir', directory], { stdin: requests.join('') });
    for (const [i, line] of ours.out.trim().split('\n').entries()) {
      expect(JSON.parse(line).result).toBe(await call('getblockhash', [i]));
      counts.hashes += 1;
    }
  }

  const inOrder = (list: readonly Listed[]): readonly Listed[] => {
    const key = ({ txid, vout, category }: Listed): string => `${txid} ${vout} ${category}`;
    return [...list].sort((a, b) => (key(a) < key(b) ? -1 : 1));
  };
  /** Sorts entries and clears their times of arrival, which differ. */
  const timeless = (list: readonly Listed[]): readonly unknown[] =>
    inOrder(list).map((entry) => {
      const isMined = entry.confirmations !== undefined && entry.confirmations > 0;
      return { ...entry, timereceived: 0, time: isMined ? entry.time : 0 };
    });

  async function expectSameAnswers(directory: string, { isExact = false, sawBranches = true } = {}): Promise<void> {
    const coins = await call<Listed[]>('listunspent', [0], 'watch');
    expect(inOrder(await ask(directory, 'listunspent', '0', '--rpcwallet', 'watch'))).toEqual(inOrder(coins));
    const theirs = await call<{ transactions: Listed[]; lastblock: string }>('listsinceblock', ['', 1, true], 'watch');
    const ours = await ask<typeof theirs>(directory, 'listsinceblock', '', '1', 'true', '--rpcwallet', 'watch');
    expect(ours.lastblock).toBe(theirs.lastblock);
    const seen = theirs.transactions.filter(({ category }) => sawBranches || category !== 'orphan');
    expect(timeless(ours.transactions)).toEqual(timeless(seen));
    if (isExact) expect(inOrder(ours.transactions)).toEqual(inOrder(theirs.transactions));
    counts.coins += coins.length;
    counts.entries += seen.length;
  }

  /** Makes payments to the watched address before and after MWEB activates, and some into MWEB. */
  async function makeHistory(): Promise<void> {
    await generate(200);
    for (let height = 200; height < MWEB_HEIGHT - 1; height += 1) {
      if (height % 20 === 0) await pay(watched, height / 20);
      await generate(1, height % 30 === 0 ? watched : mine);
    }
    // The first MWEB block needs a peg-in.
    await pay(await call('getnewaddress', ['', 'mweb'], 'main'), 25);
    await generate(1);
    await makeExtensions();
  }

  async function makeExtensions(): Promise<void> {
    for (let block = 0; block < 40; block += 1) {
      if (block % 8 === 0) await pay(await call('getnewaddress', ['', 'mweb'], 'main'), 1);
      if (block % 10 === 0) await pay(watched, 0.5);
      await generate(1);
    }
  }

  beforeAll(async () => {
    mkdirSync(join(root, 'blocks'));
    const wallet = ['-disablewallet=0', '-fallbackfee=0.001', `-blocksdir=${join(root, 'blocks')}`];
    node = await startNode(['-rpcuser=rt', '-rpcpassword=rt', ...wallet], { login: LOGIN });
    from = ['--from-rpc', `http://127.0.0.1:${node.port}`, '--from-user', 'rt', '--from-password-file', 'password'];
    await call('setmocktime', [EARLIER]);
    await call('createwallet', ['main']);
    mine = await call('getnewaddress', [], 'main');
    watched = await call('getnewaddress', ['', 'bech32'], 'main');
    await makeHistory();
    await call('setmocktime', [NOW]);
    await call('createwallet', ['watch', true]);
    await call('importaddress', [watched], 'watch');
  });
  afterAll(async () => {
    await node?.stop();
    rmSync(root, { recursive: true, force: true });
    const total = counts.hashes + counts.coins + counts.entries;
    const note = `${counts.hashes} hashes, ${counts.coins} coins, ${counts.entries} entries`;
    report({ subject: 'sync', passed: total, total, note });
  });

  test('brings over the whole chain, MWEB blocks included, which a new wallet then rescans', async () => {
    const directory = join(root, 'whole');
    const height = await call<number>('getblockcount');
    const best = await call<string>('getbestblockhash');
    expect(await sync(directory)).toEqual({
      code: 0,
      out: `fed ${height} blocks and 0 transactions; at block ${height} ${best}\n`,
      error: '',
    });
    await expectSameChain(directory);
    const { tx } = await call<{ tx: string[] }>('getblock', [best]);
    const hogEx = await call<{ hex: string }>('getrawtransaction', [tx[tx.length - 1], true, best]);
    expect(hogEx.hex.slice(8, 12)).toBe('0008');
    await ask(directory, 'createwallet', 'watch', 'true');
    expect(await cli(directory, 'importaddress', watched)).toMatchObject({ code: 0 });
    await expectSameAnswers(directory, { isExact: true });
    expect(counts.coins).toBeGreaterThan(10);
  });

  test('updates an existing wallet, and brings over unconfirmed transactions', async () => {
    const directory = await newDirectory('before');
    await pay(watched, 3);
    await pay(watched, 4);
    const pool = await call<string[]>('getrawmempool');
    expect(pool).toHaveLength(2);
    expect((await sync(directory)).out).toContain('and 2 transactions; at block ');
    expect((await ask<string[]>(directory, 'getrawmempool')).sort()).toEqual(pool.sort());
    await expectSameAnswers(directory);
    await generate(1);
    expect((await sync(directory)).out).toContain('fed 1 block and 0 transactions; ');
    expect(await ask(directory, 'getrawmempool')).toEqual([]);
    await expectSameAnswers(directory);
  });

  test('leaves out an unconfirmed peg-in, and reports it', async () => {
    const directory = await newDirectory('pegin');
    await pay(await call('getnewaddress', ['', 'mweb'], 'main'), 2);
    const { out } = await sync(directory);
    expect(out).toContain('1 transaction refused (unreadable: 1)');
    await generate(1);
    expect((await sync(directory)).out).not.toContain('refused');
    await expectSameAnswers(directory);
  });

  test('continues after being killed repeatedly', async () => {
    const directory = await newDirectory('killed');
    const password = join(root, 'password');
    writeFileSync(password, 'rt');
    const argv = ['sync', ...NETWORK, ...from.slice(0, -1), password, '--wallet-dir', directory];
    let kills = 0;
    let last = 0;
    /** When the database was last written. */
    const written = (): number =>
      statSync(join(directory, 'wallet.sqlite-wal'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    for (let round = 0; round < 5; round += 1) {
      const times = new Set([written()]);
      const child = spawn(process.execPath, [main, ...argv], { stdio: 'ignore' });
      const ended = new Promise((resolve) => child.once('exit', resolve));
      // Opening writes, too.
      while (child.exitCode === null && times.size < 5) {
        times.add(written());
        await sleep(1);
      }
      await sleep(10 * round);
      if (child.exitCode === null) kills += 1;
      child.kill('SIGKILL');
      await ended;
      const count = await ask<number>(directory, 'getblockcount');
      expect(count).toBeGreaterThanOrEqual(last);
      last = count;
    }
    expect(kills).toBeGreaterThanOrEqual(3);
    expect(last).toBeGreaterThan(0);
    const height = await call<number>('getblockcount');
    expect((await sync(directory)).out).toMatch(new RegExp(`^fed ${height - last} blocks? and `));
    await expectSameChain(directory);
    await expectSameAnswers(directory);
  });

  test('follows a reorganization to a shorter branch, and back', async () => {
    const directory = await newDirectory('reorganized');
    await pay(watched, 5);
    await generate(6);
    await sync(directory);
    await expectSameAnswers(directory);
    const height = await call<number>('getblockcount');
    const reorged = await call<string>('getblockhash', [height - 5]);
    const old = await call<string>('getbestblockhash');

    await call('invalidateblock', [reorged]);
    await sync(directory);
    expect((await cli(directory, 'getblockcount')).out.trim()).toBe(String(height - 6));
    await expectSameChain(directory);
    await expectSameAnswers(directory);

    await generate(3, watched);
    await sync(directory);
    await expectSameChain(directory);
    await expectSameAnswers(directory);

    await call('reconsiderblock', [reorged]);
    expect(await call('getbestblockhash')).toBe(old);
    await sync(directory);
    await expectSameChain(directory);
    await expectSameAnswers(directory);
  });

  test("reads an exported file, and the node's own block files", async () => {
    const [carried, read] = [await newDirectory('carried'), await newDirectory('read')];
    const path = join(root, 'chain.txt');
    expect((await run(['sync', ...NETWORK, ...from, '--to-file', path], { files })).code).toBe(0);
    const text = { files: { chain: readFileSync(path) } };
    const argv = ['sync', ...NETWORK, '--wallet-dir'];
    expect(await run([...argv, carried, '--from-file', 'chain'], text)).toMatchObject({ code: 0, error: '' });
    await expectSameChain(carried);
    // The exported file leaves out transactions mined only in an abandoned branch.
    await expectSameAnswers(carried, { sawBranches: false });
    // The node's block files hold the abandoned branch, too.
    const blocks = join(root, 'blocks', 'regtest', 'blocks', 'blk00000.dat');
    expect(await run([...argv, read, '--from-file', blocks])).toMatchObject({ code: 0, error: '' });
    await expectSameChain(read);
  });
});
