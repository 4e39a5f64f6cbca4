import { parseArgs } from 'node:util';
import { canonicalName, networks } from '../network/networks.ts';
import { SERVE_OPTIONS, type ServeOptions } from '../server/serveOptions.ts';
import { SYNC_OPTIONS, type SyncOptions } from '../sync/syncOptions.ts';
import type { Io } from '../terminal/io.ts';
import { UsageError } from '../terminal/usageError.ts';
import { type KnownOptions, optionFault } from './optionFault.ts';

const OPTIONS = {
  network: { type: 'string' },
  dialect: { type: 'string' },
  arithmetic: { type: 'string' },
  file: { type: 'string' },
  out: { type: 'string' },
  format: { type: 'string' },
  json: { type: 'boolean', default: false },
  force: { type: 'boolean', default: false },
  qr: { type: 'string' },
  'keys-file': { type: 'string' },
  'keys-stdin': { type: 'boolean', default: false },
  'keys-prompt': { type: 'boolean', default: false },
  'seed-file': { type: 'string' },
  'passphrase-file': { type: 'string' },
  'passphrase-prompt': { type: 'boolean', default: false },
  'prevtxs-file': { type: 'string' },
  'descriptors-file': { type: 'string' },
  policy: { type: 'string', multiple: true, default: [] as string[] },
  sighash: { type: 'string' },
  'no-finalize': { type: 'boolean', default: false },
  purpose: { type: 'string' },
  account: { type: 'string' },
  change: { type: 'boolean', default: false },
  count: { type: 'string' },
  words: { type: 'string' },
  'dice-file': { type: 'string' },
  'entropy-file': { type: 'string' },
  bip322: { type: 'boolean', default: false },
  review: { type: 'boolean', default: false },
  yes: { type: 'boolean', default: false },
  jobs: { type: 'string' },
  queue: { type: 'string' },
  'wallet-dir': { type: 'string' },
  'wallet-store': { type: 'string' },
  'backup-dir': { type: 'string', multiple: true, default: [] as string[] },
  acceptnonstdtxn: { type: 'boolean', default: false },
  mempoolreplacement: { type: 'boolean', default: false },
  rpcwallet: { type: 'string' },
  named: { type: 'boolean', default: false },
  pretty: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
  version: { type: 'boolean', default: false },
  ...SERVE_OPTIONS,
  ...SYNC_OPTIONS,
} as const;

/** Every option by name, in the form that `parseArgs` takes. */
export const ALL_OPTIONS: Readonly<Record<string, { readonly type: 'string' | 'boolean' }>> = OPTIONS;

/** A parsed command line. */
export interface CommandLine {
  readonly command: string | undefined;
  readonly args: readonly string[];
  /** The names of the options that were given. */
  readonly given: ReadonlySet<string>;
  readonly network: string;
  readonly dialect: string;
  /** The library for curve arithmetic; without it, the fastest that works. */
  readonly arithmetic: string | undefined;
  readonly file: string | undefined;
  /** The file for the result; `-` for standard output. */
  readonly out: string | undefined;
  /** The encoding of the result. */
  readonly format: string | undefined;
  readonly json: boolean;
  /** True if existing files may be replaced. */
  readonly force: boolean;
  /** The way to divide the result among QR codes: empty for the usual; `undefined` to show none. */
  readonly qr: string | undefined;
  readonly keysFile: string | undefined;
  readonly keysStdin: boolean;
  readonly keysPrompt: boolean;
  readonly seedFile: string | undefined;
  /** Where the passphrase of seed words comes from. */
  readonly passphraseFile: string | undefined;
  readonly passphrasePrompt: boolean;
  readonly prevtxsFile: string | undefined;
  readonly descriptorsFile: string | undefined;
  readonly policy: readonly string[];
  readonly sighash: string | undefined;
  /** True to leave inputs without final fields. */
  readonly noFinalize: boolean;
  /** Options of `addresses` alone. */
  readonly purpose: string | undefined;
  readonly account: string | undefined;
  readonly change: boolean;
  readonly start: string | undefined;
  readonly count: string | undefined;
  /** Options of `newseed` alone. */
  readonly words: string | undefined;
  readonly diceFile: string | undefined;
  readonly entropyFile: string | undefined;
  /** True to sign or verify a message of any address. */
  readonly bip322: boolean;
  readonly review: boolean;
  readonly yes: boolean;
  /** The most worker threads of a batch. */
  readonly jobs: string | undefined;
  /** The URL of a queue of jobs. */
  readonly queue: string | undefined;
  /** Directory in which wallets are kept; without it, they are in memory only. */
  readonly walletDir: string | undefined;
  /** The URL of a database that keeps wallets and blocks for several processes. */
  readonly walletStore: string | undefined;
  /** The directories in which requests may have backups. */
  readonly backupDirs: readonly string[];
  /** True if the mempool takes transactions that are not standard. */
  readonly acceptnonstdtxn: boolean;
  /** True if transactions replace others also where the dialect's node would not let them. */
  readonly mempoolreplacement: boolean;
  /** The wallet that a single call is for. */
  readonly rpcwallet: string | undefined;
  /** True if the arguments of a single call are given as name=value. */
  readonly named: boolean;
  readonly pretty: boolean;
  readonly help: boolean;
  readonly version: boolean;
  /** Options of `serve` alone. */
  readonly serve: ServeOptions;
  /** Options of `sync` alone. */
  readonly sync: SyncOptions;
}

/**
 * Parses a command line. The environment supplies the network and the dialect that it leaves out; advice about an unknown
 * option names those of the command found.
 * @throws UsageError for an unknown option, or one without its value
 */
export async function parseCommandLine(
  argv: readonly string[],
  environment: Io['environment'],
  findCommand: KnownOptions['findCommand'],
): Promise<CommandLine> {
  const { values, positionals, tokens } = parsedOptions(argv, findCommand);
  const names = tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []));
  assertGivenOnce(names);
  const [command, ...args] = positionals.map((text) => text.replace(MARK, ''));
  return {
    ...values,
    command,
    args,
    given: new Set(names),
    ...(await contextOf(values, environment)),
    arithmetic: values.arithmetic,
    file: values.file,
    out: values.out,
    format: values.format,
    qr: values.qr,
    keysFile: values['keys-file'],
    keysStdin: values['keys-stdin'],
    keysPrompt: values['keys-prompt'],
    seedFile: values['seed-file'],
    passphraseFile: values['passphrase-file'],
    passphrasePrompt: values['passphrase-prompt'],
    prevtxsFile: values['prevtxs-file'],
    descriptorsFile: values['descriptors-file'],
    jobs: values.jobs,
    queue: values.queue,
    walletDir: values['wallet-dir'],
    walletStore: values['wallet-store'],
    backupDirs: values['backup-dir'],
    rpcwallet: values.rpcwallet,
    sighash: values.sighash,
    noFinalize: values['no-finalize'],
    purpose: values.purpose,
    account: values.account,
    start: values.start,
    count: values.count,
    words: values.words,
    diceFile: values['dice-file'],
    entropyFile: values['entropy-file'],
    serve: values,
    sync: values,
  };
}

// The type of the answer depends on the options.
function parsedOptions(argv: readonly string[], findCommand: KnownOptions['findCommand']) {
  try {
    return parseArgs({ args: withMarks(withQrValue(argv)), options: OPTIONS, allowPositionals: true, tokens: true });
  } catch (error) {
    throw new UsageError(optionFault(argv, error, { names: Object.keys(OPTIONS), wantsValue, findCommand }));
  }
}

/** Refuses an option that has one value and is given twice, since only one of them would count. @throws UsageError */
function assertGivenOnce(names: readonly string[]): void {
  const options: Readonly<Record<string, { readonly type: string; readonly multiple?: boolean }>> = OPTIONS;
  const twice = names.find(
    (name, i) => names.indexOf(name) < i && options[name]?.type === 'string' && !options[name].multiple,
  );
  if (twice !== undefined) throw new UsageError(`--${twice} is given twice`);
}

/**
 * Chooses the network and the dialect: as the options say, else as the wallet directory has them, else as the
 * environment says, else the defaults.
 */
async function contextOf(
  { network, dialect, 'wallet-dir': directory }: ContextValues,
  environment: Io['environment'],
): Promise<Pick<CommandLine, 'network' | 'dialect'>> {
  const needsOwner = directory !== undefined && (network === undefined || dialect === undefined);
  const owner = needsOwner ? (await import('../store/openStore.ts')).storeOwner(directory) : undefined;
  // The file of a custom network must be named again.
  const known = owner && Object.hasOwn(networks, owner.network) ? owner.network : undefined;
  return {
    network: canonicalName(network ?? known ?? (environment('COUNTERSIGN_NETWORK') || 'main')),
    dialect: dialect ?? owner?.rules ?? (environment('COUNTERSIGN_DIALECT') || 'documented'),
  };
}

interface ContextValues {
  readonly network?: string | undefined;
  readonly dialect?: string | undefined;
  readonly 'wallet-dir'?: string | undefined;
}

/** Joins `--qr` and the format after it, if it is one: `parseArgs` knows no options whose value may be left out. */
function withQrValue(argv: readonly string[]): readonly string[] {
  const isFormat = (text: string | undefined): boolean => text === 'bbqr' || text === 'ur';
  return argv.flatMap((arg, i) => {
    if (arg === '--qr') return [isFormat(argv[i + 1]) ? `--qr=${argv[i + 1]}` : '--qr='];
    return argv[i - 1] === '--qr' && isFormat(arg) ? [] : [arg];
  });
}

/** A character that no command line argument can contain. */
const MARK = '\0';

/** Marks negative numbers, so that `parseArgs` takes them for arguments, as `bitcoin-cli` does. */
function withMarks(argv: readonly string[]): string[] {
  return argv.map((arg, i) => (/^-[0-9]/.test(arg) && !wantsValue(argv[i - 1] ?? '') ? `${MARK}${arg}` : arg));
}

/** Tells whether an argument is an option whose value follows. That of `--qr` may be left out. */
function wantsValue(arg: string): boolean {
  const [, option] = Object.entries(OPTIONS).find(([name]) => arg === `--${name}` && name !== 'qr') ?? [];
  return option?.type === 'string';
}
