import { BASES, DIALECT_ALIASES } from '../../answers/dialect/dialectNames.ts';
import { networkAliases, networks } from '../../core/network/networks.ts';
import type { RecordStore } from '../../node/store/recordStore.ts';

const ALIASES = Object.entries(networkAliases)
  .map(([alias, name]) => `${alias} is ${name}`)
  .join(', ');

type Kind = 'flag' | 'text' | 'file' | 'files' | 'list' | 'choice';

interface Details {
  readonly short?: string;
  /** Options without which this one has no effect, the first to be missed first. */
  readonly needs?: readonly string[];
  /** Levels below the option that it goes with. */
  readonly indent?: 1 | 2;
  readonly heading?: string;
}

export interface Option<K extends Kind = Kind> extends Details {
  readonly kind: K;
  readonly placeholder?: string;
  /** Help, whole or for each value. Without it, the next option's help is for this one, too. */
  readonly about?: string | Readonly<Record<string, string>>;
  readonly values?: readonly string[];
  /** True if another option's help names it. */
  readonly isMentioned?: true;
}

/** In the order of the help. */
export type Options = Readonly<Record<string, Option>>;

export const flag = (about?: string, details: Details = {}): Option<'flag'> =>
  describe({ kind: 'flag' }, about, details);

export const text = (placeholder: string, about?: string, details: Details = {}): Option<'text'> =>
  describe({ kind: 'text', placeholder }, about, details);

export const file = (about?: string, details: Details = {}): Option<'file'> =>
  describe({ kind: 'file', placeholder: 'FILE' }, about, details);

/** Declares an option that names a file to read, and may be given more than once. */
export const files = (about?: string, details: Details = {}): Option<'files'> =>
  describe({ kind: 'files', placeholder: 'FILE' }, about, details);

/** Declares an option that may be given more than once. */
export const list = (placeholder: string, about?: string, details: Details = {}): Option<'list'> =>
  describe({ kind: 'list', placeholder }, about, details);

/** Takes the next argument as its value only if it is one of `values`. */
export const choice = (
  values: readonly string[],
  about: string | Readonly<Record<string, string>>,
  { placeholder = '' }: { readonly placeholder?: string } = {},
): Option<'choice'> => ({ kind: 'choice', values, about, placeholder });

/** Tells whether an option may be given more than once. */
export const isRepeatable = ({ kind }: Pick<Option, 'kind'>): boolean => kind === 'list' || kind === 'files';

export const mentioned = <K extends Kind>(option: Option<K>): Option<K> => ({ ...option, isMentioned: true });

function describe<O extends Option>(option: O, about: string | undefined, details: Details): O {
  return { ...option, ...details, ...(about !== undefined && { about }) };
}

/** `keysFile` for `keys-file`. */
type CamelCase<S extends string> = S extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : S;

/** Empty for a choice without a value. */
type Value<O extends Option> = O['kind'] extends 'flag'
  ? boolean
  : O['kind'] extends 'list' | 'files'
    ? readonly string[]
    : string | undefined;

type Values<O extends Options> = { readonly [N in keyof O & string as CamelCase<N>]: Value<O[N]> };

export type SomeValues<O extends Options> = Partial<Values<O>>;

export const generalOptions = {
  network: text(
    'NAME',
    `${Object.keys(networks).join(', ')}, or a .json file with a network of your own; ${ALIASES}\n(default: that of --wallet-dir, else COUNTERSIGN_NETWORK, else main)`,
  ),
  dialect: text(
    'NAME',
    `the node to answer as: ${Object.keys(BASES).join(', ')}; core for ${DIALECT_ALIASES.core}, the newest release\n(default: that of --wallet-dir, else COUNTERSIGN_DIALECT, else documented)`,
  ),
  arithmetic: text(
    'NAME',
    'native, wasm or noble: the library that computes with keys and signatures\n(default: the first of these that works here)',
  ),
  config: text(
    'FILE',
    'defaults of network, dialect, arithmetic, format, nonce-dir and policy, as JSON\n(default: countersign/config.json in XDG_CONFIG_HOME, else in ~/.config)',
  ),
  help: flag('show this text, or the help of the command', { short: 'h' }),
  file: mentioned(file()),
  version: mentioned(flag()),
};

export const seedOptions = {
  'seed-file': file('seed words (BIP39); without a passphrase, unless one of these options follows:'),
  'passphrase-file': file('the passphrase of the words, or', { indent: 1 }),
  'passphrase-prompt': flag('ask for it, without showing it', { indent: 1 }),
};

/** The kind of addresses that `openAccount` gives. */
export const PURPOSE_WORDS =
  'the kind of addresses of seed words and keys: 44 (P2PKH), 49 (P2SH-P2WPKH), 84 (P2WPKH, the default), 86 (taproot), 352 (silent payments)';

export const purposeOption = {
  purpose: text('NUMBER', PURPOSE_WORDS),
};

export const keyOptions = {
  ...seedOptions,
  'keys-file': file(),
  'keys-stdin': flag(),
  'keys-prompt': flag('private keys (WIF), extended private keys (xprv) or seed words'),
};

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

export const scriptOptions = {
  assumevalid: text(
    'BLOCK',
    'run no scripts of this block and those before it: its hash, "0" for none, or "all" for blocks that your own node has validated',
  ),
};

export const backupOptions = {
  'backup-dir': list(
    'DIR',
    'let backupwallet and restorewallet use files in this directory, too, not only in "backups" in --wallet-dir; may be given more than once',
  ),
};

interface Basics {
  readonly command: string;
  readonly args: readonly string[];
  readonly optionNames: ReadonlySet<string>;
  /** Files to read that options name. */
  readonly inputs: readonly string[];
  /** From `--network`, else the wallet directory, else the environment. */
  readonly network: string;
  readonly dialect: string;
  /** Of the wallet directory, if it was opened for its network and dialect; the command opens it otherwise. */
  readonly store?: RecordStore | undefined;
}

export type CommandLine<O extends Options = Record<never, never>> = Basics & Values<typeof generalOptions> & Values<O>;
