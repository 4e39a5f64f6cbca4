import { BtcError } from '../errors.ts';
import type { Reading } from './types.ts';

/** Throws `descriptor/invalid`. `reason` is Core's message, where Core has one; `hint` is ours. */
export function refuse(reason: string, hint?: string): never {
  throw descriptorError('descriptor/invalid', reason, hint);
}

export function descriptorError(
  code: 'descriptor/invalid' | 'descriptor/checksum',
  reason: string,
  hint?: string,
): BtcError {
  const data = { reason, ...(hint !== undefined && { hint }) };
  return new BtcError(code, data, `The descriptor is not valid: ${shownReason(reason.replace(/\.$/, ''), hint)}`);
}

/** A reason may print a whole miniscript before its fault. */
const LONGEST = 170;
const HEAD = 60;

function shownReason(reason: string, hint: string | undefined): string {
  const whole = hint === undefined ? reason : `${reason} (${hint})`;
  if (whole.length <= LONGEST) return whole;
  return hint ?? `${reason.slice(0, HEAD)} ... ${reason.slice(HEAD + ' ... '.length - LONGEST)}`;
}

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
