import { BtcError } from '../errors.ts';
import { withoutSecrets } from './redaction.ts';

/**
 * Refuses options that a function does not know, which callers in plain JavaScript can misspell.
 *
 * - `known`: every option of the function
 *
 * @throws `argument/invalid`
 */
export function assertKnownOptions<T extends object>(given: T, known: Readonly<Record<keyof T, true>>): void {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(known, name));
  if (unknown === undefined) return;
  const argument = withoutSecrets(unknown);
  const reason = `there is no such option; there are ${Object.keys(known).join(', ')}`;
  throw new BtcError('argument/invalid', { argument, reason }, `The option ${argument} is unknown: ${reason}`);
}
