import type { Run } from './runScript.ts';
import type { Version } from './workspace.ts';

const count = (runs: readonly Run[], kind: Run['outcome']['kind']): number =>
  runs.filter(({ outcome }) => outcome.kind === kind).length;

/** Lists what became of each script, in Markdown, without the name of the folder of the run. */
export function tableOf(runs: readonly Run[], { dialect, commit }: Version, folder: string): string {
  const rows = runs.map(({ name, outcome }) => `| ${name} | ${plain(cell(outcome).replaceAll(`${folder}/`, ''))} |`);
  return `# Core's functional tests: ${dialect}

\`npm run test:core -- CHECKOUT\` runs the scripts of Bitcoin Core's commit ${commit}, unchanged, with
\`countersign bitcoind\` in the place of bitcoind: ${count(runs, 'passed')} passed, ${count(runs, 'failed')} failed, ${count(runs, 'not applicable')} not applicable.

| script | result |
|---|---|
${rows.join('\n')}
`;
}

function cell(outcome: Run['outcome']): string {
  switch (outcome.kind) {
    case 'passed':
      return 'passed';
    case 'not applicable':
      return `not applicable: ${outcome.reason}`;
    case 'failed':
      return `failed: ${outcome.line}`;
  }
  return outcome satisfies never;
}

const LONGEST = 200;

/** A cell of a table is one line, and shows marks as they are. */
const plain = (text: string): string =>
  (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text).replace(/[|\\`*_<>]/g, (mark) => `\\${mark}`);
