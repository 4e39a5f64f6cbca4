import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Dialect, dialects, isInDialect } from '../../src/answers/dialect/dialect.ts';
import type { Param } from '../../src/answers/method/param.ts';
import { createNodeRpc } from '../../src/node/createNodeRpc.ts';
import { methodsIn } from '../../src/node/registry.ts';
import { listDivergences } from '../divergences.ts';
import { shared } from '../support/corpus.ts';

/** What releases say of their methods by themselves: names of arguments, and lists of methods. */

/** A method, the place of an argument, its name, and whether it is a text, as `help dump_all_command_conversions` has it. */
type Conversion = readonly [method: string, position: number, name: string, isText: boolean];

const TEXTS: ReadonlySet<string> = new Set(['string', 'hex']);

/** Core lists the names of arguments, and those of the members of options, each also by its other names. */
function conversionsOf(dialect: Dialect): readonly Conversion[] {
  return methodsIn(dialect.generation).flatMap(({ name: method, params }) =>
    params
      .filter((param) => isInDialect(dialect, param))
      .flatMap((param, position) => {
        const row = ({ name, kind }: Param): Conversion => [method, position, name, TEXTS.has(kind)];
        const others = (param.aliases ?? []).map((alias) => row({ ...param, name: alias }));
        const members = param.takesNames ? (param.members ?? []).filter((each) => isInDialect(dialect, each)) : [];
        return [row(param), ...others, ...members.map(row)];
      }),
  );
}

const read = (file: string): string => readFileSync(join(shared ?? '', 'vectors', file), 'utf8');

/** Returns what only one of two lists has: `+` ours, `-` the node's. */
function differences(ours: readonly string[], theirs: readonly string[]): readonly string[] {
  const [own, others] = [new Set(ours), new Set(theirs)];
  return [
    ...ours.filter((line) => !others.has(line)).map((line) => `+${line}`),
    ...theirs.filter((line) => !own.has(line)).map((line) => `-${line}`),
  ];
}

const unexplained = (found: readonly string[]): readonly string[] =>
  found.filter((line) => !listDivergences.some(({ lines }) => lines.test(line)));

const seen = new Set<(typeof listDivergences)[number]>();
function note(found: readonly string[]): void {
  for (const divergence of listDivergences) if (found.some((line) => divergence.lines.test(line))) seen.add(divergence);
}

describe.runIf(shared)('what a release lists of its methods', () => {
  test.each(['29', '30', '31'] as const)('the names of arguments in release %s are ours', (release) => {
    const dialect = dialects[`core-${release}`];
    const theirs = JSON.parse(read(`conversions-${release}.json`)) as readonly Conversion[];
    const known = new Set(methodsIn(dialect.generation).map(({ name }) => name));
    const rows = theirs.filter(([method]) => known.has(method));
    const found = differences(conversionsOf(dialect).map(String), rows.map(String));
    note(found);
    expect(rows.length).toBeGreaterThan(300);
    expect(unexplained(found)).toEqual([]);
  });

  test.each(['29', '30', '31', '32'] as const)('help lists the methods of release %s as it does', (release) => {
    const dialect = `core-${release}` as const;
    const random = (size: number): Uint8Array => new Uint8Array(size);
    const rpc = createNodeRpc({ network: 'regtest', dialect, clock: () => 1_750_000_000, random });
    const ours = String(rpc.call('help')).split('\n');
    const theirs = read(`help-${release}.txt`).trimEnd().split('\n');
    const found = differences(ours, theirs);
    note(found);
    expect(unexplained(found)).toEqual([]);
    // What both have is in one order.
    const both = new Set(ours.filter((line) => line !== '' && theirs.includes(line)));
    expect(ours.filter((line) => both.has(line))).toEqual(theirs.filter((line) => both.has(line)));
    rpc.close();
  });

  test('every divergence that is listed is seen', () => {
    expect(listDivergences.filter((divergence) => !seen.has(divergence))).toEqual([]);
  });
});
