import { type ByGeneration, byGeneration } from '../../core/generations.ts';

/** Rules by which wallets follow the chain and the mempool. */
export interface WalletRules {
  /** Stores of wallets for their keys: legacy ones, or in descriptors, which Core 31 requires. */
  readonly keyStore: 'legacy' | 'descriptors';
  /**
   * Core 31 decides by its state whether a transaction conflicts with the chain. 0.21 decides by the depth, which is
   * positive, as if the transaction were confirmed, while the conflicting block is above the tip after a reorg.
   * @see Bitcoin Core `CWallet::IsSpent`, `CachedTxIsTrusted`, `CWallet::AbandonTransaction`
   */
  readonly tellsConflictsByState: boolean;
  /** Core 31 marks transactions that conflict with the mempool, and does not count their spends; 0.21 does. */
  readonly tracksMempoolConflicts: boolean;
  /** 0.21 neither trusts nor lists a transaction whose locktime is not reached; Core 31 leaves that to the mempool. */
  readonly checksLocktimes: boolean;
  /** Core 31 takes any spend of a coin of the wallet as its own; 0.21 only if the coins are worth more than 0. */
  readonly ownsWorthlessSpends: boolean;
  /** Core 31 keeps all copies of a transaction that differ in witnesses; 0.21 the first, or the first with a witness. */
  readonly keepsWitnessCopies: boolean;
  /** The immature balance of 0.21 counts coinbases even if a transaction spends them; that of Core 31 does not. */
  readonly countsSpentImmature: boolean;
  /** Core 31 counts coinbases among what addresses received; 0.21 does not. */
  readonly countsReceivedCoinbases: boolean;
  /** Core 31 abandons coinbases whose block left the chain, and their descendants; 0.21 keeps them unconfirmed. */
  readonly abandonsOrphanedCoinbases: boolean;
  /** Core 31 skips blocks that are older than the wallet's first key by two hours; 0.21 reads every new block. */
  readonly skipsBlocksBeforeBirth: boolean;
  /** 0.21 takes a disconnected block off the tip before it reads its transactions, Core 31 afterwards. */
  readonly lowersTipFirst: boolean;
  /** Core 31 makes transactions that conflict with a disconnected block unconfirmed again; 0.21 leaves them conflicted. */
  readonly releasesConflicts: boolean;
  /** Core 31 reads the mempool at the end of a rescan; 0.21 does not. @see `CWallet::ScanForWalletTransactions` */
  readonly rescansMempool: boolean;
  /** Core 31 dates a transaction found by a rescan by its block, 0.21 by its block and the records before it. */
  readonly datesRescansByBlock: boolean;
  /** 0.21 forgets all spends of a coin with a removed transaction that spends it, Core 31 only that one. */
  readonly forgetsRivalSpends: boolean;
}

/** The rows of {@link WalletRules}. */
export const walletRules: ByGeneration<WalletRules> = byGeneration<WalletRules>({
  'core-0.21': {
    keyStore: 'legacy',
    tellsConflictsByState: false,
    tracksMempoolConflicts: false,
    checksLocktimes: true,
    ownsWorthlessSpends: false,
    keepsWitnessCopies: false,
    countsSpentImmature: true,
    countsReceivedCoinbases: false,
    abandonsOrphanedCoinbases: false,
    skipsBlocksBeforeBirth: false,
    lowersTipFirst: true,
    releasesConflicts: false,
    rescansMempool: false,
    datesRescansByBlock: false,
    forgetsRivalSpends: true,
  },
  'core-31': {
    keyStore: 'descriptors',
    tellsConflictsByState: true,
    tracksMempoolConflicts: true,
    checksLocktimes: false,
    ownsWorthlessSpends: true,
    keepsWitnessCopies: true,
    countsSpentImmature: false,
    countsReceivedCoinbases: true,
    abandonsOrphanedCoinbases: true,
    skipsBlocksBeforeBirth: true,
    lowersTipFirst: false,
    releasesConflicts: true,
    rescansMempool: true,
    datesRescansByBlock: true,
    forgetsRivalSpends: false,
  },
});
