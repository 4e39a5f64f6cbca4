import type { JsonValue } from '../../answers/json/jsonValue.ts';

/**
 * The value of an option as it was given: a text, which is empty without `=`, and false or true for a negated name. Only
 * settings.json has other values.
 */
export type Setting = JsonValue;

export type Values = ReadonlyMap<string, readonly Setting[]>;

/** The places that options come from, the first to count first. @see Bitcoin Core `Settings` */
export interface Settings {
  /** What follows from other options. */
  readonly forced: ReadonlyMap<string, Setting>;
  readonly commandLine: Values;
  /** Those of settings.json. */
  readonly saved: ReadonlyMap<string, Setting>;
  /** Those of the configuration files, by section; without one, in the section ''. */
  readonly configured: ReadonlyMap<string, Values>;
}

interface Source {
  readonly kind: 'forced' | 'commandLine' | 'saved' | 'section' | 'default';
  readonly values: readonly Setting[];
}

const isFile = (kind: Source['kind']): boolean => kind === 'section' || kind === 'default';

/** How an option is read. */
export interface Reading {
  /** The name of the chain, which is that of its section. */
  readonly section: string;
  /** Counts outside a section on the main chain only. */
  readonly isSectioned?: boolean;
  readonly choosesChain?: boolean;
}

const isNegation = (value: Setting | undefined): boolean => value?.type === 'bool' && !value.value;

/** Returns how many values the last negation cancels, itself included. */
const negatedCount = (values: readonly Setting[]): number => values.map(isNegation).lastIndexOf(true) + 1;

const isNegatedLast = (values: readonly Setting[]): boolean => isNegation(values.at(-1));

/** Returns the values that no negation cancels. */
export const countedValues = (values: readonly Setting[] = []): readonly Setting[] =>
  values.slice(negatedCount(values));

function* sourcesOf(settings: Settings, section: string, name: string): Generator<Source> {
  const { forced, commandLine, saved, configured } = settings;
  const single = (value: Setting | undefined): readonly Setting[] | undefined => value && [value];
  const found = [
    ['forced', single(forced.get(name))],
    ['commandLine', commandLine.get(name)],
    ['saved', single(saved.get(name))],
    ['section', section === '' ? undefined : configured.get(section)?.get(name)],
    ['default', configured.get('')?.get(name)],
  ] as const;
  for (const [kind, values] of found) if (values) yield { kind, values };
}

/**
 * Finds the value of an option: of several in a place, the last, but the first in a configuration file. A negation on
 * the command line does not take back the choice of a chain in a file.
 * @see Bitcoin Core `GetSetting`
 */
export function findSetting(settings: Settings, name: string, reading: Reading): Setting | undefined {
  const { section, isSectioned = false, choosesChain = false } = reading;
  for (const { kind, values } of sourcesOf(settings, section, name)) {
    if (isSectioned && kind === 'default' && !isNegatedLast(values)) continue;
    if (choosesChain && isNegatedLast(values)) continue;
    if (isNegatedLast(values)) return { type: 'bool', value: false };
    const counted = countedValues(values);
    if (counted.length === 0) continue;
    return isFile(kind) && !choosesChain ? counted[0] : counted.at(-1);
  }
  return undefined;
}

/** Lists the values of an option from all places, as far as no negation cancels them. @see Bitcoin Core `GetSettingsList` */
export function listSettings(settings: Settings, name: string, { section, isSectioned }: Reading): readonly Setting[] {
  const result: Setting[] = [];
  let isDone = false;
  let isCancelled = false;
  for (const { kind, values } of sourcesOf(settings, section, name)) {
    if (isSectioned && kind === 'default') continue;
    // A file counts again where a value follows the negation on the command line.
    const isBack = isFile(kind) && !isCancelled;
    if (!isDone || isBack) {
      result.push(...countedValues(values).flatMap((value) => (value.type === 'array' ? value.items : [value])));
    }
    isDone ||= negatedCount(values) > 0 || kind === 'forced';
    isCancelled ||= isNegatedLast(values) && result.length === 0;
  }
  return result;
}

/** Tells whether an option has a value only outside all sections. @see Bitcoin Core `OnlyHasDefaultSectionSetting` */
export function isOnlyDefault(settings: Settings, name: string, section: string): boolean {
  const kinds = [...sourcesOf(settings, section, name)].flatMap(({ kind, values }) =>
    countedValues(values).length === 0 ? [] : [kind],
  );
  return kinds.length > 0 && kinds.every((kind) => kind === 'default');
}

/** @see Bitcoin Core `SettingToString` */
export function settingText(value: Setting): string | undefined {
  switch (value.type) {
    case 'bool':
      return value.value ? '1' : '0';
    case 'number':
      return value.text;
    case 'string':
      return value.value;
    default:
      return undefined;
  }
}

/** Reads the number that a text begins with; 0 without one. @see Bitcoin Core `LocaleIndependentAtoi` */
export function leadingInteger(text: string): bigint {
  const [, digits] = /^[ \f\n\r\t\v]*(?:\+(?!-))?(-?[0-9]+)/.exec(text) ?? [];
  return digits === undefined ? 0n : BigInt(digits);
}

/** @see Bitcoin Core `InterpretBool` */
export const isOn = (text: string): boolean => text === '' || leadingInteger(text) !== 0n;
