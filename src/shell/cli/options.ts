import { BASES } from '../../answers/dialect/dialectNames.ts';
import { networkAliases, networks } from '../../core/network/networks.ts';

const ALIASES = Object.entries(networkAliases)
  .map(([alias, name]) => `${alias} is ${name}`)
  .join(', ');

/** How an option is parsed: what follows it, and how often. */
type Kind = 'flag' | 'text' | 'file' | 'list' | 'choice';

/** The line of an option in the help, and the options that it goes with. */
interface Details {
  /** Its name of one letter. */
  readonly short?: string;
  /** The options without which this one has no effect, the first to be missed first. */
  readonly needs?: readonly string[];
  /** How far its line in the help is indented, below the option that it goes with. */
  readonly indent?: 1 | 2;
  /** The heading above its line in the help. */
  readonly heading?: string;
}

/** An option of a command. */
export interface Option<K extends Kind = Kind> extends Details {
  readonly kind: K;
  /** The word for its value in the help. */
  readonly placeholder?: string;
  /** The words of the help, or those for each value. Without them, the next option's words are for this one, too. */
  readonly about?: string | Readonly<Record<string, string>>;
  /** The values of a choice. */
  readonly values?: readonly string[];
  /** True if the words of another option name it, so that it has no line of its own. */
  readonly isMentioned?: true;
}

/** Options by name, in the order of the help. */
export type Options = Readonly<Record<string, Option>>;

/** Declares an option without a value. */
export const flag = (about?: string, details: Details = {}): Option<'flag'> =>
  describe({ kind: 'flag' }, about, details);

/** Declares an option with a value. */
export const text = (placeholder: string, about?: string, details: Details = {}): Option<'text'> =>
  describe({ kind: 'text', placeholder }, about, details);

/** Declares an option that names a file to read. */
export const file = (about?: string, details: Details = {}): Option<'file'> =>
  describe({ kind: 'file', placeholder: 'FILE' }, about, details);

/** Declares an option with a value that may be given more than once. */
export const list = (placeholder: string, about?: string, details: Details = {}): Option<'list'> =>
  describe({ kind: 'list', placeholder }, about, details);

/** Declares an option whose value may be left out: what follows it is its value only if it is one of these. */
export const choice = (
  values: readonly string[],
  about: string | Readonly<Record<string, string>>,
  { placeholder = '' }: { readonly placeholder?: string } = {},
): Option<'choice'> => ({ kind: 'choice', values, about, placeholder });

/** Marks options that the words of another one name. */
export const mentioned = <K extends Kind>(option: Option<K>): Option<K> => ({ ...option, isMentioned: true });

function describe<O extends Option>(option: O, about: string | undefined, details: Details): O {
  return { ...option, ...details, ...(about !== undefined && { about }) };
}

/** The name of an option's value: `keysFile` for `keys-file`. */
type CamelCase<S extends string> = S extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : S;

/** The value of an option: `undefined`, false or empty if the option is missing, and empty for a choice without a value. */
type Value<O extends Option> = O['kind'] extends 'flag'
  ? boolean
  : O['kind'] extends 'list'
    ? readonly string[]
    : string | undefined;

/** The values of options. */
type Values<O extends Options> = { readonly [N in keyof O & string as CamelCase<N>]: Value<O[N]> };

/** The values of options, of which a command may take only some. */
export type SomeValues<O extends Options> = Partial<Values<O>>;

/** The options that every command and method takes. */
export const generalOptions = {
  network: text(
    'NAME',
    `${Object.keys(networks).join(', ')}, or a .json file with a network of your own; ${ALIASES}\n(default: that of --wallet-dir, else COUNTERSIGN_NETWORK, else main)`,
  ),
  dialect: text(
    'NAME',
    `the node to answer as: ${Object.keys(BASES).join(', ')}\n(default: that of --wallet-dir, else COUNTERSIGN_DIALECT, else documented)`,
  ),
  arithmetic: text(
    'NAME',
    'native, wasm or noble: the library that computes with keys and signatures\n(default: the first of these that works here)',
  ),
  help: flag('show this text, or the help of the command', { short: 'h' }),
  file: mentioned(file()),
  version: mentioned(flag()),
};

/** Seed words. */
export const seedOptions = {
  'seed-file': file('seed words (BIP39); without a passphrase, unless one of these options follows:'),
  'passphrase-file': file('the passphrase of the words, or', { indent: 1 }),
  'passphrase-prompt': flag('ask for it, without showing it', { indent: 1 }),
};

/** Private keys and seed words, for commands that sign or derive with them. */
export const keyOptions = {
  ...seedOptions,
  'keys-file': file(),
  'keys-stdin': flag(),
  'keys-prompt': flag('private keys (WIF), extended private keys (xprv) or seed words'),
};

/** The place and the form of a PSBT or transaction that a command makes. */
export const resultOptions = {
  out: text('FILE', 'write the result to this file ("-": standard output)'),
  format: text(
    'ENCODING',
    'base64, binary, hex or json (default: files keep that of the PSBT, standard output gets base64; transactions are hex)',
  ),
  json: flag('the same as --format json'),
  force: flag('replace existing files'),
  qr: choice(
    ['bbqr', 'ur'],
    'also show the result as QR codes, in the terminal in turn until a key is pressed; on standard output in place of the text',
    { placeholder: '[bbqr|ur]' },
  ),
};

/** How the mempool differs from that of the dialect's node. */
export const mempoolOptions = {
  acceptnonstdtxn: flag('let transactions into the mempool that are not standard, as on test networks'),
  mempoolreplacement: flag('let them replace others also in litecoin-0.21, whose node does not by default'),
};

/** Directories of backups, for commands that answer requests of others. */
export const backupOptions = {
  'backup-dir': list(
    'DIR',
    'let backupwallet and restorewallet use files in this directory, too, not only in "backups" in --wallet-dir; may be given more than once',
  ),
};

/** Where a command keeps wallets and blocks, and what its mempool takes. */
export interface NodeValues extends SomeValues<typeof mempoolOptions> {
  readonly walletDir?: string | undefined;
  readonly walletStore?: string | undefined;
}

/** What a command is given, besides the values of its options. */
interface Basics {
  readonly command: string;
  readonly args: readonly string[];
  /** The names of the options that were given. */
  readonly given: ReadonlySet<string>;
  /** The files to read that options name. */
  readonly inputs: readonly string[];
  /** As `--network` says, else the wallet directory, else the environment. */
  readonly network: string;
  /** As `--dialect` says, else the wallet directory, else the environment. */
  readonly dialect: string;
}

/** A command line, with the values of the general options and of others. */
export type CommandLine<O extends Options = Record<never, never>> = Basics & Values<typeof generalOptions> & Values<O>;
