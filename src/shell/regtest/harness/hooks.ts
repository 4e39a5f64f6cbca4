import { type Regtest, type RegtestOptions, startRegtest } from '../startRegtest.ts';
import { isolateTests } from './isolation.ts';
import { matchersOf } from './matchers.ts';

/** What Vitest and Jest have, as far as a chain needs it. */
export interface TestHooks {
  readonly beforeEach: (work: () => void) => unknown;
  readonly afterEach: (work: () => void) => unknown;
  readonly afterAll: (work: () => Promise<void>) => unknown;
  readonly expect: { readonly extend: (matchers: ReturnType<typeof matchersOf>) => unknown };
}

const NAMES = ['beforeEach', 'afterEach', 'afterAll', 'expect'] as const;

/**
 * Starts a chain for the tests of a file or block.
 * @throws TypeError where hooks are missing; `advice` says how to get them
 */
export function startFor(hooks: TestHooks, options: RegtestOptions, advice: string): Regtest {
  const given: Partial<TestHooks> = hooks ?? {};
  const missing = NAMES.filter((name) => typeof given[name] !== 'function');
  if (missing.length > 0) throw new TypeError(`useRegtest misses ${missing.join(', ')}: ${advice}`);
  const { beforeEach, afterEach, afterAll, expect } = hooks;
  const chain = startRegtest(options);
  const matchers = matchersOf(chain);
  const { begin, end } = isolateTests(chain);
  expect.extend(matchers);
  beforeEach(() => {
    // A block may have a chain of its own.
    expect.extend(matchers);
    begin();
  });
  afterEach(end);
  afterAll(() => chain.close());
  return chain;
}
