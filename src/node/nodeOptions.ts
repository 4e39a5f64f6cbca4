import { type Dialect, RPC_OPTIONS, type RpcContext, type RpcOptions } from '../answers/dialect/dialect.ts';
import { signingRulesFor } from '../answers/dialect/signingDialect.ts';
import { addressRules } from '../core/address/addressRules.ts';
import { invalidOption } from '../core/bytes/knownOptions.ts';
import { descriptorRules } from '../core/descriptors/descriptorRules.ts';
import type { GenerationName } from '../core/generations.ts';
import { DUST_FEE_RATE } from '../core/tx/dust.ts';
import {
  BITCOIND_OPTIONS,
  type BitcoindOptions,
  type IndexOptions,
  type OptionKind,
  type SettledOptions,
} from './bitcoindOptions.ts';
import type { Chain } from './chain/chainState.ts';
import { createCoinIndex } from './chain/coinIndex.ts';
import { createFilterIndex } from './chain/filterIndex.ts';
import { forkWarningRules } from './chain/forkWarningRules.ts';
import { createSpenderIndex, createTxIndex } from './chain/txIndex.ts';
import type { MempoolPolicy } from './mempool/mempoolPolicy.ts';
import { type MempoolRules, mempoolRules } from './mempool/mempoolRules.ts';
import { deploymentsOf } from './methods/blockchain/softForks.ts';
import type { Indexes, Mining } from './methods/context.ts';
import { walletDialects } from './methods/walletDialect.ts';
import { type MiningRules, miningRules } from './mining/miningRules.ts';
import { OUTPUT_KINDS } from './wallet/records/newAddresses.ts';
import type { NodeRules } from './wallet/rules.ts';
import { walletRules } from './wallet/walletRules.ts';

const isString = (value: unknown): boolean => typeof value === 'string';
const isFrom = (least: number) => (value: unknown) => Number.isSafeInteger(value) && Number(value) >= least;

/** The kinds of options, with the words of an error. */
export const OPTION_KINDS = {
  flag: { words: 'true or false', isOne: (value: unknown) => typeof value === 'boolean' },
  count: { words: 'a whole number, at least 0', isOne: isFrom(0) },
  sats: { words: 'in whole satoshi, at least 0', isOne: isFrom(0) },
  satsOrNone: { words: 'in whole satoshi, or -1', isOne: isFrom(-1) },
  text: { words: 'a string', isOne: isString },
  texts: { words: 'a list of strings', isOne: (value: unknown) => Array.isArray(value) && value.every(isString) },
  outputKind: {
    words: `one of ${OUTPUT_KINDS.join(', ')}`,
    isOne: (value: unknown) => OUTPUT_KINDS.some((kind) => kind === value),
  },
} as const satisfies Readonly<
  Record<OptionKind, { readonly words: string; readonly isOne: (value: unknown) => boolean }>
>;

/**
 * Refuses a value of another kind, which only callers in plain JavaScript can give.
 * @throws `argument/invalid`
 */
export function assertOptionKinds(options: BitcoindOptions): void {
  for (const [argument, { kind }] of Object.entries(BITCOIND_OPTIONS)) {
    const value = options[argument as keyof BitcoindOptions];
    const { words, isOne } = OPTION_KINDS[kind];
    if (value !== undefined && !isOne(value)) throw invalidOption(argument, `must be ${words}`);
  }
}

export const pickRpcOptions = (options: RpcOptions): RpcOptions =>
  Object.fromEntries(Object.entries(options).filter(([name]) => Object.hasOwn(RPC_OPTIONS, name)));

const KILO = 1000;

export function createMempoolPolicy({ dialect, network }: RpcContext, options: SettledOptions): MempoolPolicy {
  const { acceptnonstdtxn, skipsMempoolPolicy: isSkipped, dustrelayfee } = options;
  return {
    rules: createMempoolRules(dialect.generation, options),
    isSkipped,
    requiresStandard: !acceptnonstdtxn && !isSkipped,
    replaceable: options.mempoolreplacement ? walletDialects[dialect.name].replaceable : 'none',
    expiry: options.mempoolexpiry * 3600,
    maxMemory: options.maxmempool * 1_000_000,
    permitsBareMultisig: options.permitbaremultisig,
    dustRate: dustrelayfee === undefined ? (network.dustFeeRate ?? DUST_FEE_RATE) : dustrelayfee / KILO,
    family: {
      ancestors: options.limitancestorcount,
      ancestorSize: options.limitancestorsize * KILO,
      descendants: options.limitdescendantcount,
      descendantSize: options.limitdescendantsize * KILO,
    },
    templates: dialect.templates,
    network,
  };
}

export function createMempoolRules(generation: GenerationName, options: SettledOptions): MempoolRules {
  const rules = mempoolRules[generation];
  return {
    ...rules,
    minRelayFee: options.minrelaytxfee,
    incrementalFee: options.incrementalrelayfee,
    maxDataCarrier: options.datacarrier ? options.datacarriersize : 0,
    cluster: rules.limitsClusters
      ? { count: options.limitclustercount, size: options.limitclustersize * KILO }
      : undefined,
  };
}

export const createMiningRules = (generation: GenerationName, options: SettledOptions): MiningRules => ({
  ...miningRules[generation],
  maxWeight: options.blockmaxweight,
  reservedWeight: options.blockreservedweight,
  minFee: options.blockmintxfee,
});

export function createMining(context: RpcContext, policy: MempoolPolicy, options: SettledOptions): Mining {
  return {
    terms: {
      rules: createMiningRules(context.dialect.generation, options),
      mempoolRules: policy.rules,
      deployments: deploymentsOf(context),
      blockversion: options.blockversion,
    },
  };
}

export const createIndexes = (
  chain: Chain,
  { txindex, blockfilterindex, coinstatsindex, txospenderindex }: IndexOptions,
): Indexes => ({
  txs: txindex ? createTxIndex(chain) : undefined,
  coins: coinstatsindex ? createCoinIndex(chain) : undefined,
  spenders: txospenderindex ? createSpenderIndex(chain) : undefined,
  filters: blockfilterindex ? createFilterIndex(chain) : undefined,
});

export function createNodeRules(dialect: Dialect, { keypool }: SettledOptions): NodeRules {
  const { name, generation } = dialect;
  return {
    ...walletRules[generation],
    ...addressRules[generation],
    ...forkWarningRules[generation],
    name,
    followsFirstSpender: walletDialects[name].followsFirstSpender,
    signing: signingRulesFor(dialect),
    descriptors: descriptorRules[generation],
    keypool,
  };
}
