// `batch` with one job and with one per core, from the start of the process to its end. The counts of jobs take turns.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism, loadavg } from 'node:os';
import { makeSigningTask } from './fixtures.mjs';
import { assert, cell, line } from './measure.mjs';
import { MAIN, memoryOf, NETWORK } from './servers.mjs';

const ROUNDS = Number(process.env.ROUNDS ?? 3);
const ARITHMETIC = (process.env.ARITHMETIC ?? 'noble,wasm,native').split(',');
const CORES = availableParallelism();
/** Lines to sign, which take one job some twenty to forty seconds: starting threads and compiling code for them takes one. */
const SIGNED = { noble: 2000, wasm: 4000, native: 10_000 };
/** The part of all lines that is run. */
const SHARE = Number(process.env.SHARE ?? 1);

/** Runs `batch` on lines. @returns the most memory */
async function runBatch(lines, options) {
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
  return memory;
}

/** Divides lines among processes. @returns lines a second from start to end, and the most memory of one */
async function batchRate(lines, options, processes) {
  const share = Math.ceil(lines.length / processes);
  const parts = Array.from({ length: processes }, (_, i) => lines.slice(i * share, (i + 1) * share));
  const start = performance.now();
  const memory = Math.max(...(await Promise.all(parts.map((part) => runBatch(part, options)))));
  return { rate: (1000 * lines.length) / (performance.now() - start), memory };
}

const signing = Array.from({ length: SHARE * Math.max(...ARITHMETIC.map((name) => SIGNED[name])) }, (_, seed) => {
  const { hex, wifs, prevtxs } = makeSigningTask('p2wpkh', 10, seed);
  return JSON.stringify({ id: seed, method: 'signrawtransactionwithkey', params: [hex, wifs, prevtxs] });
});
const decoding = Array.from({ length: SHARE * 500_000 }, (_, id) =>
  JSON.stringify({ id, method: 'decodescript', params: [`0014${id.toString(16).padStart(40, '0')}`] }),
);
const TASKS = [
  ...ARITHMETIC.map((arithmetic) => ({
    what: '10 inputs signed',
    arithmetic,
    lines: signing.slice(0, SHARE * SIGNED[arithmetic]),
  })),
  { what: 'a script decoded', arithmetic: 'wasm', lines: decoding },
];

/** Threads in one process, and processes of one thread each, which show what the machine can do at most. */
const WAYS = [
  { jobs: 1, processes: 1 },
  { jobs: CORES, processes: 1 },
  { jobs: 1, processes: CORES },
];

/** Runs `batch` in each way in turn. @returns the median rate and the memory of each */
async function ratesOf(lines, arithmetic) {
  const runs = WAYS.map(() => []);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [i, { jobs, processes }] of WAYS.entries()) {
      runs[i].push(await batchRate(lines, ['--arithmetic', arithmetic, '--jobs', `${jobs}`], processes));
    }
  }
  return runs.map((of) => of.sort((a, b) => a.rate - b.rate)[of.length >> 1]);
}

export async function benchBatch() {
  const load = () => loadavg()[0].toFixed(1);
  const before = load();
  const ways = ['--jobs 1', `--jobs ${CORES}`, `${CORES} processes`];
  console.log(line('batch, lines a second', 'arithmetic', 'lines', ...ways, 'memory of the first two, MB'));
  console.log('|---|---|---|---|---|---|---|');
  for (const { what, arithmetic, lines } of TASKS) {
    const [one, threads, processes] = await ratesOf(lines, arithmetic);
    const beside = ({ rate }) => `${cell(rate)} (${(rate / one.rate).toFixed(2)}×)`;
    const memory = `${cell(one.memory)}, ${cell(threads.memory)}`;
    console.log(line(what, arithmetic, lines.length, cell(one.rate), beside(threads), beside(processes), memory));
  }
  console.log('');
  console.log(
    `Medians of ${ROUNDS} rounds, at a load of ${before} before and ${load()} after, this benchmark included.`,
  );
}
