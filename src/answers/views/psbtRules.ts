import { type ByGeneration, byGeneration } from '../../core/generations.ts';

/** Rules by which RPC methods show, refuse and write PSBTs. */
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

/** Rules by which RPC methods create, update and analyze PSBTs. */
export interface PsbtRoleRules {
  /** Core 31 takes the version of the PSBT to create; 0.21 supports only version 0. */
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
