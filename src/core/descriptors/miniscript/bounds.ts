import type { Context } from './fragment.ts';

/** Largest argument of `older` and `after`. @see BIP379 "Translation Table" */
export const MAX_LOCK: number = 2 ** 31 - 1;

/** Most keys of a fragment. @see Bitcoin Core `MAX_PUBKEYS_PER_MULTISIG`, `MAX_PUBKEYS_PER_MULTI_A` */
export const MAX_KEYS = { multi: 20, multi_a: 999 } as const;

/** Bytes of the largest standard witness script. @see Bitcoin Core `MAX_STANDARD_P2WSH_SCRIPT_SIZE` */
const MAX_WITNESS_SCRIPT_SIZE = 3600;
/**
 * Bytes of the largest leaf script: the largest standard weight, 400 000, minus the most that the rest of a script path
 * spend can weigh: 378 for the other parts of a transaction with one input and one output, 66 003 for 1000 witness items
 * of 65 bytes and their count, 4132 for a control block, and 5 for the size of the script.
 * @see Bitcoin Core `miniscript::internal::MaxScriptSize`
 */
const MAX_LEAF_SCRIPT_SIZE = 400_000 - 378 - 66_003 - 4132 - 5;

/** Returns the size in bytes of the largest script that miniscript allows. */
export const maxScriptSize = (context: Context): number =>
  context === 'wsh' ? MAX_WITNESS_SCRIPT_SIZE : MAX_LEAF_SCRIPT_SIZE;

/** Most items on stack and altstack together. @see BIP342 "Resource limits"; Bitcoin Core `MAX_STACK_SIZE` */
export const MAX_STACK_ITEMS = 1000;
/** Most items of a standard P2WSH witness, without its script. @see Bitcoin Core `MAX_STANDARD_P2WSH_STACK_ITEMS` */
export const MAX_WITNESS_ITEMS = 100;
