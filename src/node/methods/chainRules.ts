import { type ByGeneration, byGeneration } from '../../core/generations.ts';

export interface NodeMethodRules {
  /** `submitblock` checks a block's content before it looks the block up; 0.21 only its first transaction. */
  readonly checksContentFirst: boolean;
  /** Block times have 32 bits, which 0.21 does not check. */
  readonly maxMockTime: number;
  readonly wrongMockTime: (time: string) => string;
  readonly transactionKnown: string;
  /** Refuses a `maxfeerate` of 1 coin per kvB or more, as a likely mistake. */
  readonly limitsFeeRates: boolean;
  /** Reports the input whose script fails; 0.21 whether a mandatory rule fails. */
  readonly locatesScriptFailures: boolean;
}

export const nodeMethodRules: ByGeneration<NodeMethodRules> = byGeneration<NodeMethodRules>({
  'core-0.21': {
    checksContentFirst: false,
    maxMockTime: 0x8000_0000_0000_0000,
    wrongMockTime: (time) => `Mocktime can not be negative: ${time}.`,
    transactionKnown: 'Transaction already in block chain',
    limitsFeeRates: false,
    locatesScriptFailures: false,
  },
  'core-31': {
    checksContentFirst: true,
    maxMockTime: 0xffff_ffff,
    wrongMockTime: (time) => `Mocktime must be in the range [0, 4294967295], not ${time}.`,
    transactionKnown: 'Transaction outputs already in utxo set',
    limitsFeeRates: true,
    locatesScriptFailures: true,
  },
});

export interface ChainRules {
  /** Shows targets and the coinbase of a block, and sizes after the header. */
  readonly showsTargets: boolean;
  /** Shows the fees of a block's transactions, and the coins that they spend. */
  readonly showsFees: boolean;
  /** Reads a verbosity of another type as a number, 0.21 as a boolean. */
  readonly readsVerbosityAsNumber: boolean;
  readonly readsUnsignedVout: boolean;
  /** Shows sizes of unconfirmed transactions as policy counts them. */
  readonly showsAdjustedSizes: boolean;
  /** Sorts by depth and fee rate. */
  readonly sortsMempool: boolean;
  /** The name of the txid in errors of mempool queries. */
  readonly pooledTxidName: string;
  readonly listsSoftForks: boolean;
  readonly noWarnings: '' | readonly [];
  /** `scantxoutset` quotes an unknown action. */
  readonly namesScanActions: boolean;
  readonly showsBlocksOfCoins: boolean;
  readonly refusesEmptyProofs: boolean;
  /** The error of `gettxoutproof` if only the header is known. */
  readonly unprovableBlock: { readonly code: number; readonly message: string };
}

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
