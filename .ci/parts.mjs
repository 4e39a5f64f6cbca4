// The parts of the check: `.ci/run` plays a share of each on every commit, `npm run test:all` the whole of each.
import { existsSync, readdirSync } from 'node:fs';
import { delimiter } from 'node:path';

const TEST = new URL('../test/', import.meta.url);

const isProgram = (name) => (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(`${folder}/${name}`));
const POSTGRES = '/usr/lib/postgresql';

/** What parts need, and whether it is here. */
export const MATERIAL = {
  'the recorded corpora in ../shared': () => existsSync(new URL('../../shared/vectors', import.meta.url)),
  litecoind: () => isProgram('litecoind'),
  postgresql: () => existsSync(POSTGRES) && readdirSync(POSTGRES).length > 0,
  chromium: () => isProgram('chromium'),
  'firefox-esr': () => isProgram('firefox-esr'),
  'btrfs-progs': () => isProgram('mkfs.btrfs'),
  'webkit2gtk-driver and xvfb': () => isProgram('WebKitWebDriver') && isProgram('Xvfb'),
};
const [CORPORA, LITECOIND, POSTGRESQL, CHROMIUM, FIREFOX, BTRFS, WEBKIT] = Object.keys(MATERIAL);

const vitest = (config, ...args) => ['npx', 'vitest', 'run', '--config', `test/${config}vitest.config.ts`, ...args];

/** The tests of these folders are parts of their own in `test:all`; the others are one. */
const FOLDERS = ['answers', 'core', 'kit', 'node', 'properties', 'shell', 'vectors'];
const others = readdirSync(TEST, { withFileTypes: true })
  .filter((entry) => (entry.isDirectory() ? !FOLDERS.includes(entry.name) : entry.name.endsWith('.test.ts')))
  .map((entry) => `test/${entry.name}${entry.isDirectory() ? '/' : ''}`);

const tests = (name, ...paths) => ({
  name: `tests of ${name}`,
  whole: vitest('', ...paths),
  seconds: { share: 0, whole: 1200 },
});

/**
 * The parts, in the order in which they run.
 *
 * - `share`, `whole`: the command of `.ci/run`, and that of `test:all`; `run`: the same in both
 * - `leaves`: what `.ci/run` leaves out of it
 * - `needs`: the material without which it is skipped; `uses`: that of which it skips the tests that need it
 * - `beside`: parts with the same word run at the same time
 * - `seconds`: about what the two commands take on two quiet cores
 */
export const parts = [
  { name: 'build', run: ['npm', 'run', '--silent', 'build'], seconds: { share: 12, whole: 12 } },
  {
    name: 'types',
    run: ['npm', 'run', '--silent', 'check:types'],
    beside: 'checks',
    seconds: { share: 45, whole: 45 },
  },
  { name: 'code', run: ['npm', 'run', 'check:code'], beside: 'checks', seconds: { share: 50, whole: 45 } },
  ...FOLDERS.map((folder) => ({
    ...tests(folder, `test/${folder}/`),
    uses: folder === 'shell' ? [CORPORA, BTRFS] : [CORPORA],
  })),
  { ...tests('all else', ...others), uses: [CORPORA] },
  {
    name: 'signing corpora with WebAssembly, on two threads',
    run: vitest('', 'test/vectors/node', '-t', 'core-32.(sign|flow) the corpus'),
    env: { COUNTERSIGN_ARITHMETIC: 'wasm', COUNTERSIGN_JOBS: '2' },
    needs: [CORPORA],
    beside: 'waiting',
    seconds: { share: 15, whole: 15 },
  },
  {
    name: 'records in PostgreSQL',
    run: vitest('postgres/'),
    leaves: 'all recorded histories but one of each node',
    needs: [POSTGRESQL],
    beside: 'waiting',
    seconds: { share: 77, whole: 600 },
  },
  {
    name: 'live comparison with litecoind',
    run: vitest('live/'),
    leaves: 'fifteen sixteenths of its random cases',
    needs: [LITECOIND],
    beside: 'waiting',
    seconds: { share: 140, whole: 1500 },
  },
  {
    name: 'the page in browsers',
    run: vitest('shell/page/'),
    leaves: 'fifteen sixteenths of the random messages, and two thirds of the tests in Firefox and WebKit',
    needs: [CHROMIUM],
    uses: [FIREFOX, WEBKIT],
    beside: 'browsing',
    seconds: { share: 150, whole: 600 },
  },
  {
    name: 'releases, bundlers and runtimes',
    run: vitest('package/'),
    leaves: 'two of three versions of Node',
    uses: [CHROMIUM, FIREFOX, WEBKIT],
    beside: 'browsing',
    seconds: { share: 170, whole: 200 },
  },
  { name: 'the reference', run: ['npm', 'run', '--silent', 'docs'], beside: 'last', seconds: { share: 25, whole: 25 } },
  {
    name: 'fuzz targets',
    share: ['npm', 'run', '--silent', 'fuzz', '--', '--minutes', '0.4'],
    whole: ['npm', 'run', '--silent', 'fuzz', '--', '--minutes', '20'],
    leaves: 'all but the first half minute',
    beside: 'last',
    seconds: { share: 30, whole: 1200 },
  },
  // Last, as it takes longest: on a slow machine all others have run then.
  {
    name: 'tests',
    share: vitest(''),
    leaves:
      'fifteen sixteenths of each random campaign, and of the lines that an earlier release answers as the newest; ' +
      'the histories of earlier releases take turns',
    uses: [CORPORA, BTRFS],
    seconds: { share: 410, whole: 0 },
  },
];
