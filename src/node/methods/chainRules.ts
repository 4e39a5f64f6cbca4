import { type ByGeneration, byGeneration } from '../../core/generations.ts';
import { MANDATORY_FLAGS, type ScriptFlags } from '../../core/interpreter/flags.ts';
import type { CoinHashType } from '../chain/coinStatistics.ts';

export interface NodeMethodRules {
  /** `submitblock` checks a block's content before it looks the block up; 0.21 only its first transaction. */
  readonly checksContentFirst: boolean;
  /** Block times have 32 bits, which 0.21 does not check. */
  readonly maxMockTime: number;
  readonly wrongMockTime: (time: string, most: number) => string;
  /** `invalidateblock` of the genesis block does nothing; in 0.21 it invalidates the chain above. */
  readonly sparesGenesis: boolean;
  /** Whether the chain is caught up is also looked at when it is asked, not only when the last block changes. */
  readonly looksAtTip: boolean;
  /** `uptime` counts mock time. */
  readonly mocksUptime: boolean;
  readonly transactionKnown: string;
  /** Refuses a `maxfeerate` of 1 coin per kvB or more, as a likely mistake. */
  readonly limitsFeeRates: boolean;
  /** A transaction that is sent again counts as sent, until another node asks for it. */
  readonly marksPooled: boolean;
  /** The error of `importmempool` for a file that cannot be read. */
  readonly unreadMempool: string;
  /** `sendrawtransaction` limits what unspendable outputs pay. */
  readonly limitsBurns: boolean;
  /** Refuses to wait for a negative time. */
  readonly checksTimeouts: boolean;
  /** `savemempool` names its file. */
  readonly namesMempoolFile: boolean;
  /** `savemempool` hides the content of its file. */
  readonly hidesMempool: boolean;
  /** `gettxspendingprevout` shows an output as the request has it. */
  readonly repeatsOutpoints: boolean;
  /** The error of `gettxspendingprevout` where the mempool does not suffice. */
  readonly noSpender: (outpoint: { readonly txid: string; readonly vout: number }) => string;
  /** Reports the input whose script fails. */
  readonly locatesScriptFailures: boolean;
  /** Says more than the reason of block rules that depend on coins. */
  readonly explainsBlockFaults: boolean;
  /** Why a block is refused with such a script. */
  readonly blockScriptReason: (error: string) => string;
  /** The rules of which an error says whether they alone make a script fail; without them, it says nothing. */
  readonly mandatoryFlags: ScriptFlags | undefined;
}

export const nodeMethodRules: ByGeneration<NodeMethodRules> = byGeneration<NodeMethodRules>({
  'core-0.21': {
    checksContentFirst: false,
    maxMockTime: 0x8000_0000_0000_0000,
    wrongMockTime: (time) => `Mocktime can not be negative: ${time}.`,
    sparesGenesis: false,
    looksAtTip: true,
    mocksUptime: true,
    transactionKnown: 'Transaction already in block chain',
    limitsFeeRates: false,
    limitsBurns: false,
    marksPooled: true,
    unreadMempool: 'Unable to import mempool file, see debug.log for details.',
    checksTimeouts: false,
    namesMempoolFile: false,
    hidesMempool: false,
    repeatsOutpoints: false,
    noSpender: ({ txid, vout }) =>
      `No spending tx for the outpoint ${txid}:${vout} in mempool, and txospenderindex is unavailable.`,
    locatesScriptFailures: false,
    explainsBlockFaults: false,
    blockScriptReason: () => 'block-validation-failed',
    mandatoryFlags: new Set(['P2SH']),
  },
  'core-29': {
    checksContentFirst: true,
    transactionKnown: 'Transaction outputs already in utxo set',
    maxMockTime: 9_223_372_036,
    wrongMockTime: (time, most) => `Mocktime must be in the range [0, ${most}], not ${time}.`,
    sparesGenesis: true,
    limitsFeeRates: true,
    limitsBurns: true,
    marksPooled: false,
    checksTimeouts: true,
    namesMempoolFile: true,
    hidesMempool: true,
    locatesScriptFailures: true,
    explainsBlockFaults: true,
    blockScriptReason: (error) => `mandatory-script-verify-flag-failed (${error})`,
    mandatoryFlags: MANDATORY_FLAGS,
  },
  'core-30': { mandatoryFlags: undefined, blockScriptReason: (error) => `block-script-verify-flag-failed (${error})` },
  'core-31': { repeatsOutpoints: true, mocksUptime: false, looksAtTip: false },
  'core-32': {
    noSpender: () => 'Mempool lacks a relevant spend, and txospenderindex is unavailable.',
    maxMockTime: 0xffff_ffff,
    unreadMempool: 'Unable to import mempool file, see debug log for details.',
  },
});

export interface ChainRules {
  /** The bytes that `getblockstats` adds to an output. @see Bitcoin Core `PER_UTXO_OVERHEAD` */
  readonly coinOverhead: 40 | 41;
  /** The hashes of `gettxoutsetinfo`, the usual one first. */
  readonly coinHashTypes: readonly CoinHashType[];
  /** `getblockstats` quotes an unknown statistic, and knows the undo data of the genesis block. */
  readonly explainsStatistics: boolean;
  /** In bytes, by default: `-dbcache` without the caches of databases. */
  readonly coinsCache: number;
  /** Reads a verbosity of another type as a number, 0.21 as a boolean. */
  readonly readsVerbosityAsNumber: boolean;
  readonly readsUnsignedVout: boolean;
  /** Sorts by depth and fee rate. */
  readonly sortsMempool: boolean;
  /** The name of the txid in errors of mempool queries. */
  readonly pooledTxidName: string;
  readonly listsSoftForks: boolean;
  readonly listsWarnings: boolean;
  /** `scantxoutset` quotes an unknown action. */
  readonly namesScanActions: boolean;
  /** Scans count `null` as no scan objects; earlier ones as the wrong type. */
  readonly countsNullScans: boolean;
  readonly refusesEmptyProofs: boolean;
  /** The error of a block whose header came before it. */
  readonly awaitedBlock: string;
  /** The error of `gettxoutproof` if only the header is known; otherwise that of other methods. */
  readonly unprovableBlock: { readonly code: number; readonly message: string } | undefined;
}

export const chainRules: ByGeneration<ChainRules> = byGeneration<ChainRules>({
  'core-0.21': {
    coinOverhead: 41,
    coinHashTypes: ['hash_serialized_2', 'none'],
    explainsStatistics: false,
    coinsCache: 440 * 2 ** 20,
    readsVerbosityAsNumber: false,
    readsUnsignedVout: false,
    sortsMempool: true,
    pooledTxidName: 'parameter 1',
    listsSoftForks: true,
    listsWarnings: false,
    namesScanActions: false,
    countsNullScans: false,
    refusesEmptyProofs: false,
    awaitedBlock: 'Block not found on disk',
    unprovableBlock: { code: -32603, message: "Can't read block from disk" },
  },
  'core-29': {
    coinHashTypes: ['hash_serialized_3', 'muhash', 'none'],
    explainsStatistics: true,
    readsVerbosityAsNumber: true,
    readsUnsignedVout: true,
    sortsMempool: false,
    listsSoftForks: false,
    listsWarnings: true,
    namesScanActions: true,
    refusesEmptyProofs: true,
    awaitedBlock: 'Block not available (not fully downloaded)',
    unprovableBlock: undefined,
  },
  'core-30': { pooledTxidName: 'txid' },
  'core-31': { coinsCache: 1014 * 2 ** 20 },
  'core-32': { coinOverhead: 40, countsNullScans: true },
});
