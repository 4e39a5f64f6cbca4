import { ripemd160 } from '../crypto/hash.ts';

/**
 * Computes the id of a P2WSH script, HASH160 of the script like any script id, from its witness program.
 * @see Bitcoin Core `CScriptID`
 */
export const scriptIdOf = (program: Uint8Array): Uint8Array => ripemd160(program);
