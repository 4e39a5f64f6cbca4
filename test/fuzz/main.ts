import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Finding, runCampaign, type Tally } from './campaign.ts';
import { writeFinding } from './findingFile.ts';
import { createSource } from './source.ts';
import { TARGETS } from './targets.ts';
import { watch } from './watchdog.ts';

// `npm run fuzz`: runs the targets, prints a table, writes findings into vectors/fuzz; fails if there are any.

const HELP = `npm run fuzz -- [OPTIONS]

  --minutes N      for how long (default 1, or no limit with --cases)
  --cases N        the most cases of each target
  --target NAME    only this target; may be repeated
  --seed N         which cases; the same seed gives the same ones (default 1)
  --case N         shows this case of the target, and runs only it
  --record         writes the figures into test/fuzz/campaign.json
  --help           shows this, and the names of the targets`;

const FOLDER = 'vectors/fuzz';
const RECORD = 'test/fuzz/campaign.json';
const MINUTE = 60_000;
/** After how many cases memory is measured, and by how much it may grow, in bytes. */
const [CASES_PER_MEASUREMENT, MOST_GROWTH] = [100_000, 150_000_000];

const { values } = parseArgs({
  options: {
    minutes: { type: 'string' },
    cases: { type: 'string' },
    target: { type: 'string', multiple: true },
    seed: { type: 'string', default: '1' },
    case: { type: 'string' },
    record: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

function numberOf(name: string, text: string): number {
  const number = Number(text);
  if (Number.isFinite(number) && number >= 0) return number;
  console.error(`--${name} takes a number, not "${text}"`);
  process.exit(2);
}

function chosenTargets(): typeof TARGETS {
  const wanted = values.target ?? [];
  const unknown = wanted.filter((name) => !TARGETS.some((target) => target.name === name));
  if (unknown.length > 0) {
    console.error(
      `There is no target ${unknown.join(', ')}: choose from ${TARGETS.map(({ name }) => name).join(', ')}`,
    );
    process.exit(2);
  }
  return wanted.length === 0 ? TARGETS : TARGETS.filter(({ name }) => wanted.includes(name));
}

const collect = (globalThis as { readonly gc?: () => void }).gc;
const heap = { first: 0, last: 0, most: 0, nextAt: CASES_PER_MEASUREMENT };
const findings: Finding[] = [];

function report(finding: Finding): void {
  findings.push(finding);
  console.error(`${finding.target}: ${finding.law}\n  ${writeFinding(FOLDER, finding)}`);
}

const casesOf = (tallies: readonly Tally[]): number => tallies.reduce((sum, { cases }) => sum + cases, 0);

/** Measures memory after each 100 000 cases; the first measurement stands for what targets keep on purpose. */
function watchHeap(tallies: readonly Tally[]): void {
  if (!collect || casesOf(tallies) < heap.nextAt) return;
  heap.nextAt += CASES_PER_MEASUREMENT;
  for (const { target } of tallies) target.reset?.();
  collect();
  heap.last = process.memoryUsage().heapUsed;
  heap.most = Math.max(heap.most, heap.last);
  if (heap.first === 0 && tallies.every(({ cases }) => cases > 0)) heap.first = heap.last;
}

let shownAt = Date.now();
function showProgress(tallies: readonly Tally[]): void {
  watchHeap(tallies);
  if (Date.now() - shownAt < MINUTE) return;
  shownAt = Date.now();
  console.error(
    `${new Date().toISOString()} ${casesOf(tallies)} cases, ${findings.length} findings, ${Math.round(heap.last / 1e6)} MB`,
  );
}

const sumOf = (counts: Iterable<number>): number => [...counts].reduce((sum, count) => sum + count, 0);

const rows = (tallies: readonly Tally[]) =>
  tallies.map(({ target, cases, milliseconds, findings: found }) => ({
    target: target.name,
    cases,
    seconds: Math.round(milliseconds / 1000),
    rate: Math.round((cases / Math.max(1, milliseconds)) * 1000),
    findings: found.size,
    met: sumOf(found.values()),
  }));

function print(tallies: readonly Tally[], seconds: number): void {
  const line = (...cells: readonly (string | number)[]): void =>
    console.log(cells.map((cell, i) => (i === 0 ? String(cell).padEnd(22) : String(cell).padStart(10))).join(' '));
  line('target', 'cases', 'seconds', 'cases/s', 'findings');
  for (const row of rows(tallies)) line(row.target, row.cases, row.seconds, row.rate, row.findings);
  const total = casesOf(tallies);
  line('all', total, Math.round(seconds), Math.round(total / Math.max(1, seconds)), findings.length);
  console.log(
    `seed ${values.seed}; heap ${Math.round(heap.first / 1e6)} MB at first, ${Math.round(heap.last / 1e6)} MB at last`,
  );
}

function record(tallies: readonly Tally[], seconds: number): void {
  const total = casesOf(tallies);
  const campaign = {
    command: `npm run fuzz -- --minutes ${Math.round(seconds / 60)} --seed ${values.seed} --record`,
    node: process.versions.node,
    seed: Number(values.seed),
    seconds: Math.round(seconds),
    cases: total,
    rate: Math.round(total / seconds),
    heap: { first: heap.first, last: heap.last, most: heap.most },
    targets: rows(tallies),
  };
  writeFileSync(RECORD, `${JSON.stringify(campaign, null, 2)}\n`);
}

/** Shows one case of each chosen target, then runs it. */
async function runOne(index: number): Promise<void> {
  for (const target of chosenTargets()) {
    const source = createSource(numberOf('seed', values.seed), target.name);
    source.begin(index);
    const input = target.generate(source);
    console.log(input instanceof Uint8Array ? Buffer.from(input).toString('hex') : JSON.stringify(input));
    await target.run(input);
  }
}

async function main(): Promise<void> {
  if (values.help) {
    console.log(`${HELP}\n\n${TARGETS.map(({ name }) => `  ${name}`).join('\n')}`);
    return;
  }
  if (values.case !== undefined) return runOne(numberOf('case', values.case));
  const targets = chosenTargets();
  const names = targets.map(({ name }) => name);
  const watched = watch(names, `npm run fuzz -- --seed ${values.seed} --target NAME --case NUMBER`);
  const cases = values.cases === undefined ? Number.POSITIVE_INFINITY : numberOf('cases', values.cases);
  const minutes =
    values.minutes === undefined
      ? values.cases === undefined
        ? 1
        : Number.POSITIVE_INFINITY
      : numberOf('minutes', values.minutes);
  const start = performance.now();
  const tallies = await runCampaign(targets, {
    seed: numberOf('seed', values.seed),
    cases,
    time: minutes * MINUTE,
    measures: values.cases === undefined,
    report,
    beat: watched.beat,
    onSlice: showProgress,
  });
  watched.stop();
  const seconds = (performance.now() - start) / 1000;
  print(tallies, seconds);
  if (values.record) record(tallies, seconds);
  const isLeaking = heap.first > 0 && heap.last - heap.first > MOST_GROWTH;
  if (isLeaking) console.error(`Memory has grown by ${Math.round((heap.last - heap.first) / 1e6)} MB`);
  if (findings.length > 0 || isLeaking) process.exitCode = 1;
}

await main();
