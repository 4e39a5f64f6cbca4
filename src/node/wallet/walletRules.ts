import { type ByGeneration, byGeneration } from '../../core/generations.ts';

export interface WalletRules {
  readonly keyStore: 'legacy' | 'descriptors';
  /**
   * 0.21 judges conflicts by depth, which is positive, as if the transaction were confirmed, while the conflicting
   * block is above the tip after a reorg.
   * @see Bitcoin Core `CWallet::IsSpent`, `CachedTxIsTrusted`, `CWallet::AbandonTransaction`
   */
  readonly tellsConflictsByState: boolean;
  /** Core 29 marks transactions that conflict with the mempool, and does not count their spends. */
  readonly tracksMempoolConflicts: boolean;
  /** Core 30 marks those that conflict by the limits of restricted transactions (BIP431), too. */
  readonly tracksTrucSiblings: boolean;
  /** 0.21 neither trusts nor lists a transaction before its locktime; Core 29 leaves that to the mempool. */
  readonly checksLocktimes: boolean;
  /** Core 29 takes any spend of the wallet's coins as its own, 0.21 only of coins worth more than 0. */
  readonly ownsWorthlessSpends: boolean;
  /** Core 29 keeps all copies that differ in witnesses, 0.21 the first, or the first with a witness. */
  readonly keepsWitnessCopies: boolean;
  /** The immature balance of 0.21 counts spent coinbases, too. */
  readonly countsSpentImmature: boolean;
  readonly countsReceivedCoinbases: boolean;
  /** Core 29 abandons coinbases whose block left the chain, and their descendants. */
  readonly abandonsOrphanedCoinbases: boolean;
  /** Core 29 skips blocks older than the wallet's birth by four hours. */
  readonly skipsBlocksBeforeBirth: boolean;
  /**
   * Core 30 saves the last processed block when it unloads a wallet. Earlier ones go through all blocks since the
   * wallet was loaded, or since the node last wrote its coins, which finds outputs that became the wallet's since then.
   * @see Bitcoin Core `RemoveWallet`, `CWallet::AttachChain`; 29 `CWallet::chainStateFlushed`
   */
  readonly savesTip: boolean;
  /** Saves the last processed block when it backs a wallet up. */
  readonly savesTipInBackups: boolean;
  /** 0.21 lowers the tip before it reads a disconnected block's transactions, Core 29 afterwards. */
  readonly lowersTipFirst: boolean;
  /** Core 29 makes transactions that conflict with a disconnected block unconfirmed again. */
  readonly releasesConflicts: boolean;
  /** Core 29 reads the mempool at the end of a rescan. @see Bitcoin Core `CWallet::ScanForWalletTransactions` */
  readonly rescansMempool: boolean;
  /** Core 29 dates a transaction found by a rescan by its block, 0.21 also by earlier records. */
  readonly datesRescansByBlock: boolean;
  /** When a spender is removed, 0.21 forgets all spenders of its coins, Core 29 only that one. */
  readonly forgetsRivalSpends: boolean;
}

export const walletRules: ByGeneration<WalletRules> = byGeneration<WalletRules>({
  'core-0.21': {
    keyStore: 'legacy',
    tellsConflictsByState: false,
    tracksMempoolConflicts: false,
    tracksTrucSiblings: false,
    checksLocktimes: true,
    ownsWorthlessSpends: false,
    keepsWitnessCopies: false,
    countsSpentImmature: true,
    countsReceivedCoinbases: false,
    abandonsOrphanedCoinbases: false,
    skipsBlocksBeforeBirth: false,
    savesTip: false,
    savesTipInBackups: false,
    lowersTipFirst: true,
    releasesConflicts: false,
    rescansMempool: false,
    datesRescansByBlock: false,
    forgetsRivalSpends: true,
  },
  'core-29': {
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
    savesTipInBackups: true,
    lowersTipFirst: false,
    releasesConflicts: true,
    rescansMempool: true,
    datesRescansByBlock: true,
    forgetsRivalSpends: false,
  },
  'core-30': { tracksTrucSiblings: true, savesTip: true },
});
