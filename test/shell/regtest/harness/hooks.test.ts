import { describe, expect, test } from 'vitest';
import type { TestHooks } from '../../../../src/shell/regtest/harness/hooks.ts';
import { useRegtest as useInJest } from '../../../../src/shell/regtest/harness/jest.ts';
import { useRegtest as useInVitest } from '../../../../src/shell/regtest/harness/vitest.ts';

/** Keeps hooks, and calls them when told to. */
function createHooks() {
  const before: (() => void)[] = [];
  const after: (() => void)[] = [];
  const last: (() => Promise<void>)[] = [];
  const hooks: TestHooks = {
    beforeEach: (work) => before.push(work),
    afterEach: (work) => after.push(work),
    afterAll: (work) => last.push(work),
    expect: Object.assign(() => undefined, { extend: () => undefined }),
  };
  const call = (works: readonly (() => void)[]) => (): void => works.forEach((work) => void work());
  return { hooks, begin: call(before), end: call(after), close: () => Promise.all(last.map((work) => work())) };
}

describe('hooks', () => {
  test('of tests that run at the same time: the second is refused, and the first goes on', async () => {
    const { hooks, begin, end, close } = createHooks();
    const chain = useInVitest(hooks);
    const height = (): number => chain.rpc.call('getblockcount');
    begin();
    chain.mine();
    expect(begin).toThrow('Tests that run at the same time cannot share a chain');
    end();
    expect(height()).toBe(1);
    end();
    expect(height()).toBe(0);
    begin();
    end();
    await close();
  });

  test('of a test whose beforeEach failed before leave the chain alone', async () => {
    const { hooks, begin, end, close } = createHooks();
    const chain = useInJest({}, hooks);
    chain.mine(2);
    end();
    expect(chain.rpc.call('getblockcount')).toBe(2);
    begin();
    chain.mine();
    end();
    expect(chain.rpc.call('getblockcount')).toBe(2);
    await close();
  });

  test('that a framework does not give are named, with what to do', () => {
    expect(() => useInVitest({ dialect: 'core-31' } as never)).toThrow(
      "useRegtest misses beforeEach, afterEach, afterAll, expect: pass what Vitest exports: import * as vitest from 'vitest'",
    );
    expect(() => useInVitest(undefined as never)).toThrow('useRegtest misses');
    expect(() => useInJest()).toThrow(/useRegtest misses beforeEach, .*: call it in a test file of Jest/);
  });

  test('are not set for options that are refused', () => {
    const { hooks } = createHooks();
    expect(() => useInVitest(hooks, { dialekt: 'core-31' } as object)).toThrow('The option dialekt is unknown');
  });
});
