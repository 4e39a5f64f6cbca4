/**
 * Messages as the 64-bit words that SipHash reads, for hashing under many keys: each word is two 32-bit halves, the lower
 * one first. Message `i` takes the halves from `starts[i]` to `starts[i + 1]`, the last two of which are 0 and belong to
 * no word of the message: SipHash's finalization reads them.
 */
export interface SipMessages {
  readonly words: Int32Array;
  /** One entry more than there are messages. */
  readonly starts: Uint32Array;
}

/** Splits messages into words, with the padding and the length that SipHash appends. */
export function packSipMessages(messages: readonly Uint8Array[]): SipMessages {
  const starts = new Uint32Array(messages.length + 1);
  for (const [i, { length }] of messages.entries()) starts[i + 1] = (starts[i] ?? 0) + 2 * ((length >>> 3) + 2);
  const words = new Int32Array(starts[messages.length] ?? 0);
  for (const [i, message] of messages.entries()) {
    const start = starts[i] ?? 0;
    for (const [at, byte] of message.entries()) {
      const word = start + (at >>> 2);
      words[word] = (words[word] ?? 0) | (byte << (8 * (at & 3)));
    }
    const last = (starts[i + 1] ?? 0) - 3;
    words[last] = (words[last] ?? 0) | (message.length << 24);
  }
  return { words, starts };
}

/** Reads a 16-byte key as four 32-bit numbers, each little-endian. */
export function readSipKey(bytes: Uint8Array): Int32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, 16);
  return Int32Array.from([0, 4, 8, 12], (offset) => view.getInt32(offset, true));
}

/** Tells whether adding `addend` to a 32-bit number overflowed, by the sum; both are signed here. */
const carry = (sum: number, addend: number): number => ((sum ^ 0x80000000) < (addend ^ 0x80000000) ? 1 : 0);

/**
 * Computes SipHash-2-4 of one message and stores it in `hash`, the lower 32 bits first. Works on 32-bit halves in local
 * variables, without `bigint` and without an object per step, since a sync hashes each script of the wallet once per block.
 * @see "SipHash: a fast short-input PRF", J.-P. Aumasson and D. J. Bernstein, section 2
 */
export function sipHash(key: Int32Array, { words, starts }: SipMessages, index: number, hash: Int32Array): void {
  const [k0l = 0, k0h = 0, k1l = 0, k1h = 0] = [key[0], key[1], key[2], key[3]];
  let [v0l, v0h, v1l, v1h] = [k0l ^ 0x70736575, k0h ^ 0x736f6d65, k1l ^ 0x6e646f6d, k1h ^ 0x646f7261];
  let [v2l, v2h, v3l, v3h] = [k0l ^ 0x6e657261, k0h ^ 0x6c796765, k1l ^ 0x79746573, k1h ^ 0x74656462];
  const last = (starts[index + 1] ?? 0) - 2;
  for (let at = starts[index] ?? 0; at <= last; at += 2) {
    const low = words[at] ?? 0;
    const high = words[at + 1] ?? 0;
    v3l ^= low;
    v3h ^= high;
    if (at === last) v2l ^= 0xff;
    for (let round = at === last ? 4 : 2; round > 0; round -= 1) {
      v0l = (v0l + v1l) | 0;
      v0h = (v0h + v1h + carry(v0l, v1l)) | 0;
      const v1 = ((v1l << 13) | (v1h >>> 19)) ^ v0l;
      v1h = ((v1h << 13) | (v1l >>> 19)) ^ v0h;
      v2l = (v2l + v3l) | 0;
      v2h = (v2h + v3h + carry(v2l, v3l)) | 0;
      const v3 = ((v3l << 16) | (v3h >>> 16)) ^ v2l;
      v3h = ((v3h << 16) | (v3l >>> 16)) ^ v2h;
      // Rotating by 32 bits exchanges the halves of v0, and of v2 below.
      const v0 = (v0h + v3) | 0;
      v0h = (v0l + v3h + carry(v0, v3)) | 0;
      v0l = v0;
      v3l = ((v3 << 21) | (v3h >>> 11)) ^ v0l;
      v3h = ((v3h << 21) | (v3 >>> 11)) ^ v0h;
      const v2 = (v2l + v1) | 0;
      const sum = (v2h + v1h + carry(v2, v1)) | 0;
      v1l = ((v1 << 17) | (v1h >>> 15)) ^ v2;
      v1h = ((v1h << 17) | (v1 >>> 15)) ^ sum;
      v2l = sum;
      v2h = v2;
    }
    v0l ^= low;
    v0h ^= high;
  }
  hash[0] = v0l ^ v1l ^ v2l ^ v3l;
  hash[1] = v0h ^ v1h ^ v2h ^ v3h;
}
