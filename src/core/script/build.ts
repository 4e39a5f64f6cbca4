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

/** Never uses OP_1 to OP_16. @see Core `CScript::operator<<` */
export function encodePush(data: Uint8Array): Uint8Array {
  const size = data.length;
  if (size < OP_PUSHDATA1) return concatBytes(Uint8Array.of(size), data);
  if (size <= 0xff) return concatBytes(Uint8Array.of(OP_PUSHDATA1, size), data);
  if (size <= 0xffff) return concatBytes(Uint8Array.of(OP_PUSHDATA2, size & 0xff, size >> 8), data);
  return concatBytes(Uint8Array.of(OP_PUSHDATA4), encode(u32le, size), data);
}

export function pushNumber(value: number): Uint8Array {
  if (value === 0) return Uint8Array.of(OP_0);
  return value <= 16 ? Uint8Array.of(OP_RESERVED + value) : encodePush(encodeScriptNumber(value));
}

/** Builds a tapscript from an x-only key. */
export function payToPubkey(publicKey: Uint8Array): Uint8Array {
  return concatBytes(encodePush(publicKey), Uint8Array.of(OP_CHECKSIG));
}

export function payToMultisig(required: number, publicKeys: readonly Uint8Array[]): Uint8Array {
  const count = pushNumber(publicKeys.length);
  return concatBytes(pushNumber(required), ...publicKeys.map(encodePush), count, Uint8Array.of(OP_CHECKMULTISIG));
}

export function payToTaproot(outputKey: Uint8Array): Uint8Array {
  return payToWitness(1, outputKey);
}

export function payToPubkeyHash(hash: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(OP_DUP, OP_HASH160, 20), hash, Uint8Array.of(OP_EQUALVERIFY, OP_CHECKSIG));
}

export function payToScriptHash(hash: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(OP_HASH160, 20), hash, Uint8Array.of(OP_EQUAL));
}

export function payToWitness(version: number, program: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(version === 0 ? 0 : OP_RESERVED + version, program.length), program);
}

export function wrapInScriptHash(redeemScript: Uint8Array): Uint8Array {
  return payToScriptHash(hash160(redeemScript));
}

export function wrapInWitness(witnessScript: Uint8Array): Uint8Array {
  return payToWitness(0, sha256(witnessScript));
}

/** Uses OP_1 to OP_16 and OP_1NEGATE where possible. @see Core `PushAll` */
export function pushMinimally(data: Uint8Array): Uint8Array {
  const [first = 0] = data;
  if (data.length !== 1 || (first !== 0x81 && (first < 1 || first > 16))) return encodePush(data);
  return Uint8Array.of(first === 0x81 ? OP_1NEGATE : OP_RESERVED + first);
}
