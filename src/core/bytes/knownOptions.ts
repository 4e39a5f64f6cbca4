import { BtcError, shortened } from '../errors.ts';

/**
 * The names of all options of a type: one too many or too few does not compile, nor one that must be given and is not marked
 * so. Another text says what the option must be, and an object declares it.
 */
export type OptionNames<T> = {
  readonly [K in keyof T]-?: object extends Pick<T, K>
    ? true | string | object
    : undefined extends T[K]
      ? true
      : 'needed';
};

/** Too short for a key, so that an error may show it. */
const NAME = /^[a-zA-Z]\w{0,24}$/;

/** Says of an option what it must be. */
export const invalidOption = (argument: string, reason: string): BtcError =>
  new BtcError('argument/invalid', { argument, reason }, `The option ${argument} ${reason}`);

/** @throws `argument/invalid` */
export function assertList(argument: string, value: unknown): void {
  if (!Array.isArray(value)) throw invalidOption(argument, 'must be an array');
}

/** Refuses what no type allows, such as a text in the place of what was parsed from it. @throws `argument/invalid` */
export function assertShape(argument: string, isRight: boolean, wanted: string): void {
  if (!isRight) throw invalidOption(argument, `must be ${wanted}`);
}

const listed = (names: object): string => Object.keys(names).join(', ');

/** Bytes and lists would have a name for each of their items. */
export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !ArrayBuffer.isView(value) && !Array.isArray(value);

export const areObjects = (values: unknown): boolean => Array.isArray(values) && values.every(isObject);

const isArithmetic = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'signEcdsa' in value && typeof value.signEcdsa === 'function';

/** Refuses options that hold an arithmetic, too. @throws `argument/invalid` */
export function assertArithmetic(value: unknown): void {
  if (isArithmetic(value)) return;
  throw invalidOption('ecc', 'must be an arithmetic such as nobleEcc, without braces around it');
}

/** Takes an arithmetic by its name only, in all functions alike. */
function assertEccOption(options: { readonly ecc?: unknown }): void {
  if (isArithmetic(options))
    throw invalidOption('ecc', 'belongs into the options: pass { ecc: nobleEcc }, not nobleEcc');
  if (options.ecc !== undefined) assertArithmetic(options.ecc);
}

/**
 * Refuses misspelt and missing options of callers in plain JavaScript, and what is not an object.
 *
 * - `place`: what the options belong to, such as `inputs[0].`
 *
 * @throws `argument/invalid`
 */
export function assertKnownOptions<T extends object>(options: T, names: OptionNames<NoInfer<T>>, place = ''): void {
  if (!isObject(options)) {
    const argument = place.slice(0, -1) || 'argument';
    const reason = `must be an object with ${listed(names)}`;
    throw new BtcError('argument/invalid', { argument, reason }, shortened(`The ${argument} ${reason}`));
  }
  if (Object.hasOwn(names, 'ecc')) assertEccOption(options);
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(names, name));
  if (unknown === undefined) {
    assertGiven(options, names, place);
    return;
  }
  const argument = place + (NAME.test(unknown) ? unknown : '...');
  const reason = `there is no such option; there are ${listed(names)}`;
  const message = shortened(`The option ${argument} is unknown: ${reason}`);
  throw new BtcError('argument/invalid', { argument, reason }, message);
}

function assertGiven(options: object, names: object, place: string): void {
  // Reads members that a copy would lack: private keys are not enumerable.
  const missing = Object.entries(names).find(
    ([name, mark]) => mark === 'needed' && Reflect.get(options, name) === undefined,
  );
  if (missing) throw invalidOption(`${place}${missing[0]}`, 'is missing');
}
