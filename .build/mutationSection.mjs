import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './bundle.mjs';

const percent = (part, whole) => `${((100 * part) / whole).toFixed(1)} %`;

/** Returns the section of docs/conformance.md about mutants, from what `npm run mutation` wrote. */
export function mutationSection(table) {
  const rows = JSON.parse(readFileSync(join(root, 'test/mutation/results.json'), 'utf8'));
  return `## Mutants

\`npm run mutation\` changes the code of a folder in every way that Stryker knows, one change at a time, and runs the tests
of the pure core that reach the change, for a second or two. It counts the changes that a test noticed in that time. \`reason\`
counts those of which \`test/mutation/survivors.json\` says why no test can or should notice them.

${table(
  ['folder', 'mutants', 'judged', 'noticed', '', 'reason', 'open', 'on'],
  rows.map(({ folder, mutants, judged, killed, reasons, survived, seed, date, commit }) => [
    `\`${folder}\``,
    mutants,
    seed === undefined ? 'all' : `${judged}, by seed ${seed}`,
    killed,
    percent(killed, judged),
    reasons,
    survived,
    `${date}, ${commit}`,
  ]),
)}`;
}
