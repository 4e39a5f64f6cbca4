import type { Regtest, RegtestOptions } from '../startRegtest.ts';
import { startFor, type TestHooks } from './hooks.ts';

export type { TestHooks } from './hooks.ts';
export type { RegtestMatchers } from './matchers.ts';

/**
 * Starts a chain for the tests of a Vitest file, or of a block. Each test begins where the file and its `beforeAll`
 * left the chain, which ends after the last; tests that run at the same time are refused. `expect(txid)` gets `toBeConfirmed`, `toSpend`
 * and `toPay`.
 *
 * - `vitest`: all that Vitest exports, or `globalThis` with its option `globals`
 *
 * @throws TypeError where `vitest` is something else; BtcError `argument/invalid`
 */
export const useRegtest = (vitest: TestHooks, options: RegtestOptions = {}): Regtest =>
  startFor(vitest, options, `pass what Vitest exports: import * as vitest from 'vitest'; useRegtest(vitest)`);
