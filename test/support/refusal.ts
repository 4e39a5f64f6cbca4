import { expect } from 'vitest';
import { BtcError, type ErrorCode } from '../../src/errors.ts';

/** What a call is refused with; anything else than our error, or a result, fails the test. */
export function refusalOf(run: () => unknown): BtcError {
  try {
    run();
  } catch (error) {
    if (error instanceof BtcError) return error;
    throw error;
  }
  throw new Error('was not refused');
}

/** Expects a refusal with exactly this code and this data. */
export function expectRefusal(run: () => unknown, code: ErrorCode, data: object): void {
  const refusal = refusalOf(run);
  expect({ code: refusal.code, data: refusal.data }).toEqual({ code, data });
}
