import { MAX_SCRIPT_ELEMENT_SIZE } from './script/instructions.ts';

/**
 * How nodes of Core 0.21 and Core 31 differ: one row of rules per generation and subject. Code reads a rule by its name
 * and never asks which generation it emulates. A rule that is the same in both rows does not belong here.
 * What one dialect does differently from its generation stands in `rpc/dialect.ts`.
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
  /** 0.21 infers descriptors with hybrid keys, and with uncompressed keys in segwit scripts; Core 31 does not. */
  readonly infersAnyKey: boolean;
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
  infersAnyKey: true,
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
  infersAnyKey: false,
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

/** How keys and scripts sign inputs. */
export interface GenerationSigningRules {
  /** In 0.21, a compressed key brings its P2WPKH script along as a redeemScript; in Core 31, the caller gives it. */
  readonly knowsKeyHashScripts: boolean;
  /** The largest script kept, in bytes: 0.21 drops a larger one without an error; Core 31 keeps any. */
  readonly maxScriptSize: number;
  /** Core 31 signs key path and leaves of taproot outputs; 0.21 does not. */
  readonly signsTaproot: boolean;
  /** Core 31 satisfies P2WSH scripts without a template as miniscript; 0.21 does not. */
  readonly knowsMiniscript: boolean;
  /** 0.21 takes final fields of PSBT inputs without verifying them, and compares no sighash types; Core 31 does both. */
  readonly trustsPsbts: boolean;
  /** Core 31 writes the sighash type of an input into the PSBT unless it is the usual one; 0.21 never writes it. */
  readonly writesSighashTypes: boolean;
}

/** The signing of Core 31. */
export const CORE_31_SIGNING: GenerationSigningRules = {
  knowsKeyHashScripts: false,
  maxScriptSize: 0xffff_ffff,
  signsTaproot: true,
  knowsMiniscript: true,
  trustsPsbts: false,
  writesSighashTypes: true,
};

/** The rows of {@link GenerationSigningRules}. */
export const signingRules: Rows<GenerationSigningRules> = {
  'core-0.21': {
    knowsKeyHashScripts: true,
    maxScriptSize: MAX_SCRIPT_ELEMENT_SIZE,
    signsTaproot: false,
    knowsMiniscript: false,
    trustsPsbts: true,
    writesSighashTypes: false,
  },
  'core-31': CORE_31_SIGNING,
};

/** How the bytes of PSBTs are read. */
export interface PsbtFormatRules {
  /** 0.21 takes the first byte of a key for its type, Core 31 a compact size. */
  readonly readsOneByteTypes: boolean;
  /** Core 31 refuses an ECDSA signature that is not strict DER; 0.21 takes any bytes. */
  readonly checksSignatures: boolean;
}

/** The rows of {@link PsbtFormatRules}. */
export const psbtFormatRules: Rows<PsbtFormatRules> = {
  'core-0.21': { readsOneByteTypes: true, checksSignatures: false },
  'core-31': { readsOneByteTypes: false, checksSignatures: true },
};

/** How RPC methods show, refuse and write PSBTs. */
export interface PsbtRules {
  /** Core 31 shows the records of the global map in members of `decodepsbt`; 0.21 only `tx` and `unknown`. */
  readonly showsGlobals: boolean;
  /** 0.21 stores a sighash type in a signed int, and neither shows nor writes one below 1; Core 31 keeps every type. */
  readonly dropsSighashBelow1: boolean;
  /** Core 31 quotes a duplicate key in hex; 0.21 names its record. */
  readonly quotesDuplicateKeys: boolean;
  /** Core 31 states the expected size of a key; 0.21 only that a key of one byte has more. */
  readonly statesKeySizes: boolean;
  /** The error for a PSBT without an unsigned transaction. */
  readonly noUnsignedTx: string;
  /** The error for a PSBT that ends within a record. */
  readonly endOfData: string;
}

/** The rows of {@link PsbtRules}. */
export const psbtRules: Rows<PsbtRules> = {
  'core-0.21': {
    showsGlobals: false,
    dropsSighashBelow1: true,
    quotesDuplicateKeys: false,
    statesKeySizes: false,
    noUnsignedTx: 'No unsigned transcation was provided',
    endOfData: 'CDataStream::read(): end of data',
  },
  'core-31': {
    showsGlobals: true,
    dropsSighashBelow1: false,
    quotesDuplicateKeys: true,
    statesKeySizes: true,
    noUnsignedTx: 'No unsigned transaction was provided',
    endOfData: 'SpanReader::read(): end of data',
  },
};

/** How RPC methods create, update and analyze PSBTs. */
export interface PsbtRoleRules {
  /** Core 31 takes the version of the PSBT to create; 0.21 knows only version 0. */
  readonly createsVersion2: boolean;
  /** Core 31 rounds a fee rate down; 0.21 rounds it towards zero, and overflows 64 bits. @see `CFeeRate` */
  readonly roundsRatesDown: boolean;
  /** `utxoupdatepsbt` of 0.21 reads the PSBT before the descriptors, Core 31 after them. */
  readonly readsPsbtFirst: boolean;
  /** `utxoupdatepsbt` of 0.21 leaves inputs that have a UTXO as they are; Core 31 adds scripts and keys to them. */
  readonly leavesInputsWithUtxos: boolean;
  /** Core 31 finds a key by its hash in all descriptors; 0.21 only in those that pay to the hash. */
  readonly findsKeysOfAllDescriptors: boolean;
  /** `walletprocesspsbt` of Core 31 refuses to sign with a locked wallet; that of 0.21 then adds no signatures. */
  readonly refusesLockedWallets: boolean;
  /** `walletprocesspsbt` of Core 31 signs by default with the usual sighash type of each coin; 0.21 with ALL. */
  readonly choosesTypeByCoin: boolean;
  /** `walletprocesspsbt` of Core 31 verifies final inputs, and returns the transaction; 0.21 does neither. */
  readonly verifiesFinalInputs: boolean;
}

/** The rows of {@link PsbtRoleRules}. */
export const psbtRoleRules: Rows<PsbtRoleRules> = {
  'core-0.21': {
    createsVersion2: false,
    roundsRatesDown: false,
    readsPsbtFirst: true,
    leavesInputsWithUtxos: true,
    findsKeysOfAllDescriptors: false,
    refusesLockedWallets: false,
    choosesTypeByCoin: false,
    verifiesFinalInputs: false,
  },
  'core-31': {
    createsVersion2: true,
    roundsRatesDown: true,
    readsPsbtFirst: false,
    leavesInputsWithUtxos: false,
    findsKeysOfAllDescriptors: true,
    refusesLockedWallets: true,
    choosesTypeByCoin: true,
    verifiesFinalInputs: true,
  },
};

/** How the types of arguments are checked. */
export interface ArgumentRules {
  /** Core 31 checks the types of all arguments and reports every wrong one; 0.21 reports the first, as -3. */
  readonly checksAllTypes: boolean;
}

/** The rows of {@link ArgumentRules}. */
export const argumentRules: Rows<ArgumentRules> = {
  'core-0.21': { checksAllTypes: false },
  'core-31': { checksAllTypes: true },
};

/** How named parameters become the arguments of a method. */
export interface NameRules {
  /** Core 31 refuses a parameter that is named twice; in 0.21, the last value counts. */
  readonly refusesRepeatedNames: boolean;
  /** Core 31 takes positional arguments from the named parameter `args`; 0.21 does not know the name. */
  readonly takesArgsByName: boolean;
  /** Core 31 takes the fields of an options object as named parameters; 0.21 does not. */
  readonly takesOptionsByName: boolean;
}

/** The rows of {@link NameRules}. */
export const nameRules: Rows<NameRules> = {
  'core-0.21': { refusesRepeatedNames: false, takesArgsByName: false, takesOptionsByName: false },
  'core-31': { refusesRepeatedNames: true, takesArgsByName: true, takesOptionsByName: true },
};

/** How a value of the wrong type inside an argument is refused. */
export interface ValueRules {
  /** Core 31 names both types in an error -3; 0.21 says in words, in an error -1, which type it expected. */
  readonly namesValueTypes: boolean;
}

/** The rows of {@link ValueRules}. */
export const valueRules: Rows<ValueRules> = {
  'core-0.21': { namesValueTypes: false },
  'core-31': { namesValueTypes: true },
};

/** How a field of the wrong type is refused. */
export interface FieldRules {
  /** The error: `JSON value of type … for field …` in Core 31, `Expected type …` in 0.21. @see `RPCTypeCheckObj` */
  readonly wrongField: (name: string, want: string, got: string) => string;
}

/** The rows of {@link FieldRules}. */
export const fieldRules: Rows<FieldRules> = {
  'core-0.21': { wrongField: (name, want, got) => `Expected type ${want} for ${name}, got ${got}` },
  'core-31': {
    wrongField: (name, want, got) => `JSON value of type ${got} for field ${name} is not of expected type ${want}`,
  },
};

/** How requests and batches are read and answered. */
export interface EnvelopeRules {
  /** Core 31 answers requests of JSON-RPC 2.0 in its form, and those without an id without one; 0.21 knows only 1.0. */
  readonly knowsJsonRpc2: boolean;
  /** For an item of a batch that is no object, Core 31 repeats the id and version of the item before it; 0.21 does not. */
  readonly repeatsBatchIds: boolean;
}

/** The rows of {@link EnvelopeRules}. */
export const envelopeRules: Rows<EnvelopeRules> = {
  'core-0.21': { knowsJsonRpc2: false, repeatsBatchIds: false },
  'core-31': { knowsJsonRpc2: true, repeatsBatchIds: true },
};

/** How RPC methods create and sign raw transactions, and report scripts that fail. */
export interface RawTransactionRules {
  /** 0.21 checks the types of inputs and outputs before anything else, Core 31 that of each list as it reads it. */
  readonly checksListsFirst: boolean;
  /** Core 31 makes transactions replaceable unless told otherwise; 0.21 only if told so. @see BIP125 */
  readonly replaceableByDefault: boolean;
  /** Core 31 reads the amount of an output before its address; 0.21 after it. */
  readonly readsAmountFirst: boolean;
  /** Core 31 knows the sighash type `DEFAULT`, and quotes an unknown type in an error -8; 0.21 refuses it with -1. */
  readonly knowsSighashDefault: boolean;
  /**
   * `combinerawtransaction` of Core 31 takes two copies or more of one transaction; that of 0.21 also takes a single one,
   * and unlike transactions, of which the first decides.
   */
  readonly combinesOneTransaction: boolean;
  /** Core 31 has errors of their own for numbers, empty keys in tapscript and IF on an empty stack; 0.21 has not. */
  readonly namesAllScriptErrors: boolean;
}

/** The rows of {@link RawTransactionRules}. */
export const rawTransactionRules: Rows<RawTransactionRules> = {
  'core-0.21': {
    checksListsFirst: true,
    replaceableByDefault: false,
    readsAmountFirst: false,
    knowsSighashDefault: false,
    combinesOneTransaction: false,
    namesAllScriptErrors: false,
  },
  'core-31': {
    checksListsFirst: false,
    replaceableByDefault: true,
    readsAmountFirst: true,
    knowsSighashDefault: true,
    combinesOneTransaction: true,
    namesAllScriptErrors: true,
  },
};

/** Which scripts have an address, how addresses are shown and refused, and how ranges of addresses are given. */
export interface AddressRules {
  /**
   * In 0.21, a P2PK output has the address of its key's hash; in Core 31, it has none.
   * @see Bitcoin Core `ExtractDestination`
   */
  readonly bareKeysHaveAddresses: boolean;
  /** `deriveaddresses` of 0.21 takes null for the range of index 0, Core 31 for no range. */
  readonly takesNullForRange: boolean;
  /** Core 31 says what is wrong with an address; 0.21 only that it is invalid. */
  readonly explainsAddresses: boolean;
  /** Core 31 calls a taproot output a script (`isscript`); 0.21 does not know taproot. */
  readonly callsTaprootScript: boolean;
}

/** The rows of {@link AddressRules}. */
export const addressRules: Rows<AddressRules> = {
  'core-0.21': {
    bareKeysHaveAddresses: true,
    takesNullForRange: true,
    explainsAddresses: false,
    callsTaprootScript: false,
  },
  'core-31': {
    bareKeysHaveAddresses: false,
    takesNullForRange: false,
    explainsAddresses: true,
    callsTaprootScript: true,
  },
};

/** How `createmultisig` checks its keys and scripts. */
export interface MultisigRules {
  /** Core 31 says whether a public key lacks hex, bytes or a point on the curve; 0.21 only that it is invalid. */
  readonly explainsKeys: boolean;
  /** 0.21 refuses every script of more than 520 bytes; Core 31 only one for P2SH, whose spend pushes it. */
  readonly limitsAllScripts: boolean;
  /** Core 31 knows the address type `bech32m`; 0.21 does not. */
  readonly knowsBech32m: boolean;
  /** Core 31 warns if uncompressed keys do not fit the address type; 0.21 silently takes P2SH. */
  readonly warnsOfOtherType: boolean;
}

/** The rows of {@link MultisigRules}. */
export const multisigRules: Rows<MultisigRules> = {
  'core-0.21': { explainsKeys: false, limitsAllScripts: true, knowsBech32m: false, warnsOfOtherType: false },
  'core-31': { explainsKeys: true, limitsAllScripts: false, knowsBech32m: true, warnsOfOtherType: true },
};

/** How methods that verify signed messages refuse their arguments. */
export interface MessageRules {
  /** The code of the error for an invalid address. */
  readonly invalidAddress: -3 | -5;
  /** The code of the error for a signature that is not base64. */
  readonly invalidBase64: -3 | -5;
  /** 0.21 reads a signature as a C string, which ends at its first NUL; Core 31 reads all of it. */
  readonly cutsSignaturesAtNul: boolean;
}

/** The rows of {@link MessageRules}. */
export const messageRules: Rows<MessageRules> = {
  'core-0.21': { invalidAddress: -3, invalidBase64: -5, cutsSignaturesAtNul: true },
  'core-31': { invalidAddress: -5, invalidBase64: -3, cutsSignaturesAtNul: false },
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
export const walletRules: Rows<WalletRules> = {
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
};

/** How the methods of a node check blocks, transactions and times. */
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
  /** Core 31 tells which input's script fails; 0.21 whether a mandatory rule fails. */
  readonly locatesScriptFailures: boolean;
}

/** The rows of {@link NodeMethodRules}. */
export const nodeMethodRules: Rows<NodeMethodRules> = {
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
};

/** How the methods of a node show its chain and its mempool. */
export interface ChainRules {
  /** Core 31 shows targets and the coinbase of a block, and sizes after the header; 0.21 does not. */
  readonly showsTargets: boolean;
  /** Core 31 shows the fees of a block's transactions, and the coins that they spend; 0.21 does not. */
  readonly showsFees: boolean;
  /** Core 31 takes a verbosity that is no boolean for a number, 0.21 one that is no number for a boolean. */
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
export const chainRules: Rows<ChainRules> = {
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
};

/** Which transactions the mempool of a node takes. Fee rates are in satoshi per 1000 virtual bytes. */
export interface MempoolRules {
  readonly minRelayFee: number;
  /** The rate that a replacement must pay more than what it replaces. */
  readonly incrementalFee: number;
  /** The most transactions and virtual bytes of a cluster in Core 31; 0.21 limits ancestors and descendants. */
  readonly cluster: { readonly count: number; readonly size: number } | undefined;
  /** `testmempoolaccept` of Core 31 takes several transactions, that of 0.21 one. */
  readonly testsPackages: boolean;
  /** Core 31 rounds the fee of a rate up, 0.21 down, but not to nothing. */
  readonly roundsFeesUp: boolean;
  /** The highest standard version of a transaction. */
  readonly maxVersion: number;
  /** The fewest bytes of a transaction, without witnesses: one of 64 could pass for an inner node of a merkle tree. */
  readonly minSize: number;
  /** Core 31 tells a transaction from its copy with other witnesses; 0.21 does not. */
  readonly comparesWitnesses: boolean;
  /** Core 31 limits the OP_RETURN scripts of a transaction together, and allows one dust output; 0.21 neither. */
  readonly sumsDataCarriers: boolean;
  /** Core 31 says which input is not standard; 0.21 does not. */
  readonly explainsInputs: boolean;
  /** Core 31 limits signature checks outside witnesses; 0.21 does not. @see BIP54 */
  readonly limitsLegacySigOps: boolean;
  /** The most bytes of all OP_RETURN scripts of a transaction in Core 31, of each in 0.21. */
  readonly maxDataCarrier: number;
}

/** The rows of {@link MempoolRules}. */
export const mempoolRules: Rows<MempoolRules> = {
  'core-0.21': {
    minRelayFee: 1000,
    incrementalFee: 1000,
    cluster: undefined,
    testsPackages: false,
    roundsFeesUp: false,
    maxVersion: 2,
    minSize: 82,
    comparesWitnesses: false,
    sumsDataCarriers: false,
    explainsInputs: false,
    limitsLegacySigOps: false,
    maxDataCarrier: 83,
  },
  'core-31': {
    minRelayFee: 100,
    incrementalFee: 100,
    cluster: { count: 64, size: 101_000 },
    testsPackages: true,
    roundsFeesUp: true,
    maxVersion: 3,
    minSize: 65,
    comparesWitnesses: true,
    sumsDataCarriers: true,
    explainsInputs: true,
    limitsLegacySigOps: true,
    maxDataCarrier: 100_000,
  },
};

/** How the methods of wallets check arguments and answer. */
export interface WalletMethodRules {
  /** The error for a request that could mean several loaded wallets. */
  readonly severalWallets: string;
  /** The import in the error of a rescan that lacks blocks. */
  readonly rescanFaultSubject: { readonly long: string; readonly short: string };
  readonly rescanFaultAdvice: string;
  /** A node in the error of a wallet that needs blocks which are gone. */
  readonly prunedNode: string;
  /** Core 31 lists transactions as they arrived, although it guarantees no order; 0.21 by the bytes of their txids. */
  readonly listsByArrival: boolean;
  /** `rescanblockchain` of Core 31 needs an unlocked wallet; that of 0.21 does not. */
  readonly rescansUnlockedOnly: boolean;
  /** The error for an empty passphrase. */
  readonly emptyPassphrase: string;
  /** The end of the answer of `encryptwallet`. */
  readonly encrypted: string;
  /** 0.21 takes a passphrase as a C string, which ends at its first NUL; Core 31 takes all of it. */
  readonly cutsPassphrasesAtNul: boolean;
  /** `getwalletinfo` of 0.21 has balances; that of Core 31 has flags, birth time and last block. */
  readonly reportsBalances: boolean;
  /** Core 31 shows the wallet's descriptors that an output belongs to; 0.21 has none. */
  readonly showsParents: boolean;
  /** `listunspent` of Core 31 has the option `include_immature_coinbase`; 0.21 has not. */
  readonly listsImmature: boolean;
  /** `listunspent` of Core 31 counts the ancestors of coins in the mempool; 0.21 does not. */
  readonly showsAncestors: boolean;
  /** Core 31 calls every coin spendable, as descriptor wallets watch no foreign outputs; 0.21 only those with keys. */
  readonly callsAllSpendable: boolean;
  /** Core 31 lists `warnings` if there are any; 0.21 always has a text `warning`. */
  readonly listsWarnings: boolean;
  /** `createwallet` of Core 31 refuses an empty name; 0.21 takes it. */
  readonly refusesEmptyNames: boolean;
  /** Core 31 takes only normalized paths below the wallet directory, or absolute ones, for names of wallets; 0.21 any. */
  readonly checksWalletPaths: boolean;
  /** `createwallet` of Core 31 checks whether a passphrase has keys to encrypt before it looks for the wallet. */
  readonly checksPassphraseFirst: boolean;
  /** Core 31 has an error -35 for a wallet that is loaded already; 0.21 fails to verify its file. */
  readonly knowsLoadedWallets: boolean;
  /** `unloadwallet` of Core 31 takes a name beside the endpoint's if both are the same; 0.21 takes only one of them. */
  readonly takesNameTwice: boolean;
  /** Core 31 calls an output solvable by its descriptor; 0.21 if a signature of a dummy key would unlock it. */
  readonly solvesByDescriptor: boolean;
  /** `getreceivedbylabel` of Core 31 refuses a label without addresses of the wallet; that of 0.21 answers 0. */
  readonly refusesUnknownLabels: boolean;
  /** Core 31 lists addresses that received nothing only if they are the wallet's; 0.21 lists others as well. */
  readonly listsOnlyOwnEmpty: boolean;
  /** `listreceivedbyaddress` of Core 31 takes null or an empty text for no address; 0.21 refuses both. */
  readonly takesEmptyAddresses: boolean;
  /** `listlabels` of Core 31 refuses a purpose that it does not know; that of 0.21 finds no label. */
  readonly refusesUnknownPurposes: boolean;
  /** Core 31 shows the wtxid of a transaction, and those of its copies with other witnesses; 0.21 does not. */
  readonly showsWtxids: boolean;
  /** 0.21 lists the notes of a transaction by their names, Core 31 in an order of its own. */
  readonly sortsNotes: boolean;
  /** Core 31 knows the address type `bech32m`; 0.21 does not. */
  readonly knowsBech32m: boolean;
  /** The flags of wallets that `setwalletflag` knows by name. */
  readonly flags: readonly string[];
  /** `backupwallet` of 0.21 takes a directory, and names the file in it; Core 31 takes only the path of a file. */
  readonly backsUpIntoDirectories: boolean;
  /** The error of `removeprunedfunds` for a transaction that the wallet lacks. */
  readonly unknownRemoval: { readonly code: number; readonly message: string };
}

/** The flags of wallets in 0.21. @see Bitcoin Core `WALLET_FLAG_MAP` */
const FLAGS_021 = ['avoid_reuse', 'blank', 'key_origin_metadata', 'disable_private_keys', 'descriptor_wallet'];

/** The rows of {@link WalletMethodRules}. */
export const walletMethodRules: Rows<WalletMethodRules> = {
  'core-0.21': {
    severalWallets: 'Wallet file not specified (must request wallet RPC through /wallet/<filename> uri-path).',
    rescanFaultSubject: { long: 'key with creation timestamp', short: 'key' },
    rescanFaultAdvice: 'and -rescan options',
    prunedNode: 'pruned node',
    listsByArrival: false,
    rescansUnlockedOnly: false,
    emptyPassphrase: 'passphrase can not be empty',
    encrypted: ' (if you are using HD). You need to make a new backup.',
    cutsPassphrasesAtNul: true,
    reportsBalances: true,
    showsParents: false,
    listsImmature: false,
    showsAncestors: false,
    callsAllSpendable: false,
    listsWarnings: false,
    refusesEmptyNames: false,
    checksWalletPaths: false,
    checksPassphraseFirst: false,
    knowsLoadedWallets: false,
    takesNameTwice: false,
    solvesByDescriptor: false,
    refusesUnknownLabels: false,
    listsOnlyOwnEmpty: false,
    takesEmptyAddresses: false,
    refusesUnknownPurposes: false,
    showsWtxids: false,
    sortsNotes: true,
    knowsBech32m: false,
    flags: FLAGS_021,
    backsUpIntoDirectories: true,
    unknownRemoval: { code: -8, message: 'Transaction does not exist in wallet.' },
  },
  'core-31': {
    severalWallets:
      'Multiple wallets are loaded. Please select which wallet to use by requesting the RPC through the /wallet/<walletname> URI path.',
    rescanFaultSubject: { long: 'descriptor with timestamp', short: 'desc' },
    rescanFaultAdvice: 'option and rescanblockchain RPC',
    prunedNode: 'a pruned node',
    listsByArrival: true,
    rescansUnlockedOnly: true,
    emptyPassphrase: 'passphrase cannot be empty',
    encrypted: '. You need to make a new backup with the backupwallet RPC.',
    cutsPassphrasesAtNul: false,
    reportsBalances: false,
    showsParents: true,
    listsImmature: true,
    showsAncestors: true,
    callsAllSpendable: true,
    listsWarnings: true,
    refusesEmptyNames: true,
    checksWalletPaths: true,
    checksPassphraseFirst: true,
    knowsLoadedWallets: true,
    takesNameTwice: true,
    solvesByDescriptor: true,
    refusesUnknownLabels: true,
    listsOnlyOwnEmpty: true,
    takesEmptyAddresses: true,
    refusesUnknownPurposes: true,
    showsWtxids: true,
    sortsNotes: false,
    knowsBech32m: true,
    flags: [...FLAGS_021, 'last_hardened_xpub_cached', 'external_signer'],
    backsUpIntoDirectories: false,
    unknownRemoval: { code: -4, message: 'Transaction {txid} does not belong to this wallet' },
  },
};

/** How wallets choose coins and fees for a payment, and refuse one. */
export interface SpendingRules {
  /** Core 31 refuses fee rates in sat/vB with more than 3 decimals; 0.21 drops them. */
  readonly limitsRateDecimals: boolean;
  /** Core 31 takes the outputs that bear the fee also by name, and says in errors what it read; 0.21 only by place. */
  readonly describesPayers: boolean;
  /** Core 31 refuses dust before it looks at the fee rate; 0.21 afterwards. */
  readonly checksDustFirst: boolean;
  /** Core 31 rounds fees up, 0.21 down. */
  readonly roundsFeesUp: boolean;
  /** Core 31 prefers coins of one kind of address; 0.21 mixes them. */
  readonly avoidsMixingKinds: boolean;
  /** Core 31 pays what unconfirmed ancestors of a coin lack to reach the fee rate; 0.21 does not. */
  readonly paysForAncestors: boolean;
  /** Core 31 says why a payment cannot be funded; 0.21 mostly that funds are insufficient. */
  readonly namesFundingFaults: boolean;
  /** Core 31 spends coins of others if the caller describes them; 0.21 only coins of its recorded transactions. */
  readonly spendsForeignCoins: boolean;
  /** The most relatives in the mempool of a coin that Core 31 spends; 0.21 has no limit. */
  readonly maxRelatives: number | undefined;
  /** Core 31 names the settings that would allow a fee rate below the minimum; 0.21 does not. */
  readonly advisesOnLowRates: boolean;
  /** `send` of Core 31 names the older option beside the one to use; 0.21 only for the fee rate. */
  readonly namesOlderOptions: boolean;
  /** `send` of Core 31 no longer knows watch-only coins; 0.21 does. */
  readonly forgetsWatching: boolean;
  /** `send` of Core 31 sets a locktime that discourages miners from replacing blocks; that of 0.21 sets none. */
  readonly discouragesSnipingInSend: boolean;
  /** `bumpfee` of Core 31 takes other outputs, and the place of the change; that of 0.21 does not. */
  readonly choosesBumpOutputs: boolean;
  /** `bumpfee` of Core 31 compares the rate with that of the mempool first. */
  readonly comparesBumpWithRelay: boolean;
  /** The error of `bumpfee` for a wallet without private keys; `{daemon}` is the name of the node. */
  readonly watchOnlyBump: { readonly code: number; readonly message: string };
  /** The end of the error for a wallet without an address for change. */
  readonly keypoolAdvice: string;
}

/** The rows of {@link SpendingRules}. */
export const spendingRules: Rows<SpendingRules> = {
  'core-0.21': {
    limitsRateDecimals: false,
    describesPayers: false,
    checksDustFirst: false,
    roundsFeesUp: false,
    avoidsMixingKinds: false,
    paysForAncestors: false,
    namesFundingFaults: false,
    spendsForeignCoins: false,
    maxRelatives: undefined,
    advisesOnLowRates: false,
    namesOlderOptions: false,
    forgetsWatching: false,
    discouragesSnipingInSend: false,
    choosesBumpOutputs: false,
    comparesBumpWithRelay: false,
    watchOnlyBump: {
      code: -32,
      message:
        'Using bumpfee with wallets that have private keys disabled is deprecated. Use psbtbumpfee instead or restart {daemon} with -deprecatedrpc=bumpfee. This functionality will be removed in 0.22',
    },
    keypoolAdvice: 'Please call keypoolrefill first.',
  },
  'core-31': {
    limitsRateDecimals: true,
    describesPayers: true,
    checksDustFirst: true,
    roundsFeesUp: true,
    avoidsMixingKinds: true,
    paysForAncestors: true,
    namesFundingFaults: true,
    spendsForeignCoins: true,
    maxRelatives: 25,
    advisesOnLowRates: true,
    namesOlderOptions: true,
    forgetsWatching: true,
    discouragesSnipingInSend: true,
    choosesBumpOutputs: true,
    comparesBumpWithRelay: true,
    watchOnlyBump: {
      code: -4,
      message: 'bumpfee is not available with wallets that have private keys disabled. Use psbtbumpfee instead.',
    },
    keypoolAdvice: 'Error: Keypool ran out, please call keypoolrefill first',
  },
};

/** How the server reads HTTP headers. */
export interface HttpRules {
  /** 0.21 decodes the Base64 of a login up to the first invalid character; Core 31 refuses such a login. */
  readonly takesBrokenBase64: boolean;
}

/** The rows of {@link HttpRules}. */
export const httpRules: Rows<HttpRules> = {
  'core-0.21': { takesBrokenBase64: true },
  'core-31': { takesBrokenBase64: false },
};
