import type { MempoolOptions } from './mempool/mempoolPolicy.ts';
import type { IdentityOptions } from './methods/context.ts';
import type { WalletOptions } from './methods/walletOptions.ts';
import type { OutputKind } from './wallet/keys/activeDescriptors.ts';

/** A node's options for making blocks, by Core's names. */
export interface MiningOptions {
  /** In weight units. Default: 4 000 000, of `litecoin-0.21` 3 996 000. */
  readonly blockmaxweight?: number | undefined;
  /** Weight for the header and the coinbase. Default: 8000, of `litecoin-0.21` 4000. */
  readonly blockreservedweight?: number | undefined;
  /** The lowest fee rate of a block's transactions, in satoshi per 1000 virtual bytes. Default: 1; before Core 30, 1000. */
  readonly blockmintxfee?: number | undefined;
  /** The version of blocks. Default: by the votes on soft forks. */
  readonly blockversion?: number | undefined;
}

/** What a node takes for the end of the chain, by Core's name. */
interface ChainOptions {
  /** After how many seconds the last block is too old to be the last of the network. Default 86 400. */
  readonly maxtipage?: number | undefined;
}

/** A node's indexes, which it keeps in memory; by Core's names. Default: none. */
export interface IndexOptions {
  /** Finds transactions of blocks by their ids. */
  readonly txindex?: boolean | undefined;
  /** Has the filters of blocks (BIP158). */
  readonly blockfilterindex?: boolean | undefined;
  /** Has the statistics of `gettxoutsetinfo` for each block. */
  readonly coinstatsindex?: boolean | undefined;
  /** Finds transactions of blocks by the coins that they spend. */
  readonly txospenderindex?: boolean | undefined;
}

/** The options that bitcoind has, too, by the same names. */
export type BitcoindOptions = MempoolOptions &
  MiningOptions &
  WalletOptions &
  ChainOptions &
  IndexOptions &
  IdentityOptions;

/** `sats`: whole satoshi, at least 0; `satsOrNone`: also -1. */
export type OptionKind = 'flag' | 'count' | 'sats' | 'satsOrNone' | 'text' | 'texts' | 'outputKind';

type KindOf<V> = V extends boolean
  ? 'flag'
  : V extends number
    ? 'count' | 'sats' | 'satsOrNone'
    : V extends OutputKind
      ? 'outputKind'
      : V extends string
        ? 'text'
        : 'texts';

/** The kinds of all options. Loads no other code, as a command line reads them before it opens a node. */
export const BITCOIND_OPTIONS: { readonly [K in keyof BitcoindOptions]-?: KindOf<NonNullable<BitcoindOptions[K]>> } = {
  acceptnonstdtxn: 'flag',
  mempoolreplacement: 'flag',
  skipsMempoolPolicy: 'flag',
  minrelaytxfee: 'sats',
  incrementalrelayfee: 'sats',
  dustrelayfee: 'sats',
  mempoolexpiry: 'count',
  datacarrier: 'flag',
  datacarriersize: 'count',
  permitbaremultisig: 'flag',
  limitclustercount: 'count',
  limitclustersize: 'count',
  limitancestorcount: 'count',
  limitdescendantcount: 'count',
  limitancestorsize: 'count',
  limitdescendantsize: 'count',
  blockmaxweight: 'count',
  blockreservedweight: 'count',
  blockmintxfee: 'sats',
  blockversion: 'count',
  fallbackfee: 'sats',
  mintxfee: 'sats',
  discardfee: 'sats',
  consolidatefeerate: 'sats',
  paytxfee: 'sats',
  maxtxfee: 'sats',
  maxapsfee: 'satsOrNone',
  avoidpartialspends: 'flag',
  walletbroadcast: 'flag',
  walletrbf: 'flag',
  spendzeroconfchange: 'flag',
  walletrejectlongchains: 'flag',
  addresstype: 'outputKind',
  changetype: 'outputKind',
  keypool: 'count',
  txindex: 'flag',
  blockfilterindex: 'flag',
  coinstatsindex: 'flag',
  txospenderindex: 'flag',
  uacomment: 'texts',
  maxtipage: 'count',
  disablewallet: 'flag',
  deprecatedrpc: 'texts',
  debuglogfile: 'text',
};
