import { readFileSync, statSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { chainName } from './chains.ts';
import { type ConfigSection, parseConfig } from './configText.ts';
import { InitError } from './initError.ts';
import { interpretValue, parseName } from './optionName.ts';
import { readOptions } from './options.ts';
import type { FindOption } from './optionTable.ts';
import { countedValues, type Setting, type Settings, settingText } from './settings.ts';

/** What is said before the log is open. */
export interface Notes {
  readonly info: (text: string) => void;
  readonly warn: (text: string) => void;
  /** Goes to standard error at once. */
  readonly print: (text: string) => void;
}

export interface ConfigRead {
  readonly settings: Settings;
  readonly sections: readonly ConfigSection[];
  /** Empty with `-noconf`. */
  readonly path: string;
}

const CONFIG_NAME = 'bitcoin.conf';

const isDirectory = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

export const isThere = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;

export const inDirectory = (directory: string, path: string): string =>
  path === '' || isAbsolute(path) ? path : join(directory, path);

/**
 * Returns the data directory that the options name.
 * @throws InitError with `fault` if it is missing
 */
export function baseDirectory(settings: Settings, home: string, find: FindOption, fault: string): string {
  const named = readOptions(settings, '', find).path('datadir', '');
  if (named === '') return join(home, '.bitcoin');
  const path = resolve(named);
  if (isDirectory(path)) return path;
  throw new InitError(fault.replace('%s', readOptions(settings, '', find).text('datadir') ?? ''));
}

/**
 * Reads the configuration file and those that it includes.
 * @throws InitError
 * @see Bitcoin Core `ArgsManager::ReadConfigFiles`
 */
export function readConfigFiles(
  { forced, commandLine }: Pick<Settings, 'forced' | 'commandLine'>,
  base: string,
  { find, notes }: { readonly find: FindOption; readonly notes: Notes },
): ConfigRead {
  const configured = new Map<string, Map<string, Setting[]>>();
  const settings: Settings = { forced, commandLine, saved: new Map(), configured };
  const sections: ConfigSection[] = [];
  const options = readOptions(settings, '', find);
  const path = inDirectory(base, options.path('conf', CONFIG_NAME));
  const add = (text: string, file: string): void => {
    const parsed = parseConfig(text, file);
    sections.push(...parsed.sections);
    for (const [name, value] of parsed.options) addOption(configured, name, value, { find, notes });
  };
  if (path !== '' && isDirectory(path)) throw new InitError(`Config file "${path}" is a directory.`);
  const text = path === '' ? undefined : readText(path);
  if (text === undefined) {
    if (options.isSet('conf') && path !== '') {
      throw new InitError(`specified config file "${path}" could not be opened.`);
    }
    return { settings, sections, path };
  }
  add(text, path);
  if (!commandLine.has('includeconf')) include(settings, base, { add, notes });
  return { settings, sections, path };
}

function include(
  settings: Settings,
  base: string,
  { add, notes }: { readonly add: (text: string, file: string) => void; readonly notes: Notes },
): void {
  const namesIn = (section: string): readonly string[] =>
    countedValues(settings.configured.get(section)?.get('includeconf')).flatMap((value) => settingText(value) ?? []);
  const chain = chainName(settings);
  const own = namesIn(chain);
  const common = namesIn('');
  for (const name of [...own, ...common]) {
    const path = inDirectory(base, name);
    if (isDirectory(path)) throw new InitError(`Included config file "${path}" is a directory.`);
    const text = readText(path);
    if (text === undefined) throw new InitError(`Failed to include configuration file ${name}`);
    add(text, name);
    notes.info(`Included configuration file ${name}`);
  }
  const now = chainName(settings);
  const ignored = [
    ...namesIn(chain).slice(own.length),
    ...namesIn('').slice(common.length),
    ...(now === chain ? [] : namesIn(now)),
  ];
  for (const name of ignored) {
    notes.print(`warning: -includeconf cannot be used from included files; ignoring -includeconf=${name}\n`);
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function addOption(
  configured: Map<string, Map<string, Setting[]>>,
  fullName: string,
  text: string,
  { find, notes }: { readonly find: FindOption; readonly notes: Notes },
): void {
  const given = parseName(fullName);
  const { section, name } = given;
  if (name === 'conf') {
    throw new InitError(
      'conf cannot be set in the configuration file; use includeconf= if you want to include additional config files',
    );
  }
  const row = find(name);
  if (!row || name === 'dialect') {
    notes.warn(`Ignoring unknown configuration value ${fullName}`);
    return;
  }
  const { value, warning } = interpretValue(given, text, row);
  if (warning !== undefined) notes.warn(warning);
  const values = configured.get(section) ?? new Map<string, Setting[]>();
  configured.set(section, values.set(name, [...(values.get(name) ?? []), value]));
}
