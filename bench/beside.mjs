// The same calls to `countersign bitcoind` and a live node over HTTP, in turn: `npm run bench -- beside PATH/bitcoind`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseHex } from '../dist/core/bytes/index.js';
import { formatAddress, networks } from '../dist/index.js';
import { makePsbt, makeSigningTask } from './fixtures.mjs';
import { assert, cell, line } from './measure.mjs';
import { bodyOf, call, clientOf, MAIN } from './servers.mjs';

const LOGIN = 'bench:worthless';
/** Options of both: one thread each, and nothing from the world. */
const OPTIONS = ['-regtest', '-rpcuser=bench', '-rpcpassword=worthless', '-rpcthreads=1', '-par=1', '-listen=0'];
const MORE = ['-connect=0', '-dnsseed=0', '-fallbackfee=0.0002', '-keypool=100', '-printtoconsole=0', '-server=1'];
const FIRST_PORT = 29_450;
const WALLET = 'bench';
/** Of a key that neither wallet has. */
const PAYEE = formatAddress(parseHex(`0014${'11'.repeat(20)}`), networks.regtest);
const MANY = 1000;
const COINS = 3000;
const AMOUNT = 0.001;
const ACCOUNT =
  'tprv8ZgxMBicQKsPd7Uf69XL1XwhmjHopUGep8GuEiJDZmbQz6o58LninorQAfcKZWARbtRtfnLcJ5MQ2AtHcQJCCRUcMRvmDUjyEmNUWwx8UbK';

/** Starts a program as a node with a new data directory. @returns also the milliseconds until its first answer */
async function start(command, port) {
  const datadir = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  const [program, ...own] = command;
  const started = performance.now();
  const child = spawn(program, [...own, `-datadir=${datadir}`, `-rpcport=${port}`, ...OPTIONS, ...MORE], {
    stdio: 'ignore',
  });
  const client = clientOf({ port, login: LOGIN });
  while ((await client.post('/', bodyOf('getblockcount', [])).catch(() => undefined))?.status !== 200) {
    assert(child.exitCode === null, `${program} ended`);
    await sleep(2);
  }
  const ms = performance.now() - started;
  const ask = (method, params = [], wallet = undefined) => call(client, method, params, wallet);
  const stop = async () => {
    const ended = once(child, 'exit');
    await ask('stop');
    // A node waits for open connections before it stops.
    client.close();
    await ended;
    rmSync(datadir, { recursive: true, force: true });
  };
  return { ms, ask, asWallet: (method, params) => ask(method, params, WALLET), stop };
}

/** Makes the addresses to which `sendmany` pays, and confirms what is not. */
async function addressesOf(node) {
  node.own ??= [];
  while (node.own.length < MANY) node.own.push(await node.asWallet('getnewaddress', ['', 'bech32']));
  node.outputs = Object.fromEntries(node.own.map((address) => [address, AMOUNT]));
  await node.ask('generatetoaddress', [1, PAYEE]);
}

/** Pays to all those addresses three times. */
async function coinsOf(node) {
  if (node.coins) return;
  await addressesOf(node);
  for (let i = 0; i < COINS / MANY; i += 1) {
    await node.asWallet('sendmany', ['', node.outputs]);
    await node.ask('generatetoaddress', [1, PAYEE]);
  }
  const all = await node.asWallet('listunspent');
  node.coins = all.filter(({ amount }) => amount === AMOUNT).slice(0, COINS);
}

/** Each work is timed, but not what its `prepare` and `after` do. */
const WORKS = [
  ...[1, 100, 1000].map((inputs) => {
    const { hex, wifs, prevtxs } = makeSigningTask('p2wpkh', inputs);
    return {
      what: `signrawtransactionwithkey P2WPKH x${inputs}`,
      rounds: inputs === 1 ? 60 : 12,
      work: async ({ ask }) =>
        assert((await ask('signrawtransactionwithkey', [hex, wifs, prevtxs])).complete, 'signed'),
    };
  }),
  ...[1, 100, 1000].map((inputs) => {
    const psbt = Buffer.from(makePsbt(inputs)).toString('base64');
    return {
      what: `decodepsbt x${inputs}`,
      rounds: inputs === 1 ? 60 : 12,
      work: async ({ ask }) => assert((await ask('decodepsbt', [psbt])).inputs.length === inputs, 'decoded'),
    };
  }),
  { what: 'generatetoaddress 100', rounds: 5, work: ({ ask }) => ask('generatetoaddress', [100, PAYEE]) },
  {
    what: 'getnewaddress',
    rounds: 40,
    work: ({ asWallet }) => asWallet('getnewaddress', ['', 'bech32']),
  },
  {
    what: 'sendtoaddress',
    rounds: 40,
    work: ({ asWallet }) => asWallet('sendtoaddress', [PAYEE, AMOUNT]),
    after: ({ ask }) => ask('generatetoaddress', [1, PAYEE]),
  },
  {
    what: 'a block with 25 wallet transactions',
    rounds: 10,
    prepare: async ({ asWallet }) => {
      for (let i = 0; i < 25; i += 1) await asWallet('sendtoaddress', [PAYEE, AMOUNT]);
    },
    work: ({ ask }) => ask('generatetoaddress', [1, PAYEE]),
  },
  {
    what: `sendmany to ${MANY} addresses`,
    rounds: 3,
    prepare: addressesOf,
    work: ({ asWallet, outputs }) => asWallet('sendmany', ['', outputs]),
  },
  {
    what: 'the block with it',
    rounds: 3,
    prepare: async (node) => {
      await addressesOf(node);
      await node.asWallet('sendmany', ['', node.outputs]);
    },
    work: ({ ask }) => ask('generatetoaddress', [1, PAYEE]),
  },
  {
    what: 'listunspent',
    rounds: 8,
    prepare: coinsOf,
    work: async ({ asWallet }) => assert((await asWallet('listunspent')).length >= COINS, 'coins'),
  },
  { what: 'listsinceblock', rounds: 8, prepare: coinsOf, work: ({ asWallet }) => asWallet('listsinceblock') },
  {
    what: 'walletprocesspsbt, 200 inputs, large parents',
    rounds: 8,
    prepare: async (node) => {
      await coinsOf(node);
      const coins = node.coins.slice(0, 200).map(({ txid, vout }) => ({ txid, vout }));
      node.psbt ??= await node.ask('createpsbt', [coins, [{ [PAYEE]: 190 * AMOUNT }]]);
    },
    work: async ({ asWallet, psbt }) => assert((await asWallet('walletprocesspsbt', [psbt])).complete, 'signed'),
  },
  {
    what: `importdescriptors, range ${MANY}, with createwallet`,
    rounds: 5,
    work: async (node) => {
      node.wallets = (node.wallets ?? 0) + 1;
      const name = `import${node.wallets}`;
      await node.ask('createwallet', [name, false, true]);
      node.descriptor ??= `${`wpkh(${ACCOUNT}/0/*)`}#${(await node.ask('getdescriptorinfo', [`wpkh(${ACCOUNT}/0/*)`])).checksum}`;
      const request = { desc: node.descriptor, timestamp: 'now', range: [0, MANY - 1] };
      const [{ success }] = await node.ask('importdescriptors', [[request]], name);
      assert(success, 'imported');
    },
    after: (node) => node.ask('unloadwallet', [`import${node.wallets}`]),
  },
];

async function timed(step) {
  const started = performance.now();
  await step();
  return performance.now() - started;
}

/** Lets the nodes take turns. @returns the minimum of each in milliseconds */
async function compare({ rounds, prepare, work, after }, nodes) {
  const least = nodes.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, node] of nodes.entries()) {
      await prepare?.(node);
      least[index] = Math.min(least[index], await timed(() => work(node)));
      await after?.(node);
    }
  }
  return least;
}

/** Prints the minima, with ours beside theirs, and the geometric mean of the ratios. */
export async function benchBeside(path) {
  if (path === undefined) throw new Error('name the bitcoind of a build: npm run bench -- beside PATH/bitcoind');
  const profile = process.env.PROFILE ? ['--cpu-prof', `--cpu-prof-dir=${process.env.PROFILE}`] : [];
  const commands = [[process.execPath, ...profile, MAIN, 'bitcoind'], [path]];
  const works = WORKS.filter(({ what }) => what.includes(process.env.ROW ?? ''));
  const starts = commands.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < 5; round += 1) {
    for (const [index, command] of commands.entries()) {
      const node = await start(command, FIRST_PORT + index);
      starts[index] = Math.min(starts[index], node.ms);
      await node.stop();
    }
  }
  const nodes = [];
  for (const [index, command] of commands.entries()) nodes.push(await start(command, FIRST_PORT + index));
  const ratios = [];
  console.log(line('minima', 'countersign bitcoind, ms', `${path.split('/').at(-1)}, ms (of it, ours)`));
  console.log(line('---', '---', '---'));
  const tell = (what, [ours, theirs]) => {
    ratios.push(ours / theirs);
    console.log(line(what, cell(ours), `${cell(theirs)} (${(ours / theirs).toFixed(2)})`));
  };
  try {
    for (const node of nodes) {
      await node.ask('createwallet', [WALLET]);
      const own = await node.asWallet('getnewaddress');
      await node.ask('generatetoaddress', [120, own]);
      await node.ask('generatetoaddress', [100, PAYEE]);
    }
    for (const work of works) tell(work.what, await compare(work, nodes));
    tell('start to first answer', starts);
  } finally {
    for (const node of nodes) await node.stop();
  }
  const mean = Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
  console.log(`\nGeometric mean: ${mean.toFixed(2)}`);
}
