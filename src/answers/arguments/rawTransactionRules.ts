import { type ByGeneration, byGeneration } from '../../core/generations.ts';

export interface RawTransactionRules {
  /** 0.21 checks the types of inputs and outputs before anything else, Core 29 that of each list as it reads it. */
  readonly checksListsFirst: boolean;
  /** @see BIP125 */
  readonly replaceableByDefault: boolean;
  /** Core 29 reads the amount of an output before its address. */
  readonly readsAmountFirst: boolean;
  /** Core 29 refuses an unknown type with -8, 0.21 with -1. */
  readonly knowsSighashDefault: boolean;
  /** Core 31 has errors of their own for numbers, empty keys in tapscript and IF on an empty stack. */
  readonly namesAllScriptErrors: boolean;
}

export const rawTransactionRules: ByGeneration<RawTransactionRules> = byGeneration<RawTransactionRules>({
  'core-0.21': {
    checksListsFirst: true,
    replaceableByDefault: false,
    readsAmountFirst: false,
    knowsSighashDefault: false,
    namesAllScriptErrors: false,
  },
  'core-29': {
    checksListsFirst: false,
    replaceableByDefault: true,
    readsAmountFirst: true,
    knowsSighashDefault: true,
  },
  'core-31': { namesAllScriptErrors: true },
});
