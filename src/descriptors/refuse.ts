import { BtcError } from '../errors.ts';
import type { Reading } from './types.ts';

/** Throws `descriptor/invalid`. `reason` is Bitcoin Core's message, where Core has one; `hint` is ours. */
export function refuse(reason: string, hint?: string): never {
  throw new BtcError('descriptor/invalid', { reason, ...(hint !== undefined && { hint }) });
}

/** Runs `parse` and prefixes its errors with the name of the function, as newer nodes do. */
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
