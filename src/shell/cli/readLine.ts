import { parseArgs } from 'node:util';
import { canonicalName, networks } from '../../core/network/networks.ts';
import type { Io } from '../terminal/io.ts';
import { UsageError } from '../terminal/usageError.ts';
import { commands } from './commandTable.ts';
import type { Config } from './config.ts';
import type { Command } from './declareCommand.ts';
import { optionFault } from './optionFault.ts';
import { type CommandLine, generalOptions, isRepeatable, type Option, type Options } from './options.ts';

export interface ReadLine {
  readonly command: string | undefined;
  readonly args: readonly string[];
  readonly optionNames: ReadonlySet<string>;
  readonly values: Readonly<Record<string, RawValue>>;
}

type RawValue = string | boolean | (string | boolean)[] | undefined;

export async function loadCommand(name: string): Promise<Command> {
  const load = commands.get(name);
  return load ? load() : (await import('./commands/call.ts')).methods;
}

/** Options of the same name are of the same kind everywhere. */
export async function loadAllOptions(): Promise<Options> {
  const all = await Promise.all(['', ...commands.keys()].map(loadCommand));
  return Object.assign({}, generalOptions, ...all.map(({ options }) => options));
}

/**
 * Tries the general options, then those of the command that the line seems to name. Loads all options only after a
 * mistake, or if an option's value is the name of a command.
 */
export async function readLine(argv: readonly string[]): Promise<ReadLine> {
  const name = argv.find((arg) => commands.has(arg));
  const likely = tryToRead(argv, generalOptions) ?? tryToRead(argv, await loadOptions(name ?? ''));
  if (likely) return likely;
  const all = await loadAllOptions();
  try {
    return readWith(argv, all);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const command = name === undefined ? undefined : { name, takes: Object.keys(await loadOptions(name)) };
    const valued = Object.keys(all).filter((option) => takesValue(option, all));
    throw new UsageError(optionFault(argv, error, { names: Object.keys(all), valued, command }));
  }
}

const loadOptions = async (name: string): Promise<Options> => ({
  ...generalOptions,
  ...(await loadCommand(name)).options,
});

function tryToRead(argv: readonly string[], options: Options): ReadLine | undefined {
  try {
    return readWith(argv, options);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    return undefined;
  }
}

function readWith(argv: readonly string[], options: Options): ReadLine {
  const { values, positionals, tokens } = parseArgs({
    args: withMarks(withChoices(argv, options), options),
    options: parserOptions(options),
    allowPositionals: true,
    tokens: true,
  });
  const names = tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []));
  assertGivenOnce(names, options);
  const [command, ...args] = positionals.map((text) => text.replace(MARK, ''));
  return { command, args, optionNames: new Set(names), values };
}

function parserOptions(options: Options) {
  const entries = Object.entries(options).map(([name, { kind, short }]) => {
    const type = kind === 'flag' ? ('boolean' as const) : ('string' as const);
    return [name, { type, multiple: isRepeatable({ kind }), ...(short !== undefined && { short }) }] as const;
  });
  return Object.fromEntries(entries);
}

/** Refuses a repeated option, of which `parseArgs` would take the last. */
function assertGivenOnce(names: readonly string[], options: Options): void {
  const isOnly = (name: string): boolean => {
    const { kind } = options[name] ?? { kind: 'flag' };
    return kind !== 'flag' && !isRepeatable({ kind });
  };
  const twice = names.find((name, i) => names.indexOf(name) < i && isOnly(name));
  if (twice !== undefined) throw new UsageError(`--${twice} is given twice`);
}

/** Joins a choice and its value, since `parseArgs` has no optional values. */
function withChoices(argv: readonly string[], options: Options): readonly string[] {
  const takesNext = (arg: string | undefined, next: string | undefined): boolean =>
    arg?.startsWith('--') === true && next !== undefined && options[arg.slice(2)]?.values?.includes(next) === true;
  return argv.flatMap((arg, i) => {
    if (takesNext(argv[i - 1], arg)) return [];
    if (!arg.startsWith('--') || options[arg.slice(2)]?.kind !== 'choice') return [arg];
    return [`${arg}=${takesNext(arg, argv[i + 1]) ? argv[i + 1] : ''}`];
  });
}

const MARK = '\0';

/** Marks negative numbers as arguments for `parseArgs`, as `bitcoin-cli` takes them. */
function withMarks(argv: readonly string[], options: Options): string[] {
  const isValue = (before: string | undefined): boolean =>
    before?.startsWith('--') === true && takesValue(before.slice(2), options);
  return argv.map((arg, i) => (/^-[0-9]/.test(arg) && !isValue(argv[i - 1]) ? `${MARK}${arg}` : arg));
}

const takesValue = (name: string, options: Options): boolean =>
  !['flag', 'choice'].includes(options[name]?.kind ?? 'flag');

export async function completeLine(
  { command = '', args, optionNames, values }: ReadLine,
  { options }: Command,
  { environment, config }: { readonly environment: Io['environment']; readonly config: Config },
): Promise<CommandLine> {
  const all = Object.entries<Option>({ ...generalOptions, ...options });
  const own = all.map(([name, { kind }]) => {
    const usual = defaultOf(name, config);
    if (isRepeatable({ kind })) return [camelCase(name), [usual ?? [], values[name] ?? []].flat()];
    const value = values[name] ?? usual;
    return [camelCase(name), kind === 'flag' ? value === true : value];
  });
  const inputs = all.flatMap(([name, { kind }]) =>
    (kind === 'file' || kind === 'files') && optionNames.has(name) ? [values[name] ?? []].flat() : [],
  );
  return {
    ...Object.fromEntries(own),
    command,
    args,
    optionNames,
    inputs,
    ...(await contextFor(values, (name) => environment(name) || fromConfig(name, config))),
  };
}

/** Network and dialect follow the environment, and a wallet directory. */
const defaultOf = (name: string, { network: _network, dialect: _dialect, ...config }: Config): RawValue =>
  (config as Readonly<Record<string, string | string[] | undefined>>)[name];

const fromConfig = (name: string, { network, dialect }: Config): string | undefined =>
  name === 'COUNTERSIGN_NETWORK' ? network : name === 'COUNTERSIGN_DIALECT' ? dialect : undefined;

const camelCase = (name: string): string => name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());

/** Prefers the options, then the wallet directory, then the environment. */
async function contextFor(
  values: ReadLine['values'],
  environment: Io['environment'],
): Promise<Pick<CommandLine, 'network' | 'dialect' | 'store'>> {
  const { network, dialect, 'wallet-dir': directory } = values as Readonly<Record<string, string | undefined>>;
  const named = network === undefined ? undefined : canonicalName(network);
  const needsOwner = directory !== undefined && (network === undefined || dialect === undefined);
  const opened = needsOwner ? (await import('../store/openStore.ts')).openOwnedStore(directory) : undefined;
  const owner = opened?.owner;
  // The file of a custom network must be named again.
  const owned = owner && Object.hasOwn(networks, owner.network) ? owner.network : undefined;
  return {
    network: named ?? canonicalName(owned ?? (environment('COUNTERSIGN_NETWORK') || 'main')),
    dialect: dialect ?? owner?.rules ?? (environment('COUNTERSIGN_DIALECT') || 'documented'),
    store: opened?.store,
  };
}
