import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Run } from './runScript.ts';
import type { Version } from './workspace.ts';

/** What became of the scripts of a release: `passed`, or the kind of another outcome and why, by name. */
interface Release {
  readonly commit: string;
  /** How many scripts its folder has, those included that are never run. */
  readonly all: number;
  readonly scripts: Readonly<Record<string, string>>;
}

/** By dialect. */
export type Outcomes = Readonly<Record<string, Release>>;

const fileOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const OUTCOMES = fileOf('outcomes.json');
export const PAGE = fileOf('../../docs/conformance.md');

export const readOutcomes = (): Outcomes =>
  existsSync(OUTCOMES) ? (JSON.parse(readFileSync(OUTCOMES, 'utf8')) as Outcomes) : {};

/** A run of scripts. `all`: how many the checkout has; `folder`: the name that texts leave out. */
interface Session {
  readonly runs: readonly Run[];
  readonly version: Version;
  readonly all: number;
  readonly folder: string;
}

/** Puts the outcomes of a run over those of the same scripts, unless they are of another commit. */
export function withRuns(before: Outcomes, { runs, version: { dialect, commit }, all, folder }: Session): Outcomes {
  const known = before[dialect]?.commit === commit ? before[dialect].scripts : {};
  const added = runs.map(({ name, outcome }) => [name, textOf(outcome).replaceAll(`${folder}/`, '')] as const);
  const scripts = sorted({ ...known, ...Object.fromEntries(added) });
  return sorted({ ...before, [dialect]: { commit, all, scripts } });
}

/** Writes the outcomes of a run, and the page anew. */
export function writeOutcomes(session: Session): void {
  const outcomes = withRuns(readOutcomes(), session);
  writeFileSync(OUTCOMES, `${JSON.stringify(outcomes, null, 2)}\n`);
  writeFileSync(PAGE, pageOf(outcomes));
}

const sorted = <T>(record: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));

function textOf(outcome: Run['outcome']): string {
  switch (outcome.kind) {
    case 'passed':
      return outcome.kind;
    case 'not applicable':
      return `${outcome.kind}: ${outcome.reason}`;
    case 'failed':
      return `${outcome.kind}: ${outcome.line}`;
  }
  return outcome satisfies never;
}

/** Draws the page of all releases in Markdown: counts first, then a row for each script. */
export function pageOf(outcomes: Outcomes): string {
  const releases = Object.entries(outcomes);
  const perRelease = (title: string, cell: (release: Release) => string): string =>
    row([title, ...releases.map(([, release]) => cell(release))]);
  const count = (kind: Run['outcome']['kind']) => (release: Release) =>
    String(Object.values(release.scripts).filter((text) => text.startsWith(kind)).length);
  const names = [...new Set(releases.flatMap(([, { scripts }]) => Object.keys(scripts)))].sort();
  const lines = [
    row(['', ...releases.map(([dialect]) => dialect)]),
    row(['---', ...releases.map(() => '---')]),
    perRelease('commit', ({ commit }) => commit.slice(0, 10)),
    perRelease('run', ({ all, scripts }) => `${Object.keys(scripts).length} of ${all} scripts`),
    perRelease('passed', count('passed')),
    perRelease('failed', count('failed')),
    perRelease('not applicable', count('not applicable')),
  ];
  const header = ['script', ...releases.map(([dialect]) => dialect.replace('core-', '')), 'why not, as of the last'];
  return `# Core's functional tests

[\`npm run test:core\`](../test/coreFunctional/README.md) runs the scripts of Bitcoin Core, unchanged, with \`countersign bitcoind\` in
the place of bitcoind. Not applicable are those that need peers, files or programs that the node does not have.

${lines.join('\n')}

${row(header)}
${row(header.map(() => '---'))}
${names.map((name) => scriptRow(name, releases)).join('\n')}
`;
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const MARKS: Readonly<Record<Run['outcome']['kind'], string>> = {
  passed: 'passed',
  failed: 'failed',
  'not applicable': '-',
};

function scriptRow(name: string, releases: readonly (readonly [string, Release])[]): string {
  const texts = releases.map(([, { scripts }]) => scripts[name]);
  const marks = texts.map((text = '') => Object.entries(MARKS).find(([kind]) => text.startsWith(kind))?.[1] ?? '');
  const last = [...texts].reverse().find((text) => text !== undefined && text !== 'passed') ?? '';
  return row([name, ...marks, plain(last.replace(/^(?:failed|not applicable): /, ''))]);
}

const LONGEST = 200;

/** A cell of a table is one line, and shows marks as they are. */
const plain = (text: string): string =>
  (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text).replace(/[|\\`*_<>]/g, (mark) => `\\${mark}`);
