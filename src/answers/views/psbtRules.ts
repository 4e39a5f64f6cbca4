import { type ByGeneration, byGeneration } from '../../core/generations.ts';

export interface PsbtRules {
  /** 0.21 shows only `tx` and `unknown` of the global map. */
  readonly showsGlobals: boolean;
  /** 0.21 stores a sighash type in a signed int, and neither shows nor writes one below 1. */
  readonly dropsSighashBelow1: boolean;
  /** Core 32 quotes a duplicate key in hex and states the size that a key should have; earlier ones name the record. */
  readonly quotesKeys: boolean;
  /** The error for a PSBT without an unsigned transaction. */
  readonly noUnsignedTx: string;
  /** The error for a PSBT that ends within a record. */
  readonly endOfData: string;
  /** The error for one that ends within a part of a key or value. */
  readonly endOfPart: string;
}

export const psbtRules: ByGeneration<PsbtRules> = byGeneration<PsbtRules>({
  'core-0.21': {
    showsGlobals: false,
    dropsSighashBelow1: true,
    quotesKeys: false,
    noUnsignedTx: 'No unsigned transcation was provided',
    endOfData: 'CDataStream::read(): end of data',
    endOfPart: 'CDataStream::read(): end of data',
  },
  'core-29': {
    showsGlobals: true,
    dropsSighashBelow1: false,
    noUnsignedTx: 'No unsigned transaction was provided',
    endOfData: 'DataStream::read(): end of data',
    endOfPart: 'SpanReader::read(): end of data',
  },
  'core-31': { endOfData: 'SpanReader::read(): end of data' },
  'core-32': { quotesKeys: true },
});

export interface PsbtRoleRules {
  /** Core 30 rounds a fee rate down; earlier ones round it towards zero, and overflow 64 bits. @see `CFeeRate` */
  readonly roundsRatesDown: boolean;
  /** `utxoupdatepsbt` of 0.21 reads the PSBT before the descriptors, Core 29 after them. */
  readonly readsPsbtFirst: boolean;
  /** `utxoupdatepsbt` of Core 29 adds scripts and keys to inputs that have a UTXO. */
  readonly leavesInputsWithUtxos: boolean;
  /** 0.21 finds a key by its hash only in descriptors that pay to the hash. */
  readonly findsKeysOfAllDescriptors: boolean;
  /** `walletprocesspsbt` of 0.21 adds no signatures if the wallet is locked. */
  readonly refusesLockedWallets: boolean;
  /** `walletprocesspsbt` of Core 29 signs by default with the usual sighash type of each coin; 0.21 with ALL. */
  readonly choosesTypeByCoin: boolean;
  /** `walletprocesspsbt` of Core 29 verifies final inputs, and returns the transaction. */
  readonly verifiesFinalInputs: boolean;
}

export const psbtRoleRules: ByGeneration<PsbtRoleRules> = byGeneration<PsbtRoleRules>({
  'core-0.21': {
    roundsRatesDown: false,
    readsPsbtFirst: true,
    leavesInputsWithUtxos: true,
    findsKeysOfAllDescriptors: false,
    refusesLockedWallets: false,
    choosesTypeByCoin: false,
    verifiesFinalInputs: false,
  },
  'core-29': {
    readsPsbtFirst: false,
    leavesInputsWithUtxos: false,
    findsKeysOfAllDescriptors: true,
    refusesLockedWallets: true,
    choosesTypeByCoin: true,
    verifiesFinalInputs: true,
  },
  'core-30': { roundsRatesDown: true },
});
