/**
 * How nodes of Core 0.21 and Core 31 differ: one row of rules per generation and subject. Code reads a rule by its name
 * and never asks which generation it emulates. A rule that is the same in both rows does not belong here
 * (`test/generations.test.ts`). What one dialect does differently from its generation stands in `rpc/dialect.ts`.
 */

/** Core 0.21 with legacy wallets, or Core 31 with taproot, miniscript, PSBT version 2 and descriptor wallets. */
export type GenerationName = 'core-0.21' | 'core-31';

/** The rules of one subject, by generation. */
type Rows<T> = Readonly<Record<GenerationName, T>>;

/** How descriptors are parsed and refused. */
export interface DescriptorRules {
  /** Functions that the generation lacks, so that their names are unknown: 0.21 predates taproot and `unused()`. */
  readonly lacks: readonly string[];
  /**
   * The error for a function in a context where it is not allowed. Without a text, the function is tried as miniscript
   * or refused as unknown.
   * @see Bitcoin Core `ParseScript`
   */
  readonly misplaced: Readonly<Partial<Record<string, string>>>;
  /** The most keys of `multi()` and `sortedmulti()`: 16 in 0.21, where OP_16 is the largest number, or 20. */
  readonly maxMultisigKeys: 16 | 20;
  /** 0.21 accepts hybrid keys (header 6 or 7) wherever uncompressed keys are allowed; Core 31 refuses them. */
  readonly allowsHybridKeys: boolean;
  /** 0.21 accepts a plus sign before numbers; Core 31 refuses it. */
  readonly allowsPlus: boolean;
  /**
   * Core 31 refuses an extended key of depth 0 with a parent, a byte other than 0 before a private key, and derivation
   * beyond depth 255; 0.21 has none of these checks.
   */
  readonly checksExtendedKeys: boolean;
  /** Core 31 prefixes the errors of a key with the function around it: `wpkh(): `; 0.21 does not. */
  readonly namesFunctions: boolean;
  /** Core 31 parses a text that is no function as miniscript; 0.21 refuses it. @see BIP379 */
  readonly knowsMiniscript: boolean;
  /** Core 31 parses `musig()` in key expressions; 0.21 takes it for a bad key. @see BIP390 */
  readonly knowsMusig: boolean;
  /** Core 31 parses `<0;1>` in paths; 0.21 takes it for a bad step. @see BIP389 */
  readonly knowsMultipath: boolean;
  /** Characters that open and close a level of nesting: parentheses, and in Core 31 the braces of script trees. */
  readonly brackets: readonly [opening: string, closing: string];
  /** Core 31 has an error of its own for white space around a key; 0.21 reports an invalid key. */
  readonly findsWhitespace: boolean;
  /** The error for two slashes in a row. */
  readonly emptyStep: string;
  /** Core 31 quotes a bad step as written, 0.21 without its hardened marker. */
  readonly quotesHardenedMark: boolean;
  /** The quotation mark around an unknown function: none in 0.21. */
  readonly functionQuote: "'" | '';
  /** The hardened marker to print, whatever the input used; `undefined` if the input's marker is kept. */
  readonly hardenedMark: "'" | undefined;
}

const CORE_021_DESCRIPTORS: DescriptorRules = {
  lacks: ['multi_a', 'sortedmulti_a', 'tr', 'rawtr', 'unused'],
  misplaced: {
    combo: 'Cannot have combo in non-top level',
    wpkh: 'Cannot have wpkh within wsh',
    sh: 'Cannot have sh in non-top level',
    wsh: 'Cannot have wsh within wsh',
  },
  maxMultisigKeys: 16,
  allowsHybridKeys: true,
  allowsPlus: true,
  checksExtendedKeys: false,
  namesFunctions: false,
  knowsMiniscript: false,
  knowsMusig: false,
  knowsMultipath: false,
  brackets: ['(', ')'],
  findsWhitespace: false,
  emptyStep: "Key path value '' is not a valid uint32",
  quotesHardenedMark: false,
  functionQuote: '',
  hardenedMark: "'",
};

/** The descriptors of Core 31. */
export const CORE_31_DESCRIPTORS: DescriptorRules = {
  lacks: [],
  misplaced: {
    combo: 'Can only have combo() at top level',
    multi: 'Can only have multi/sortedmulti at top level, in sh(), or in wsh()',
    sortedmulti: 'Can only have multi/sortedmulti at top level, in sh(), or in wsh()',
    multi_a: 'Can only have multi_a/sortedmulti_a inside tr()',
    sortedmulti_a: 'Can only have multi_a/sortedmulti_a inside tr()',
    wpkh: 'Can only have wpkh() at top level or inside sh()',
    sh: 'Can only have sh() at top level',
    wsh: 'Can only have wsh() at top level or inside sh()',
    addr: 'Can only have addr() at top level',
    tr: 'Can only have tr at top level',
    rawtr: 'Can only have rawtr at top level',
    unused: 'Can only have unused at top level',
    raw: 'Can only have raw() at top level',
  },
  maxMultisigKeys: 20,
  allowsHybridKeys: false,
  allowsPlus: false,
  checksExtendedKeys: true,
  namesFunctions: true,
  knowsMiniscript: true,
  knowsMusig: true,
  knowsMultipath: true,
  brackets: ['({', ')}'],
  findsWhitespace: true,
  emptyStep: "Key path value '' is not valid",
  quotesHardenedMark: true,
  functionQuote: "'",
  hardenedMark: undefined,
};

/** The rows of {@link DescriptorRules}. */
export const descriptorRules: Rows<DescriptorRules> = {
  'core-0.21': CORE_021_DESCRIPTORS,
  'core-31': CORE_31_DESCRIPTORS,
};

/** Which scripts have an address. */
export interface AddressRules {
  /**
   * In 0.21, a P2PK output has the address of its key's hash; in Core 31, it has none.
   * @see Bitcoin Core `ExtractDestination`
   */
  readonly bareKeysHaveAddresses: boolean;
}

/** The rows of {@link AddressRules}. */
export const addressRules: Rows<AddressRules> = {
  'core-0.21': { bareKeysHaveAddresses: true },
  'core-31': { bareKeysHaveAddresses: false },
};

/** How wallets follow the chain and the mempool. */
export interface WalletRules {
  /** Where wallets keep their keys: in legacy stores, or in descriptors, which Core 31 requires. */
  readonly keyStore: 'legacy' | 'descriptors';
  /**
   * Core 31 tells from its state whether a transaction conflicts with the chain. 0.21 tells it from the depth, which is
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
  /** Core 31.99 keeps all copies of a transaction that differ in witnesses; 0.21 the first, or the first with a witness. */
  readonly keepsWitnessCopies: boolean;
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
}

/** The rows of {@link WalletRules}. */
export const walletRules: Rows<WalletRules> = {
  'core-0.21': {
    keyStore: 'legacy',
    tellsConflictsByState: false,
    tracksMempoolConflicts: false,
    checksLocktimes: true,
    ownsWorthlessSpends: false,
    keepsWitnessCopies: false,
    abandonsOrphanedCoinbases: false,
    skipsBlocksBeforeBirth: false,
    lowersTipFirst: true,
    releasesConflicts: false,
    rescansMempool: false,
    datesRescansByBlock: false,
  },
  'core-31': {
    keyStore: 'descriptors',
    tellsConflictsByState: true,
    tracksMempoolConflicts: true,
    checksLocktimes: false,
    ownsWorthlessSpends: true,
    keepsWitnessCopies: true,
    abandonsOrphanedCoinbases: true,
    skipsBlocksBeforeBirth: true,
    lowersTipFirst: false,
    releasesConflicts: true,
    rescansMempool: true,
    datesRescansByBlock: true,
  },
};
