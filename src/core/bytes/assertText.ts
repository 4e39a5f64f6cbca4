import { BtcError } from '../errors.ts';

/**
 * Refuses a value that is not text. The value may be secret, so the error only names its type.
 * @throws `argument/invalid`
 */
export function assertText(argument: string, value: unknown): void {
  if (typeof value === 'string') return;
  const typeName = value === null ? 'null' : Array.isArray(value) ? 'an array' : `of type ${typeof value}`;
  const reason = `must be a string, and is ${typeName}`;
  throw new BtcError('argument/invalid', { argument, reason }, `The ${argument} is not valid: ${reason}`);
}
