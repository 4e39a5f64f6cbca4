import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as generations from '../src/generations.ts';

const { CORE_31_DESCRIPTORS, CORE_31_SIGNING, ...tables } = generations;

/** Functions compare by the texts that they return. */
const textOf = (rule: unknown): unknown => (typeof rule === 'function' ? rule('a', 'b', 'c') : rule);

describe('the rows of the generations', () => {
  test.each(Object.entries(tables))('of %s differ in every rule', (_, rows) => {
    const old = Object.entries(rows['core-0.21']);
    const current: Readonly<Record<string, unknown>> = { ...rows['core-31'] };
    expect(old.map(([name]) => name).sort()).toEqual(Object.keys(current).sort());
    expect(
      old.filter(([name, rule]) => Object.is(JSON.stringify([textOf(rule)]), JSON.stringify([textOf(current[name])]))),
    ).toEqual([]);
  });

  test('are read by the names of their rules: hardly any code asks for the generation', () => {
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    const lines = files.flatMap((name) => readFileSync(join('src', name), 'utf8').split('\n'));
    expect(lines.length).toBeGreaterThan(30_000);
    expect(lines.filter((line) => /generation [!=]==|isModern|followsContract/.test(line)).length).toBeLessThanOrEqual(
      25,
    );
  });
});
