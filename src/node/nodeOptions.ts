import { type Dialect, RPC_OPTIONS, type RpcContext, type RpcOptions } from '../answers/dialect/dialect.ts';
import { signingRulesFor } from '../answers/dialect/signingDialect.ts';
import { addressRules } from '../core/address/addressRules.ts';
import { invalidOption } from '../core/bytes/knownOptions.ts';
import { descriptorRules } from '../core/descriptors/descriptorRules.ts';
import { DUST_FEE_RATE } from '../core/tx/dust.ts';
import {
  BITCOIND_OPTIONS,
  type BitcoindOptions,
  type IndexOptions,
  type MempoolOptions,
  type MiningOptions,
  type OptionKind,
  type WalletOptions,
} from './bitcoindOptions.ts';
import type { Chain } from './chain/chainState.ts';
import { createCoinIndex } from './chain/coinIndex.ts';
import { createFilterIndex } from './chain/filterIndex.ts';
import { createSpenderIndex, createTxIndex } from './chain/txIndex.ts';
import type { MempoolPolicy } from './mempool/mempoolPolicy.ts';
import { FAMILY_LIMITS, type MempoolRules, mempoolRules } from './mempool/mempoolRules.ts';
import { deploymentsOf } from './methods/blockchain/softForks.ts';
import type { Indexes, Mining } from './methods/context.ts';
import { walletDialects } from './methods/walletDialect.ts';
import { miningRules } from './mining/miningRules.ts';
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
/** @see Bitcoin Core `DEFAULT_MEMPOOL_EXPIRY_HOURS` */
const EXPIRY_HOURS = 336;

export function createMempoolPolicy({ dialect, network }: RpcContext, options: MempoolOptions): MempoolPolicy {
  const { replacedByDefault, replaceable } = walletDialects[dialect.name];
  const { acceptnonstdtxn = false, skipsMempoolPolicy: isSkipped = false, dustrelayfee } = options;
  return {
    rules: changedRules(mempoolRules[dialect.generation], options),
    isSkipped,
    requiresStandard: !acceptnonstdtxn && !isSkipped,
    replaceable: (options.mempoolreplacement ?? replacedByDefault) ? replaceable : 'none',
    expiry: (options.mempoolexpiry ?? EXPIRY_HOURS) * 3600,
    permitsBareMultisig: options.permitbaremultisig ?? true,
    dustRate: dustrelayfee === undefined ? (network.dustFeeRate ?? DUST_FEE_RATE) : dustrelayfee / KILO,
    family: {
      ancestors: options.limitancestorcount ?? FAMILY_LIMITS.ancestors,
      ancestorSize: limitSize(options.limitancestorsize, FAMILY_LIMITS.ancestorSize),
      descendants: options.limitdescendantcount ?? FAMILY_LIMITS.descendants,
      descendantSize: limitSize(options.limitdescendantsize, FAMILY_LIMITS.descendantSize),
    },
    templates: dialect.templates,
    network,
  };
}

/** `kilo`: the option, in thousands of virtual bytes. */
const limitSize = (kilo: number | undefined, usual: number): number => (kilo === undefined ? usual : kilo * KILO);

function changedRules(usual: MempoolRules, options: MempoolOptions): MempoolRules {
  const { cluster } = usual;
  const { datacarrier = true } = options;
  return {
    ...usual,
    minRelayFee: options.minrelaytxfee ?? usual.minRelayFee,
    incrementalFee: options.incrementalrelayfee ?? usual.incrementalFee,
    maxDataCarrier: datacarrier ? (options.datacarriersize ?? usual.maxDataCarrier) : 0,
    cluster: cluster && {
      count: options.limitclustercount ?? cluster.count,
      size: limitSize(options.limitclustersize, cluster.size),
    },
  };
}

export function createMining(context: RpcContext, policy: MempoolPolicy, options: MiningOptions): Mining {
  const usual = miningRules[context.dialect.generation];
  return {
    terms: {
      rules: {
        ...usual,
        maxWeight: options.blockmaxweight ?? usual.maxWeight,
        reservedWeight: options.blockreservedweight ?? usual.reservedWeight,
        minFee: options.blockmintxfee ?? usual.minFee,
      },
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

const KEYPOOL = 1000;

export function createNodeRules(dialect: Dialect, { keypool = KEYPOOL }: WalletOptions): NodeRules {
  const { name, generation } = dialect;
  return {
    ...walletRules[generation],
    ...addressRules[generation],
    name,
    followsFirstSpender: walletDialects[name].followsFirstSpender,
    signing: signingRulesFor(dialect),
    descriptors: descriptorRules[generation],
    keypool,
  };
}
