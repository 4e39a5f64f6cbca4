import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { textsOf } from './coreTexts.ts';
import { type Explanation, explained } from './explained.ts';
import { type Finding, findTexts, RELEASES } from './findings.ts';

// `npm run text-dates`: lists the error texts that a release answers without having them in its source.

const HELP = `npm run text-dates -- CHECKOUT...    one checkout of Core for each of ${RELEASES.join(', ')}

test/textDates/README.md says which commits.`;

const root = fileURLToPath(new URL('../../src', import.meta.url));
const short = (releases: readonly string[]): string =>
  releases.map((release) => release.replace('core-', '')).join(' ') || 'none';

const isAbout = ({ in: place, scope, begins }: Explanation, { file, scope: own, run }: Finding): boolean =>
  (file === place || file.startsWith(`${place}/`)) &&
  (scope === undefined || scope === own) &&
  (begins?.some((beginning) => run.startsWith(beginning)) ?? true);

/** Tells whether an explanation is right about a text: each release that answers it has it, or none has. */
const isRight = ({ when }: Explanation, { answered, present }: Finding): boolean =>
  when ? answered.filter(when).every((release) => present.includes(release)) : present.length === 0;

function main(checkouts: readonly string[]): number {
  const missing = checkouts.find((checkout) => !existsSync(`${checkout}/src`));
  if (checkouts.length !== RELEASES.length || missing !== undefined) {
    console.error(missing === undefined ? HELP : `${missing} has no folder src: it is not a checkout of Core`);
    return 1;
  }
  const sources = new Map(RELEASES.map((release, i) => [release, textsOf(checkouts[i] ?? '')]));
  const findings = findTexts(root, sources);
  const used = new Set<Explanation>();
  const unexplained = findings.filter((finding) => {
    const explanation = explained.find((one) => isAbout(one, finding) && isRight(one, finding));
    if (explanation) used.add(explanation);
    return !explanation;
  });
  for (const { file, line, scope, run, answered, present } of unexplained) {
    console.log(
      `${file}:${line} ${scope}: answered by ${short(answered)}, in the source of ${short(present)}: ${JSON.stringify(run)}`,
    );
  }
  const stale = explained.filter((one) => !used.has(one));
  for (const { in: place, scope = '', because } of stale)
    console.log(`nothing to explain: ${place} ${scope} (${because})`);
  console.log(`${findings.length} texts, ${unexplained.length} unexplained, ${stale.length} explanations of nothing`);
  return unexplained.length + stale.length > 0 ? 1 : 0;
}

process.exitCode = main(process.argv.slice(2));
