// Plays the parts of the check: `node .ci/play.mjs share` for `.ci/run`, `node .ci/play.mjs whole` for `npm run test:all`.
import { execFileSync, spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { MATERIAL, parts } from './parts.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

/** A machine that is several times slower than usual would take hours: after these minutes no part of `.ci/run` begins. */
const LAST_BEGIN = { share: 55, whole: Number.POSITIVE_INFINITY };
/** A part that hangs ends after so many minutes. */
const LONGEST = { share: 45, whole: 360 };

const HELP = `node .ci/play.mjs share|whole [--only TEXT] [--minutes N] [--again]

share  a sixteenth of each campaign, chosen by the commit's hash
whole  everything; what has passed at this commit does not run again

--only TEXT    the parts whose names contain the text
--minutes N    begin no part after N minutes; the next call goes on there
--again        run also what has passed at this commit
`;

const plain = (text) => text.replaceAll(/\x1b\[[0-9;]*m/g, '');

/** Reads how many tests passed and failed from what a part printed: vitest's line "Tests  3 failed | 5 passed (8)". */
export function countTests(printed) {
  const [line = ''] =
    plain(printed)
      .match(/^ *Tests .*$/gm)
      ?.slice(-1) ?? [];
  const count = (word) => Number(new RegExp(`(\\d+) ${word}`).exec(line)?.[1] ?? 0);
  return { passed: count('passed'), failed: count('failed') };
}

/** Puts parts that run beside each other into one group. */
export const groupsOf = (chosen) =>
  chosen.reduce((groups, part) => {
    const last = groups.at(-1);
    if (part.beside && last?.[0].beside === part.beside) last.push(part);
    else groups.push([part]);
    return groups;
  }, []);

/** Names the material of a part that is missing. */
export const missingOf = ({ needs = [] }, material = MATERIAL) => needs.filter((name) => !material[name]());

const commandOf = (part, mode) => part[mode] ?? part.run;

/** The names of parts that have passed, of the kept results of a commit. */
export const passedIn = (text) =>
  new Set(
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
      .filter(({ outcome }) => outcome === 'passed')
      .map(({ name }) => name),
  );

/** The leaders of the groups of processes that run. */
const running = new Set();

/** Ends what runs, with all that it has started, when this program is interrupted. */
function endTogether() {
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => {
      for (const { pid } of running) process.kill(-pid, 'SIGKILL');
      process.exit(1);
    });
  }
}

/** Runs a part. @returns its outcome, the tests, seconds, and what it printed */
function run(part, { mode, env, shows }) {
  const [program, ...args] = commandOf(part, mode);
  const began = performance.now();
  const child = spawn(program, args, {
    cwd: root,
    env: { ...process.env, ...env, ...part.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // The leader of its group, so that what it has started ends with it.
    detached: true,
  });
  running.add(child);
  let printed = '';
  const take = (chunk) => {
    printed += chunk;
    if (shows) process.stdout.write(chunk);
  };
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', take);
  const timer = setTimeout(() => {
    take(`\n${part.name}: ended after ${LONGEST[mode]} minutes\n`);
    process.kill(-child.pid, 'SIGKILL');
  }, LONGEST[mode] * 60_000);
  return new Promise((resolve) => {
    child.on('error', (error) => take(`${error.message}\n`));
    child.on('close', (code) => {
      clearTimeout(timer);
      running.delete(child);
      const tests = countTests(printed);
      const outcome = code === 0 ? 'passed' : 'failed';
      const failed = code === 0 ? 0 : Math.max(1, tests.failed);
      const seconds = Math.round((performance.now() - began) / 1000);
      resolve({ name: part.name, outcome, seconds, passed: tests.passed, failed, printed });
    });
  });
}

/** Lists what matters of a part that failed: its errors, and its end. */
function faultsOf({ name, printed }) {
  const lines = plain(printed).trimEnd().split('\n');
  const errors = lines.filter((line) => /^ *(FAIL|×)|error|Error:/.test(line)).slice(0, 20);
  return `\n== ${name}\n${[...errors, ...lines.slice(-15)].join('\n')}\n`;
}

const print = (text) => process.stdout.write(`${text}\n`);

/** Says what the share of a commit leaves out. */
function printShare({ share, chosen }) {
  print(
    `This run plays share ${share} of 0 to f, by the commit's hash. \`npm run test:all\` plays what it leaves out:`,
  );
  for (const { name, leaves } of chosen) if (leaves) print(`- ${name}: ${leaves}`);
}

/** Tells why a part does not run, if it does not. */
function whyNot(part, last) {
  const missing = missingOf(part);
  if (missing.length > 0) return `SKIPPED, without ${missing.join(', ')}: ${part.name}`;
  return performance.now() > last ? `NOT RUN, the minutes are over: ${part.name}` : undefined;
}

/** Runs parts beside each other. @returns their results, in the order in which they end */
async function runGroup(group, settings) {
  for (const { name, seconds } of group) print(`\n== ${name}, about ${seconds[settings.mode]} s`);
  const results = [];
  const ended = group.map(async (part) => {
    const result = await run(part, { ...settings, shows: group.length === 1 });
    if (group.length > 1) print(result.printed);
    print(`== ${part.name}: ${result.outcome}, ${result.seconds} s`);
    results.push(result);
  });
  await Promise.all(ended);
  return results;
}

/** Prints what was left out, what failed, the seconds, and the sums. */
function printEnd({ results, chosen, absent }) {
  const left = results.flatMap(({ printed }) => plain(printed).match(/^.*\bleft out\b.*$/gm) ?? []);
  if (left.length > 0) print(`\n==== left out\n${left.join('\n')}`);
  const lacking = chosen.flatMap(({ uses = [] }) => uses.filter((name) => !MATERIAL[name]()));
  const unused = [...new Set(lacking)].map((name) => `SKIPPED, the tests that need ${name}`);
  for (const text of [...absent, ...unused]) print(`== ${text}`);
  const failures = results.filter(({ outcome }) => outcome === 'failed');
  if (failures.length > 0) print(`\n==== what failed\n${failures.map(faultsOf).join('')}`);
  print('\n==== seconds');
  for (const { name, outcome, seconds } of results) print(`${String(seconds).padStart(6)}  ${name}: ${outcome}`);
  const sum = (member) => results.reduce((total, result) => total + result[member], 0);
  print(`\n${sum('passed')} passed, ${sum('failed')} failed`);
}

/** Chooses the parts of `.ci/run` or `test:all` with a text in their names. */
function choose(mode, only) {
  const chosen = parts.filter((part) => commandOf(part, mode) && part.name.includes(only));
  if (chosen.length === 0) throw new Error(`No part has ${only} in its name: .ci/parts.mjs lists them`);
  return chosen;
}

function minutesOf(text) {
  const minutes = Number(text);
  if (!(minutes > 0)) throw new Error(`--minutes takes a number above 0, not ${text}`);
  return minutes;
}

async function play(mode, { only = '', minutes = Number.POSITIVE_INFINITY, again }) {
  const commit = git('rev-parse', 'HEAD');
  const isClean = git('status', '--porcelain') === '';
  const share = commit.slice(0, 1);
  // Results are those of a commit, so they are kept only where nothing else is there.
  mkdirSync(`${root}.results`, { recursive: true });
  const kept = `${root}.results/${commit}.jsonl`;
  const reuses = mode === 'whole' && isClean && !again && existsSync(kept);
  const done = reuses ? passedIn(readFileSync(kept, 'utf8')) : new Set();
  const chosen = choose(mode, only);
  const hasCorpora = MATERIAL['the recorded corpora in ../shared']();
  const env = {
    ...(hasCorpora && { COUNTERSIGN_SHARED: '../shared' }),
    ...(mode === 'whole' ? { COUNTERSIGN_WHOLE: '1' } : { COUNTERSIGN_SHARE: share }),
  };
  print(`\n== commit ${commit}${isClean ? '' : ', changed'}`);
  if (mode === 'share') printShare({ share, chosen });
  for (const name of done) print(`== ${name}: passed at this commit before`);

  const last = Math.min(LAST_BEGIN[mode], minutesOf(minutes)) * 60_000;
  const results = [];
  const absent = [];
  for (const group of groupsOf(chosen.filter(({ name }) => !done.has(name)))) {
    const reasons = group.map((part) => whyNot(part, last));
    absent.push(...reasons.filter(Boolean));
    const ended = await runGroup(
      group.filter((_, i) => !reasons[i]),
      { mode, env },
    );
    results.push(...ended);
    for (const { printed, ...numbers } of ended) {
      if (isClean && mode === 'whole') appendFileSync(kept, `${JSON.stringify(numbers)}\n`);
    }
  }
  printEnd({ results, chosen, absent });
  return results.some(({ outcome }) => outcome === 'failed') ? 1 : 0;
}

async function main() {
  endTogether();
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { only: { type: 'string' }, minutes: { type: 'string' }, again: { type: 'boolean' } },
  });
  const [mode] = positionals;
  if (mode === 'share' || mode === 'whole') return await play(mode, values);
  process.stdout.write(HELP);
  return 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = await main();
