import { type ByGeneration, byGeneration } from '../../core/generations.ts';

export interface WalletMethodRules {
  /** The error for a request that names none of several loaded wallets. */
  readonly severalWallets: string;
  /** The import in the error of a rescan that lacks blocks. */
  readonly rescanFaultSubject: { readonly long: string; readonly short: string };
  readonly rescanFaultAdvice: string;
  readonly prunedNode: string;
  /** Core 29 guarantees no order; 0.21 lists by the bytes of txids. */
  readonly listsByArrival: boolean;
  readonly rescansUnlockedOnly: boolean;
  readonly emptyPassphrase: string;
  /** The end of the answer of `encryptwallet`. */
  readonly encrypted: string;
  /** 0.21 takes passphrases as C strings. */
  readonly cutsPassphrasesAtNul: boolean;
  /** `getbalances` counts immature coins of used addresses as immature; later releases leave them out. */
  readonly countsUsedAsImmature: boolean;
  /** `getbalances` counts coins that are spent outside the mempool, and immature ones of used addresses as used. */
  readonly countsNonmempool: boolean;
  /** Shows these descriptors with normalized keys, rather than as they were imported. */
  readonly normalizesParents: boolean;
  /** `simulaterawtransaction` refuses unknown options. */
  readonly checksSimulationOptions: boolean;
  /** `importdescriptors` refuses a label beside a wildcard or a true `internal`; earlier ones beside these members. */
  readonly readsLabelTerms: boolean;
  /** Warns of relative locks that expire early. */
  readonly warnsOfLocks: boolean;
  /** Expects a private key of an aggregate key itself, and warns that it lacks one. */
  readonly expectsAggregateSecrets: boolean;
  /** `importdescriptors` names a descriptor that it refuses to update. */
  readonly namesRefusedUpdates: boolean;
  /** The error of `unloadwallet` for two names. */
  readonly differentNames: string;
  /** The error of a method that concerns legacy wallets. */
  readonly legacyOnly: string;
  readonly deprecatesFeeSetting: boolean;
  /** The error of `createwallet` for a legacy wallet, which `-deprecatedrpc=create_bdb` may enable. */
  readonly noLegacyWallets: (isEnabled: boolean) => string;
  /** `listdescriptors` with `private` lists a descriptor of which some private keys are elsewhere. */
  readonly listsPartialKeys: boolean;
  /** Descriptor wallets watch no foreign outputs. */
  readonly callsAllSpendable: boolean;
  /** Lists `warnings` if there are any, rather than always a text `warning`. */
  readonly listsWarnings: boolean;
  readonly refusesEmptyNames: boolean;
  /** `listwalletdir` lists the warnings of wallets. */
  readonly warnsOfWallets: boolean;
  /** Takes only normalized paths below the wallet directory, or absolute ones, as names. */
  readonly checksWalletPaths: boolean;
  /** What a file system says of a path that is too long. 0.21 uses Boost; the others the library of GCC. */
  readonly longPath: (path: string) => string;
  /** The error of `createwallet` for such a path below a directory that does not exist. */
  readonly longNewPath: (path: string) => PathFault;
  /** The error of `restorewallet` for such a path. Until 30 the clean-up fails, too. */
  readonly longRestoredPath: (path: string) => PathFault;
  /** In bytes: SQLite takes no longer path of a file, as that of its journal has 8 bytes more. */
  readonly longestDataFile: number;
  /** `createwallet` refuses a useless passphrase before it looks for the wallet. */
  readonly checksPassphraseFirst: boolean;
  /** Has the error -35 for loaded wallets; 0.21 fails to verify the file. */
  readonly knowsLoadedWallets: boolean;
  /** `unloadwallet` takes a name beside the same one of the endpoint. */
  readonly takesNameTwice: boolean;
  /** `unloadwallet` says that it needs a name; earlier releases that null is not a text. */
  readonly asksForName: boolean;
  /** `restorewallet` names the file of the new wallet if it exists; earlier releases as `createwallet`. */
  readonly namesRestoredFile: boolean;
  /** Calls an output solvable by its descriptor; 0.21 by a dummy signature. */
  readonly solvesByDescriptor: boolean;
  /** `getreceivedbylabel` refuses a label without addresses of the wallet; 0.21 answers 0. */
  readonly refusesUnknownLabels: boolean;
  /** Lists addresses that received nothing only if they are the wallet's. */
  readonly listsOnlyOwnEmpty: boolean;
  /** `listreceivedbyaddress` takes null or an empty text for no address. */
  readonly takesEmptyAddresses: boolean;
  /** In `listlabels`, where 0.21 finds no label. */
  readonly refusesUnknownPurposes: boolean;
  /** `gethdkeys` with `private` lists keys whose private keys are elsewhere; earlier ones fail. */
  readonly listsForeignKeys: boolean;
  readonly knowsBech32m: boolean;
  readonly flags: readonly string[];
  /** `backupwallet` takes a directory, and names the file in it. */
  readonly backsUpIntoDirectories: boolean;
  /** `removeprunedfunds` is on its way out. */
  readonly deprecatesRemoval: boolean;
  /** The error of `removeprunedfunds` for an unknown transaction. */
  readonly unknownRemoval: { readonly code: number; readonly message: string };
}

interface PathFault {
  readonly code: number;
  readonly message: string;
}

/** The error of a descriptor at the end of its range, without private keys to derive more. */
export const RANGE_ENDED = 'No addresses available';

/** @see `boost::filesystem::filesystem_error::what` */
const boostFault = (path: string): string => `boost::filesystem::status: File name too long: "${path}"`;

/** `call`: the one that fails. @see `std::filesystem::filesystem_error::what` of libstdc++ */
const gccFault = (call: string, path: string): string => `filesystem error: ${call}: File name too long [${path}]`;

/** @see Bitcoin Core 0.21 `WALLET_FLAG_MAP` */
const FLAGS_021 = ['avoid_reuse', 'blank', 'key_origin_metadata', 'disable_private_keys', 'descriptor_wallet'];

export const walletMethodRules: ByGeneration<WalletMethodRules> = byGeneration<WalletMethodRules>({
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
    countsUsedAsImmature: true,
    countsNonmempool: false,
    normalizesParents: false,
    checksSimulationOptions: true,
    namesRefusedUpdates: false,
    differentNames: 'RPC endpoint wallet and wallet_name parameter specify different wallets',
    legacyOnly: 'This type of wallet does not support this command',
    deprecatesFeeSetting: false,
    noLegacyWallets: (isEnabled) =>
      isEnabled
        ? 'Compiled without bdb support (required for legacy wallets)'
        : 'BDB wallet creation is deprecated and will be removed in a future release. In this release it can be re-enabled temporarily with the -deprecatedrpc=create_bdb setting.',
    readsLabelTerms: false,
    warnsOfLocks: false,
    expectsAggregateSecrets: true,
    listsPartialKeys: false,
    callsAllSpendable: false,
    listsWarnings: false,
    refusesEmptyNames: false,
    warnsOfWallets: false,
    checksWalletPaths: false,
    longPath: boostFault,
    longNewPath: (path) => ({ code: -1, message: boostFault(path) }),
    longRestoredPath: (path) => ({ code: -1, message: gccFault('cannot remove all', path) }),
    longestDataFile: Number.POSITIVE_INFINITY,
    checksPassphraseFirst: false,
    knowsLoadedWallets: false,
    takesNameTwice: false,
    asksForName: false,
    namesRestoredFile: false,
    solvesByDescriptor: false,
    refusesUnknownLabels: false,
    listsOnlyOwnEmpty: false,
    takesEmptyAddresses: false,
    refusesUnknownPurposes: false,
    listsForeignKeys: false,
    knowsBech32m: false,
    flags: FLAGS_021,
    backsUpIntoDirectories: true,
    deprecatesRemoval: false,
    unknownRemoval: { code: -8, message: 'Transaction does not exist in wallet.' },
  },
  'core-29': {
    severalWallets:
      'Multiple wallets are loaded. Please select which wallet to use by requesting the RPC through the /wallet/<walletname> URI path.',
    rescanFaultSubject: { long: 'descriptor with timestamp', short: 'desc' },
    rescanFaultAdvice: 'option and rescanblockchain RPC',
    legacyOnly: 'Only legacy wallets are supported by this command',
    listsByArrival: true,
    rescansUnlockedOnly: true,
    emptyPassphrase: 'passphrase cannot be empty',
    encrypted: '. You need to make a new backup with the backupwallet RPC.',
    cutsPassphrasesAtNul: false,
    callsAllSpendable: true,
    listsWarnings: true,
    checksPassphraseFirst: true,
    longPath: (path) => gccFault('symlink_status', path),
    longestDataFile: 504,
    longNewPath: (path) => ({ code: -4, message: `Wallet file verification failed. ${gccFault('status', path)}` }),
    knowsLoadedWallets: true,
    takesNameTwice: true,
    solvesByDescriptor: true,
    refusesUnknownLabels: true,
    takesEmptyAddresses: true,
    refusesUnknownPurposes: true,
    knowsBech32m: true,
    flags: [...FLAGS_021, 'last_hardened_xpub_cached', 'external_signer'],
    backsUpIntoDirectories: false,
    unknownRemoval: { code: -4, message: 'Transaction {txid} does not belong to this wallet' },
  },
  'core-30': {
    countsUsedAsImmature: false,
    prunedNode: 'a pruned node',
    asksForName: true,
    warnsOfWallets: true,
    normalizesParents: true,
    checksSimulationOptions: false,
    namesRefusedUpdates: true,
    deprecatesFeeSetting: true,
    differentNames: 'The RPC endpoint wallet and the wallet name parameter specify different wallets',
    noLegacyWallets: () =>
      'descriptors argument must be set to "true"; it is no longer possible to create a legacy wallet.',
  },
  'core-31': {
    listsPartialKeys: true,
    readsLabelTerms: true,
    warnsOfLocks: true,
    refusesEmptyNames: true,
    namesRestoredFile: true,
    longRestoredPath: (path) => ({ code: -4, message: `Unexpected exception: ${gccFault('status', path)}` }),
  },
  'core-32': {
    deprecatesRemoval: true,
    checksWalletPaths: true,
    countsNonmempool: true,
    listsOnlyOwnEmpty: true,
    listsForeignKeys: true,
    expectsAggregateSecrets: false,
  },
});
