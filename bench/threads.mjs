// Signing and verifying over HTTP beside a node, with each arithmetic, on the main thread and on worker threads; and
// `batch` with one job and with one per core.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { makeSigningTask } from './fixtures.mjs';
import { assert, cell, line } from './measure.mjs';
import { call, clientOf, MAIN, NETWORK, startOurs, startTheirs } from './servers.mjs';

const SECONDS = Number(process.env.SECONDS ?? 4);
const INPUTS = 100;
const CLIENTS = [1, 4];
const ARITHMETIC = ['noble', 'wasm', 'native'];
const CORES = availableParallelism();
const REQUESTS = 1000;

const memoryOf = (pid, what) =>
  Number(new RegExp(`${what}:\\s+([0-9]+)`).exec(readFileSync(`/proc/${pid}/status`))?.[1]) / 1024;

/** Counts the calls that clients get answered in a time. @returns calls a second */
async function rateOf(server, clients, ask) {
  const run = async () => {
    const client = clientOf(server);
    let count = 0;
    const end = performance.now() + 1000 * SECONDS;
    for (; performance.now() < end; count += 1) await ask(client);
    client.close();
    return count;
  };
  const start = performance.now();
  const counts = await Promise.all(Array.from({ length: clients }, run));
  return counts.reduce((sum, count) => sum + count) / ((performance.now() - start) / 1000);
}

/** Measures inputs a second: signed with keys, signed by a wallet, and verified. */
async function ratesOf(server) {
  const { hex, wifs, prevtxs } = makeSigningTask('p2wpkh', INPUTS, 0);
  const first = clientOf(server);
  await call(first, 'createwallet', ['w', false, true]);
  for (const wif of wifs) await call(first, 'importprivkey', [wif, '', false], 'w');
  const signed = await call(first, 'signrawtransactionwithkey', [hex, wifs, prevtxs]);
  assert(signed.complete, 'complete');
  first.close();
  const isSigned = ({ hex: text, complete }) => assert(complete && text === signed.hex, 'the same transaction');
  const tasks = [
    async (client) => isSigned(await call(client, 'signrawtransactionwithkey', [hex, wifs, prevtxs])),
    async (client) => isSigned(await call(client, 'signrawtransactionwithwallet', [hex, prevtxs], 'w')),
    async (client) => isSigned(await call(client, 'signrawtransactionwithkey', [signed.hex, [], prevtxs])),
  ];
  const rates = [];
  for (const task of tasks) {
    // Threads compile their code as they go.
    await rateOf(server, CLIENTS.at(-1), task);
    for (const clients of CLIENTS) {
      rates.push(INPUTS * (await rateOf(server, clients, task)));
    }
  }
  return { rates, memory: memoryOf(server.pid, 'VmRSS') };
}

const beside = (rate, theirs) => (theirs === undefined ? cell(rate) : `${cell(rate)} (${(rate / theirs).toFixed(2)}×)`);

async function measured(start) {
  const server = await start();
  if (!server) return undefined;
  try {
    return await ratesOf(server);
  } finally {
    await server.stop();
  }
}

async function benchServers() {
  const kinds = ['signed with keys', 'signed by a wallet', 'verified'];
  const names = kinds.flatMap((kind) =>
    CLIENTS.map((clients) => `${kind}, ${clients} client${clients > 1 ? 's' : ''}`),
  );
  console.log(line(`inputs a second over HTTP, ${INPUTS} in each call`, ...names, 'memory, MB'));
  console.log(line('---', ...names.map(() => '---'), '---'));
  const node = await measured(startTheirs);
  if (node) console.log(line('Litecoin Core 0.21', ...node.rates.map(cell), cell(node.memory)));
  for (const arithmetic of ARITHMETIC) {
    for (const workers of [0, CORES]) {
      const { rates, memory } = await measured(() =>
        startOurs(['--arithmetic', arithmetic, '--workers', `${workers}`]),
      );
      const cells = rates.map((rate, i) => beside(rate, node?.rates[i]));
      console.log(line(`countersign, ${arithmetic}, --workers ${workers}`, ...cells, cell(memory)));
    }
  }
}

/** Runs `batch` on lines. @returns lines a second from start to end, and the most memory */
async function batchRate(lines, options) {
  const start = performance.now();
  const child = spawn(process.execPath, [MAIN, 'batch', ...NETWORK, ...options], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let answers = 0;
  child.stdout.on('data', (chunk) => {
    for (const byte of chunk) if (byte === 10) answers += 1;
  });
  let memory = 0;
  const watch = setInterval(() => {
    memory = Math.max(memory, memoryOf(child.pid, 'VmHWM') || 0);
  }, 50);
  child.stdin.end(`${lines.join('\n')}\n`);
  await once(child, 'exit');
  clearInterval(watch);
  assert(answers === lines.length, 'an answer for each line');
  return { rate: (1000 * lines.length) / (performance.now() - start), memory };
}

const requests = {
  '10 inputs signed': Array.from({ length: REQUESTS }, (_, seed) => {
    const { hex, wifs, prevtxs } = makeSigningTask('p2wpkh', 10, seed);
    return JSON.stringify({ id: seed, method: 'signrawtransactionwithkey', params: [hex, wifs, prevtxs] });
  }),
  'a script decoded': Array.from({ length: 50 * REQUESTS }, (_, id) =>
    JSON.stringify({ id, method: 'decodescript', params: [`0014${id.toString(16).padStart(40, '0')}`] }),
  ),
};

async function benchBatch() {
  console.log(line('batch, lines a second', 'arithmetic', '--jobs 1', `--jobs ${CORES}`, 'memory, MB'));
  console.log('|---|---|---|---|---|');
  for (const [what, lines] of Object.entries(requests)) {
    for (const arithmetic of what.includes('signed') ? ARITHMETIC : ['wasm']) {
      const [one, all] = [
        await batchRate(lines, ['--arithmetic', arithmetic, '--jobs', '1']),
        await batchRate(lines, ['--arithmetic', arithmetic, '--jobs', `${CORES}`]),
      ];
      const memory = `${cell(one.memory)}, ${cell(all.memory)}`;
      console.log(line(what, arithmetic, cell(one.rate), beside(all.rate, one.rate), memory));
    }
  }
}

export async function benchThreads() {
  await benchServers();
  console.log('');
  await benchBatch();
}
