// What a test suite does, on a regtest in this process and on a node over HTTP.
import { execFileSync } from 'node:child_process';
import { parseHex } from '../dist/core/bytes/index.js';
import { formatAddress, networks } from '../dist/index.js';
import { startRegtest } from '../dist/shell/regtest/index.js';
import { assert, beside, cell, line, median } from './measure.mjs';
import { call, clientOf, startTheirs } from './servers.mjs';

const WALLET = 'bench';
const PAYMENTS = 1000;
const INPUTS = 2000;
/** Each gets many of the coins, since a node takes long to make an address. */
const ADDRESSES = 100;
const AMOUNT = 0.001;
const FEE = 0.01;
const MANY = 10_000;
/** Of a key that neither wallet has. */
const PAYEE = parseHex(`0014${'11'.repeat(20)}`);

/** Does the same work on each node. @returns milliseconds by what was done */
async function work(ask, network) {
  const payee = formatAddress(PAYEE, networks[network]);
  const times = {};
  const timed = async (what, step) => {
    const start = performance.now();
    const result = await step();
    times[what] = performance.now() - start;
    return result;
  };
  const asWallet = (method, params = []) => ask(method, params, WALLET);
  await ask('createwallet', [WALLET]);
  const own = await asWallet('getnewaddress', ['', 'bech32']);
  await timed('mine 100 empty blocks', () => ask('generatetoaddress', [100, own]));
  await ask('generatetoaddress', [10, own]);

  const addresses = [];
  for (let i = 0; i < ADDRESSES; i += 1) addresses.push(await asWallet('getnewaddress', ['', 'bech32']));
  const outputs = Object.fromEntries(addresses.map((address) => [address, AMOUNT]));
  for (let made = 0; made < INPUTS + PAYMENTS; made += ADDRESSES) await asWallet('sendmany', ['', outputs]);
  await ask('generatetoaddress', [1, own]);

  const unspent = await asWallet('listunspent', [1, 9999, addresses]);
  const coins = unspent.map(({ txid, vout }) => ({ txid, vout }));
  assert(coins.length === INPUTS + PAYMENTS, 'coins');
  const unsigned = await ask('createrawtransaction', [coins.slice(0, INPUTS), [{ [payee]: INPUTS * AMOUNT - FEE }]]);
  const { hex, complete } = await timed(`sign ${INPUTS} P2WPKH inputs`, () =>
    asWallet('signrawtransactionwithwallet', [unsigned]),
  );
  assert(complete, 'signed');
  await timed('mine and validate them', () => ask('generateblock', [own, [hex]]));

  await timed(`sign and send ${PAYMENTS} transactions`, async () => {
    for (const coin of coins.slice(INPUTS)) {
      const raw = await ask('createrawtransaction', [[coin], [{ [payee]: AMOUNT / 2 }]]);
      await ask('sendrawtransaction', [(await asWallet('signrawtransactionwithwallet', [raw])).hex, 0]);
    }
  });
  const [hash] = await timed('mine those', () => ask('generatetoaddress', [1, own]));
  const listed = await timed('list those', () => asWallet('listtransactions', ['*', PAYMENTS]));
  assert(listed.filter(({ blockhash }) => blockhash === hash).length === PAYMENTS, 'all in the block');
  return { own, timed, times };
}

const REWIND = 'take 10 blocks back';

async function workOurs() {
  const chain = startRegtest();
  const ask = (method, params, wallet) => chain.rpc.call(method, params, wallet);
  const { timed, times } = await work(ask, 'regtest');
  const before = chain.snapshot();
  chain.mine(10);
  await timed(REWIND, () => chain.rewind(before));
  await chain.close();
  return times;
}

async function workTheirs() {
  const node = await startTheirs(['-fallbackfee=0.0002']);
  if (!node) return undefined;
  const client = clientOf(node);
  const ask = (method, params, wallet) => call(client, method, params, wallet);
  try {
    const { own, timed, times } = await work(ask, 'litecoin-regtest');
    const [first] = await ask('generatetoaddress', [10, own]);
    await timed(REWIND, () => ask('invalidateblock', [first]));
    return times;
  } finally {
    client.close();
    await node.stop();
  }
}

/** Measures a process that has mined many blocks: seconds and MB. */
function manyBlocks() {
  const program = `
    import { startRegtest } from ${JSON.stringify(new URL('../dist/shell/regtest/index.js', import.meta.url).href)};
    const chain = startRegtest();
    const start = performance.now();
    chain.mine(${MANY});
    const seconds = (performance.now() - start) / 1000;
    gc();
    console.log(JSON.stringify({ seconds, memory: process.memoryUsage().rss / 2 ** 20 }));`;
  const args = ['--expose-gc', '--input-type=module', '--eval', program];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}

export async function benchRegtest() {
  const startup = median(() => startRegtest().rpc.call('getblockcount'));
  console.log(`startRegtest and a first call: ${cell(startup)} ms`);
  const { seconds, memory } = manyBlocks();
  const ours = await workOurs();
  const theirs = await workTheirs();
  console.log(`${MANY} empty blocks: ${seconds.toFixed(1)} s, then ${memory.toFixed(0)} MB in all`);
  console.log('');
  console.log(line('one run', 'countersign in the process, ms', 'Litecoin Core 0.21 over HTTP, ms'));
  console.log(line('---', '---', '---'));
  for (const [what, ms] of Object.entries(ours)) console.log(line(what, cell(ms), beside(theirs?.[what], ms)));
}
