import { type ByGeneration, byGeneration } from '../../core/generations.ts';

/** Rules by which the methods of wallets check arguments and answer. */
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
  /** `listlabels` of Core 31 refuses an unknown purpose; that of 0.21 finds no label. */
  readonly refusesUnknownPurposes: boolean;
  /** Core 31 shows the wtxid of a transaction, and those of its copies with other witnesses; 0.21 does not. */
  readonly showsWtxids: boolean;
  /** 0.21 lists the notes of a transaction by their names, Core 31 in an order of its own. */
  readonly sortsNotes: boolean;
  /** Core 31 supports the address type `bech32m`; 0.21 does not. */
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
});
