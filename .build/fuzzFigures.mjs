import { readFileSync } from 'node:fs';
import { root } from './bundle.mjs';

/** Returns the figures of the last recorded campaign of `npm run fuzz`, for docs/conformance.md. */
export function fuzzText() {
  const { command, node, seed, seconds, cases, rate, heap, targets } = JSON.parse(
    readFileSync(`${root}test/fuzz/campaign.json`, 'utf8'),
  );
  const megabytes = (bytes) => Math.round(bytes / 1e6);
  const rows = targets.map((target) => `| ${target.target} | ${target.cases} | ${target.rate} | ${target.findings} |`);
  return `\`${command}\` ran ${cases} cases with seed ${seed} in ${Math.round(seconds / 60)} minutes with Node ${node}: ${rate} cases a second. The heap had ${megabytes(heap.first)} MB
at first and ${megabytes(heap.last)} MB at last. \`test/fuzz/findings.md\` says what became of each finding; \`vectors/fuzz\` has their cases.

| target | cases | cases/s | findings |
|---|---|---|---|
${rows.join('\n')}
`;
}
