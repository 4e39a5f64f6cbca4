import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { GenerationName } from '../../core/generations.ts';
import { CHAIN_NAMES, type Chain, chainName, findChain } from './chains.ts';
import { assertNoTokens, type ParsedLine } from './commandLine.ts';
import { baseDirectory, inDirectory, isThere, type Notes, readConfigFiles } from './configFiles.ts';
import { InitError } from './initError.ts';
import { type Options, readOptions } from './options.ts';
import { type FindOption, OPTIONS } from './optionTable.ts';
import { isOnlyDefault, type Setting, type Settings } from './settings.ts';
import { readSettingsFile, writeSettingsFile } from './settingsFile.ts';

/** What the command line and the files say, and where the node lives. */
export interface Start {
  readonly options: Options;
  readonly chain: Chain;
  readonly base: string;
  /** The directory of the chain. */
  readonly directory: string;
  /** Empty with `-noconf`. */
  readonly configPath: string;
  /** Of settings.json; empty with `-nosettings`. */
  readonly settingsPath: string;
}

interface World {
  readonly home: string;
  /** As the node calls itself. */
  readonly program: string;
  readonly generation: GenerationName;
  readonly find: FindOption;
  readonly notes: Notes;
}

const SETTINGS_NAME = 'settings.json';

/**
 * Reads the command line and the files that it names, and makes the directories.
 * @throws InitError
 * @see Bitcoin Core `InitConfig`
 */
export function readStart(argv: readonly string[], { values, warnings }: ParsedLine, world: World): Start {
  const { home, find, notes } = world;
  for (const warning of warnings) notes.warn(warning);
  const given = { forced: new Map(), commandLine: values, saved: new Map(), configured: new Map() };
  const first = baseDirectory(given, home, find, 'Specified data directory "%s" does not exist.');
  const { settings, path: configPath, sections, base } = readFiles(given, first, world);
  const chain = findChain(chainName(settings));
  const options = readOptions(settings, chain.name, find);
  const directory = join(base, chain.directory);
  for (const place of [base, directory]) {
    if (!isThere(place)) mkdirSync(join(place, 'wallets'), { recursive: true, mode: 0o700 });
  }
  assertConfigUsed({ options, base, first, configPath }, notes);
  const settingsPath = inDirectory(directory, options.path('settings', SETTINGS_NAME));
  const saved = settingsPath === '' ? new Map<string, Setting>() : readSettingsFile(settingsPath, world.generation);
  for (const name of saved.keys()) if (!find(name)) notes.warn(`Ignoring unknown rw_settings value ${name}`);
  if (settingsPath !== '') writeSettingsFile(settingsPath, saved, world.program);
  assertNoTokens(argv);
  assertSectioned(settings, chain);
  warnOfSections(sections, notes);
  const whole = readOptions({ ...settings, saved }, chain.name, find);
  return { options: whole, chain, base, directory, configPath, settingsPath };
}

function readFiles(given: Settings, first: string, { home, find, notes }: World) {
  try {
    const read = readConfigFiles(given, first, { find, notes });
    const fault = 'specified data directory "%s" does not exist.';
    return { ...read, base: baseDirectory(read.settings, home, find, fault) };
  } catch (error) {
    if (!(error instanceof InitError) || /^(?:Invalid combination|Unknown chain)/.test(error.message)) throw error;
    throw new InitError(`Error reading configuration file: ${error.message}`);
  }
}

const isSameFile = (a: string, b: string): boolean => isThere(a) && isThere(b) && realpathSync(a) === realpathSync(b);

/** Refuses a data directory with a configuration file of its own that is not the one in use. */
function assertConfigUsed(
  {
    options,
    base,
    first,
    configPath,
  }: { readonly options: Options; readonly base: string; readonly first: string; readonly configPath: string },
  notes: Notes,
): void {
  const own = join(base, 'bitcoin.conf');
  if (!isThere(own)) return;
  if (configPath === '') {
    notes.info(`Data directory "${base}" contains a "bitcoin.conf" file which is explicitly ignored using -noconf.`);
    return;
  }
  if (isSameFile(configPath, own)) return;
  const named = options.text('conf') ?? '';
  const source = named === '' ? `data directory "${first}"` : `command line argument "-conf=${named}"`;
  const text = [
    `Data directory "${base}" contains a "bitcoin.conf" file which is ignored, because a different configuration file "${configPath}" from ${source} is being used instead. Possible ways to address this would be to:`,
    `- Delete or rename the "bitcoin.conf" file in data directory "${base}".`,
    '- Change datadir= or conf= options to specify one configuration file, not two, and use includeconf= to include any other configuration files.',
  ];
  if (!options.flag('allowignoredconf', false)) {
    text.push('- Set allowignoredconf=1 option to treat this condition as a warning, not an error.');
    throw new InitError(text.join('\n'));
  }
  notes.warn(text.join('\n'));
}

/** Refuses an option outside all sections that has to be in the section of its chain. */
function assertSectioned(settings: Settings, { name }: Chain): void {
  if (name === 'main') return;
  const stray = [...OPTIONS].flatMap(([option, { isSectioned }]) =>
    isSectioned && isOnlyDefault(settings, option, name) ? [option] : [],
  );
  if (stray.length === 0) return;
  const lines = stray
    .sort()
    .map((option) => `Config setting for -${option} only applied on ${name} network when in [${name}] section.\n`);
  throw new InitError(lines.join('').trimEnd());
}

function warnOfSections(sections: ReturnType<typeof readConfigFiles>['sections'], { warn, print }: Notes): void {
  const lines = sections
    .filter(({ name }) => !CHAIN_NAMES.includes(name))
    .map(({ name, file, line }) => `${file}:${line} Section [${name}] is not recognized.`);
  if (lines.length === 0) return;
  warn(lines.join('\n'));
  print(`Warning: ${lines.join('\n')}\n`);
}
