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

/** Longer runs may be private keys, mistyped or cut. */
const RUN = /[a-zA-Z0-9]{17,}/g;

/** What is shown all the same: public keys in hex, whole, and extended public keys. */
const PUBLIC = /^(0[23][0-9a-fA-F]{64}|0[467][0-9a-fA-F]{128}|[a-zA-Z]pub[a-zA-Z0-9]*)$/;

/** A part of a descriptor as error texts show it: without what may be a private key. */
export function withoutSecrets(text: string): string {
  return text.replace(RUN, (run) => (PUBLIC.test(run) ? run : '...'));
}
