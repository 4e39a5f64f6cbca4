import { encode, u32le } from '../bytes/codec.ts';
import { concatBytes } from '../bytes/compare.ts';
import { hash160, sha256 } from '../crypto/hash.ts';
import { encodeScriptNumber } from './number.ts';
import {
  OP_0,
  OP_1NEGATE,
  OP_CHECKMULTISIG,
  OP_CHECKSIG,
  OP_DUP,
  OP_EQUAL,
  OP_EQUALVERIFY,
  OP_HASH160,
  OP_PUSHDATA1,
  OP_PUSHDATA2,
  OP_PUSHDATA4,
  OP_RESERVED,
} from './opcodes.ts';

/** Encodes a push with the shortest length form; never uses OP_1 to OP_16. @see Bitcoin Core `CScript::operator<<` */
export function pushOf(data: Uint8Array): Uint8Array {
  const size = data.length;
  if (size < OP_PUSHDATA1) return concatBytes(Uint8Array.of(size), data);
  if (size <= 0xff) return concatBytes(Uint8Array.of(OP_PUSHDATA1, size), data);
  if (size <= 0xffff) return concatBytes(Uint8Array.of(OP_PUSHDATA2, size & 0xff, size >> 8), data);
  return concatBytes(Uint8Array.of(OP_PUSHDATA4), encode(u32le, size), data);
}

/** Encodes the shortest push of a nonnegative number. */
export function pushNumber(value: number): Uint8Array {
  if (value === 0) return Uint8Array.of(OP_0);
  return value <= 16 ? Uint8Array.of(OP_RESERVED + value) : pushOf(encodeScriptNumber(value));
}

/** Builds a P2PK scriptPubKey or, from an x-only key, a tapscript that checks its signature. */
export function payToPubkey(publicKey: Uint8Array): Uint8Array {
  return concatBytes(pushOf(publicKey), Uint8Array.of(OP_CHECKSIG));
}

/** Builds the script that `required` of these keys sign for. @see Bitcoin Core `GetScriptForMultisig` */
export function payToMultisig(required: number, publicKeys: readonly Uint8Array[]): Uint8Array {
  const count = pushNumber(publicKeys.length);
  return concatBytes(pushNumber(required), ...publicKeys.map(pushOf), count, Uint8Array.of(OP_CHECKMULTISIG));
}

/** Builds the P2TR scriptPubKey of an x-only output key. @see BIP341 */
export function payToTaproot(outputKey: Uint8Array): Uint8Array {
  return payToWitness(1, outputKey);
}

/** Builds the P2PKH scriptPubKey of a public key hash of 20 bytes. */
export function payToPubkeyHash(hash: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(OP_DUP, OP_HASH160, 20), hash, Uint8Array.of(OP_EQUALVERIFY, OP_CHECKSIG));
}

/** Builds the P2SH scriptPubKey of a script hash of 20 bytes. @see BIP16 */
export function payToScriptHash(hash: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(OP_HASH160, 20), hash, Uint8Array.of(OP_EQUAL));
}

/** Builds the scriptPubKey of a witness program of 2 to 40 bytes, version 0 to 16. @see BIP141 */
export function payToWitness(version: number, program: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(version === 0 ? 0 : OP_RESERVED + version, program.length), program);
}

/** Builds the P2SH scriptPubKey of a redeemScript. @see BIP16 */
export function wrapInScriptHash(redeemScript: Uint8Array): Uint8Array {
  return payToScriptHash(hash160(redeemScript));
}

/** Builds the P2WSH scriptPubKey of a witnessScript. @see BIP141 */
export function wrapInWitness(witnessScript: Uint8Array): Uint8Array {
  return payToWitness(0, sha256(witnessScript));
}

/** Encodes the shortest push of bytes, using OP_1 to OP_16 and OP_1NEGATE if possible. @see Bitcoin Core `PushAll` */
export function pushMinimally(data: Uint8Array): Uint8Array {
  const [first = 0] = data;
  if (data.length !== 1 || (first !== 0x81 && (first < 1 || first > 16))) return pushOf(data);
  return Uint8Array.of(first === 0x81 ? OP_1NEGATE : OP_RESERVED + first);
}
