// Chooses the sample of recorded node answers that is replayed by `npm test`: every label, error text, member and
// script type of the full corpora occurs, smallest lines first; the rest of the budget goes to evenly spaced lines.
// Of an earlier release of Core, only what it answers otherwise than the next one is sampled.
//
//   COUNTERSIGN_SHARED=../shared node vectors/node/sample.mjs
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';

/** Signing files leave the method out. */
const methodOf = ({ method = 'signrawtransactionwithkey' }) => method;
/** Compressed bytes per file, beyond what the features need. */
const BUDGETS = {
  'core-32.decode': 700_000,
  'litecoin-0.21.decode': 700_000,
  'core-32.flow': 150_000,
  'core-32.rpc_psbt': 60_000,
  'core-32.sign': 400_000,
  'litecoin-0.21.sign': 400_000,
  'core-32.util': 110_000,
  'litecoin-0.21.util': 110_000,
};
/** The releases from the newest, which is whole, to the oldest. */
const RELEASES = [31, 30, 29];
const CHANGING = ['decode', 'flow', 'rpc_psbt', 'util'];
/** How many lines of a life are kept: each line needs those before it. */
const LIFE_LINES = 350;

const shared = process.env.COUNTERSIGN_SHARED;
if (!shared) throw new Error('COUNTERSIGN_SHARED names the folder with vectors/node/');

for (const [name, budget] of Object.entries(BUDGETS)) {
  const rows = readRows('node', name.replace('core-32', 'core-31'));
  // Lines about coins need the blocks of all lines labelled info.
  const chosen = new Set([...coverFeatures(rows), ...rows.filter(isInfo)]);
  const text = rows.map(({ row }) => JSON.stringify(row)).join('\n');
  const share = gzipSync(text).length / rows.length;
  const more = Math.max(0, Math.floor(budget / share) - chosen.size);
  for (let i = 0; i < more; i += 1) chosen.add(rows[Math.floor((i * rows.length) / more)]);
  write(name, chosen, rows.length);
}

for (const name of CHANGING) {
  const newest = readRows('node', `core-31.${name}`);
  let later = newest;
  for (const release of RELEASES) {
    // The corpus holds what differs from the newest node, by the number of the line.
    const answers = new Map(
      readRows(`node${release}`, `core-31.${name}`).map(({ row: { line, ...answer } }) => [line, answer]),
    );
    const own = newest.map(({ row: { result, error, ...asked }, position }) => ({
      row: { ...asked, ...(answers.get(position) ?? (error ? { error } : { result })) },
      position,
    }));
    const changed = own.filter((line, i) => !isDeepStrictEqual(line.row, later[i].row));
    if (changed.length > 0) write(`core-${release}.${name}`, new Set([...coverFeatures(changed), ...own.filter(isInfo)]), changed.length);
    later = own;
  }
}

for (const name of ['core-32.life-00', 'litecoin-0.21.life-00']) {
  const corpus = readFileSync(join(shared, 'vectors/node', `${name.replace('core-32', 'core-31')}.jsonl.gz`));
  const lines = gunzipSync(corpus).toString('utf8').split('\n').slice(0, LIFE_LINES);
  const packed = gzipSync(`${lines.join('\n')}\n`, { level: 9 });
  writeFileSync(new URL(`${name}.jsonl.gz`, import.meta.url), packed);
  console.log(`${name}: ${lines.length} lines, ${packed.length} bytes`);
}

function readRows(folder, name) {
  const corpus = readFileSync(join(shared, 'vectors', folder, `${name}.jsonl.gz`));
  const lines = gunzipSync(corpus).toString('utf8').split('\n').filter(Boolean);
  return lines.map((text, position) => ({ row: JSON.parse(text), position, size: text.length }));
}

function write(name, chosen, total) {
  const sample = [...chosen].sort((a, b) => a.position - b.position);
  const packed = gzipSync(`${sample.map(({ row }) => JSON.stringify(row)).join('\n')}\n`, { level: 9 });
  writeFileSync(new URL(`${name}.jsonl.gz`, import.meta.url), packed);
  console.log(`${name}: ${sample.length} of ${total} lines, ${packed.length} bytes`);
}

function isInfo({ row }) {
  return row.label === 'info';
}

/** The shortest lines that together show every feature. */
function coverFeatures(rows) {
  const seen = new Set();
  const bySize = [...rows].sort((a, b) => a.size - b.size);
  return bySize.filter(({ row }) => {
    const fresh = featuresOf(row).filter((feature) => !seen.has(feature));
    for (const feature of fresh) seen.add(feature);
    return fresh.length > 0;
  });
}

function featuresOf(row) {
  const { label, error, result } = row;
  const method = methodOf(row);
  const found = new Set(labelsOf(label).map((name) => `${method} ${name}`));
  if (error) found.add(`${method} ${error.code} ${error.message.replace(/"[0-9a-f]{2,}"/g, '"*"')}`);
  visit(result, '', found);
  return [...found];
}

/** Signing labels list the kinds of the inputs. */
function labelsOf(label) {
  if (typeof label !== 'object' || label === null) return [label];
  const { kinds = [], ...rest } = label;
  return [...kinds, ...Object.entries(rest).map(([name, value]) => `${name}=${JSON.stringify(value)}`)];
}

function visit(value, path, found) {
  if (Array.isArray(value)) for (const item of value) visit(item, path, found);
  else if (value !== null && typeof value === 'object') {
    for (const [name, member] of Object.entries(value)) {
      const step = /^[0-9a-f]+$/.test(name) && name.length > 1 && typeof member === 'string' ? '*' : name;
      found.add(`${path}.${step}`);
      visit(member, `${path}.${step}`, found);
    }
  } else if (path.endsWith('.type') || path.endsWith('.sighash') || path.endsWith('.error')) found.add(`${path}=${value}`);
}
