import { BASES, type DialectName } from '../answers/dialect/dialectNames.ts';
import { formatMoney } from '../core/encoding/amount.ts';
import { GENERATIONS, type Lifetime } from '../core/generations.ts';
import type { OutputKind } from './wallet/keys/activeDescriptors.ts';

/** The values of options by kind. `sats`: whole satoshi, at least 0; `satsOrNone`: also -1. */
interface Values {
  readonly flag: boolean;
  readonly count: number;
  readonly sats: number;
  readonly satsOrNone: number;
  readonly text: string;
  readonly texts: readonly string[];
  readonly outputKind: OutputKind;
}

export type OptionKind = keyof Values;

type Scalar<V> = Exclude<V, object>;
/** Changes of a default: a dialect keeps what it does not change of its base. */
type Changes<V> = { readonly 'core-0.21': V } & { readonly [N in DialectName]?: V };

/** An option of a node, by bitcoind's name. */
export interface NodeOption<K extends OptionKind = OptionKind> extends Lifetime {
  readonly kind: K;
  /** The value where none is given. */
  readonly usual?: Scalar<Values[K]> | Changes<Scalar<Values[K]>> | undefined;
  /** The help of commands, without the default. Without it, no command has the option. */
  readonly about?: string;
  readonly placeholder?: string;
  /** Bitcoin's bitcoind does not have it. */
  readonly isOurs?: true;
}

const row = <const K extends OptionKind, const T extends Omit<NodeOption<K>, 'kind' | 'about'>>(
  kind: K,
  about?: string,
  traits?: T,
): NodeOption<K> & T => ({ kind, ...(about !== undefined && { about }), ...(traits as T) });

type ValueOf<R> = R extends { readonly kind: infer K extends OptionKind } ? Values[K] : never;
type OptionsOf<R> = { readonly [N in keyof R]?: ValueOf<R[N]> | undefined };
type SettledOf<R> = {
  readonly [N in keyof R]: R[N] extends { readonly usual: unknown } ? ValueOf<R[N]> : ValueOf<R[N]> | undefined;
};

const MEMPOOL = {
  /** Accepts non-standard transactions. Default false. */
  acceptnonstdtxn: row('flag', 'let transactions into the mempool that are not standard', { usual: false }),
  /** Lets transactions replace others. Default: false for `litecoin-0.21`, true for others. */
  mempoolreplacement: row(
    'flag',
    'let transactions replace others also in litecoin-0.21, whose node does not by default',
    { usual: { 'core-0.21': true, 'litecoin-0.21': false }, isOurs: true },
  ),
  /** Accepts all that blocks may hold, with replacements: for what a node of yours has accepted. Default false. */
  skipsMempoolPolicy: row('flag', undefined, { usual: false }),
  /** The lowest fee rate, in satoshi per 1000 virtual bytes. Default: 100; before Core 30, 1000. */
  minrelaytxfee: row('sats', 'the lowest fee rate in the mempool, in coins per 1000 virtual bytes', {
    usual: { 'core-0.21': 1000, 'core-30': 100 },
    placeholder: 'RATE',
  }),
  /** What a replacement pays on top, in satoshi per 1000 virtual bytes. Default: as `minrelaytxfee`. */
  incrementalrelayfee: row('sats', 'what a replacement pays on top', {
    usual: { 'core-0.21': 1000, 'core-30': 100 },
    placeholder: 'RATE',
  }),
  /** The fee rate at which spending dust costs more than it is worth, in satoshi per 1000 virtual bytes. Default 3000. */
  dustrelayfee: row('sats', 'the fee rate that decides what is dust', { placeholder: 'RATE' }),
  /** After how many hours a transaction leaves the mempool. Default 336. */
  mempoolexpiry: row('count', 'how long a transaction stays in the mempool', { usual: 336, placeholder: 'HOURS' }),
  /** Accepts OP_RETURN outputs. Default true. */
  datacarrier: row('flag', 'accept OP_RETURN outputs', { usual: true }),
  /** The most bytes of OP_RETURN scripts. Default: 100 000; before Core 30, 83. */
  datacarriersize: row('count', 'the most bytes of their scripts', {
    usual: { 'core-0.21': 83, 'core-30': 100_000 },
    placeholder: 'BYTES',
  }),
  /** Accepts bare multisig outputs. Default true. */
  permitbaremultisig: row('flag', 'accept bare multisig outputs', { usual: true }),
  /** The most memory of the mempool, in millions of bytes, by an estimate. Default 300. */
  maxmempool: row('count', 'the most megabytes of the mempool', { usual: 300, placeholder: 'MB' }),
  /** The virtual bytes for which each signature check counts at least. Default 20. */
  bytespersigop: row('count', 'what a signature check counts for in the size of a transaction', {
    usual: 20,
    placeholder: 'BYTES',
  }),
  /** The most transactions of a cluster, since Core 31. Default 64. */
  limitclustercount: row('count', 'the most transactions of a cluster', {
    usual: 64,
    placeholder: 'COUNT',
    since: 'core-31',
  }),
  /** The most thousands of virtual bytes of a cluster, since Core 31. Default 101. */
  limitclustersize: row('count', 'the most thousands of virtual bytes of a cluster', {
    usual: 101,
    placeholder: 'KVB',
    since: 'core-31',
  }),
  /** The most unconfirmed ancestors, with the transaction itself; before Core 31. Default 25. */
  limitancestorcount: row('count', 'the most unconfirmed ancestors', { usual: 25, placeholder: 'COUNT' }),
  /** The most unconfirmed descendants, with the transaction itself; before Core 31. Default 25. */
  limitdescendantcount: row('count', 'the most unconfirmed descendants', { usual: 25, placeholder: 'COUNT' }),
  /** In thousands of virtual bytes; before Core 31. Default 101. */
  limitancestorsize: row('count', 'the most thousands of virtual bytes of them; before Core 31', {
    usual: 101,
    placeholder: 'KVB',
  }),
  /** In thousands of virtual bytes; before Core 31. Default 101. */
  limitdescendantsize: row('count', 'the same of descendants', { usual: 101, placeholder: 'KVB' }),
} as const;

const MINING = {
  /** In weight units. Default: 4 000 000, of `litecoin-0.21` 3 996 000. */
  blockmaxweight: row('count', 'the most weight of a block that is made', {
    usual: { 'core-0.21': 3_996_000, 'core-29': 4_000_000 },
    placeholder: 'WEIGHT',
  }),
  /** Weight for the header and the coinbase. Default: 8000, of `litecoin-0.21` 4000. */
  blockreservedweight: row('count', 'of which so much is kept for its coinbase', {
    usual: { 'core-0.21': 4000, 'core-29': 8000 },
    placeholder: 'WEIGHT',
    since: 'core-29',
  }),
  /** The lowest fee rate of a block's transactions, in satoshi per 1000 virtual bytes. Default: 1; before Core 30, 1000. */
  blockmintxfee: row('sats', 'the lowest fee rate in it', {
    usual: { 'core-0.21': 1000, 'core-30': 1 },
    placeholder: 'RATE',
  }),
  /** The version of blocks. Default: by the votes on soft forks. */
  blockversion: row('count', 'its version', { placeholder: 'VERSION' }),
} as const;

const WALLET = {
  /** The fee rate of a payment that states none, as there are no estimates; 0 for none. Default: none. */
  fallbackfee: row('sats', 'the fee rate of payments that state none, in coins per 1000 virtual bytes', {
    usual: { 'core-0.21': 0, 'litecoin-0.21': 200_000 },
    placeholder: 'RATE',
  }),
  /** The lowest fee rate. Default 1000. */
  mintxfee: row('sats', 'the lowest fee rate of payments', {
    usual: { 'core-0.21': 1000, 'litecoin-0.21': 10_000 },
    placeholder: 'RATE',
  }),
  /** The fee rate at which change may become a fee. Default 10 000. */
  discardfee: row('sats', 'the fee rate at which change may become a fee', {
    usual: { 'core-0.21': 10_000, 'litecoin-0.21': 30_000 },
    placeholder: 'RATE',
  }),
  /** The fee rate below which coins are gathered. Default 10 000. */
  consolidatefeerate: row('sats', 'the fee rate below which coins are gathered', {
    usual: { 'core-0.21': 10_000, 'litecoin-0.21': 200_000 },
    placeholder: 'RATE',
    since: 'core-29',
  }),
  /** The fee rate of payments, before Core 31; 0 for none. Default 0. */
  paytxfee: row('sats', 'the fee rate of payments', { usual: 0, placeholder: 'RATE', until: 'core-30' }),
  /** The highest fee of a payment, in satoshi. Default 10 000 000. */
  maxtxfee: row('sats', 'the highest fee of a payment', { usual: 10_000_000, placeholder: 'AMOUNT' }),
  /** What avoiding partial spends may cost, in satoshi; -1 for nothing. Default 0. */
  maxapsfee: row('satsOrNone', 'what avoiding partial spends may cost', { usual: 0, placeholder: 'AMOUNT' }),
  /** Groups coins by address. Default false. */
  avoidpartialspends: row('flag', 'spend the coins of an address together', { usual: false }),
  /** Submits payments to the mempool. Default true. */
  walletbroadcast: row('flag', 'submit payments to the mempool', { usual: true }),
  /** Signals replaceability. Default true; before Core 23, false. */
  walletrbf: row('flag', 'let payments be replaced', { usual: { 'core-0.21': false, 'core-29': true } }),
  /** Spends unconfirmed change. Default true. */
  spendzeroconfchange: row('flag', 'spend unconfirmed change', { usual: true }),
  /** Refuses payments that the mempool would for their unconfirmed ancestors. Default true; before Core 23, false. */
  walletrejectlongchains: row('flag', 'refuse payments that the mempool would refuse for their ancestors', {
    usual: { 'core-0.21': false, 'core-29': true },
  }),
  /** Default `bech32`. */
  addresstype: row('outputKind', 'legacy, p2sh-segwit, bech32 or bech32m: that of new addresses', {
    usual: 'bech32',
    placeholder: 'TYPE',
  }),
  /** Default: one that does not stand out beside the recipients. */
  changetype: row('outputKind', 'that of change', { placeholder: 'TYPE' }),
  /** Keys ahead of the last used one. Default 1000. */
  keypool: row('count', 'how many keys lie ahead of the last used one', { usual: 1000, placeholder: 'COUNT' }),
} as const;

const CHAIN = {
  /** After how many seconds the last block is too old to be the last of the network. Default 86 400. */
  maxtipage: row('count', 'the age of the last block from which the node is behind', {
    usual: 86_400,
    placeholder: 'SECONDS',
  }),
} as const;

const INDEX = {
  /** Finds transactions of blocks by their ids. */
  txindex: row('flag', 'find transactions of blocks by their ids'),
  /** Has the filters of blocks (BIP158). */
  blockfilterindex: row('flag', 'have the filters of blocks (BIP158): basic or 1', { placeholder: 'TYPE' }),
  /** Has the statistics of `gettxoutsetinfo` for each block. */
  coinstatsindex: row('flag', 'have the statistics of gettxoutsetinfo for each block', { since: 'core-29' }),
  /** Finds transactions of blocks by the coins that they spend. */
  txospenderindex: row('flag', 'find transactions of blocks by the coins that they spend', { since: 'core-31' }),
} as const;

const IDENTITY = {
  /** Comments after the name of the node in `getnetworkinfo`. Default: none. */
  uacomment: row('texts', 'a comment after the name of the node', { placeholder: 'TEXT' }),
  /** Has no methods of wallets. Default false. */
  disablewallet: row('flag', 'load no wallet'),
  /** Deprecated parts of a release that it answers with all the same: `settxfee` of Core 30, or `warnings` as a text. */
  deprecatedrpc: row(
    'texts',
    'answer as before: settxfee (release 30), bip125, fullrbf, removeprunedfunds (32), warnings',
    { placeholder: 'NAME' },
  ),
  /** The path of the log, if the node has one. */
  debuglogfile: row('text', 'the log (default: debug.log)', { placeholder: 'FILE' }),
} as const;

/** The node's options for accepting transactions, by Core's names. */
export type MempoolOptions = OptionsOf<typeof MEMPOOL>;
/** A node's options for making blocks, by Core's names. */
type MiningOptions = OptionsOf<typeof MINING>;
/** The wallets' options, by the names of bitcoind's. Rates are in satoshi per 1000 virtual bytes. */
type WalletOptions = OptionsOf<typeof WALLET>;
/** What a node takes for the end of the chain, by Core's name. */
type ChainOptions = OptionsOf<typeof CHAIN>;
/** A node's indexes, which it keeps in memory; by Core's names. Default: none. */
export type IndexOptions = OptionsOf<typeof INDEX>;
/** What the node says of itself, by the names of bitcoind's options. */
export type IdentityOptions = OptionsOf<typeof IDENTITY>;

/** All of them. Loads no other code, as a command line reads them before it opens a node. */
export const BITCOIND_OPTIONS = { ...MEMPOOL, ...MINING, ...WALLET, ...CHAIN, ...INDEX, ...IDENTITY } as const;

/** The options that bitcoind has, too, by the same names. */
export type BitcoindOptions = MempoolOptions &
  MiningOptions &
  WalletOptions &
  ChainOptions &
  IndexOptions &
  IdentityOptions;

/** Their values in a node: those that have a default are never absent. */
export type SettledOptions = SettledOf<typeof BITCOIND_OPTIONS>;

/** Adds the defaults of a dialect. */
export const settleOptions = (options: BitcoindOptions, dialect: DialectName): SettledOptions =>
  Object.fromEntries(
    Object.entries<NodeOption>(BITCOIND_OPTIONS).map(([name, { usual }]) => [
      name,
      options[name as keyof BitcoindOptions] ?? usualOf(usual, dialect),
    ]),
  ) as SettledOptions;

function usualOf(usual: NodeOption['usual'], dialect: DialectName): unknown {
  const changes = new Map(changesOf(usual));
  let name: DialectName | undefined = dialect;
  while (name !== undefined && !changes.has(name)) name = BASES[name];
  return name && changes.get(name);
}

/** Lists the default and its changes, oldest first. */
const changesOf = (usual: NodeOption['usual']): readonly (readonly [string, unknown])[] =>
  usual === undefined ? [] : typeof usual === 'object' ? Object.entries(usual) : [['core-0.21', usual]];

/** How commands show a value. */
const SHOWN: { readonly [K in OptionKind]: (value: Values[K]) => string } = {
  flag: (value) => String(Number(value)),
  count: String,
  sats: (value) => formatMoney(BigInt(value)),
  satsOrNone: (value) => formatMoney(BigInt(value)),
  text: (value) => value,
  texts: (value) => value.join(', '),
  outputKind: (value) => value,
};

/** Writes the help of commands, where amounts are in coins. */
export function optionHelp({ kind, about = '', usual }: NodeOption): string {
  const shown = SHOWN[kind] as (value: unknown) => string;
  const [first, ...later] = changesOf(usual);
  if (first === undefined) return about;
  const since = (name: string): string => (GENERATIONS.some((each) => each === name) ? 'since' : 'in');
  const changes = later.map(([name, value]) => `; ${since(name)} ${name}: ${shown(value)}`);
  return `${about} (default: ${shown(first[1])}${changes.join('')})`;
}
