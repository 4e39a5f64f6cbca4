import { formatReversedHex, isHex, parseHex } from '../../bytes/hex.ts';
import { sha256d } from '../../crypto/hash.ts';

export const HEADER_SIZE = 80;
const PREVIOUS = 4;
const HASH_SIZE = 32;

/** Hashes as people see them. */
interface BlockHeader {
  readonly hash: string;
  readonly previous: string;
}

/** The hashes of a header of 80 bytes. */
export function headerOf(bytes: Uint8Array): BlockHeader {
  const header = bytes.subarray(0, HEADER_SIZE);
  return {
    hash: formatReversedHex(sha256d(header)),
    previous: formatReversedHex(header.subarray(PREVIOUS, PREVIOUS + HASH_SIZE)),
  };
}

/** The hashes of a block in hex, `undefined` where there is not even a header. */
export function headerOfHex(hex: string): BlockHeader | undefined {
  const text = hex.slice(0, 2 * HEADER_SIZE);
  return text.length === 2 * HEADER_SIZE && isHex(text) ? headerOf(parseHex(text)) : undefined;
}
