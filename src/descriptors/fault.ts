import { BtcError } from '../errors.ts';
import type { Reading } from './rules.ts';

/** Refuses a descriptor. `reason` is worded as in Bitcoin Core; `hint` is ours. */
export function refuse(reason: string, hint?: string): never {
  throw new BtcError('descriptor/invalid', { reason, ...(hint !== undefined && { hint }) });
}

/** Puts the name of what is being read before what is wrong with its parts, where nodes do. */
export function within<T>(name: string, { rules }: Reading, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (rules.namesFunctions && error instanceof BtcError && error.code === 'descriptor/invalid') {
      refuse(`${name}: ${(error.data as { readonly reason: string }).reason}`);
    }
    throw error;
  }
}

/** What a call returns, or `undefined` where it refuses its input. */
export function unlessInvalid<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch (error) {
    if (error instanceof BtcError) return undefined;
    throw error;
  }
}
