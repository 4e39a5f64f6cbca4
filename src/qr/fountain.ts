import { concatBytes } from '../bytes/compare.ts';
import { crc32 } from './crc32.ts';
import { type Doubles, xoshiro256 } from './xoshiro.ts';

/** One part of a message: a fragment, or several fragments combined by exclusive or. @see BCR-2024-001 */
export interface FountainPart {
  /** From 1. Parts beyond `count` combine fragments. */
  readonly number: number;
  /** The number of fragments. */
  readonly count: number;
  /** The size of the message in bytes; the last fragment is padded with zeros. */
  readonly size: number;
  /** The CRC-32 of the message. */
  readonly checksum: number;
  readonly data: Uint8Array;
}

/** The most fragments of a message that is read: a message of 4 MB in frames of 500 bytes has fewer. */
const MOST_FRAGMENTS = 10_000;

const bytesOf = (...words: readonly number[]): Uint8Array => {
  const bytes = new Uint8Array(4 * words.length);
  const view = new DataView(bytes.buffer);
  for (const [i, word] of words.entries()) view.setUint32(4 * i, word);
  return bytes;
};

/**
 * Makes a sampler of how many fragments a part combines: `n` has a chance in proportion to `1/n`.
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

/** Returns the indexes of the fragments that a part combines. */
type Mixing = (number: number) => readonly number[];

/** Makes the function that says which fragments the parts of a message combine. @see BCR-2024-001 */
function mixingOf(count: number, checksum: number): Mixing {
  let sample: ReturnType<typeof degreeSampler> | undefined;
  const all = Uint16Array.from({ length: count }, (_, i) => i);
  return (number) => {
    if (number <= count) return [number - 1];
    sample ??= degreeSampler(count);
    const random = xoshiro256(bytesOf(number, checksum));
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

/** Divides a message into fragments of at most `most` bytes. @returns a function from the number of a part, from 1 */
export function fountainOf(
  message: Uint8Array,
  most: number,
): { count: number; part: (number: number) => FountainPart } {
  const least = Math.max(1, Math.ceil(message.length / most));
  const size = Math.ceil(message.length / least);
  const count = Math.max(1, Math.ceil(message.length / Math.max(1, size)));
  const padded = concatBytes(message, new Uint8Array(count * size - message.length));
  const checksum = crc32(message);
  const mixing = mixingOf(count, checksum);
  const part = (number: number): FountainPart => {
    const data = new Uint8Array(size);
    for (const i of mixing(number)) addTo(data, padded.subarray(i * size, (i + 1) * size));
    return { number, count, size: message.length, checksum, data };
  };
  return { count, part };
}

/** Collects parts until they give the message. */
export interface FountainReader {
  /** Adds a part. @returns whether it belongs to the message */
  readonly add: (part: FountainPart) => boolean;
  /** Returns the indexes of the fragments that are still unknown. */
  readonly missing: () => readonly number[];
  /** Returns the message once all fragments are known; `undefined` before, and if its checksum does not match. */
  readonly message: () => Uint8Array | undefined;
}

/** A combination of fragments, without those that are known. */
interface Mixed {
  /** How many fragments it combines. */
  left: number;
  /** Their indexes, combined by exclusive or as their bytes are: of a single fragment, its index. */
  index: number;
  readonly data: Uint8Array;
}

/** Combined parts that are kept, for each fragment: a scan that needs more has lost nearly all its frames. */
const MIXED_PER_FRAGMENT = 4;

/** Takes a known fragment out of a combination. */
function takeOut(mixed: Mixed, index: number, data: Uint8Array): void {
  addTo(mixed.data, data);
  mixed.index ^= index;
  mixed.left -= 1;
}

/** Creates a reader of the message that a part belongs to. */
export function createFountainReader({ count, size, checksum, data: { length } }: FountainPart): FountainReader {
  const mixing = mixingOf(count, checksum);
  const fragments = new Map<number, Uint8Array>();
  const seen = new Set<number>();
  const unknown = Array.from({ length: count }, (_, i) => i);
  /** The combinations that each unknown fragment is in. */
  const mixedWith = new Map<number, Mixed[]>();
  let mixedCount = 0;

  /** Returns a combination without the fragments that are known. */
  const reduced = (data: Uint8Array, indexes: readonly number[]): Mixed => {
    const index = indexes.reduce((combined, each) => combined ^ each, 0);
    const mixed = { left: indexes.length, index, data: data.slice() };
    for (const each of indexes) {
      const known = fragments.get(each);
      if (known) takeOut(mixed, each, known);
    }
    return mixed;
  };
  /** Keeps a fragment and takes it out of all combinations. @returns those that this leaves with one fragment */
  const settle = ({ index, data }: Mixed): readonly Mixed[] => {
    if (fragments.has(index)) return [];
    fragments.set(index, data);
    unknown.splice(unknown.indexOf(index), 1);
    const held = (mixedWith.get(index) ?? []).filter(({ left }) => left > 1);
    mixedWith.delete(index);
    for (const mixed of held) takeOut(mixed, index, data);
    const alone = held.filter(({ left }) => left === 1);
    mixedCount -= alone.length;
    return alone;
  };
  /** Keeps a fragment, and each that this makes known. */
  const learn = (first: Mixed): void => {
    const alone = [first];
    for (let next = alone.pop(); next; next = alone.pop()) alone.push(...settle(next));
  };
  const keep = (mixed: Mixed, indexes: readonly number[]): void => {
    mixedCount += 1;
    for (const index of indexes) {
      if (fragments.has(index)) continue;
      const others = mixedWith.get(index);
      if (others) others.push(mixed);
      else mixedWith.set(index, [mixed]);
    }
  };
  return {
    add: (part) => {
      const isSame = part.count === count && part.size === size && part.checksum === checksum;
      if (!isSame || part.data.length !== length) return false;
      if (seen.has(part.number) || fragments.size === count) return true;
      seen.add(part.number);
      const indexes = mixing(part.number);
      const mixed = reduced(part.data, indexes);
      if (mixed.left === 1) learn(mixed);
      else if (mixed.left > 1 && mixedCount < MIXED_PER_FRAGMENT * count) keep(mixed, indexes);
      return true;
    },
    missing: () => unknown.slice(),
    message: () => {
      if (fragments.size < count) return undefined;
      const all = Array.from({ length: count }, (_, i) => fragments.get(i) ?? new Uint8Array(0));
      const message = concatBytes(...all).slice(0, size);
      return crc32(message) === checksum ? message : undefined;
    },
  };
}

/** Tells whether the numbers of a part agree with each other. */
export function isPlausible({ number, count, size, data }: FountainPart): boolean {
  if (number < 1 || count < 1 || count > MOST_FRAGMENTS || data.length === 0) return false;
  return size <= count * data.length && size > (count - 1) * data.length;
}
