import { BtcError } from '../errors.ts';

/** Returns the result of a call, or `undefined` if it throws a BtcError; for callers with their own error text. */
export function unlessRefused<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch (error) {
    if (error instanceof BtcError) return undefined;
    throw error;
  }
}
