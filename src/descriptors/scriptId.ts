import { ripemd160 } from '../crypto/hash.ts';

/** What names a P2WSH script among others: the hash of its witness program, which is as long as theirs. */
export const scriptIdOf = (program: Uint8Array): Uint8Array => ripemd160(program);
