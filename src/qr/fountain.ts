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
  return (number) => {
    if (number <= count) return [number - 1];
    sample ??= degreeSampler(count);
    const random = xoshiro256(bytesOf(number, checksum));
    const degree = sample(random);
    const rest = Array.from({ length: count }, (_, i) => i);
    return Array.from({ length: degree }, () => rest.splice(Math.floor(random() * rest.length), 1)[0] ?? 0);
  };
}

function addTo(sum: Uint8Array, other: Uint8Array): void {
  for (let i = 0; i < sum.length; i += 1) sum[i] = (sum[i] ?? 0) ^ (other[i] ?? 0);
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

interface Mixed {
  readonly indexes: ReadonlySet<number>;
  readonly data: Uint8Array;
}

/** Combined parts that are kept, for each fragment: a scan that needs more has lost nearly all its frames. */
const MIXED_PER_FRAGMENT = 4;

/** Creates a reader of the message that a part belongs to. */
export function createFountainReader({ count, size, checksum, data: { length } }: FountainPart): FountainReader {
  const mixing = mixingOf(count, checksum);
  const fragments = new Map<number, Uint8Array>();
  const seen = new Set<number>();
  let mixed: readonly Mixed[] = [];

  /** Takes the known fragments out of a combination. */
  const reduced = ({ indexes, data }: Mixed): Mixed => {
    const known = [...indexes].filter((i) => fragments.has(i));
    if (known.length === 0) return { indexes, data };
    const rest = data.slice();
    for (const i of known) addTo(rest, fragments.get(i) ?? rest);
    return { indexes: new Set([...indexes].filter((i) => !fragments.has(i))), data: rest };
  };
  const settle = (): void => {
    for (let isMoving = true; isMoving; ) {
      mixed = mixed.map(reduced).filter(({ indexes }) => indexes.size > 0);
      const alone = mixed.filter(({ indexes }) => indexes.size === 1);
      for (const { indexes, data } of alone) for (const i of indexes) fragments.set(i, data);
      isMoving = alone.length > 0;
    }
  };
  return {
    add: (part) => {
      const isSame = part.count === count && part.size === size && part.checksum === checksum;
      if (!isSame || part.data.length !== length) return false;
      if (seen.has(part.number) || fragments.size === count) return true;
      seen.add(part.number);
      const added = reduced({ indexes: new Set(mixing(part.number)), data: part.data });
      if (added.indexes.size > 1 && mixed.length >= MIXED_PER_FRAGMENT * count) return true;
      mixed = [...mixed, added];
      settle();
      return true;
    },
    missing: () => Array.from({ length: count }, (_, i) => i).filter((i) => !fragments.has(i)),
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
