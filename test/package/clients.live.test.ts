import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blockAfter, blocksAfter, GENESIS } from '../support/blocks.ts';
import { type ServeProcess, startServeProcess } from '../support/serveProcess.ts';
import { temporaryDirectory } from '../support/temporary.ts';

/** Lets clients that programs use to talk to nodes ask `countersign serve`, unchanged. */

const SOURCE = new URL('clients/', import.meta.url).pathname;
const clients = temporaryDirectory();
const directory = temporaryDirectory();
let served: ServeProcess | undefined;
let address = '';
const first = { hash: '' };

const serve = (): ServeProcess => {
  if (!served) throw new Error('the server does not run');
  return served;
};

/** The calls that only read, as programs make them when they start and while they run. */
const reads = (): readonly (readonly [string, ...unknown[]])[] => [
  ['getblockchaininfo'],
  ['getblockcount'],
  ['getbestblockhash'],
  ['getblockhash', 1],
  ['getblock', first.hash],
  ['getblock', first.hash, 2],
  ['getblockheader', first.hash],
  ['getdifficulty'],
  ['getnetworkinfo'],
  ['getconnectioncount'],
  ['getpeerinfo'],
  ['getmempoolinfo'],
  ['getrawmempool', true],
  ['getindexinfo'],
  ['getzmqnotifications'],
  ['estimatesmartfee', 6],
  ['validateaddress', address],
  ['getaddressinfo', address],
  ['getwalletinfo'],
  ['getbalance'],
  ['getbalances'],
  ['listunspent'],
  ['listtransactions'],
  ['listsinceblock'],
  ['listlabels'],
  ['listwallets'],
  ['getaddressesbylabel', ''],
  ['getreceivedbyaddress', address],
  // Refused as by a node: a height above the chain's, a hash that no block has, and a method that does not exist.
  ['getblockhash', 1000],
  ['getblock', '00'.repeat(32)],
];
const REFUSED = [-8, -5];

beforeAll(async () => {
  for (const name of ['package.json', 'read.cjs']) copyFileSync(join(SOURCE, name), join(clients, name));
  const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error'];
  execFileSync('npm', install, { cwd: clients, stdio: 'inherit' });
  served = await startServeProcess(directory, ['--network', 'regtest', '--dialect', 'core-32']);
  const { ask } = served;
  // The progress of the chain depends on the time, and clients ask one after another.
  await ask('setmocktime', [1_900_000_000]);
  await ask('createwallet', ['w']);
  address = await ask<string>('getnewaddress', [], 'w');
  const { scriptPubKey } = await ask<{ scriptPubKey: string }>('validateaddress', [address]);
  const paying = blockAfter(GENESIS, { script: scriptPubKey });
  first.hash = paying.hash;
  for (const { hex } of [paying, ...blocksAfter(paying, 100)]) await ask('submitblock', [hex]);
});
afterAll(() => served?.kill());

/** Writes numbers as text: one client gives those with many digits as text. */
const texts = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, member: unknown) => (typeof member === 'number' ? String(member) : member)));

test('fetch, bitcoin-core and bitcoind-rpc get the same answers; rpc-bitcoin is refused as by Core 31', () => {
  const calls = reads();
  writeFileSync(join(clients, 'calls.json'), JSON.stringify(calls));
  const login = readFileSync(join(directory, '.cookie'), 'utf8').split(':');
  const printed = execFileSync(process.execPath, ['read.cjs', String(serve().port), ...login], {
    cwd: clients,
    encoding: 'utf8',
  });
  const { 'rpc-bitcoin': unversioned, ...answers } = JSON.parse(printed) as Readonly<
    Record<string, readonly unknown[]>
  >;
  // It writes the version of JSON-RPC as a number, which Core takes only up to version 27.
  expect(unversioned).toEqual(calls.map(() => ({ code: -32600 })));
  const expected = texts(answers['fetch']) as readonly { readonly code?: string }[];
  expect(Object.keys(answers)).toHaveLength(3);
  for (const [client, given] of Object.entries(answers)) {
    expect([client, texts(given)]).toEqual([client, expected]);
  }
  const refused = expected.map((answer) => answer?.code).filter((code) => code !== undefined);
  expect(refused).toEqual(REFUSED.map(String));
});
