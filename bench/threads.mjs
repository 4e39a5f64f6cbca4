// Signing and verifying over HTTP beside a node, with each arithmetic, on the main thread and on worker threads.
import { availableParallelism } from 'node:os';
import { makeSigningTask } from './fixtures.mjs';
import { assert, cell, line } from './measure.mjs';
import { call, clientOf, memoryOf, startOurs, startTheirs } from './servers.mjs';

const SECONDS = Number(process.env.SECONDS ?? 4);
const INPUTS = 100;
const CLIENTS = [1, 4];
const ARITHMETIC = ['noble', 'wasm', 'native'];
const CORES = availableParallelism();

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

export async function benchThreads() {
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
