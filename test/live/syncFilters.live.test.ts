import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Run, run } from '../support/io.ts';
import { formatAddress, networks, sha256 } from '../support/library.ts';
import { hasLitecoind, type Node, startNode } from './litecoind.ts';

const LOGIN = 'rt:rt';
const NETWORK = ['--network', 'litecoin-regtest', '--dialect', 'litecoin-0.21'];
const START = 150;
const BLOCKS = 100;
/** The node's clock, which is behind that of `run`. */
const EARLIER = 1_749_000_000;
const root = mkdtempSync(join(tmpdir(), 'countersign-filters-'));
const files = { password: 'rt\n' };

/** Returns an address of a key that does not exist. */
const strangerAddress = (number: number): string =>
  formatAddress(
    Uint8Array.of(0x00, 0x20, ...sha256(Uint8Array.of(number >> 8, number & 0xff))),
    networks['litecoin-regtest'],
  ) ?? '';

interface Listed {
  readonly txid: string;
  readonly vout: number;
  readonly confirmations: number;
}

describe.skipIf(!hasLitecoind())('sync by the block filters of Litecoin Core', () => {
  let node: Node;
  let from: readonly string[];
  let mine: string;
  let watched: string;

  async function call<T>(method: string, params: readonly unknown[] = [], path = ''): Promise<T> {
    const reply = (await node.post(JSON.stringify({ id: 0, method, params }), `/${path}`)) ?? '';
    const { result, error } = JSON.parse(reply) as { result: T; error: { message: string } | null };
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  }
  const cli = (directory: string, ...argv: readonly string[]): Promise<Run> =>
    run([...argv, ...NETWORK, '--wallet-dir', join(root, directory)], { files });
  const generate = (count: number, address = mine): Promise<string[]> =>
    call('generatetoaddress', [count, address], 'wallet/main');
  const pay = (payments: Readonly<Record<string, number>>): Promise<string> =>
    call('sendmany', ['', payments], 'wallet/main');

  /** Compares our wallet with the node's own, which watches the same address. */
  async function expectSame(directory: string): Promise<void> {
    expect((await cli(directory, 'getbestblockhash')).out.trim()).toBe(await call('getbestblockhash'));
    const theirs = await call<readonly Listed[]>('listunspent', [0, 9999999, [watched]], 'wallet/watch');
    const shown = (list: readonly Listed[]): readonly string[] =>
      list.map(({ txid, vout, confirmations }) => `${txid}:${vout} ${confirmations}`).sort();
    const { out, error } = await cli(directory, 'listunspent', '0');
    expect(error).toBe('');
    const ours = shown(JSON.parse(out) as readonly Listed[]);
    expect(ours).toEqual(shown(theirs));
    expect(ours.length).toBeGreaterThan(0);
  }

  /** Creates a directory whose wallet watches the address. */
  async function watching(directory: string): Promise<void> {
    await cli(directory, 'createwallet', 'w', 'true');
    expect(await cli(directory, 'importaddress', watched)).toMatchObject({ code: 0 });
  }

  /** Counts the bytes of the replies to a sync. */
  async function bytesOf(sync: () => Promise<Run>): Promise<Run & { readonly bytes: number }> {
    let bytes = 0;
    const { fetch } = globalThis;
    vi.stubGlobal('fetch', async (...given: Parameters<typeof fetch>) => {
      const reply = await fetch(...given);
      bytes += Number(reply.headers.get('content-length'));
      return reply;
    });
    const done = await sync();
    vi.unstubAllGlobals();
    return { ...done, bytes };
  }

  beforeAll(async () => {
    const options = ['-rpcuser=rt', '-rpcpassword=rt', '-disablewallet=0', '-fallbackfee=0.001', '-blockfilterindex=1'];
    node = await startNode(options, { login: LOGIN });
    from = ['--from-rpc', `http://127.0.0.1:${node.port}`, '--from-user', 'rt', '--from-password-file', 'password'];
    await call('setmocktime', [EARLIER]);
    await call('createwallet', ['main']);
    await call('createwallet', ['other']);
    await call('createwallet', ['watch', true]);
    mine = await call('getnewaddress', [], 'wallet/main');
    watched = await call('getnewaddress', ['', 'bech32'], 'wallet/other');
    await call('importaddress', [watched], 'wallet/watch');
    await generate(START + 20);
    for (let block = 20; block < BLOCKS; block += 1) {
      const others = Array.from({ length: 80 }, (_, i) => [strangerAddress(80 * block + i), 0.001]);
      await pay({ ...Object.fromEntries(others), ...(block % 20 === 0 && { [watched]: 1 }) });
      await generate(1);
    }
    await call('sendtoaddress', [mine, 1.5], 'wallet/other');
    await generate(5);
  });
  afterEach(() => vi.unstubAllGlobals());
  afterAll(async () => {
    await node?.stop();
    rmSync(root, { recursive: true, force: true });
  });

  test('begins at a height, finds the coins of the node, and follows a reorganization', async () => {
    await watching('a');
    expect(await cli('a', 'sync', ...from, '--start', `${START}`)).toMatchObject({ code: 0, error: '' });
    await expectSame('a');
    expect((await cli('a', 'getblockhash', `${START - 1}`)).error).toContain('Block height out of range');
    const [paid] = await generate(1, watched);
    await generate(2);
    expect(await cli('a', 'sync', ...from, '--start', `${START}`)).toMatchObject({ code: 0 });
    await call('invalidateblock', [paid]);
    await pay({ [watched]: 2 });
    await generate(4);
    expect(await cli('a', 'sync', ...from)).toMatchObject({ code: 0 });
    await expectSame('a');
    expect((await cli('a', 'sync', ...from, '--start', '7')).error).toContain('begins at block 150 already');
  });

  test('fetches less than all blocks, with the same outcome', async () => {
    for (const directory of ['b', 'c']) await watching(directory);
    const filtered = await bytesOf(() => cli('b', 'sync', ...from, '--start', `${START}`));
    const whole = await bytesOf(() => cli('c', 'sync', ...from, '--start', `${START}`, '--all-blocks'));
    expect(filtered.out).toMatch(/^fed 1\d\d blocks \(\d+ whole, the others by header\) and 0 transactions/);
    expect(whole.out).toMatch(/^fed 1\d\d blocks and 0 transactions/);
    for (const directory of ['b', 'c']) await expectSame(directory);
    console.log(`${filtered.out.trim()}: ${filtered.bytes} bytes with filters, ${whole.bytes} with all blocks`);
    expect(filtered.bytes).toBeLessThan(whole.bytes);
  });

  test('fetches just the blocks that an import needs, and prunes', async () => {
    await watching('d');
    await cli('d', 'sync', ...from, '--start', `${START}`);
    expect((await cli('d', 'importaddress', strangerAddress(80 * 50))).error).toContain(
      'Rescan is disabled when blocks are pruned',
    );
    await cli('d', 'importaddress', strangerAddress(80 * 50), '', 'false');
    expect((await cli('d', 'sync', ...from, '--rescan', '--prune', '288')).error).toBe(
      `rescanned from block ${START + 1} on, and fetched 1 block for it\n`,
    );
    const { out } = await cli('d', 'listunspent', '0', '9999999', JSON.stringify([strangerAddress(80 * 50)]));
    expect((JSON.parse(out) as readonly Listed[]).length).toBe(1);
    expect((await cli('d', 'importaddress', strangerAddress(80 * 70), '', 'false')).code).toBe(0);
    expect((await cli('d', 'sync', ...from, '--rescan', '--start', '10')).error).toBe(
      'rescanned from block 11 on, and fetched 1 block for it\n',
    );
    expect((await cli('d', 'getblockhash', '11')).out.trim()).toBe(await call('getblockhash', [11]));
  });
});
