/**
 * Runs the tests against each mutant, all in this thread: `mutation.mjs` starts it. Most mutants cost milliseconds so.
 * Where modules compute while they load, or keep what a mutant left behind, the library is loaded again.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { beforeAll, expect, inject, test } from 'vitest';
import { type Coverage, coverageOf, fails, listAt, type Run, reset, testsOf, withMutant } from './tests.ts';

interface Mutant {
  readonly id: string;
  readonly file: string;
}

const { folder, files, budget } = inject('mutation');
const mutants: readonly Mutant[] = JSON.parse(readFileSync(`${folder}/mutants.json`, 'utf8'));
const chosen: readonly Mutant[] = JSON.parse(readFileSync(`${folder}/chosen.json`, 'utf8'));

/** Returns a function that finds the number of the test that kills a mutant. */
function createJudge({ tests, reached, hits, loading }: Coverage): (mutant: Mutant) => Promise<number | undefined> {
  const breadths = createBreadths(reached);
  const kills = new Map<string, Map<number, number>>();
  const unstable = new Set<number>();

  /**
   * Sorts tests by what they promise: those of the file itself or its folder, quick ones, those that reach much of the
   * file, and those that killed others of it. The more tests of one file have come already, the less the next promises.
   */
  const inOrder = (file: string, numbers: readonly number[]): readonly number[] => {
    const [breadth, killed] = [breadths(file), kills.get(file)];
    const cost = (i: number): number => {
      const { milliseconds = 0, file: of = '' } = tests[i] ?? {};
      const merit = Math.sqrt(1 + (breadth.get(i) ?? 0)) * (1 + (killed?.get(i) ?? 0)) ** 2 * nearness(of, file);
      return (milliseconds + 0.05) / merit;
    };
    const places = new Map<string, number[]>();
    return numbers
      .filter((i) => !unstable.has(i))
      .map((i): [number, number] => [i, cost(i)])
      .sort(([, a], [, b]) => a - b)
      .map(([i, cost]): [number, number] => [i, cost * (1 + listAt(places, tests[i]?.file ?? '').push(i) / 5)])
      .sort(([, a], [, b]) => a - b)
      .map(([i]) => i);
  };
  const runOf = async (i: number): Promise<Run> => {
    const { file = '', index = 0 } = tests[i] ?? {};
    const found = (await testsOf(file))[index];
    return found ? found.run : () => Promise.reject(new Error('The file did not load.'));
  };
  const failsWith = (id: string, run: Run): Promise<boolean> =>
    withMutant(id, 1000 + 100 * (hits.get(id) ?? 0), () => fails(run));

  /** Tells whether a test fails with the mutant and, to be sure of that, passes without it. */
  async function isKiller(id: string, i: number): Promise<boolean> {
    const run = await runOf(i);
    if (!(await failsWith(id, run))) return false;
    if (!(await fails(run))) return true;
    // The mutant has left something behind, or an earlier one has, or the test does not bear a second run.
    reset();
    const isKilled = await failsWith(id, await runOf(i));
    if (!isKilled) unstable.add(i);
    reset();
    return isKilled;
  }

  async function firstOf(numbers: readonly number[], limit: number, kills: (i: number) => Promise<boolean>) {
    const start = performance.now();
    for (const i of numbers) {
      if (await kills(i)) return i;
      if (performance.now() - start > limit) break;
    }
    return undefined;
  }

  /** Lets the modules load with the mutant, and runs the files of tests that reach others of its file, or all tests. */
  async function killerWhileLoading({ id, file }: Mutant): Promise<number | undefined> {
    reset();
    const fileOf = (i: number): string => tests[i]?.file ?? '';
    const near = new Set([...breadths(file).keys()].map(fileOf));
    const numbers = [...tests.keys()].filter((i) => near.size === 0 || near.has(fileOf(i)));
    const killer = await firstOf(inOrder(file, numbers), 3 * budget, (i) =>
      withMutant(id, 1_000_000, async () => fails(await runOf(i))),
    );
    reset();
    return killer;
  }

  return async (mutant) => {
    const { id, file } = mutant;
    const reaching = reached.get(id) ?? [];
    const isLoading = reaching.length === 0 && loading.has(id);
    const killer = isLoading
      ? await killerWhileLoading(mutant)
      : await firstOf(inOrder(file, reaching), budget, (i) => isKiller(id, i));
    if (killer !== undefined) {
      const ofFile = kills.get(file) ?? new Map<number, number>();
      kills.set(file, ofFile.set(killer, (ofFile.get(killer) ?? 0) + 1));
    }
    return killer;
  };
}

/** Rates how near the tests of a file are to a file of the library, by name. */
function nearness(testFile: string, file: string): number {
  const own = file.replace(/^src\/(?:core|kit|answers|node|shell)/, '/test').replace('.ts', '.test.ts');
  if (testFile.endsWith(own)) return 100;
  return testFile.includes(own.slice(0, own.lastIndexOf('/') + 1)) ? 10 : 1;
}

/** Counts by file of the library how many of its mutants each test reaches. */
function createBreadths(reached: Coverage['reached']): (file: string) => Map<number, number> {
  const known = new Map<string, Map<number, number>>();
  for (const { id, file } of mutants) {
    const counts = known.get(file) ?? new Map<number, number>();
    known.set(file, counts);
    for (const i of reached.get(id) ?? []) counts.set(i, (counts.get(i) ?? 0) + 1);
  }
  return (file) => known.get(file) ?? new Map<number, number>();
}

// A test must not collect others.
beforeAll(async () => {
  console.log = () => undefined;
  const coverage = await coverageOf(files, `${folder}/coverage.jsonl`);
  const killerOf = createJudge(coverage);
  const write = (line: object): void => appendFileSync(`${folder}/outcomes.jsonl`, `${JSON.stringify(line)}\n`);
  for (const mutant of chosen) {
    const { id } = mutant;
    write({ begin: id });
    const start = performance.now();
    const killer = await killerOf(mutant);
    const by = killer === undefined ? undefined : coverage.tests[killer];
    const isReached = coverage.loading.has(id) || coverage.reached.has(id);
    const milliseconds = Math.round(performance.now() - start);
    write({ id, killed: by !== undefined, isReached, by: by && `${by.file}: ${by.name}`, milliseconds });
  }
}, 100_000_000);

test('a mutant was chosen', () => expect(chosen).not.toHaveLength(0));
