import { BtcError, shortened } from '../errors.ts';

/** The names of all options of a type. A type that has more, or fewer, does not compile. */
export type OptionNames<T> = Readonly<Record<keyof T, true>>;

/** A name of a program, and too short for a key. */
const NAME = /^[a-zA-Z]\w{0,24}$/;

/**
 * Refuses options that a function does not know, which callers in plain JavaScript can misspell.
 *
 * - `names`: every option of the function
 * - `place`: what the options are a part of, such as `inputs[0].`
 *
 * @throws `argument/invalid`
 */
export function assertKnownOptions<T extends object>(options: T, names: OptionNames<NoInfer<T>>, place = ''): void {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(names, name));
  if (unknown === undefined) return;
  const argument = place + (NAME.test(unknown) ? unknown : '...');
  const reason = `there is no such option; there are ${Object.keys(names).join(', ')}`;
  const message = shortened(`The option ${argument} is unknown: ${reason}`);
  throw new BtcError('argument/invalid', { argument, reason }, message);
}
