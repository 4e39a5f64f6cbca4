import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { KINDS } from '../../src/node/store/kinds.ts';
import { blockAfter, genesisOf, type MadeBlock } from '../support/blocks.ts';
import { createNodeRpc, formatAddress, type NodeRpc, networks, parseHex } from '../support/library.ts';
import { openShared, POSTGRES_PROGRAMS, type PostgresServer, startPostgres } from '../support/postgres.ts';
import { seed } from '../support/seed.ts';
import { type ServeProcess, startServeProcess } from '../support/serveProcess.ts';

const NETWORK = ['--network', 'regtest', '--dialect', 'core-32', '--workers', '0'];
const SCRIPT = `0014${'1'.repeat(40)}`;
const addressOf = (script: string): string => formatAddress(parseHex(script), networks.regtest) ?? '';
const ROUNDS = Number(process.env['COUNTERSIGN_ROUNDS'] ?? 6);

describe.skipIf(!POSTGRES_PROGRAMS)('wallets in PostgreSQL', () => {
  let server: PostgresServer;
  let schemas = 0;
  const running = new Set<ServeProcess>();
  const directories: string[] = [];
  const freshUrl = (): string => {
    schemas += 1;
    return server.url(`wallets_${schemas}`);
  };
  const start = async (url: string): Promise<ServeProcess> => {
    const directory = mkdtempSync(join(tmpdir(), 'countersign-shared-'));
    directories.push(directory);
    const process = await startServeProcess(directory, NETWORK, ['--wallet-store', url]);
    running.add(process);
    return process;
  };
  beforeAll(async () => {
    server = await startPostgres();
  }, 60_000);
  afterEach(async () => {
    await Promise.all([...running].map((process) => process.kill()));
    running.clear();
    for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
  });
  afterAll(() => server?.remove());

  const openHere = (url: string): NodeRpc =>
    createNodeRpc({
      network: 'regtest',
      dialect: 'core-32',
      store: openShared(url),
      clock: () => 1_700_000_000,
      random: (size) => new Uint8Array(size).fill(7),
    });

  test('are the same for every process, in every call', async () => {
    const url = freshUrl();
    const [one, two] = [openHere(url), openHere(url)];
    one.call('createwallet', ['w', true]);
    const { descriptor } = two.call('getdescriptorinfo', [`addr(${addressOf(SCRIPT)})`]);
    expect(two.call('importdescriptors', [[{ desc: descriptor, timestamp: 0 }]], 'w')).toEqual([{ success: true }]);
    let tip = genesisOf('regtest');
    for (const node of [one, two, one]) {
      tip = blockAfter(tip, { script: SCRIPT });
      expect(node.call('submitblock', [tip.hex])).toBeNull();
      for (const other of [one, two]) {
        expect(other.call('getbestblockhash')).toBe(tip.hash);
        expect(other.call('getwalletinfo', [], 'w')).toEqual(one.call('getwalletinfo', [], 'w'));
      }
    }
    expect(two.call('listsinceblock', [], 'w').transactions).toHaveLength(3);
    one.call('invalidateblock', [tip.hash]);
    expect(two.call('getblockcount')).toBe(2);
    expect(two.call('listsinceblock', [], 'w')).toEqual(one.call('listsinceblock', [], 'w'));
    two.call('unloadwallet', ['w']);
    expect(one.call('listwallets')).toEqual([]);
    for (const node of [one, two]) node.close();
  }, 60_000);

  test('are encrypted for every process at once, and no key is left in the database', async () => {
    const url = freshUrl();
    const [one, two] = [openHere(url), openHere(url)];
    const secret = 'cTpB4YiyKiBcPxnefsDpbnDxFDffjqJob8wGCEDXxgQ7zQoMXJdH';
    one.call('createwallet', ['w', false, true]);
    const { checksum } = one.call('getdescriptorinfo', [`wpkh(${secret})`]);
    one.call('importdescriptors', [[{ desc: `wpkh(${secret})#${checksum}`, timestamp: 'now' }]], 'w');
    const values = async (kind: string): Promise<readonly string[]> => {
      const ofKind = `get_byte(key, 0) = ${kind.charCodeAt(0)}`;
      const rows = await server.sql(
        `SELECT encode(value, 'hex') AS hex FROM "wallets_${schemas}".records WHERE (${ofKind}) AND value IS NOT NULL`,
      );
      return rows.map((row) => String(row['hex']));
    };
    const [key = ''] = await values(KINDS['private key']);
    expect(key).toHaveLength(64);
    two.call('encryptwallet', ['pass'], 'w');
    const all = await Promise.all(Object.values(KINDS).map(values));
    expect(all.flat().join()).not.toContain(key);
    expect(() => one.call('listdescriptors', [true], 'w')).toThrow('Please enter the wallet passphrase');
    one.call('walletpassphrase', ['pass', 60], 'w');
    expect(JSON.stringify(one.call('listdescriptors', [true], 'w'))).toContain(secret);
    for (const node of [one, two]) node.close();
  }, 60_000);

  test(
    'lose no acknowledged change when servers are killed under load',
    async () => {
      const url = freshUrl();
      const pick = picker();
      const servers = await Promise.all([start(url), start(url), start(url)]);
      const history = await beginHistory(servers[0]);
      for (let round = 0; round < ROUNDS; round += 1) {
        const victim = servers[pick(servers.length)];
        const killed = sleep(5 + pick(60)).then(() => victim?.kill());
        for (let call = 0; call < 6; call += 1) await submitNext(history, servers[pick(servers.length)]);
        await killed;
        const place = victim ? servers.indexOf(victim) : 0;
        servers[place] = await start(url);
        for (const process of servers) await checkAnswers(history, process);
        await adoptUnheard(history, servers[0]);
      }
      expect(history.acknowledged).toBeGreaterThan(ROUNDS);
    },
    60_000 + ROUNDS * 10_000,
  );
});

/** Returns a function that chooses numbers below a limit. */
function picker(): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % limit;
  };
}

/** The blocks whose submission was acknowledged. */
interface History {
  tip: MadeBlock;
  acknowledged: number;
}

async function beginHistory(process: ServeProcess | undefined): Promise<History> {
  await process?.ask('createwallet', ['w', true]);
  const info = await process?.ask<{ descriptor: string }>('getdescriptorinfo', [`addr(${addressOf(SCRIPT)})`]);
  await process?.ask('importdescriptors', [[{ desc: info?.descriptor, timestamp: 0 }]], 'w');
  return { tip: genesisOf('regtest'), acknowledged: 0 };
}

const nextBlock = ({ tip }: History): MadeBlock => blockAfter(tip, { script: SCRIPT });

/** Submits the next block; it counts only if the server answers. */
async function submitNext(history: History, process: ServeProcess | undefined): Promise<void> {
  const block = nextBlock(history);
  const answer = await process?.ask<string | null>('submitblock', [block.hex]).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && typeof error.code === 'number') throw error;
    return GONE;
  });
  if (answer === GONE || answer === undefined) return;
  expect([null, 'duplicate']).toContain(answer);
  history.tip = block;
  history.acknowledged += 1;
}

const GONE = 'gone';

/** Checks that a server knows all acknowledged blocks, at most one more, and their payments. */
async function checkAnswers({ acknowledged }: History, process: ServeProcess): Promise<void> {
  const count = await process.ask<number>('getblockcount', []);
  expect([acknowledged, acknowledged + 1]).toContain(count);
  const { transactions } = await process.ask<{ transactions: readonly unknown[] }>('listsinceblock', [], 'w');
  expect(transactions).toHaveLength(count);
}

/** Counts a block that was kept although its server was killed before it answered. */
async function adoptUnheard(history: History, process: ServeProcess | undefined): Promise<void> {
  const hash = await process?.ask<string>('getbestblockhash', []);
  if (hash === history.tip.hash) return;
  history.tip = nextBlock(history);
  history.acknowledged += 1;
  expect(hash).toBe(history.tip.hash);
}
