import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hex, maybe, members, numeric } from '../../src/answers/method/results.ts';
import { allMethods } from '../../src/node/registry.ts';
import { readRecorded, shared } from '../support/corpus.ts';
import { undeclaredPart } from '../support/declaredResults.ts';
import type { DialectName } from '../support/library.ts';
import { report } from '../support/report.ts';

/** What nodes answered has no member that the method does not declare, and every member that it declares. */

const from = shared ? 'shared' : 'sample';
const folder = shared ? join(shared, 'vectors/node') : new URL('../../vectors/node', import.meta.url);
const files = readdirSync(folder).flatMap((name) => name.match(/^(.*)\.jsonl\.gz$/)?.[1] ?? []);
/** The shared files of release 32 have older names. */
const CORE = shared ? 'core-31.' : 'core-32.';

function filesOf(dialect: DialectName): readonly string[] {
  const prefix = dialect.startsWith('core-') ? CORE : `${dialect}.`;
  return files.filter((name) => name.startsWith(prefix)).map((name) => `${dialect}.${name.slice(prefix.length)}`);
}

const RELEASES = shared ? (['core-29', 'core-30', 'core-31'] as const) : [];
const results = new Map(allMethods().map(({ name, result }) => [name, result]));

describe.each([...RELEASES, 'core-32', 'litecoin-0.21'] as const)('the answers of %s', (dialect) => {
  test.each(filesOf(dialect))('in %s are as the methods declare them', (name) => {
    const answered = readRecorded(name, from).filter(({ error, method }) => !error && results.has(method));
    const faults = answered.flatMap(({ method, result }) => {
      const declared = results.get(method);
      const fault = declared && undeclaredPart(declared, result, dialect);
      return fault === undefined ? [] : [`${method}${fault}`];
    });
    report({ subject: `declared results of ${name}`, passed: answered.length - faults.length, total: answered.length });
    expect([...new Set(faults)].slice(0, 10)).toEqual([]);
  });
});

test.each([
  [{ txid: 'ab', n: 1 }, undefined],
  [{ txid: 'ab' }, '.n is missing'],
  [{ txid: 'ab', n: 1, other: 1 }, '.other is not declared'],
  [{ txid: 'abc', n: 1 }, '.txid: "abc"'],
  [{ txid: 'ab', n: 1, old: 1 }, '.old is not declared'],
  [[], ': []'],
])('the check finds faults, as in %j', (answer, fault) => {
  const declared = members({ txid: hex(), n: numeric(), old: maybe(numeric(), { until: 'core-0.21' }) });
  expect(undeclaredPart(declared, answer, 'core-32')).toBe(fault);
});
