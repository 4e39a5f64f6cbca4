import { formatReversedHex, isHex, parseHex } from '../bytes/hex.ts';
import { sha256d } from '../crypto/hash.ts';

export const HEADER_SIZE = 80;
const PREVIOUS = 4;
const HASH_SIZE = 32;

/** Block hashes in display byte order. */
interface BlockHeader {
  readonly hash: string;
  readonly previous: string;
}

/** Computes the hash of a block from its 80-byte header, and reads that of its parent. */
export function headerOf(bytes: Uint8Array): BlockHeader {
  const header = bytes.subarray(0, HEADER_SIZE);
  return {
    hash: formatReversedHex(sha256d(header)),
    previous: formatReversedHex(header.subarray(PREVIOUS, PREVIOUS + HASH_SIZE)),
  };
}

/** Like `headerOf`, for a block in hex; `undefined` if it is shorter than a header. */
export function headerOfHex(hex: string): BlockHeader | undefined {
  const text = hex.slice(0, 2 * HEADER_SIZE);
  return text.length === 2 * HEADER_SIZE && isHex(text) ? headerOf(parseHex(text)) : undefined;
}
