import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PAGE, pageOf, readOutcomes, withRuns } from './conformance.ts';

test('The page shows the outcomes, of which each script has one of three', () => {
  const outcomes = readOutcomes();
  expect(readFileSync(PAGE, 'utf8')).toBe(pageOf(outcomes));
  for (const { scripts, all } of Object.values(outcomes)) {
    expect(Object.keys(scripts).length).toBeLessThan(all);
    for (const text of Object.values(scripts)) expect(text).toMatch(/^(?:passed$|failed: .|not applicable: .)/);
  }
});

test('A run replaces the outcomes of its scripts, and all of another commit', () => {
  const folder = '/tmp/run';
  const at = (commit: string) => ({ version: { dialect: 'core-31', commit } as const, all: 9, folder });
  const passed = { name: 'a.py', outcome: { kind: 'passed' }, seconds: 1 } as const;
  const failed = { name: 'b.py', outcome: { kind: 'failed', line: '/tmp/run/a | b' }, seconds: 1 } as const;
  const first = withRuns({}, { ...at('abc'), runs: [failed, passed] });
  expect(first).toEqual({
    'core-31': { commit: 'abc', all: 9, scripts: { 'a.py': 'passed', 'b.py': 'failed: a | b' } },
  });
  expect(pageOf(first)).toContain('| b.py | failed | a \\| b |');
  const again = withRuns(first, { ...at('abc'), runs: [{ ...passed, name: 'b.py' }] });
  expect(again['core-31']?.scripts).toEqual({ 'a.py': 'passed', 'b.py': 'passed' });
  const later = withRuns(first, { ...at('def'), runs: [passed] });
  expect(later['core-31']?.scripts).toEqual({ 'a.py': 'passed' });
});
