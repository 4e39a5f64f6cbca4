/**
 * SipHash's 64-bit words, each in two halves, the lower first. Message `i` takes the halves from `starts[i]` to
 * `starts[i + 1]`, the last two of which are 0, for the finalization.
 */
export interface SipMessages {
  readonly words: Int32Array;
  readonly starts: Uint32Array;
}

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

export interface SipKey {
  readonly k0l: number;
  readonly k0h: number;
  readonly k1l: number;
  readonly k1h: number;
}

export function readSipKey({ buffer, byteOffset }: Uint8Array): SipKey {
  const view = new DataView(buffer, byteOffset, 16);
  const at = (offset: number): number => view.getInt32(offset, true);
  return { k0l: at(0), k0h: at(4), k1l: at(8), k1h: at(12) };
}

/** Has no branch, which would be mispredicted half the time. */
const carry = (sum: number): number => (sum / 0x1_0000_0000) | 0;

/**
 * Stores SipHash-2-4 of one message in `hash`, the lower half first. Halves in local variables are fast: a sync hashes
 * each script of the wallet once per block.
 * @see "SipHash: a fast short-input PRF", J.-P. Aumasson and D. J. Bernstein, section 2
 */
export function sipHash(key: SipKey, { words, starts }: SipMessages, index: number, hash: Int32Array): void {
  const { k0l, k0h, k1l, k1h } = key;
  let v0l = k0l ^ 0x70736575;
  let v0h = k0h ^ 0x736f6d65;
  let v1l = k1l ^ 0x6e646f6d;
  let v1h = k1h ^ 0x646f7261;
  let v2l = k0l ^ 0x6e657261;
  let v2h = k0h ^ 0x6c796765;
  let v3l = k1l ^ 0x79746573;
  let v3h = k1h ^ 0x74656462;
  const last = (starts[index + 1] ?? 0) - 2;
  for (let at = starts[index] ?? 0; at <= last; at += 2) {
    const low = words[at] ?? 0;
    const high = words[at + 1] ?? 0;
    v3l ^= low;
    v3h ^= high;
    if (at === last) v2l ^= 0xff;
    for (let round = at === last ? 4 : 2; round > 0; round -= 1) {
      const sum0 = (v0l >>> 0) + (v1l >>> 0);
      v0l = sum0 | 0;
      v0h = (v0h + v1h + carry(sum0)) | 0;
      const v1 = ((v1l << 13) | (v1h >>> 19)) ^ v0l;
      v1h = ((v1h << 13) | (v1l >>> 19)) ^ v0h;
      const sum2 = (v2l >>> 0) + (v3l >>> 0);
      v2l = sum2 | 0;
      v2h = (v2h + v3h + carry(sum2)) | 0;
      const v3 = ((v3l << 16) | (v3h >>> 16)) ^ v2l;
      v3h = ((v3h << 16) | (v3l >>> 16)) ^ v2h;
      // Rotating by 32 bits exchanges the halves of v0, and of v2 below.
      const low0 = (v0h >>> 0) + (v3 >>> 0);
      v0h = (v0l + v3h + carry(low0)) | 0;
      v0l = low0 | 0;
      v3l = ((v3 << 21) | (v3h >>> 11)) ^ v0l;
      v3h = ((v3h << 21) | (v3 >>> 11)) ^ v0h;
      const low2 = (v2l >>> 0) + (v1 >>> 0);
      v2l = (v2h + v1h + carry(low2)) | 0;
      v2h = low2 | 0;
      v1l = ((v1 << 17) | (v1h >>> 15)) ^ v2h;
      v1h = ((v1h << 17) | (v1 >>> 15)) ^ v2l;
    }
    v0l ^= low;
    v0h ^= high;
  }
  hash[0] = v0l ^ v1l ^ v2l ^ v3l;
  hash[1] = v0h ^ v1h ^ v2h ^ v3h;
}
