import { BtcError } from '../errors.ts';

/** What a call returns, or `undefined` where it refuses its input: for callers that have a text of their own for that. */
export function unlessRefused<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch (error) {
    if (error instanceof BtcError) return undefined;
    throw error;
  }
}
