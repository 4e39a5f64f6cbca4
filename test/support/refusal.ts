import { expect } from 'vitest';
import { BtcError, type ErrorCode } from '../../src/errors.ts';

/** Returns the `BtcError` that a call throws; a result or any other error fails the test. */
export function refusalOf(run: () => unknown): BtcError {
  try {
    run();
  } catch (error) {
    if (error instanceof BtcError) return error;
    throw error;
  }
  throw new Error('The call was not refused');
}

/** Expects a call to throw `BtcError` with exactly this code and data. */
export function expectRefusal(run: () => unknown, code: ErrorCode, data: object): void {
  const refusal = refusalOf(run);
  expect({ code: refusal.code, data: refusal.data }).toEqual({ code, data });
}
