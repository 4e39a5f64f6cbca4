import { type ByGeneration, byGeneration } from '../../core/generations.ts';

/** Rules by which RPC methods create and sign raw transactions, and report scripts that fail. */
export interface RawTransactionRules {
  /** 0.21 checks the types of inputs and outputs before anything else, Core 31 that of each list as it reads it. */
  readonly checksListsFirst: boolean;
  /** Core 31 makes transactions replaceable by default; 0.21 only on request. @see BIP125 */
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
export const rawTransactionRules: ByGeneration<RawTransactionRules> = byGeneration<RawTransactionRules>({
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
});
