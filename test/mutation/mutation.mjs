// Changes the code of folders in every way that Stryker knows, one change at a time, and counts the changes that tests
// notice: npm run mutation -- FOLDER… [--sample 300 --seed 1] [--budget 1000] [--again]
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../../.build/bundle.mjs';
import { mutantsOf } from './mutants.mjs';

/** The tests that run: units and laws of the pure core, the vectors of the BIPs, and the bundled samples. */
const TESTS =
  /^(?:account|bips|bytes|cli\/(?!main|arithmetic|commands\/(?:serve|sync|batch)).*|crypto|descriptors|encoding|funding|interpreter|keys|message|properties|psbt|review|rpc\/(?!wallet|json|blockchain|mempool).*|safety|script|sighash|signing|tx|vectors|workers\/jobs).*\.test\.ts$/;

/** Left out: files that compile the library or prepare something before each test, whole chains, and long laws. */
const LEFT_OUT =
  /^(?:rpc\/rpcMethods|rpc\/spending\/fundingOptions|vectors\/(?:wallet|lives)\w*|properties\/(?!codec|sighash|signing|psbt|miniscript|ownership)\w*)\.test\.ts$/;

/** A mutant that takes longer than this, although its loops are counted, ends with the process: the tests noticed it. */
const SECONDS = 60;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Judges so many mutants of each folder, chosen by `seed`. */
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    /** Milliseconds of tests for one mutant. */
    budget: { type: 'string', default: '1000' },
    /** Judges only the mutants that survived the last time, after tests were added. */
    again: { type: 'boolean', default: false },
  },
});

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));
const readLines = (path) => {
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [];
  return lines.map((line) => JSON.parse(line));
};
const keyOf = ({ file, name, original, replacement }) => [file, name, original, replacement].join('\n');
const folderOf = ({ file }) => file.split('/')[1];

/** Returns members of a list by a seed, in the order of the list. */
function sampleOf(list, size, seed) {
  let state = seed;
  const random = () => {
    // Mulberry32.
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (t ^ (t >>> 14)) >>> 0;
  };
  const ranked = list.map((member) => [random(), member]).sort(([a], [b]) => a - b);
  const chosen = new Set(ranked.slice(0, size).map(([, member]) => member));
  return list.filter((member) => chosen.has(member));
}

/** Runs the tests against the chosen mutants, and begins again behind a mutant that stops the process. */
async function judge(work, chosen) {
  const path = join(work, 'outcomes.jsonl');
  rmSync(path, { force: true });
  const files = readdirSync(join(root, 'test'), { recursive: true })
    .filter((name) => TESTS.test(name) && !LEFT_OUT.test(name))
    .sort()
    .map((name) => join(root, 'test', name));
  for (;;) {
    const outcomes = readLines(path);
    const begun = new Set(outcomes.flatMap(({ begin }) => begin ?? []));
    const left = chosen.filter(({ id }) => !begun.has(id));
    if (left.length === 0) {
      const judged = new Map(outcomes.filter(({ id }) => id).map((outcome) => [outcome.id, outcome]));
      const stopped = { killed: true, isReached: true, by: 'the time limit' };
      return new Map(chosen.map(({ id }) => [id, judged.get(id) ?? { id, ...stopped }]));
    }
    writeFileSync(join(work, 'chosen.json'), JSON.stringify(left));
    await runVitest({ folder: work, files, budget: Number(values.budget) }, path);
    if (readLines(path).length === outcomes.length) throw new Error('No mutant was judged: see the output above');
  }
}

function runVitest(mutation, path) {
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/mutation/vitest.config.ts'];
  const env = { ...process.env, COUNTERSIGN_MUTATION: JSON.stringify(mutation), NODE_NO_WARNINGS: '1' };
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] });
  const writtenAt = () => (existsSync(path) ? statSync(path).mtimeMs : 0);
  const before = writtenAt();
  const watch = setInterval(() => {
    const written = writtenAt();
    if (written > before && Date.now() - written > 1000 * SECONDS) child.kill('SIGKILL');
  }, 1000);
  return new Promise((resolve) => {
    child.on('exit', () => {
      clearInterval(watch);
      resolve();
    });
  });
}

/** Judges the mutants of folders. @returns their rows of results.json */
async function run(folders) {
  const work = join(tmpdir(), 'countersign-mutation', folders.join('-'));
  mkdirSync(work, { recursive: true });
  const { sources, mutants } = await mutantsOf(folders);
  const path = join(work, 'sources.json');
  const text = JSON.stringify(sources);
  if (!existsSync(path) || readFileSync(path, 'utf8') !== text) rmSync(join(work, 'coverage.jsonl'), { force: true });
  writeFileSync(path, text);
  writeFileSync(join(work, 'mutants.json'), JSON.stringify(mutants));

  const samples = folders.map((folder) => {
    const all = mutants.filter((mutant) => folderOf(mutant) === folder);
    return sampleOf(all, Math.min(Number(values.sample ?? all.length), all.length), Number(values.seed));
  });
  const before = values.again ? new Set(readJson(join(work, 'survivors.json')).map(keyOf)) : undefined;
  const chosen = samples.flat().filter((mutant) => !before || before.has(keyOf(mutant)));
  const outcomes = await judge(work, chosen);
  const survivors = chosen.flatMap((mutant) => {
    const { killed, isReached } = outcomes.get(mutant.id);
    return killed ? [] : [{ ...mutant, isReached }];
  });
  writeFileSync(join(work, 'survivors.json'), JSON.stringify(survivors, undefined, 1));
  return folders.map((folder, i) => rowOf(folder, mutants, samples[i], survivors));
}

/** Prints the survivors of a folder that have no reason. @returns its row of results.json */
function rowOf(folder, mutants, sample, allSurvivors) {
  const survivors = allSurvivors.filter((mutant) => folderOf(mutant) === folder);
  const reasons = new Set(
    readJson(join(root, 'test/mutation/survivors.json')).flatMap(({ mutants: of }) => of.map(keyOf)),
  );
  const open = survivors.filter((mutant) => !reasons.has(keyOf(mutant)));
  for (const { file, line, name, original, replacement, isReached } of open) {
    console.log(
      `${file}:${line} ${name}${isReached ? '' : ' (no test reaches it)'}\n  - ${original}\n  + ${replacement}`,
    );
  }
  const total = mutants.filter((mutant) => folderOf(mutant) === folder).length;
  return {
    folder,
    mutants: total,
    judged: sample.length,
    killed: sample.length - survivors.length,
    reasons: survivors.length - open.length,
    survived: open.length,
    ...(sample.length < total && { seed: Number(values.seed) }),
    date: new Date().toISOString().slice(0, 10),
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim(),
  };
}

const path = join(root, 'test/mutation/results.json');
const found = await run(positionals);
for (const row of found) console.log(JSON.stringify(row));
const rows = [...readJson(path).filter(({ folder }) => !positionals.includes(folder)), ...found];
rows.sort((a, b) => (a.folder < b.folder ? -1 : 1));
writeFileSync(path, `${JSON.stringify(rows, undefined, 2)}\n`);
