import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pMap from 'p-map';
import { countScripts, type Script, scriptsOf } from './applicability.ts';
import { writeOutcomes } from './conformance.ts';
import { type Run, runScript } from './runScript.ts';
import { makeWorkspace, versionOf } from './workspace.ts';

// `npm run test:core`: runs Core's functional tests on `countersign bitcoind`.

const HELP = `npm run test:core -- CHECKOUT [--only PATTERN] [--write] [--jobs 2] [--timeout 600] [--folder DIR]

CHECKOUT is a clone of bitcoin/bitcoin or bitcoin-core/gui at the commit to test. Nothing in it is changed.
--only     a regular expression for the names of scripts
--write    put the results into outcomes.json and docs/conformance.md, over those of the same scripts
--folder   where the nodes of the scripts live, and what the scripts print (default: a new one in /tmp)`;

/** Makes the chain that most scripts begin with, before two of them would. */
const CACHE_SCRIPT = 'create_cache.py';

async function main(argv: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      only: { type: 'string', default: '' },
      write: { type: 'boolean', default: false },
      jobs: { type: 'string', default: '2' },
      timeout: { type: 'string', default: '600' },
      folder: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const [path] = positionals;
  if (path === undefined || values.help) {
    console.log(HELP);
    return path === undefined ? 2 : 0;
  }
  const checkout = resolve(path);
  const version = versionOf(checkout);
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'countersign-core-'));
  mkdirSync(folder, { recursive: true });
  const workspace = makeWorkspace(folder, { checkout, root, dialect: version.dialect });
  const seconds = Number(values.timeout);
  const only = new RegExp(values.only);
  const scripts = scriptsOf(checkout).filter(({ name }) => only.test(name));
  console.log(`${version.dialect}, commit ${version.commit}: ${scripts.length} scripts; output in ${folder}`);
  const settings = { checkout, workspace, seconds };
  // Runs at once of this program take other ports.
  const firstSeed = process.pid;
  const cache = await runScript(CACHE_SCRIPT, { ...settings, seed: firstSeed });
  if (cache.outcome.kind !== 'passed') console.log(shown(cache));
  const runs = await pMap(
    scripts,
    async (script, i) => {
      const run = await runOrSkip(script, { ...settings, seed: firstSeed + i + 1 });
      console.log(shown(run));
      return run;
    },
    { concurrency: Number(values.jobs) },
  );
  if (values.write) writeOutcomes({ runs, version, all: countScripts(checkout), folder });
  return runs.some(({ outcome }) => outcome.kind === 'failed') ? 1 : 0;
}

async function runOrSkip({ name, need, excuse }: Script, settings: Parameters<typeof runScript>[1]): Promise<Run> {
  if (need !== undefined) return { name, outcome: { kind: 'not applicable', reason: need }, seconds: 0 };
  const run = await runScript(name, settings);
  if (run.outcome.kind !== 'failed' || excuse === undefined) return run;
  return { ...run, outcome: { kind: 'not applicable', reason: `${excuse} (${run.outcome.line})` } };
}

const shown = ({ name, outcome, seconds }: Run): string =>
  `${name}: ${outcome.kind}${outcome.kind === 'failed' ? `: ${outcome.line}` : ''} (${seconds.toFixed(1)} s)`;

process.exitCode = await main(process.argv.slice(2));
