/** Loads tests, runs them again as the functions that Vitest collected, and notes which mutants each of them reaches. */
import { appendFileSync, existsSync, readFileSync, statSync } from 'node:fs';
import { collectTests, type Task, type VitestRunner } from '@vitest/runner';
import { TestRunner, vi } from 'vitest';

/** The switch of the instrumented library. A hit that comes far too often ends an endless loop. */
const active = { id: '', hits: 0, limit: 0 };
let counts: Map<string, number> | undefined;
Object.assign(globalThis, {
  mutation: {
    isActive(id: string): boolean {
      if (id !== active.id) return false;
      active.hits += 1;
      if (active.hits > active.limit) throw new Error('This loop does not end.');
      return true;
    },
    cover(...ids: string[]): void {
      if (counts) for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
    },
  },
});

/** Runs something with a mutant. */
export async function withMutant<T>(id: string, limit: number, run: () => Promise<T>): Promise<T> {
  Object.assign(active, { id, hits: 0, limit });
  try {
    return await run();
  } finally {
    active.id = '';
  }
}

export type Run = () => Promise<void>;
interface Collected {
  readonly run: Run;
  readonly name: string;
}
let collected = new Map<string, Promise<readonly Collected[]>>();

/** Returns the tests of a file, and loads it where it is not loaded. A file that does not load has no tests. */
export function testsOf(file: string): Promise<readonly Collected[]> {
  const known = collected.get(file);
  if (known) return known;
  const runner: VitestRunner = Object.create(Reflect.get(globalThis, 'mutationRunner'), {
    onCollectStart: { value: () => undefined },
    onCollected: { value: () => undefined },
  });
  const collecting = collectTests([file], runner).then((found) => found.flatMap(runsOf));
  collected.set(file, collecting);
  return collecting;
}

function runsOf(task: Task): readonly Collected[] {
  if (task.type === 'suite') return task.tasks.flatMap(runsOf);
  const run = TestRunner.getTestFn(task);
  return task.mode === 'run' && run ? [{ run: async () => void (await run()), name: task.fullTestName }] : [];
}

export const fails = (run: Run): Promise<boolean> =>
  run().then(
    () => false,
    () => true,
  );

/** Loads the library and the tests again when they are next needed. */
export function reset(): void {
  vi.resetModules();
  collected = new Map();
}

/** What the tests of a file reach when no mutant is active. */
interface Measured {
  readonly file: string;
  readonly changed: number;
  /** The mutants that the modules, or the file's tables of cases, reach while they load. */
  readonly loading: readonly string[];
  readonly tests: readonly (Pick<KnownTest, 'index' | 'name' | 'milliseconds'> & {
    readonly reached: readonly string[];
  })[];
  /** How often a test reaches a mutant at most. */
  readonly hits: Readonly<Record<string, number>>;
}

/** Runs the tests of a file once, and leaves out those that fail. */
async function measure(file: string): Promise<Measured> {
  counts = new Map();
  const runs = await testsOf(file);
  const loading = [...counts.keys()];
  const hits: Record<string, number> = {};
  const tests: Measured['tests'][number][] = [];
  for (const [index, { run, name }] of runs.entries()) {
    counts = new Map();
    const start = performance.now();
    if (await fails(run)) continue;
    const milliseconds = Math.round((performance.now() - start) * 100) / 100;
    for (const [id, count] of counts) hits[id] = Math.max(hits[id] ?? 0, count);
    tests.push({ index, name, milliseconds, reached: [...counts.keys()] });
  }
  counts = undefined;
  return { file, changed: statSync(file).mtimeMs, loading, tests, hits };
}

/** A test that passes without a mutant. */
interface KnownTest {
  readonly file: string;
  /** Its place among the tests of the file. */
  readonly index: number;
  readonly name: string;
  readonly milliseconds: number;
}

/** What all tests reach, by the id of a mutant. */
export interface Coverage {
  readonly tests: readonly KnownTest[];
  /** The numbers of the tests that reach a mutant. */
  readonly reached: ReadonlyMap<string, readonly number[]>;
  readonly hits: ReadonlyMap<string, number>;
  readonly loading: ReadonlySet<string>;
}

/** Measures the files that have changed since the file at `path` was written, and takes the rest from there. */
export async function coverageOf(files: readonly string[], path: string): Promise<Coverage> {
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [];
  const known = new Map(lines.map((line): [string, Measured] => [JSON.parse(line).file, JSON.parse(line)]));
  const all: Measured[] = [];
  for (const file of files) {
    const before = known.get(file);
    const isCurrent = before?.changed === statSync(file).mtimeMs;
    const measured = before && isCurrent ? before : await measure(file);
    if (!isCurrent) appendFileSync(path, `${JSON.stringify(measured)}\n`);
    all.push(measured);
  }
  return added(all);
}

function added(all: readonly Measured[]): Coverage {
  const tests = all.flatMap(({ file, tests: found }) => found.map((test) => ({ file, ...test })));
  const reached = new Map<string, number[]>();
  for (const [i, test] of tests.entries()) for (const id of test.reached) listAt(reached, id).push(i);
  const hits = new Map<string, number>();
  for (const [id, count] of all.flatMap((measured) => Object.entries(measured.hits))) {
    hits.set(id, Math.max(hits.get(id) ?? 0, count));
  }
  return { tests, reached, hits, loading: new Set(all.flatMap(({ loading }) => loading)) };
}

/** Returns the list of a name, made on first use. */
export function listAt<K, V>(lists: Map<K, V[]>, name: K): V[] {
  const list = lists.get(name) ?? [];
  lists.set(name, list);
  return list;
}
