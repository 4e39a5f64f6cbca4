import type { Dialect } from '../../answers/dialect/dialect.ts';
import { sanitizeString } from '../../core/encoding/sanitizeString.ts';
import type { GenerationName } from '../../core/generations.ts';
import {
  BITCOIND_OPTIONS,
  type BitcoindOptions,
  type NodeOption,
  type OptionKind,
  type SettledOptions,
  settleOptions,
} from '../../node/bitcoindOptions.ts';
import type { NodeRpcOptions } from '../../node/createNodeRpc.ts';
import { mempoolRules } from '../../node/mempool/mempoolRules.ts';
import type { OutputKind } from '../../node/wallet/keys/activeDescriptors.ts';
import { OUTPUT_KINDS } from '../../node/wallet/records/newAddresses.ts';
import { InitError } from './initError.ts';
import type { Options } from './options.ts';
import { settingsRules } from './settingsRules.ts';

type NodeSettings = BitcoindOptions & Pick<NodeRpcOptions, 'assumevalid'>;

/**
 * Reads the options that the node itself has.
 * @throws InitError
 * @see Bitcoin Core `ApplyArgsManOptions`, `CWallet::Create`
 */
export function readNodeSettings(options: Options, { name, generation }: Dialect): NodeSettings {
  const assumevalid = readHash(options.text('assumevalid'));
  const settings: NodeSettings = {
    ...blocksOnly(options, generation),
    ...Object.fromEntries(Object.entries<NodeOption>(BITCOIND_OPTIONS).flatMap(readOption(options))),
    ...comments(options),
    ...deprecated(options),
    ...filterIndex(options),
    ...(assumevalid !== undefined && { assumevalid }),
  };
  checkLimits(settings);
  checkMemory(settleOptions(settings, name), generation);
  return { ...settings, ...relayFee(settings, settleOptions({}, name).minrelaytxfee), ...keys(settings) };
}

/** Reads an option by its kind; texts have rules of their own. Amounts are in coins. */
const READERS: {
  readonly [K in OptionKind]: ((name: string, options: Options) => unknown) | undefined;
} = {
  flag: (name, { flag }) => flag(name, undefined),
  count: (name, { integer }) => integer(name),
  sats: (name, { text }) => readAmount(name, text(name)),
  satsOrNone: (name, { text }) => (text(name) === '-1' ? -1 : readAmount(name, text(name))),
  outputKind: (name, { text }) => readKind(name, text(name)),
  text: undefined,
  texts: undefined,
};

const readOption =
  (options: Options) =>
  ([name, { kind }]: [string, NodeOption]): (readonly [string, unknown])[] => {
    const value = READERS[kind]?.(name, options);
    return value === undefined ? [] : [[name, value]];
  };

/** @see Bitcoin Core `MAX_SUBVERSION_LENGTH` */
const MOST_VERSION = 256;
/** Of the name of the node without comments. */
const NAME_LENGTH = '/Satoshi:31.0.0()/'.length;

function comments({ list }: Options): NodeSettings {
  const uacomment = list('uacomment');
  const unsafe = uacomment.find((comment) => sanitizeString(comment, 'comment') !== comment);
  if (unsafe !== undefined) throw new InitError(`User Agent comment (${unsafe}) contains unsafe characters.`);
  const length = NAME_LENGTH + uacomment.join('; ').length;
  if (length > MOST_VERSION) {
    throw new InitError(
      `Total length of network version string (${length}) exceeds maximum length (${MOST_VERSION}). Reduce the number or size of uacomments.`,
    );
  }
  return uacomment.length === 0 ? {} : { uacomment };
}

function deprecated({ list }: Options): NodeSettings {
  const deprecatedrpc = list('deprecatedrpc');
  return deprecatedrpc.length === 0 ? {} : { deprecatedrpc };
}

/** A higher fee for replacements raises that of all transactions. */
function relayFee({ minrelaytxfee, incrementalrelayfee = 0 }: NodeSettings, usual: number): NodeSettings {
  return minrelaytxfee === undefined && incrementalrelayfee > usual ? { minrelaytxfee: incrementalrelayfee } : {};
}

const keys = ({ keypool }: NodeSettings): NodeSettings =>
  keypool === undefined ? {} : { keypool: Math.max(keypool, 1) };

const COIN = 100_000_000;
const MOST_COINS = 21_000_000;

function readAmount(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const sats = parseMoney(text);
  if (sats !== undefined) return sats;
  throw new InitError(`Invalid amount for -${name}=<amount>: '${text}'`);
}

/** @see Bitcoin Core `ParseMoney` */
function parseMoney(text: string): number | undefined {
  const [amount, whole, decimals = ''] = /^([0-9]{0,10})(?:\.([0-9]{0,8}))?$/.exec(text.trim()) ?? [];
  if (whole === undefined || amount === '') return undefined;
  const sats = Number(whole) * COIN + Number(decimals.padEnd(8, '0'));
  return sats <= MOST_COINS * COIN ? sats : undefined;
}

function readKind(name: string, text = ''): OutputKind | undefined {
  if (text === '') return undefined;
  const kind = OUTPUT_KINDS.find((known) => known === text);
  if (kind === undefined) throw new InitError(`Unknown ${name.replace(/type$/, ' type')} '${text}'`);
  return kind;
}

/** @see Bitcoin Core `InitParameterInteraction`, `WalletInit::ParameterInteraction` */
function blocksOnly({ flag }: Options, generation: GenerationName): NodeSettings {
  if (!flag('blocksonly', false)) return {};
  const { blocksOnlyMempool: maxmempool } = settingsRules[generation];
  return { walletbroadcast: false, ...(maxmempool !== undefined && { maxmempool }) };
}

function filterIndex({ text, list, isSet }: Options): NodeSettings {
  if (!isSet('blockfilterindex')) return {};
  const value = text('blockfilterindex') ?? '';
  if (['', '0', '1'].includes(value)) return { blockfilterindex: value !== '0' };
  const unknown = list('blockfilterindex').find((name) => name !== 'basic');
  if (unknown !== undefined) throw new InitError(`Unknown -blockfilterindex value ${unknown}.`);
  return { blockfilterindex: true };
}

const HASH_DIGITS = 64;

function readHash(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const digits = text.replace(/^0x/, '');
  if (/^[0-9a-fA-F]*$/.test(digits) && digits.length <= HASH_DIGITS) {
    return /^0*$/.test(digits) ? '0' : digits.toLowerCase().padStart(HASH_DIGITS, '0');
  }
  throw new InitError(
    `Invalid assumevalid block hash specified (${text}), must be up to ${HASH_DIGITS} hex digits (or 0 to disable)`,
  );
}

/** A family or cluster of the largest size may take so much memory for each of its bytes. */
const MEMORY_PER_BYTE = 40;

/** @see Bitcoin Core `CTxMemPool`, `Flatten` */
function checkMemory(
  { maxmempool, limitdescendantsize, limitclustersize }: SettledOptions,
  generation: GenerationName,
): void {
  const { limitsClusters } = mempoolRules[generation];
  const least = Math.ceil(((limitsClusters ? limitclustersize : limitdescendantsize) * MEMORY_PER_BYTE) / 1000);
  // Since clusters, 0 is for an empty mempool.
  if (maxmempool >= least || (limitsClusters && maxmempool === 0)) return;
  throw new InitError(`-maxmempool must be at least ${least} MB`);
}

const MAX_WEIGHT = 4_000_000;
const MIN_RESERVED = 2000;
const MAX_CLUSTER = 64;

function checkLimits({
  blockmaxweight = 0,
  blockreservedweight = MIN_RESERVED,
  limitclustercount = 0,
}: NodeSettings): void {
  const exceeds = (name: string, weight: number): InitError =>
    new InitError(`Specified -${name} (${weight}) exceeds consensus maximum block weight (${MAX_WEIGHT})`);
  if (blockmaxweight > MAX_WEIGHT) throw exceeds('blockmaxweight', blockmaxweight);
  if (blockreservedweight > MAX_WEIGHT) throw exceeds('blockreservedweight', blockreservedweight);
  if (blockreservedweight < MIN_RESERVED) {
    throw new InitError(
      `Specified -blockreservedweight (${blockreservedweight}) is lower than minimum safety value of (${MIN_RESERVED})`,
    );
  }
  if (limitclustercount > MAX_CLUSTER) {
    throw new InitError(`limitclustercount must be less than or equal to ${MAX_CLUSTER}`);
  }
}
