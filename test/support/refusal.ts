import { expect } from 'vitest';
import { BtcError, type ErrorCode, RpcError } from '../../src/core/errors.ts';

/** Expects a message to be one line of English: no record of codes and members, and not more than people read. */
function expectSentence(message: string): void {
  expect(message).toMatch(/^(?:\p{Lu}|[/.])[^\p{Cc}\u2028\u2029]{9,199}$/u);
  expect(message).not.toMatch(/(?<!\.\.)[.:]$|\b[\w-]+=[^ =]+$/);
}

/** Returns the `BtcError` that a call throws, or undefined if it succeeds; any other error fails the test. */
export function refusalIfAny(run: () => unknown): BtcError | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (!(error instanceof BtcError)) throw error;
    expectSentence(error.message);
    return error;
  }
}

/** Returns the `BtcError` that a call throws; a result or any other error fails the test. */
export function refusalOf(run: () => unknown): BtcError {
  const refusal = refusalIfAny(run);
  if (refusal) return refusal;
  throw new Error('The call was not refused');
}

/** Returns the code and message of the `RpcError` that a call throws, or undefined if it succeeds. */
export function rpcErrorOf(run: () => unknown): { readonly code: number; readonly message: string } | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (error instanceof RpcError) return { code: error.code, message: error.message };
    throw error;
  }
}

/** Expects a call to throw `BtcError` with exactly this code and data. */
export function expectRefusal(run: () => unknown, code: ErrorCode, data: object): void {
  const refusal = refusalOf(run);
  expect({ code: refusal.code, data: refusal.data }).toEqual({ code, data });
}
