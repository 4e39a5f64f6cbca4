import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { GENERATIONS } from '../src/core/generations.ts';
import { changesOf, covers, releaseSection } from './support/releaseChanges.ts';
import { releases } from './support/releases.ts';

const page = new URL('../docs/dialects.md', import.meta.url);
const [BEGIN, END] = ['<!-- made by test/releases.test.ts -->\n', '<!-- end -->\n'];

describe.each(GENERATIONS.slice(2))('the changes of %s', (release) => {
  const changes = changesOf(release);
  const entries = releases.filter((entry) => entry.release === release);

  test('have a sentence each', () => {
    expect(changes.length).toBeGreaterThan(5);
    expect(changes.filter((change) => !entries.some(({ rules }) => covers(rules, change)))).toEqual([]);
  });

  test('are all that the sentences are about', () => {
    const names = entries.flatMap(({ rules }) => rules);
    expect(names.filter((name) => !changes.some((change) => covers([name], change)))).toEqual([]);
  });
});

test('the page of dialects tells them with examples that the releases answer otherwise', () => {
  const text = readFileSync(page, 'utf8');
  const [start, end] = [text.indexOf(BEGIN) + BEGIN.length, text.indexOf(END)];
  const made = `${text.slice(0, start)}\n${releaseSection()}\n${text.slice(end)}`;
  // COUNTERSIGN_WRITE=1 writes it.
  if (process.env['COUNTERSIGN_WRITE']) writeFileSync(page, made);
  expect(readFileSync(page, 'utf8')).toBe(made);
});
