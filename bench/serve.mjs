// The server under load, compared with a node: 64 clients for 30 seconds, with calls of all kinds.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { byteStream } from './fixtures.mjs';
import { assert, line } from './measure.mjs';
import { blocksOf, callsOf, PSBT, walletKeys } from './serveCalls.mjs';
import { bodyOf, call, clientOf, startOurs, startTheirs } from './servers.mjs';

const CLIENTS = 64;
const SECONDS = Number(process.env.SECONDS ?? 30);

/** A wallet with keys, 101 blocks that pay to it, and as many watched addresses. */
async function prepare(server, blocks) {
  const client = clientOf(server);
  await call(client, 'createwallet', ['w', false, true]);
  for (const { wif } of walletKeys) await call(client, 'importprivkey', [wif, 'own', false], 'w');
  for (const { hex } of blocks.slice(0, 101)) await call(client, 'submitblock', [hex]);
  const coins = await call(client, 'listunspent', [0], 'w');
  assert(coins.length > 0, 'coins');
  assert((await call(client, 'decodepsbt', [PSBT])).inputs.length === 1, 'a PSBT');
  client.close();
  return coins;
}

const memoryOf = (pid) => Number(/VmRSS:\s+([0-9]+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** Milliseconds that a client waits after "Work queue depth exceeded". */
const PAUSE = 10;

/** Makes a call and records its status and time. @returns false if the work queue was full */
async function askOnce(client, { method, params, wallet }, { counts, times }) {
  const start = performance.now();
  const { status, text } = await client.post(wallet ? '/wallet/w' : '/', bodyOf(method, params));
  const isBusy = text === 'Work queue depth exceeded';
  const what = isBusy ? `${status} busy` : `${status}`;
  counts.set(what, (counts.get(what) ?? 0) + 1);
  assert(isBusy || status === 200, `${method}: ${text}`);
  if (!isBusy) {
    if (!times.has(method)) times.set(method, []);
    times.get(method).push(performance.now() - start);
  }
  return !isBusy;
}

/** Runs clients that make the next call as soon as the last one is answered. */
async function load(server, coins, blocks) {
  const tally = { counts: new Map(), times: new Map() };
  let next = 101;
  const end = performance.now() + 1000 * SECONDS;
  const runClient = async (number) => {
    const client = clientOf(server);
    const calls = callsOf(byteStream(number + 1), number, coins);
    while (performance.now() < end) {
      const chosen = calls();
      // Only one client submits blocks, so that they arrive in order.
      const isBlock = chosen.method === 'submitblock';
      const isTaken = await askOnce(client, isBlock ? { ...chosen, params: [blocks[next].hex] } : chosen, tally);
      if (isBlock && isTaken) next += 1;
      if (!isTaken) await sleep(PAUSE);
    }
    client.close();
  };
  const memory = [memoryOf(server.pid)];
  const watch = setInterval(() => memory.push(memoryOf(server.pid)), (1000 * SECONDS) / 3 - 50);
  await Promise.all(Array.from({ length: CLIENTS }, (_, number) => runClient(number)));
  clearInterval(watch);
  return { ...tally, memory, blocks: next - 101 };
}

const quantile = (sorted, share) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
const figures = (times) => {
  const sorted = [...times].sort((a, b) => a - b);
  return { count: sorted.length, p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) };
};

const rate = ({ times }) => [...times.values()].flat().length / SECONDS;

export async function benchServe() {
  const blocks = blocksOf(101 + SECONDS * 10);
  const results = [];
  for (const start of [startOurs, startTheirs]) {
    const server = await start();
    if (!server) continue;
    const coins = await prepare(server, blocks);
    results.push({ name: server.name, ...(await load(server, coins, blocks)) });
    await server.stop();
  }

  const [ours, theirs] = results;
  console.log(line(`${CLIENTS} clients, ${SECONDS} s`, ...results.map(({ name }) => name)));
  console.log(line('---', ...results.map(() => '---')));
  console.log(line('answers a second', ...results.map((result) => rate(result).toFixed(0))));
  if (theirs) console.log(line('of the node’s', (rate(ours) / rate(theirs)).toFixed(2), ''));
  const all = results.map(({ times }) => figures([...times.values()].flat()));
  console.log(line('p50, ms', ...all.map(({ p50 }) => p50.toFixed(1))));
  console.log(line('p99, ms', ...all.map(({ p99 }) => p99.toFixed(1))));
  console.log(line('statuses', ...results.map(({ counts }) => [...counts].map((pair) => pair.join(': ')).join(', '))));
  console.log(line('blocks taken', ...results.map(({ blocks: count }) => count)));
  console.log(line('memory, MB', ...results.map(({ memory }) => memory.map((mb) => mb.toFixed(0)).join(', '))));
  for (const method of [...ours.times.keys()].sort()) {
    const cells = results.map(({ times }) => figures(times.get(method) ?? []));
    console.log(line(method, ...cells.map(({ count, p50, p99 }) => `${count}: ${p50.toFixed(1)}, ${p99.toFixed(1)}`)));
  }
}
