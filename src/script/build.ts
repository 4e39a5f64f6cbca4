import { encode, u32le } from '../bytes/codec.ts';
import { concatBytes } from '../bytes/compare.ts';
import { hash160, sha256 } from '../crypto/hash.ts';
import { encodeScriptNumber } from './number.ts';
import { OP } from './opcodes.ts';

/** The push of bytes by the shortest length form; never OP_1 to OP_16. @see Bitcoin Core `CScript::operator<<` */
export function pushOf(data: Uint8Array): Uint8Array {
  const size = data.length;
  if (size < OP.PUSHDATA1) return concatBytes(Uint8Array.of(size), data);
  if (size <= 0xff) return concatBytes(Uint8Array.of(OP.PUSHDATA1, size), data);
  if (size <= 0xffff) return concatBytes(Uint8Array.of(OP.PUSHDATA2, size & 0xff, size >> 8), data);
  return concatBytes(Uint8Array.of(OP.PUSHDATA4), encode(u32le, size), data);
}

/** The shortest push of a number from 0 on. */
export function pushNumber(value: number): Uint8Array {
  if (value === 0) return Uint8Array.of(OP['0']);
  return value <= 16 ? Uint8Array.of(OP.RESERVED + value) : pushOf(encodeScriptNumber(value));
}

/** The scriptPubKey that pays to a public key, or checks an x-only key in a tapscript. */
export function payToPubkey(publicKey: Uint8Array): Uint8Array {
  return concatBytes(pushOf(publicKey), Uint8Array.of(OP.CHECKSIG));
}

/** The scriptPubKey that pays to an output key, x-only. @see BIP341 */
export function payToTaproot(outputKey: Uint8Array): Uint8Array {
  return payToWitness(1, outputKey);
}

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

/** The P2SH scriptPubKey of a redeemScript. @see BIP16 */
export function wrapInScriptHash(redeemScript: Uint8Array): Uint8Array {
  return payToScriptHash(hash160(redeemScript));
}

/** The P2WSH scriptPubKey of a witnessScript. */
export function wrapInWitness(witnessScript: Uint8Array): Uint8Array {
  return payToWitness(0, sha256(witnessScript));
}

/** The shortest push of bytes: OP_1 to OP_16 and OP_1NEGATE where they will do. @see Bitcoin Core `PushAll` */
export function pushMinimally(data: Uint8Array): Uint8Array {
  const [first = 0] = data;
  if (data.length !== 1 || (first !== 0x81 && (first < 1 || first > 16))) return pushOf(data);
  return Uint8Array.of(first === 0x81 ? OP['1NEGATE'] : OP.RESERVED + first);
}
