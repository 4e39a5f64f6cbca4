import { createHash } from 'node:crypto';
import { OP } from '../../support/library.ts';

/** Hashes and pushes, independent of the code under test. */

const hashed = (name: string, ...parts: readonly Uint8Array[]): Uint8Array => {
  const hash = createHash(name);
  for (const part of parts) hash.update(part);
  return new Uint8Array(hash.digest());
};

export const sha1 = (...parts: readonly Uint8Array[]): Uint8Array => hashed('sha1', ...parts);
export const ripemd160 = (...parts: readonly Uint8Array[]): Uint8Array => hashed('ripemd160', ...parts);
export const sha256 = (...parts: readonly Uint8Array[]): Uint8Array => hashed('sha256', ...parts);
export const sha256d = (...parts: readonly Uint8Array[]): Uint8Array => sha256(sha256(...parts));
export const hash160 = (...parts: readonly Uint8Array[]): Uint8Array => ripemd160(sha256(...parts));

export const concat = (...parts: readonly (Uint8Array | readonly number[])[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => [...part]));

/** Encodes a script number minimally. */
export function numberBytes(value: number): Uint8Array {
  const bytes: number[] = [];
  for (let rest = Math.abs(value); rest > 0; rest = Math.floor(rest / 256)) bytes.push(rest % 256);
  if ((bytes.at(-1) ?? 0) > 0x7f) bytes.push(0);
  const top = bytes.pop();
  return top === undefined ? new Uint8Array(0) : Uint8Array.of(...bytes, value < 0 ? top | 0x80 : top);
}

/** Encodes a push with a length of 1, 2 or 4 bytes, or of 0 for a direct push, whose opcode is the length. */
export function pushAs(data: Uint8Array, lengthBytes: 0 | 1 | 2 | 4): Uint8Array {
  const size = data.length;
  if (lengthBytes === 0) return concat([size], data);
  if (lengthBytes === 1) return concat([OP.PUSHDATA1, size], data);
  if (lengthBytes === 2) return concat([OP.PUSHDATA2, size & 0xff, size >> 8], data);
  return concat([OP.PUSHDATA4, size & 0xff, size >> 8, 0, 0], data);
}

/** Encodes the shortest push by length, without OP_1 to OP_16. */
export function plainPush(data: Uint8Array): Uint8Array {
  if (data.length < OP.PUSHDATA1) return pushAs(data, 0);
  return pushAs(data, data.length < 0x100 ? 1 : 2);
}

/** Encodes the minimal push, which relay policy requires. */
export function push(data: Uint8Array): Uint8Array {
  const [first = 0] = data;
  if (data.length === 1 && first >= 1 && first <= 16) return Uint8Array.of(OP.RESERVED + first);
  return data.length === 1 && first === 0x81 ? Uint8Array.of(OP['1NEGATE']) : plainPush(data);
}

export const pushNumber = (value: number): Uint8Array => push(numberBytes(value));
