import { MAX_SCRIPT_ELEMENT_SIZE } from './script/instructions.ts';

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
}

/** The signing of Core 31. */
export const CORE_31_SIGNING: GenerationSigningRules = {
  knowsKeyHashScripts: false,
  maxScriptSize: 0xffff_ffff,
  signsTaproot: true,
  knowsMiniscript: true,
  trustsPsbts: false,
};

/** The rows of {@link GenerationSigningRules}. */
export const signingRules: Rows<GenerationSigningRules> = {
  'core-0.21': {
    knowsKeyHashScripts: true,
    maxScriptSize: MAX_SCRIPT_ELEMENT_SIZE,
    signsTaproot: false,
    knowsMiniscript: false,
    trustsPsbts: true,
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
  /** Core 31 creates PSBTs of version 2 unless asked for 0; 0.21 knows only version 0. */
  readonly createsVersion2: boolean;
  /** Core 31 rounds a fee rate down; 0.21 rounds it towards zero, and overflows 64 bits. @see `CFeeRate` */
  readonly roundsRatesDown: boolean;
  /** `utxoupdatepsbt` of 0.21 reads the PSBT before the descriptors, Core 31 after them. */
  readonly readsPsbtFirst: boolean;
  /** `utxoupdatepsbt` of 0.21 leaves inputs that have a UTXO as they are; Core 31 adds scripts and keys to them. */
  readonly leavesInputsWithUtxos: boolean;
  /** Core 31 finds a key by its hash in all descriptors; 0.21 only in those that pay to the hash. */
  readonly findsKeysOfAllDescriptors: boolean;
}

/** The rows of {@link PsbtRoleRules}. */
export const psbtRoleRules: Rows<PsbtRoleRules> = {
  'core-0.21': {
    createsVersion2: false,
    roundsRatesDown: false,
    readsPsbtFirst: true,
    leavesInputsWithUtxos: true,
    findsKeysOfAllDescriptors: false,
  },
  'core-31': {
    createsVersion2: true,
    roundsRatesDown: true,
    readsPsbtFirst: false,
    leavesInputsWithUtxos: false,
    findsKeysOfAllDescriptors: true,
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
    namesAllScriptErrors: false,
  },
  'core-31': {
    checksListsFirst: false,
    replaceableByDefault: true,
    readsAmountFirst: true,
    knowsSighashDefault: true,
    namesAllScriptErrors: true,
  },
};

/** Which scripts have an address, and how ranges of addresses are given. */
export interface AddressRules {
  /**
   * In 0.21, a P2PK output has the address of its key's hash; in Core 31, it has none.
   * @see Bitcoin Core `ExtractDestination`
   */
  readonly bareKeysHaveAddresses: boolean;
  /** `deriveaddresses` of 0.21 takes null for the range of index 0, Core 31 for no range. */
  readonly takesNullForRange: boolean;
}

/** The rows of {@link AddressRules}. */
export const addressRules: Rows<AddressRules> = {
  'core-0.21': { bareKeysHaveAddresses: true, takesNullForRange: true },
  'core-31': { bareKeysHaveAddresses: false, takesNullForRange: false },
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
  /** The error for an empty passphrase. */
  readonly emptyPassphrase: string;
  /** The end of the answer of `encryptwallet`. */
  readonly encrypted: string;
  /** 0.21 takes a passphrase as a C string, which ends at its first NUL; Core 31 takes all of it. */
  readonly cutsPassphrasesAtNul: boolean;
  /** `getwalletinfo` of 0.21 has balances; that of Core 31 has flags, birth time and last block. */
  readonly reportsBalances: boolean;
  /** Core 31 says what is wrong with an address; 0.21 only that it is invalid. */
  readonly explainsAddresses: boolean;
  /** Core 31 shows the wallet's descriptors that an output belongs to; 0.21 has none. */
  readonly showsParents: boolean;
  /** Core 31 calls a taproot output a script (`isscript`); 0.21 does not know taproot. */
  readonly callsTaprootScript: boolean;
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
  /** `createwallet` of Core 31 checks whether a passphrase has keys to encrypt before it looks for the wallet. */
  readonly checksPassphraseFirst: boolean;
  /** Core 31 has an error -35 for a wallet that is loaded already; 0.21 fails to verify its file. */
  readonly knowsLoadedWallets: boolean;
  /** `unloadwallet` of Core 31 takes a name beside the endpoint's if both are the same; 0.21 takes only one of them. */
  readonly takesNameTwice: boolean;
  /** Core 31 calls an output solvable by its descriptor; 0.21 if a signature of a dummy key would unlock it. */
  readonly solvesByDescriptor: boolean;
  /** 0.21 infers descriptors with uncompressed keys in segwit scripts; Core 31 does not. */
  readonly infersUncompressedKeys: boolean;
  /** Core 31 shows the wtxid of a transaction, and those of its copies with other witnesses; 0.21 does not. */
  readonly showsWtxids: boolean;
}

/** The rows of {@link WalletMethodRules}. */
export const walletMethodRules: Rows<WalletMethodRules> = {
  'core-0.21': {
    severalWallets: 'Wallet file not specified (must request wallet RPC through /wallet/<filename> uri-path).',
    rescanFaultSubject: { long: 'key with creation timestamp', short: 'key' },
    rescanFaultAdvice: 'and -rescan options',
    prunedNode: 'pruned node',
    listsByArrival: false,
    emptyPassphrase: 'passphrase can not be empty',
    encrypted: ' (if you are using HD). You need to make a new backup.',
    cutsPassphrasesAtNul: true,
    reportsBalances: true,
    explainsAddresses: false,
    showsParents: false,
    callsTaprootScript: false,
    listsImmature: false,
    showsAncestors: false,
    callsAllSpendable: false,
    listsWarnings: false,
    refusesEmptyNames: false,
    checksPassphraseFirst: false,
    knowsLoadedWallets: false,
    takesNameTwice: false,
    solvesByDescriptor: false,
    infersUncompressedKeys: true,
    showsWtxids: false,
  },
  'core-31': {
    severalWallets:
      'Multiple wallets are loaded. Please select which wallet to use by requesting the RPC through the /wallet/<walletname> URI path.',
    rescanFaultSubject: { long: 'descriptor with timestamp', short: 'desc' },
    rescanFaultAdvice: 'option and rescanblockchain RPC',
    prunedNode: 'a pruned node',
    listsByArrival: true,
    emptyPassphrase: 'passphrase cannot be empty',
    encrypted: '. You need to make a new backup with the backupwallet RPC.',
    cutsPassphrasesAtNul: false,
    reportsBalances: false,
    explainsAddresses: true,
    showsParents: true,
    callsTaprootScript: true,
    listsImmature: true,
    showsAncestors: true,
    callsAllSpendable: true,
    listsWarnings: true,
    refusesEmptyNames: true,
    checksPassphraseFirst: true,
    knowsLoadedWallets: true,
    takesNameTwice: true,
    solvesByDescriptor: true,
    infersUncompressedKeys: false,
    showsWtxids: true,
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
