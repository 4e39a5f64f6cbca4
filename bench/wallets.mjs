// Wallet directories at the scale of a main chain: opening after many blocks, wallets with many transactions beside a node
// that has the same, blocks at great heights, and disk use.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sqlite from 'node-sqlite3-wasm';
import { openStore } from '../dist/shell/store/openStore.js';
import { assert, beside, cell, line, timeOnce } from './measure.mjs';
import { ask, call, clientOf, MAIN, NETWORK, startOurs, startTheirs } from './servers.mjs';
import { timeOf } from './start.mjs';
import {
  feedForeign,
  feedHeaders,
  makeWallet,
  NOW,
  nextBlocks,
  openIn,
  ownHistory,
  PER_BLOCK,
  scriptOf,
  walletCalls,
} from './walletHistories.mjs';

const ROUNDS = Number(process.env.ROUNDS ?? 9);
/** The most blocks of foreign transactions that are fed, and of headers. */
const FOREIGN = Number(process.env.FOREIGN ?? 100_000);
const HEADERS = Number(process.env.HEADERS ?? 1_000_000);
const FOREIGN_PER_BLOCK = 10;
const SIZES = (process.env.SIZES ?? '10000,100000').split(',').map(Number);
const PARTS = (process.env.PARTS ?? 'chains,own,commits').split(',');
const TALL_BLOCKS = 40;
const CALLS = 15;
const DEPTH = 3;

const medianOf = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
const row = (...cells) => console.log(line(...cells));
const head = (...cells) => {
  row(...cells);
  row(...cells.map(() => '---'));
};

/** Prints the most memory of the process when it ends. */
const WATCHER =
  "data:text/javascript,import{readFileSync}from'node:fs';process.on('exit',()=>console.error(readFileSync('/proc/self/status','utf8')))";
const memoryIn = (status) => Number(/VmHWM:\s+([0-9]+)/.exec(status)?.[1]) / 1024;

/** The most memory that a process takes, in MB. */
function peakOf(args) {
  const options = { encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] };
  return memoryIn(spawnSync(process.execPath, ['--import', WATCHER, ...args], options).stderr);
}

/** Lets processes take turns. @returns of each, the median time and processor time, in milliseconds */
function inTurns(programs) {
  const runs = programs.map(() => []);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [i, args] of programs.entries()) runs[i].push(timeOf(args));
  }
  return runs.map((times) => ({
    wall: medianOf(times.map(({ wall }) => wall)),
    processor: medianOf(times.map(({ processor }) => processor)),
  }));
}

const commandIn = (directory, ...command) => [MAIN, ...command, '--wallet-dir', directory, ...NETWORK];

/** The bytes of the files in a directory, by name, those of folders together. */
function bytesIn(directory) {
  let sum = 0;
  for (const name of readdirSync(directory)) {
    const path = join(directory, name);
    const found = statSync(path);
    sum += found.isDirectory() ? bytesIn(path) : found.blocks * 512;
  }
  return sum;
}

const sizeOf = (path) => statSync(path).size;

function benchOpening(chains) {
  const programs = [
    ['node -e 0', ['-e', '0']],
    ['countersign --version', [MAIN, '--version']],
    ...chains.map(({ name, directory }) => [`listunspent, ${name}`, commandIn(directory, 'listunspent')]),
  ];
  const times = inTurns(programs.map(([, args]) => args));
  const [, version] = times;
  head('from start to end', 'time, ms', 'beyond --version', 'processor time, ms', 'beyond --version', 'memory, MB');
  for (const [i, [name, args]] of programs.entries()) {
    const { wall, processor } = times[i];
    const [more, moreWork] = [wall - version.wall, processor - version.processor];
    row(name, cell(wall), signed(more), cell(processor), signed(moreWork), cell(peakOf(args)));
  }
}

const signed = (ms) => ms.toFixed(0);

/** Submits blocks of the same content to chains of different heights, in turns. */
function benchTall(chains) {
  const open = chains.map(({ name, directory }) => {
    const rpc = openIn(directory);
    return { name, rpc, next: nextBlocks(rpc, 200, 2), times: [] };
  });
  for (let count = 0; count < TALL_BLOCKS + 5; count += 1) {
    for (const { rpc, next, times } of open) {
      const hex = next();
      const time = timeOnce(() => assert(rpc.call('submitblock', [hex]) === null, 'the block is taken'));
      if (count >= 5) times.push(time);
    }
  }
  for (const { rpc } of open) rpc.close();
  const first = medianOf(open[0].times);
  head("submitblock: 200 transactions, 2 of them the wallet's", 'time, ms', 'beside the first');
  for (const { name, times } of open) row(name, cell(medianOf(times)), `${(medianOf(times) / first).toFixed(2)}×`);
}

function benchChains(folder) {
  const chains = [];
  const make = (name, blocks, feed) => {
    const directory = join(folder, name.replaceAll(' ', '-'));
    makeWallet(directory);
    const before = bytesIn(directory);
    const raw = feed(directory);
    chains.push({ name, directory, blocks, raw, disk: bytesIn(directory) - before });
  };
  make('no block', 0, () => 0);
  for (const blocks of new Set([1000, FOREIGN])) {
    make(`${blocks} blocks`, blocks, (directory) => feedForeign(directory, blocks, FOREIGN_PER_BLOCK));
  }
  for (const blocks of [1000, HEADERS])
    make(`${blocks} headers`, blocks, (directory) => feedHeaders(directory, blocks));
  benchOpening(chains);
  console.log('');
  head('disk use', 'bytes of a block', 'on disk', 'beside it');
  for (const { name, blocks, raw, disk } of chains.slice(1)) {
    const ratio = raw ? `${(disk / raw).toFixed(2)}×` : '–';
    row(name, raw ? cell(raw / blocks) : '–', cell(disk / blocks), ratio);
  }
  console.log('');
  benchTall(chains.filter(({ name }) => name.endsWith('headers')));
}

const QUERIES = {
  'listunspent, all': () => ['listunspent', []],
  'listunspent, one address': ({ address }) => ['listunspent', [1, 9_999_999, [address]]],
  'listunspent, 10 coins': () => ['listunspent', [1, 9_999_999, [], true, { maximumCount: 10 }]],
  'listsinceblock, all': () => ['listsinceblock', ['', 1, true]],
  'listsinceblock, of 3 blocks': ({ since }) => ['listsinceblock', [since, 1, true]],
  getaddressinfo: ({ address }) => ['getaddressinfo', [address]],
  getwalletinfo: () => ['getwalletinfo', []],
};
/** The answers of these tell of things that only a node has. */
const DIFFERENT = new Set(['getwalletinfo']);

/** Measures each query: its answer, and the time of the first call and the median of later ones, in milliseconds. */
async function timesOf(client) {
  const tip = await call(client, 'getblockcount', []);
  const known = {
    since: await call(client, 'getblockhash', [tip - DEPTH]),
    address: (await call(client, 'decodescript', [Buffer.from(scriptOf(1)).toString('hex')])).addresses[0],
  };
  const found = new Map();
  for (const [what, queryOf] of Object.entries(QUERIES)) {
    const times = [];
    let answer = '';
    for (let run = 0; run <= CALLS; run += 1) {
      const start = performance.now();
      answer = await ask(client, ...queryOf(known), 'w');
      times.push(performance.now() - start);
    }
    const [first, ...later] = times;
    found.set(what, { answer, first, later: medianOf(later) });
  }
  return found;
}

/** Starts a node, feeds a history to it and measures it there. */
async function measureTheirs(history) {
  const node = await startTheirs();
  if (!node) return undefined;
  const client = clientOf(node);
  try {
    return await measureNode(node, client, history);
  } finally {
    client.close();
    await node.stop();
  }
}

async function measureNode(node, client, history) {
  await call(client, 'setmocktime', [NOW]);
  const submit = async (blocks) => {
    for (const hex of blocks) assert((await call(client, 'submitblock', [hex])) === null, 'the node takes the block');
  };
  await submit(history.before);
  for (const [method, params, wallet] of walletCalls()) await call(client, method, params, wallet);
  const chainBefore = bytesIn(join(node.datadir, 'regtest', 'chainstate'));
  await submit(history.after);
  const opening = [];
  for (let round = 0; round < DEPTH; round += 1) {
    await call(client, 'unloadwallet', ['w']);
    const start = performance.now();
    await call(client, 'loadwallet', ['w']);
    opening.push(performance.now() - start);
  }
  const times = await timesOf(client);
  const regtest = join(node.datadir, 'regtest');
  const disk = {
    // The chainstate is still in memory, as is part of the index; blocks are in files of 16 MB each.
    wallet: sizeOf(join(regtest, 'wallets/w/wallet.dat')),
    blocks: bytesIn(join(regtest, 'blocks')),
    coins: bytesIn(join(regtest, 'chainstate')) - chainBefore,
  };
  return { times, opening: medianOf(opening.slice(1)), disk };
}

/** Feeds a history to a directory and measures it there. */
async function measureOurs(history, directory) {
  let rpc = openIn(directory);
  const submit = (blocks) => {
    for (const hex of blocks) assert(rpc.call('submitblock', [hex]) === null, 'the block is taken');
  };
  submit(history.before);
  for (const [method, params, wallet] of walletCalls()) rpc.call(method, params, wallet);
  rpc.close();
  const before = sizesIn(directory);
  rpc = openIn(directory);
  submit(history.after);
  rpc.close();
  const after = sizesIn(directory);
  const commands = [[MAIN, '--version'], commandIn(directory, 'getwalletinfo'), commandIn(directory, 'listunspent')];
  const [version, info, list] = inTurns(commands);
  const server = await startOurs([], directory);
  const client = clientOf(server);
  const times = await timesOf(client);
  const memory = memoryIn(readFileSync(`/proc/${server.pid}/status`, 'utf8'));
  client.close();
  await server.stop();
  return {
    times,
    opening: beyond(info, version),
    listing: beyond(list, version),
    memory: { info: peakOf(commands[1]), serve: memory },
    disk: { wallet: after.wallets - before.wallets, chain: after.rest - before.rest },
  };
}

const beyond = (run, start) => ({ wall: run.wall - start.wall, processor: run.processor - start.processor });

/** The bytes of the wallets' records, and of the rest of the directory. */
function sizesIn(directory) {
  const store = openStore(directory);
  let wallets = 0;
  // Their kinds are capitals.
  for (const [key, value] of store.list('')) if (/^[A-Z]/.test(key)) wallets += key.length + value.length;
  store.close();
  return { wallets, rest: bytesIn(directory) - wallets };
}

async function benchOwn(folder) {
  for (const transactions of SIZES) {
    for (const spends of [false, true]) {
      const history = ownHistory(transactions, spends);
      const name = `${transactions + 10} transactions, ${spends ? '10' : transactions + 10} coins`;
      const directory = join(folder, name.replaceAll(/[ ,]+/g, '-'));
      const ours = await measureOurs(history, directory);
      const theirs = await measureTheirs(history);
      report(name, history, ours, theirs);
      rmSync(directory, { recursive: true });
    }
  }
}

function report(name, { before, after }, ours, theirs) {
  head(name, 'answer, kB', 'countersign, ms', 'Litecoin Core 0.21', 'first time', 'its first');
  for (const [what, { answer, first, later }] of ours.times) {
    const other = theirs?.times.get(what);
    assert(!other || DIFFERENT.has(what) || answer === other.answer, `${what}: the same answer`);
    const size = (answer.length / 1000).toFixed(1);
    row(what, size, cell(later), beside(other?.later, later), cell(first), beside(other?.first, first));
  }
  const { opening, listing, memory } = ours;
  row(
    'getwalletinfo, beyond --version; loadwallet',
    '',
    cell(opening.wall),
    beside(theirs?.opening, opening.wall),
    '',
    '',
  );
  row('the same in processor time', '', cell(opening.processor), '', '', '');
  row('listunspent, beyond --version', '', cell(listing.wall), '', '', '');
  row('most memory, MB: getwalletinfo; serve after all this', '', cell(memory.info), cell(memory.serve), '', '');
  const raw = after.reduce((sum, hex) => sum + hex.length / 2, 0);
  const count = (after.length - DEPTH) * PER_BLOCK;
  row(
    'bytes of records for a transaction of the wallet',
    '',
    cell(ours.disk.wallet / count),
    cell(theirs ? theirs.disk.wallet / count : 0),
    '',
    '',
  );
  const all = raw + before.reduce((sum, hex) => sum + hex.length / 2, 0);
  const chain = theirs ? (theirs.disk.blocks + theirs.disk.coins) / all : 0;
  row('bytes on disk for a byte of blocks', '', cell(ours.disk.chain / raw), cell(chain), '', '');
  console.log('');
}

const BATCHES = 300;
const records = (n) => Array.from({ length: 8 }, (_, i) => [`c${n * 8 + i}`, new Uint8Array(300)]);

/** What it costs that the number of each answered batch is durable: the same batches beside it in SQLite alone. */
function benchCommits(folder) {
  const store = openStore(join(folder, 'commits'));
  const alone = ['', 'PRAGMA wal_checkpoint(PASSIVE)'].map((afterwards, i) =>
    sqliteAlone(join(folder, `alone-${i}.sqlite`), afterwards),
  );
  const writers = [(n) => alone[0].write(n), (n) => store.write(records(n)), (n) => alone[1].write(n)];
  const times = writers.map(() => []);
  for (let n = 0; n < BATCHES; n += 1) {
    for (const [i, write] of writers.entries()) times[i].push(timeOnce(() => write(n)));
  }
  assert(store.counts().get('c') === BATCHES * 8, 'every record is there');
  store.close();
  for (const { close } of alone) close();
  const [one, ours, moved] = times.map(medianOf);
  head('a batch of 8 records, durable', 'time, ms', 'beside the first');
  row('SQLite alone: 1 fsync', cell(one), '1.00×');
  row('ours: 2 fsync', cell(ours), `${(ours / one).toFixed(2)}×`);
  row('SQLite alone, its log moved into the file each time', cell(moved), `${(moved / one).toFixed(2)}×`);
}

function sqliteAlone(path, afterwards) {
  const database = new sqlite.Database(path);
  for (const pragma of ['locking_mode=EXCLUSIVE', 'journal_mode=WAL', 'synchronous=FULL'])
    database.get(`PRAGMA ${pragma}`);
  database.exec('CREATE TABLE records (key BLOB PRIMARY KEY, value BLOB) WITHOUT ROWID');
  const put = database.prepare('INSERT INTO records VALUES (?, ?)');
  return {
    write: (n) => {
      database.exec('BEGIN IMMEDIATE');
      for (const record of records(n)) put.run(record);
      database.exec('COMMIT');
      if (afterwards !== '') database.get(afterwards);
    },
    close: () => {
      put.finalize();
      database.close();
    },
  };
}

export async function benchWallets() {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  try {
    if (PARTS.includes('chains')) benchChains(folder);
    if (PARTS.includes('own')) {
      console.log('');
      await benchOwn(folder);
    }
    if (PARTS.includes('commits')) {
      console.log('');
      benchCommits(folder);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
