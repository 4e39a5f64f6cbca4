import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

/** The parts of the check, and how `.ci/run` and `npm run test:all` play them. */

interface Part {
  readonly name: string;
  readonly run?: readonly string[];
  readonly share?: readonly string[];
  readonly whole?: readonly string[];
  readonly needs?: readonly string[];
  readonly uses?: readonly string[];
  readonly beside?: string;
  readonly seconds: { readonly share: number; readonly whole: number };
}

type Material = Readonly<Record<string, () => boolean>>;

const { MATERIAL, parts } = (await import(new URL('../.ci/parts.mjs', import.meta.url).href)) as {
  readonly MATERIAL: Material;
  readonly parts: readonly Part[];
};
const { countTests, groupsOf, missingOf, passedIn } = (await import(
  new URL('../.ci/play.mjs', import.meta.url).href
)) as {
  readonly countTests: (printed: string) => { readonly passed: number; readonly failed: number };
  readonly groupsOf: <T extends { readonly beside?: string }>(chosen: readonly T[]) => readonly (readonly T[])[];
  readonly missingOf: (part: Pick<Part, 'needs'>, material?: Material) => readonly string[];
  readonly passedIn: (text: string) => ReadonlySet<string>;
};

describe('the parts', () => {
  test('have a command, a cost, and material that is known', () => {
    expect(parts.length).toBeGreaterThan(10);
    for (const { name, run, share, whole, seconds, needs = [], uses = [] } of parts) {
      expect([name, Boolean(run ?? share ?? whole)]).toEqual([name, true]);
      expect(Object.keys(seconds)).toEqual(['share', 'whole']);
      for (const material of [...needs, ...uses]) expect(Object.keys(MATERIAL)).toContain(material);
    }
    expect(new Set(parts.map(({ name }) => name)).size).toBe(parts.length);
  });

  test('of a commit take less than a quarter of an hour', () => {
    const longest = (group: readonly Part[]): number => Math.max(...group.map(({ seconds }) => seconds.share));
    expect(groupsOf(parts).reduce((sum, group) => sum + longest(group), 0)).toBeLessThan(900);
  });

  test('of npm run test:all hold every test file', () => {
    const files = readdirSync(new URL('.', import.meta.url), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.test.ts') && !file.endsWith('.live.test.ts'))
      .map((file) => `test/${file}`);
    const paths = parts.flatMap(({ whole = [] }) => whole.filter((word) => /^test\/.*(?:\/|\.test\.ts)$/.test(word)));
    expect(files.length).toBeGreaterThan(400);
    expect(files.filter((file) => paths.filter((path) => file.startsWith(path)).length !== 1)).toEqual([]);
  });

  test('name each folder of live tests once', () => {
    const folders = readdirSync(new URL('.', import.meta.url), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.live.test.ts'))
      .map((file) => `test/${file.slice(0, file.lastIndexOf('/'))}/vitest.config.ts`);
    const configs = parts.flatMap(({ run = [] }) => run.filter((word) => word.endsWith('vitest.config.ts')));
    for (const folder of new Set(folders)) expect(configs.filter((config) => config === folder)).toHaveLength(1);
  });

  test('begin with the build, which the others use', () => expect(parts[0]?.name).toBe('build'));
});

test.each([
  [
    '\u001b[2m      Tests \u001b[22m \u001b[31m3 failed\u001b[39m | 5 passed | 2 skipped (10)',
    { passed: 5, failed: 3 },
  ],
  ['   Tests  4 passed (4)\n Duration  1 s\n', { passed: 4, failed: 0 }],
  ['Tests  1 failed (1)\n Tests  7 passed (7)', { passed: 7, failed: 0 }],
  ['no tests', { passed: 0, failed: 0 }],
])('counts the tests of %j', (printed, counts) => {
  expect(countTests(printed)).toEqual(counts);
});

test('parts with the same word run beside each other if they follow each other', () => {
  const [x, alone] = [{ beside: 'x' }, {}];
  expect(groupsOf<{ readonly beside?: string }>([x, x, alone, x])).toEqual([[x, x], [alone], [x]]);
});

test('a part without its material is named with it', () => {
  const material = { here: () => true, gone: () => false };
  expect(missingOf({ needs: ['here', 'gone'] }, material)).toEqual(['gone']);
  expect(missingOf({}, material)).toEqual([]);
});

test('what passed at a commit is not played again; what failed is', () => {
  const lines = [
    { name: 'a', outcome: 'passed' },
    { name: 'b', outcome: 'failed' },
  ];
  expect([...passedIn(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))]).toEqual(['a']);
});

test('.ci/run names one package of Debian a line', () => {
  const text = readFileSync(new URL('../.ci/run', import.meta.url), 'utf8');
  const lines = /^PACKAGES=\(\n([^)]*)\)$/m.exec(text)?.[1]?.trimEnd().split('\n') ?? [];
  expect(lines.length).toBeGreaterThan(5);
  for (const line of lines) expect(line).toMatch(/^ {2}'[a-z0-9-]+:\/[\w./*-]+'$/);
});
