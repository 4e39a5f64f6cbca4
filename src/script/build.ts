import { concatBytes } from '../bytes/compare.ts';
import { sha256 } from '../crypto/hash.ts';
import { OP } from './opcodes.ts';

/** The scriptPubKey that pays to a public key hash, 20 bytes. */
export function payToPubkeyHash(hash: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(OP.DUP, OP.HASH160, 20), hash, Uint8Array.of(OP.EQUALVERIFY, OP.CHECKSIG));
}

/** The scriptPubKey that pays to a script hash, 20 bytes. @see BIP16 */
export function payToScriptHash(hash: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(OP.HASH160, 20), hash, Uint8Array.of(OP.EQUAL));
}

/** The scriptPubKey that pays to a witness program of 2 to 40 bytes, version 0 to 16. @see BIP141 */
export function payToWitness(version: number, program: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(version === 0 ? 0 : OP.RESERVED + version, program.length), program);
}

/** The P2WSH scriptPubKey of a witnessScript. */
export function wrapInWitness(witnessScript: Uint8Array): Uint8Array {
  return payToWitness(0, sha256(witnessScript));
}
