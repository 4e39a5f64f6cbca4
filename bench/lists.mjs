// Lists of a wallet with 100 000 transactions, compared with a node that has the same wallet, both over HTTP.
import { createHash } from 'node:crypto';
import { formatHex } from '../dist/core/bytes/index.js';
import { encodeTransaction, parseTxid, txid } from '../dist/core/tx/index.js';
import { ANYONE, ANYONE_DESCRIPTOR, SUBSIDY, spend } from './blocks.mjs';
import { assert, beside, cell, line } from './measure.mjs';
import { ask, call, clientOf, startOurs, startTheirs } from './servers.mjs';

const SCRIPTS = Number(process.env.SCRIPTS ?? 20_000);
const BLOCKS = Number(process.env.BLOCKS ?? 50);
const PER_BLOCK = 2000;
const RUNS = 5;
/** The addresses with labels. */
const LABELLED = 1000;
const REQUEST = 10_000;
const TIME = 1_700_000_000;

const sha256 = (bytes) => createHash('sha256').update(bytes).digest();
/** Makes an anyone-can-spend redeem script, different for each number. */
const redeemScript = (i) => Uint8Array.of(4, i & 0xff, (i >> 8) & 0xff, (i >> 16) & 0xff, 0, 0x75, 0x51);
const scriptOf = (i) => Uint8Array.from([0, 32, ...sha256(redeemScript(i))]);
const hexOf = (tx) => formatHex(encodeTransaction(tx));

async function importScripts(client) {
  for (let from = 0; from < SCRIPTS; from += REQUEST) {
    const requests = Array.from({ length: Math.min(REQUEST, SCRIPTS - from) }, (_, i) => ({
      scriptPubKey: formatHex(scriptOf(from + i)),
      timestamp: 'now',
      internal: true,
      watchonly: true,
    }));
    await call(client, 'importmulti', [requests, { rescan: false }], 'w');
  }
}

/** Makes the node mine coins, then payments to the wallet, of which the second half spend the first. */
async function mineOn(client) {
  const blocks = [];
  const keep = async (hash) => blocks.push(await call(client, 'getblock', [hash, 0]));
  const early = await call(client, 'generatetodescriptor', [101 + BLOCKS, ANYONE_DESCRIPTOR]);
  for (const hash of early) await keep(hash);
  await call(client, 'createwallet', ['w', true, true]);
  await importScripts(client);
  const value = SUBSIDY / BigInt(PER_BLOCK);
  const coins = Array.from({ length: PER_BLOCK }, () => ({ value, scriptPubKey: ANYONE }));
  const splits = [];
  for (const hash of early.slice(0, BLOCKS)) {
    const { tx } = await call(client, 'getblock', [hash, 1]);
    splits.push(spend([{ txid: parseTxid(tx[0]), vout: 0 }], coins));
  }
  const mine = async (txs) => keep((await call(client, 'generateblock', [ANYONE_DESCRIPTOR, txs.map(hexOf)])).hash);
  for (let i = 0; i < splits.length; i += 20) await mine(splits.slice(i, i + 20));
  const paid = [];
  for (let block = 0; block < BLOCKS; block += 1) {
    const txs = Array.from({ length: PER_BLOCK }, (_, i) =>
      payment({ block, i, before: paid[block - BLOCKS / 2]?.[i], split: splits[block], value }),
    );
    paid.push(txs);
    await mine(txs);
  }
  return blocks;
}

const scriptNumber = (block, i) => ((block * PER_BLOCK + i) * 7919) % SCRIPTS;

function payment({ block, i, before, split, value }) {
  const coin = before ? { txid: txid(before), vout: 0 } : { txid: txid(split), vout: i };
  const paid = { value: before ? value - 1000n : value, scriptPubKey: scriptOf(scriptNumber(block, i)) };
  const tx = spend([coin], [paid]);
  if (before) tx.inputs[0].witness = [redeemScript(scriptNumber(block - BLOCKS / 2, i))];
  return tx;
}

const QUERIES = {
  'listunspent, all': () => ['listunspent', []],
  'listunspent, one address': ({ address }) => ['listunspent', [1, 9_999_999, [address]]],
  'listunspent, 10 coins': () => ['listunspent', [1, 9_999_999, [], true, { maximumCount: 10 }]],
  'listsinceblock, all': () => ['listsinceblock', ['', 1, true]],
  'listsinceblock, of 3 blocks': ({ since }) => ['listsinceblock', [since, 1, true]],
  getaddressinfo: ({ address }) => ['getaddressinfo', [address]],
  'listtransactions, the last 10': () => ['listtransactions', ['*', 10, 0, true]],
  'listtransactions, 10 in the middle': () => ['listtransactions', ['*', 10, (BLOCKS * PER_BLOCK) / 2, true]],
  gettransaction: ({ transaction }) => ['gettransaction', [transaction, true]],
  getbalances: () => ['getbalances', []],
  'getbalance, 6 confirmations': () => ['getbalance', ['*', 6, true]],
  getreceivedbyaddress: ({ address }) => ['getreceivedbyaddress', [address]],
  'listreceivedbyaddress, one address': ({ labelled }) => ['listreceivedbyaddress', [1, true, true, labelled]],
  'listreceivedbylabel, all': () => ['listreceivedbylabel', [1, false, true]],
  'listaddressgroupings, all': () => ['listaddressgroupings', []],
  'getblock, 2001 transactions': ({ full }) => ['getblock', [full, 1]],
  gettxout: ({ transaction }) => ['gettxout', [transaction, 0]],
};

const addressOf = async (client, number) =>
  (await call(client, 'decodescript', [formatHex(scriptOf(number))])).addresses[0];

/** Gives addresses labels, a hundred the same. */
async function labelAll(client, addresses) {
  for (const [i, address] of addresses.entries()) await call(client, 'setlabel', [address, `label ${i % 10}`], 'w');
}

/** Measures each query: its answer, the time of the first call, and the median of the later ones, in milliseconds. */
async function timesOf(client, known) {
  const found = new Map();
  for (const [what, queryOf] of Object.entries(QUERIES)) {
    const [method, params] = queryOf(known);
    const times = [];
    let answer = '';
    for (let run = 0; run <= RUNS; run += 1) {
      const start = performance.now();
      answer = await ask(client, method, params, 'w');
      times.push(performance.now() - start);
    }
    const [first, ...later] = times;
    later.sort((a, b) => a - b);
    found.set(what, { answer, first, later: later[RUNS >> 1] });
  }
  return found;
}

export async function benchLists() {
  const theirs = await startTheirs();
  if (!theirs) {
    console.log('litecoind is not installed, so there is nothing to compare');
    return;
  }
  const node = clientOf(theirs);
  await call(node, 'setmocktime', [TIME]);
  const blocks = await mineOn(node);
  const tip = await call(node, 'getblockcount', []);
  const full = await call(node, 'getblockhash', [tip]);
  const { tx: lastTxs } = await call(node, 'getblock', [full, 1]);
  const known = {
    since: await call(node, 'getblockhash', [tip - 3]),
    full,
    transaction: lastTxs[1],
    address: await addressOf(node, scriptNumber(BLOCKS - 1, 0)),
  };
  const labelled = [];
  for (let i = 0; i < LABELLED; i += 1) labelled.push(await addressOf(node, scriptNumber(0, i)));
  known.labelled = labelled[0];
  await labelAll(node, labelled);
  const asked = await timesOf(node, known);
  node.close();
  await theirs.stop();
  const ours = await startOurs();
  const client = clientOf(ours);
  await call(client, 'setmocktime', [TIME]);
  for (const block of blocks.slice(0, 101 + BLOCKS)) await call(client, 'submitblock', [block]);
  await call(client, 'createwallet', ['w', true, true]);
  await importScripts(client);
  for (const block of blocks.slice(101 + BLOCKS)) await call(client, 'submitblock', [block]);
  await labelAll(client, labelled);
  const answered = await timesOf(client, known);
  client.close();
  await ours.stop();
  console.log(
    line(
      `${BLOCKS * PER_BLOCK} transactions`,
      'answer, kB',
      'countersign, ms',
      'Litecoin Core 0.21',
      'first time',
      'its first',
    ),
  );
  console.log(line('---', '---', '---', '---', '---', '---'));
  for (const [what, { answer, first, later }] of answered) {
    const other = asked.get(what);
    assert(answer === other.answer, `${what}: the same answer`);
    const size = (answer.length / 1000).toFixed(1);
    console.log(line(what, size, cell(later), beside(other.later, later), cell(first), beside(other.first, first)));
  }
}
