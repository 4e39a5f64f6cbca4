import { concatBytes } from '../../core/bytes/compare.ts';
import { crc32 } from './crc32.ts';
import { type Doubles, xoshiro256 } from './xoshiro.ts';

/** One fragment, or several combined by XOR. @see BCR-2024-001 */
export interface FountainPart {
  /** From 1. Parts beyond `count` combine fragments. */
  readonly number: number;
  readonly count: number;
  /** Bytes of the message; the last fragment is padded with zeros. */
  readonly size: number;
  readonly checksum: number;
  readonly data: Uint8Array;
}

/** More fragments than 4 MB in frames of 500 bytes have. */
export const MOST_FRAGMENTS = 10_000;

const wordsToBytes = (...words: readonly number[]): Uint8Array => {
  const bytes = new Uint8Array(4 * words.length);
  const view = new DataView(bytes.buffer);
  for (const [i, word] of words.entries()) view.setUint32(4 * i, word);
  return bytes;
};

/**
 * Samples the number of fragments to combine: `n` has a chance in proportion to `1/n`.
 * @see BCR-2024-001 "Random sampler"; M. D. Vose, "A linear algorithm for generating random numbers"
 */
function degreeSampler(count: number): (random: Doubles) => number {
  const weights = Array.from({ length: count }, (_, i) => 1 / (i + 1));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const scaled = weights.map((weight) => (weight * count) / total);
  const [chances, aliases] = [new Float64Array(count).fill(1), new Uint32Array(count)];
  const small: number[] = [];
  const large: number[] = [];
  const sort = (i: number): unknown => ((scaled[i] ?? 0) < 1 ? small : large).push(i);
  for (let i = count - 1; i >= 0; i -= 1) sort(i);
  for (;;) {
    const [less, more] = [small.at(-1), large.at(-1)];
    if (less === undefined || more === undefined) break;
    small.pop();
    large.pop();
    chances[less] = scaled[less] ?? 0;
    aliases[less] = more;
    scaled[more] = (scaled[more] ?? 0) + (scaled[less] ?? 0) - 1;
    sort(more);
  }
  return (random) => {
    const [first, second] = [random(), random()];
    const i = Math.floor(count * first);
    return 1 + (second < (chances[i] ?? 0) ? i : (aliases[i] ?? 0));
  };
}

/** Returns the indexes of the fragments of a part. */
type Mixing = (number: number) => readonly number[];

function createMixing(count: number, checksum: number): Mixing {
  let sample: ReturnType<typeof degreeSampler> | undefined;
  const all = Uint16Array.from({ length: count }, (_, i) => i);
  return (number) => {
    if (number <= count) return [number - 1];
    sample ??= degreeSampler(count);
    const random = xoshiro256(wordsToBytes(number, checksum));
    const degree = sample(random);
    const rest = all.slice();
    return Array.from({ length: degree }, (_, taken) => {
      const at = Math.floor(random() * (count - taken));
      const index = rest[at] ?? 0;
      rest.copyWithin(at, at + 1);
      return index;
    });
  };
}

function addTo(sum: Uint8Array, other: Uint8Array): void {
  const { length } = sum;
  for (let i = 0; i < length; i += 1) sum[i] = (sum[i] ?? 0) ^ (other[i] ?? 0);
}

export function createFountain(
  message: Uint8Array,
  most: number,
): { count: number; part: (number: number) => FountainPart } {
  const least = Math.max(1, Math.ceil(message.length / most));
  const size = Math.ceil(message.length / least);
  const count = Math.max(1, Math.ceil(message.length / Math.max(1, size)));
  const padded = concatBytes(message, new Uint8Array(count * size - message.length));
  const checksum = crc32(message);
  const mixing = createMixing(count, checksum);
  const part = (number: number): FountainPart => {
    const data = new Uint8Array(size);
    for (const i of mixing(number)) addTo(data, padded.subarray(i * size, (i + 1) * size));
    return { number, count, size: message.length, checksum, data };
  };
  return { count, part };
}

export interface FountainReader {
  /** Returns false for a part of another message. */
  readonly add: (part: FountainPart) => boolean;
  /** Returns the indexes of unknown fragments. */
  readonly missing: () => readonly number[];
  /** Returns `undefined` until all fragments are known, and for a wrong checksum. */
  readonly message: () => Uint8Array | undefined;
}

/** A bit for each fragment, padded to words, then the XOR of the fragments. */
type Combination = Uint32Array;

const addUp = (sum: Combination, other: Combination): void => {
  for (let i = 0; i < sum.length; i += 1) sum[i] = (sum[i] ?? 0) ^ (other[i] ?? 0);
};

const combines = (combination: Combination, index: number): boolean =>
  (((combination[index >>> 5] ?? 0) >>> (index & 31)) & 1) === 1;

/** Returns at most two fragments, since more add no information. `width`: in words. */
function firstFragments(combination: Combination, width: number): readonly number[] {
  const fragments: number[] = [];
  for (let word = 0; word < width; word += 1) {
    for (let bits = combination[word] ?? 0; bits !== 0; bits &= bits - 1) {
      fragments.push(32 * word + 31 - Math.clz32(bits & -bits));
      if (fragments.length === 2) return fragments;
    }
  }
  return fragments;
}

/** Solves the parts as linear equations (Gauss-Jordan): the message is there as soon as they determine it. */
export function createFountainReader({ count, size, checksum, data: { length } }: FountainPart): FountainReader {
  const mixing = createMixing(count, checksum);
  const width = Math.ceil(count / 32);
  const seen = new Set<number>();
  const solved = new Map<number, Combination>();
  /** Unsolved combinations, each by a fragment that no other combination holds. */
  const open = new Map<number, Combination>();

  /** Eliminates the fragments that key another combination. */
  const reduced = ({ number, data }: FountainPart): Combination => {
    const combination = new Uint32Array(width + Math.ceil(length / 4));
    new Uint8Array(combination.buffer).set(data, 4 * width);
    const indexes = mixing(number);
    for (const index of indexes) combination[index >>> 5] = (combination[index >>> 5] ?? 0) ^ (1 << (index & 31));
    for (const index of indexes) {
      const other = solved.get(index) ?? open.get(index);
      if (other) addUp(combination, other);
    }
    return combination;
  };
  const keep = (index: number, combination: Combination): void => {
    const isAlone = firstFragments(combination, width).length === 1;
    (isAlone ? solved : open).set(index, combination);
    if (isAlone) open.delete(index);
  };
  const learn = (combination: Combination): void => {
    const [index] = firstFragments(combination, width);
    if (index === undefined) return;
    for (const [at, other] of open) {
      if (!combines(other, index)) continue;
      addUp(other, combination);
      keep(at, other);
    }
    keep(index, combination);
  };
  return {
    add: (part) => {
      const isSame = part.count === count && part.size === size && part.checksum === checksum;
      if (!isSame || part.data.length !== length) return false;
      if (seen.has(part.number) || solved.size === count) return true;
      seen.add(part.number);
      learn(reduced(part));
      return true;
    },
    missing: () => Array.from({ length: count }, (_, i) => i).filter((i) => !solved.has(i)),
    message: () => {
      if (solved.size < count) return undefined;
      const message = new Uint8Array(count * length);
      for (const [i, { buffer }] of solved) message.set(new Uint8Array(buffer, 4 * width, length), i * length);
      const whole = message.slice(0, size);
      return crc32(whole) === checksum ? whole : undefined;
    },
  };
}

export function isPlausible({ number, count, size, data }: FountainPart): boolean {
  if (number < 1 || count < 1 || count > MOST_FRAGMENTS || data.length === 0) return false;
  return size <= count * data.length && size > (count - 1) * data.length;
}
