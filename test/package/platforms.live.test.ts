import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromium, firefox } from '../shell/page/support/engines/puppeteer.ts';
import { webkit } from '../shell/page/support/engines/webkit.ts';
import { root } from '../support/packedPackage.ts';
import { reportTurn } from '../support/report.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { bundlePrograms, portablePrograms } from './platforms/programs.ts';

/** Runs the same programs, and the same recorded calls, on every platform. */

const SOURCE = join(root, 'test/package/platforms/files');
const project = temporaryDirectory();
const path = (...names: readonly string[]): string => join(project, ...names);

interface Outcome {
  readonly programs: number;
  readonly calls: number;
  readonly passed: number;
  readonly failures: readonly string[];
  /** Of the whole run. */
  readonly seconds: number;
  /** Milliseconds to review, sign and finalize one input. */
  readonly signing: number;
}

const rows: string[] = [];

function expectAll(platform: string, printed: string): void {
  const { programs, calls, passed, failures, seconds, signing } = JSON.parse(printed) as Outcome;
  rows.push(`| ${platform} | ${passed}/${programs + calls} | ${signing.toFixed(1)} | ${seconds.toFixed(1)} |`);
  expect(failures).toEqual([]);
  expect(programs).toBeGreaterThanOrEqual(60);
  expect(calls).toBeGreaterThan(150);
  expect(passed).toBe(programs + calls);
}

/** Runs a program with a file. @returns what it prints */
function run(program: string, ...args: readonly string[]): string {
  const { stdout, stderr, status } = spawnSync(program, args, { cwd: project, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status !== 0) throw new Error(stdout.slice(-2000) + stderr.slice(-2000));
  return stdout.trim();
}

const PRINT = ';(typeof print === "function" ? print : console.log)(runPlatform());\n';

/** Syntax that Hermes 0.12 has, or that Babel translates better than esbuild. */
const KEPT = [
  'bigint',
  'regexp-unicode-property-escapes',
  'regexp-named-capture-groups',
  'regexp-lookbehind-assertions',
  'regexp-dot-all-flag',
];
const PLUGINS = ['classes', 'block-scoping', 'unicode-property-regex', 'named-capturing-groups-regex'];

interface Babel {
  readonly transformSync: (code: string, options: object) => { readonly code: string };
}

async function translated(): Promise<string> {
  const lowered = await bundlePrograms({
    target: 'es2016',
    supported: Object.fromEntries(KEPT.map((name) => [name, true])),
  });
  const load = createRequire(path('package.json'));
  const { transformSync } = load('@babel/core') as Babel;
  const plugins = PLUGINS.map((name) => load.resolve(`@babel/plugin-transform-${name}`));
  const options = { babelrc: false, configFile: false, sourceType: 'script', compact: false, plugins };
  const polyfills = readFileSync(join(SOURCE, 'polyfills.js'), 'utf8');
  return transformSync(polyfills + lowered + PRINT, options).code;
}

let script = '';

/** Each is a download of its own, so commits take turns. */
const LATER = ['22', '24', '26'] as const;
const later = reportTurn('the versions of Node after 20', LATER);

/** Writes which packages to install. */
function writePackages(): void {
  const { devDependencies, ...rest } = JSON.parse(readFileSync(join(SOURCE, 'package.json'), 'utf8')) as {
    readonly devDependencies: Readonly<Record<string, string>>;
  };
  const left = LATER.filter((version) => !later.includes(version)).map((version) => `node${version}`);
  const kept = Object.entries(devDependencies).filter(([name]) => !left.includes(name));
  writeFileSync(path('package.json'), JSON.stringify({ ...rest, devDependencies: Object.fromEntries(kept) }));
}

beforeAll(async () => {
  writePackages();
  copyFileSync(join(SOURCE, 'worker.capnp'), path('worker.capnp'));
  const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error'];
  execFileSync('npm', install, { cwd: project, stdio: 'inherit' });
  script = await bundlePrograms();
  writeFileSync(path('programs.js'), script);
  writeFileSync(path('programs.mjs'), script + PRINT);
  const worker = `import './programs.js';\nexport default { test() { console.log(runPlatform()); } };\n`;
  writeFileSync(path('worker.js'), worker);
});

afterAll(() =>
  console.log(['| platform | passed | ms to sign | s for all |', '|---|---|---|---|', ...rows].join('\n')),
);

test('60 programs need no system', () => {
  expect(portablePrograms().length).toBeGreaterThanOrEqual(60);
});

describe('Node', () => {
  test.each(['20', ...later])('%s', (version) => {
    const program = version === '20' ? process.execPath : path(`node_modules/node${version}/bin/node`);
    expect(run(program, '--version')).toMatch(new RegExp(`^v${version}\\.`));
    expectAll(`Node ${run(program, '--version').slice(1)}`, run(program, 'programs.mjs'));
  });
});

/** Finds Bun's program: its package only copies it over a placeholder when install scripts run. */
function bun(): string {
  const [folder = ''] = readdirSync(path('node_modules/@oven'));
  return path('node_modules/@oven', folder, 'bin/bun');
}

const versionOf = (name: string): string =>
  (JSON.parse(readFileSync(path('node_modules', name, 'package.json'), 'utf8')) as { version: string }).version;

test('Bun', () => expectAll(`Bun ${versionOf('bun')}`, run(bun(), 'programs.mjs')));

test('Deno, without any permission', () => {
  expectAll(
    `Deno ${versionOf('deno')}`,
    run(path('node_modules/.bin/deno'), 'run', '--no-prompt', '--cached-only', 'programs.mjs'),
  );
});

test('workerd, the runtime of Workers', () => {
  const program = path('node_modules/@cloudflare/workerd-linux-64/bin/workerd');
  const printed = run(program, 'test', 'worker.capnp')
    .split('\n')
    .find((line) => line.startsWith('{'));
  expectAll(`workerd ${versionOf('@cloudflare/workerd-linux-64')}`, printed ?? '');
});

describe('Hermes, with Babel', () => {
  beforeAll(async () => writeFileSync(path('hermes.js'), await translated()));

  test('0.12', () => {
    const program = path('node_modules/hermes-engine-cli/linux64-bin/hermes');
    expectAll(`Hermes ${versionOf('hermes-engine-cli')}`, run(program, 'hermes.js'));
  });

  // Hermes 0.12 ignores `Symbol.hasInstance`, which later engines do not.
  test('the same script in Node', () =>
    expectAll('the script for Hermes, in Node', run(process.execPath, 'hermes.js')));
});

/** No request of the page leaves this machine: nothing listens there. */
const NO_PROXY_PORT = 9;

test.each([chromium, firefox, webkit].filter(({ needs }) => Object.keys(needs).every((file) => existsSync(file))))(
  '$name',
  async ({ name, start }) => {
    const driver = await start({ proxy: NO_PROXY_PORT, width: 800, height: 600 });
    try {
      writeFileSync(path('page.html'), `<!doctype html><title>-</title><script src="programs.js"></script>`);
      await driver.open(`file://${path('page.html')}`);
      const printed = await driver.run(() => (globalThis as unknown as { runPlatform: () => string }).runPlatform());
      expectAll(`${name} ${driver.version.replace(/^\D*/, '')}`, printed);
    } finally {
      await driver.close();
    }
  },
);
