import { BtcError, shortened } from '../errors.ts';

/** The names of all options of a type: one too many or too few does not compile. */
export type OptionNames<T> = Readonly<Record<keyof T, true>>;

/** Too short for a key, so that an error may show it. */
const NAME = /^[a-zA-Z]\w{0,24}$/;

/**
 * Refuses misspelt options of callers in plain JavaScript. `place` is what they belong to, such as `inputs[0].`.
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
