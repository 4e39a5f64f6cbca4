import { type ByGeneration, byGeneration } from '../../core/generations.ts';

export interface PsbtRules {
  /** 0.21 shows only `tx` and `unknown` of the global map. */
  readonly showsGlobals: boolean;
  /** 0.21 stores a sighash type in a signed int, and neither shows nor writes one below 1. */
  readonly dropsSighashBelow1: boolean;
  /** Core 31 quotes a duplicate key in hex; 0.21 names its record. */
  readonly quotesDuplicateKeys: boolean;
  /** 0.21 only says that a key of one byte has more. */
  readonly statesKeySizes: boolean;
  /** The error for a PSBT without an unsigned transaction. */
  readonly noUnsignedTx: string;
  /** The error for a PSBT that ends within a record. */
  readonly endOfData: string;
}

export const psbtRules: ByGeneration<PsbtRules> = byGeneration<PsbtRules>({
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
});

export interface PsbtRoleRules {
  readonly createsVersion2: boolean;
  /** Core 31 rounds a fee rate down; 0.21 rounds it towards zero, and overflows 64 bits. @see `CFeeRate` */
  readonly roundsRatesDown: boolean;
  /** `utxoupdatepsbt` of 0.21 reads the PSBT before the descriptors, Core 31 after them. */
  readonly readsPsbtFirst: boolean;
  /** `utxoupdatepsbt` of Core 31 adds scripts and keys to inputs that have a UTXO. */
  readonly leavesInputsWithUtxos: boolean;
  /** 0.21 finds a key by its hash only in descriptors that pay to the hash. */
  readonly findsKeysOfAllDescriptors: boolean;
  /** `walletprocesspsbt` of 0.21 adds no signatures if the wallet is locked. */
  readonly refusesLockedWallets: boolean;
  /** `walletprocesspsbt` of Core 31 signs by default with the usual sighash type of each coin; 0.21 with ALL. */
  readonly choosesTypeByCoin: boolean;
  /** `walletprocesspsbt` of Core 31 verifies final inputs, and returns the transaction. */
  readonly verifiesFinalInputs: boolean;
}

export const psbtRoleRules: ByGeneration<PsbtRoleRules> = byGeneration<PsbtRoleRules>({
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
});
