import { type ByGeneration, byGeneration } from '../../core/generations.ts';

/** Rules by which the methods of a node check blocks, transactions and times. */
export interface NodeMethodRules {
  /** `submitblock` of Core 31 checks a block's content before it looks the block up; 0.21 only its first transaction. */
  readonly checksContentFirst: boolean;
  /** The latest time of `setmocktime`: block times have 32 bits, which 0.21 does not check. */
  readonly maxMockTime: number;
  /** The error for another time. */
  readonly wrongMockTime: (given: string) => string;
  /** The error for a transaction whose outputs are in the chain. */
  readonly transactionKnown: string;
  /** Core 31 refuses a `maxfeerate` of 1 coin per kvB or more, as a likely mistake; 0.21 takes any. */
  readonly limitsFeeRates: boolean;
  /** Core 31 reports which input's script fails; 0.21 whether a mandatory rule fails. */
  readonly locatesScriptFailures: boolean;
}

/** The rows of {@link NodeMethodRules}. */
export const nodeMethodRules: ByGeneration<NodeMethodRules> = byGeneration<NodeMethodRules>({
  'core-0.21': {
    checksContentFirst: false,
    maxMockTime: 0x8000_0000_0000_0000,
    wrongMockTime: (given) => `Mocktime can not be negative: ${given}.`,
    transactionKnown: 'Transaction already in block chain',
    limitsFeeRates: false,
    locatesScriptFailures: false,
  },
  'core-31': {
    checksContentFirst: true,
    maxMockTime: 0xffff_ffff,
    wrongMockTime: (given) => `Mocktime must be in the range [0, 4294967295], not ${given}.`,
    transactionKnown: 'Transaction outputs already in utxo set',
    limitsFeeRates: true,
    locatesScriptFailures: true,
  },
});

/** Rules by which the methods of a node show its chain and its mempool. */
export interface ChainRules {
  /** Core 31 shows targets and the coinbase of a block, and sizes after the header; 0.21 does not. */
  readonly showsTargets: boolean;
  /** Core 31 shows the fees of a block's transactions, and the coins that they spend; 0.21 does not. */
  readonly showsFees: boolean;
  /** Core 31 reads a verbosity that is not a boolean as a number, 0.21 one that is not a number as a boolean. */
  readonly readsVerbosityAsNumber: boolean;
  /** `gettxout` of Core 31 reads an output number of 32 bits without a sign, 0.21 with one. */
  readonly readsUnsignedVout: boolean;
  /** Core 31 shows the size of unconfirmed transactions as policy counts it, under a name of its own; 0.21 does not. */
  readonly showsAdjustedSizes: boolean;
  /** 0.21 sorts the mempool by depth and fee rate; Core 31 does not. */
  readonly sortsMempool: boolean;
  /** The name of the txid in the error of a mempool query. */
  readonly pooledTxidName: string;
  /** `getblockchaininfo` of 0.21 lists soft forks; Core 31 has a method of its own for them. */
  readonly listsSoftForks: boolean;
  /** Warnings: a list in Core 31, a text in 0.21. */
  readonly noWarnings: '' | readonly [];
  /** `scantxoutset` of Core 31 quotes an unknown action; 0.21 does not. */
  readonly namesScanActions: boolean;
  /** `scantxoutset` of Core 31 shows the blocks of the outputs that it finds; 0.21 only their height. */
  readonly showsBlocksOfCoins: boolean;
  /** `gettxoutproof` of Core 31 wants a transaction; that of 0.21 proves none of a given block. */
  readonly refusesEmptyProofs: boolean;
  /** The error of `gettxoutproof` for a block of which only the header is known. */
  readonly unprovableBlock: { readonly code: number; readonly message: string };
}

/** The rows of {@link ChainRules}. */
export const chainRules: ByGeneration<ChainRules> = byGeneration<ChainRules>({
  'core-0.21': {
    showsTargets: false,
    showsFees: false,
    readsVerbosityAsNumber: false,
    readsUnsignedVout: false,
    showsAdjustedSizes: false,
    sortsMempool: true,
    pooledTxidName: 'parameter 1',
    listsSoftForks: true,
    noWarnings: '',
    namesScanActions: false,
    showsBlocksOfCoins: false,
    refusesEmptyProofs: false,
    unprovableBlock: { code: -32603, message: "Can't read block from disk" },
  },
  'core-31': {
    showsTargets: true,
    showsFees: true,
    readsVerbosityAsNumber: true,
    readsUnsignedVout: true,
    showsAdjustedSizes: true,
    sortsMempool: false,
    pooledTxidName: 'txid',
    listsSoftForks: false,
    noWarnings: [],
    namesScanActions: true,
    showsBlocksOfCoins: true,
    refusesEmptyProofs: true,
    unprovableBlock: { code: -1, message: 'Block not available (pruned data)' },
  },
});
