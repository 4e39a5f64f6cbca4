import type { Context } from './fragment.ts';

/** The largest number of a lock. @see BIP379 "Translation Table" */
export const MAX_LOCK: number = 2 ** 31 - 1;

/** The most keys of a fragment. @see Bitcoin Core `MAX_PUBKEYS_PER_MULTISIG`, `MAX_PUBKEYS_PER_MULTI_A` */
export const MAX_KEYS = { multi: 20, multi_a: 999 } as const;

/** The largest witnessScript that is standard. @see Bitcoin Core `MAX_STANDARD_P2WSH_SCRIPT_SIZE` */
const MAX_WITNESS_SCRIPT_SIZE = 3600;
/**
 * A transaction of the largest standard weight, 400 000, less all else that spending the leaf of a taproot output can
 * take: the rest of the transaction with one input and one output 378, a thousand items of 65 bytes with their count
 * 66 003, a control block 4132, and the size of the script 5.
 * @see Bitcoin Core `miniscript::internal::MaxScriptSize`
 */
const MAX_LEAF_SCRIPT_SIZE = 400_000 - 378 - 66_003 - 4132 - 5;

/** The largest script that miniscript allows. */
export const maxScriptSize = (context: Context): number =>
  context === 'wsh' ? MAX_WITNESS_SCRIPT_SIZE : MAX_LEAF_SCRIPT_SIZE;

/** The most items that the stacks hold at any time. @see BIP342 "Resource limits"; Bitcoin Core `MAX_STACK_SIZE` */
export const MAX_STACK_ITEMS = 1000;
/** The most items of a standard P2WSH witness, its script apart. @see Bitcoin Core `MAX_STANDARD_P2WSH_STACK_ITEMS` */
export const MAX_WITNESS_ITEMS = 100;
/** The most opcodes of a script that is no tapscript. @see Bitcoin Core `MAX_OPS_PER_SCRIPT` */
export const MAX_OPS = 201;
