// Writes docs/conformance.md: the counts of every corpus, suite, live comparison and property that this machine has.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { manifest, root } from './bundle.mjs';
import { fuzzText } from './fuzzFigures.mjs';
import { mutationSection } from './mutationSection.mjs';

const shared = join(root, '../shared');
const folder = mkdtempSync(join(tmpdir(), 'countersign-conformance-'));
const counts = join(folder, 'counts.jsonl');

/** The contents of the corpora, by the end of their names. */
const CONTENTS = {
  decode: '`decodepsbt`, `decoderawtransaction`, `decodescript` on random and mangled input',
  flow: 'PSBT life cycles of 13 kinds of descriptors: created, signed, combined, finalized, analyzed, joined',
  rpc_psbt: 'the PSBTs of Core’s `rpc_psbt.json`: decoded, analyzed, finalized, combined',
  sign: '`signrawtransactionwithkey`: all script types, partial and combined rounds, bad parameters',
  util: 'transactions, addresses, messages and multisig, with good and bad arguments',
  verdicts: 'every input of the transactions that the node signed or failed to sign: verdict and error text',
  wallet: 'a node with wallets: imports, encryption, payments, conflicts, reorganizations, locks, queries',
  life: 'a node with chain, mempool and wallets: new keys, payments, lists, balances, blocks, policy',
  text: 'replies compared as text',
};

const contentOf = (subject) =>
  CONTENTS[Object.keys(CONTENTS).find((name) => new RegExp(`(?:[.]|, |as )${name}\\b`).test(subject))] ?? '';

/** Runs tests. @returns each group of tests in a file, with the number that passed, and of all that ran */
function run(config, ...filters) {
  const output = join(folder, 'tests.json');
  const args = ['vitest', 'run', '--config', config, '--reporter=default', '--reporter=json', `--outputFile=${output}`];
  const env = {
    ...process.env,
    COUNTERSIGN_WHOLE: '1',
    COUNTERSIGN_REPORT: counts,
    ...(existsSync(shared) && { COUNTERSIGN_SHARED: shared }),
  };
  const { status } = spawnSync('npx', [...args, ...filters], {
    cwd: root,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) process.exitCode = 1;
  const groups = new Map();
  for (const { name, assertionResults } of JSON.parse(readFileSync(output, 'utf8')).testResults) {
    for (const result of assertionResults) {
      if (result.status !== 'passed' && result.status !== 'failed') continue;
      const file = relative(root, name);
      const [title = ''] = result.ancestorTitles;
      const group = groups.get(`${file} ${title}`) ?? { file, title, passed: 0, total: 0 };
      group.passed += result.status === 'passed' ? 1 : 0;
      group.total += 1;
      groups.set(`${file} ${title}`, group);
    }
  }
  return [...groups.values()].sort((a, b) => (a.file < b.file ? -1 : 1));
}

const table = (head, rows) =>
  [
    `| ${head.join(' | ')} |`,
    `|${'---|'.repeat(head.length)}`,
    ...rows.map((cells) => `| ${cells.join(' | ')} |`),
    '',
  ].join('\n');

const testTable = (rows) =>
  table(
    ['tests', 'passed', 'in'],
    rows.map(({ file, title, passed, total }) => [title.replaceAll('|', '\\|'), `${passed} / ${total}`, `\`${file}\``]),
  );

const version = (program) => {
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  return stdout?.split('\n')[0];
};

execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' });
const vectors = run('test/vitest.config.ts', 'test/vectors', 'test/differential', 'test/bips');
const properties = run('test/vitest.config.ts', 'test/properties', 'test/safety');
const node = version('litecoind');
const live = node ? run('test/node/vitest.config.ts') : [];

const reported = existsSync(counts)
  ? readFileSync(counts, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  : [];
const countTable = (group) => {
  const rows = reported.filter((count) => count.group === group).sort((a, b) => (a.subject < b.subject ? -1 : 1));
  return table(
    ['subject', 'passed', 'kept', ''],
    rows.map(({ subject, passed, total, kept = 0, note = contentOf(subject) }) => [
      subject,
      `${passed} / ${total}`,
      kept,
      note,
    ]),
  );
};
const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
const isBundled = (file) => /vectors\/(?:script|tx|suites)|bips/.test(file);

writeFileSync(
  join(root, 'docs/conformance.md'),
  `# Conformance

\`npm run conformance\` wrote this page on commit ${commit}, version ${manifest.version}, with Node ${process.versions.node}${node ? ` and ${node}` : ''}.
${existsSync(shared) ? 'It replayed the full corpora.' : 'The full corpora were not there: it replayed the bundled samples.'} A recorded answer passes if it is deeply equal: order of members, error code and text included.
\`kept\` counts the answers that differ on purpose: \`test/divergences.ts\` lists them, each with its reason, and the tests check
both. Joined PSBTs are compared as sets, since a node shuffles them.

## Recorded answers of nodes

${countTable('recorded answers')}
## A live node

${node ? countTable('live node') : 'No node was on this machine.\n'}
${live.length > 0 ? testTable(live) : ''}
## Published suites and vectors of the BIPs

${testTable(vectors.filter(({ file }) => isBundled(file)))}
## Other libraries

${countTable('other libraries')}
## Laws and attacks

${testTable(properties)}
${mutationSection(table)}
## Random cases

${fuzzText()}`,
);
rmSync(folder, { recursive: true });
