import type { Context } from './fragment.ts';

/** For `older` and `after`. @see BIP379 "Translation Table" */
export const MAX_LOCK: number = 2 ** 31 - 1;

/** @see Bitcoin Core `MAX_PUBKEYS_PER_MULTISIG`, `MAX_PUBKEYS_PER_MULTI_A` */
export const MAX_KEYS = { multi: 20, multi_a: 999 } as const;

/** @see Bitcoin Core `MAX_STANDARD_P2WSH_SCRIPT_SIZE` */
const MAX_WITNESS_SCRIPT_SIZE = 3600;
/**
 * The largest standard weight, minus the rest of a script path spend: 378 for a transaction with one input and one
 * output, 66 003 for 1000 witness items of 65 bytes and their count, 4132 for a control block, 5 for the script's size.
 * @see Bitcoin Core `miniscript::internal::MaxScriptSize`
 */
const MAX_LEAF_SCRIPT_SIZE = 400_000 - 378 - 66_003 - 4132 - 5;

export const maxScriptSize = (context: Context): number =>
  context === 'wsh' ? MAX_WITNESS_SCRIPT_SIZE : MAX_LEAF_SCRIPT_SIZE;

/** Stack and altstack together. @see Bitcoin Core `MAX_STACK_SIZE` */
export const MAX_STACK_ITEMS = 1000;
/** Without the script. @see Bitcoin Core `MAX_STANDARD_P2WSH_STACK_ITEMS` */
export const MAX_WITNESS_ITEMS = 100;
