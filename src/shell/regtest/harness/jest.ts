import type { Regtest, RegtestOptions } from '../startRegtest.ts';
import { startFor, type TestHooks } from './hooks.ts';

export type { TestHooks } from './hooks.ts';
export type { RegtestMatchers } from './matchers.ts';

/**
 * Starts a chain for the tests of a Jest file, or of a block. Each test begins where the file and its `beforeAll` left
 * the chain, which ends after the last; `test.concurrent` is not for tests that change it. `expect(txid)` gets `toBeConfirmed`, `toSpend`
 * and `toPay`. Jest runs the hooks of a block in their order: an `afterEach` or `afterAll` that asks the chain stands before this call.
 *
 * - `jest`: what `@jest/globals` exports, where Jest injects no globals
 *
 * @throws TypeError outside of Jest; BtcError `argument/invalid`
 */
export const useRegtest = (options: RegtestOptions = {}, jest: TestHooks = globalHooks()): Regtest =>
  startFor(
    jest,
    options,
    `call it in a test file of Jest, and without injected globals pass what @jest/globals exports`,
  );

const globalHooks = (): TestHooks => globalThis as unknown as TestHooks;
