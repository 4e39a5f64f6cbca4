// `batch` with one job and with one per core, from the start of the process to its end. The counts of jobs take turns.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, createReadStream, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
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

/** Writes lines into a file. @returns its path */
function fileOf(lines, directory, name) {
  const path = join(directory, name);
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

async function countLines(path) {
  let count = 0;
  for await (const chunk of createReadStream(path)) {
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, end + 1)) count += 1;
  }
  return count;
}

/** Runs `batch` from a file to a file, as a shell does: no other process takes part. @returns the most memory */
async function runBatch(requests, options) {
  const answers = `${requests}.answers`;
  const stdio = [openSync(requests, 'r'), openSync(answers, 'w'), 'inherit'];
  const child = spawn(process.execPath, [MAIN, 'batch', ...NETWORK, ...options], { stdio });
  let memory = 0;
  const watch = setInterval(() => {
    memory = Math.max(memory, memoryOf(child.pid, 'VmHWM') || 0);
  }, 50);
  await once(child, 'exit');
  clearInterval(watch);
  for (const file of stdio.slice(0, 2)) closeSync(file);
  return memory;
}

/** Runs one process for each file. @returns lines a second from start to end, and the most memory of one */
async function batchRate(requests, count, options) {
  const start = performance.now();
  const memory = Math.max(...(await Promise.all(requests.map((file) => runBatch(file, options)))));
  const rate = (1000 * count) / (performance.now() - start);
  const answered = await Promise.all(requests.map((file) => countLines(`${file}.answers`)));
  assert(answered.reduce((sum, lines) => sum + lines) === count, 'an answer for each line');
  return { rate, memory };
}

/** Makes the lines of each row, which takes a while. */
function makeTasks() {
  const signing = Array.from({ length: SHARE * Math.max(...ARITHMETIC.map((name) => SIGNED[name])) }, (_, seed) => {
    const { hex, wifs, prevtxs } = makeSigningTask('p2wpkh', 10, seed);
    return JSON.stringify({ id: seed, method: 'signrawtransactionwithkey', params: [hex, wifs, prevtxs] });
  });
  const decoding = Array.from({ length: SHARE * 500_000 }, (_, id) =>
    JSON.stringify({ id, method: 'decodescript', params: [`0014${id.toString(16).padStart(40, '0')}`] }),
  );
  return [
    ...ARITHMETIC.map((arithmetic) => ({
      what: '10 inputs signed',
      arithmetic,
      lines: signing.slice(0, SHARE * SIGNED[arithmetic]),
    })),
    { what: 'a script decoded', arithmetic: 'wasm', lines: decoding },
  ];
}

/** Threads in one process, and processes of one thread each, which show what the machine can do at most. */
const WAYS = [
  { jobs: 1, processes: 1 },
  { jobs: CORES, processes: 1 },
  { jobs: 1, processes: CORES },
];

/** Runs `batch` in each way in turn. @returns the median rate and the memory of each */
async function ratesOf(lines, arithmetic, directory) {
  const runs = WAYS.map(() => []);
  const files = WAYS.map(({ processes }) => {
    const share = Math.ceil(lines.length / processes);
    return Array.from({ length: processes }, (_, i) =>
      fileOf(lines.slice(i * share, (i + 1) * share), directory, `${processes}-${i}`),
    );
  });
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [i, { jobs }] of WAYS.entries()) {
      runs[i].push(await batchRate(files[i], lines.length, ['--arithmetic', arithmetic, '--jobs', `${jobs}`]));
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
  const directory = mkdtempSync(join(tmpdir(), 'countersign-batch-'));
  for (const { what, arithmetic, lines } of makeTasks()) {
    const [one, threads, processes] = await ratesOf(lines, arithmetic, directory);
    const beside = ({ rate }) => `${cell(rate)} (${(rate / one.rate).toFixed(2)}×)`;
    const memory = `${cell(one.memory)}, ${cell(threads.memory)}`;
    console.log(line(what, arithmetic, lines.length, cell(one.rate), beside(threads), beside(processes), memory));
  }
  rmSync(directory, { recursive: true });
  console.log('');
  console.log(
    `Medians of ${ROUNDS} rounds, at a load of ${before} before and ${load()} after, this benchmark included.`,
  );
}
