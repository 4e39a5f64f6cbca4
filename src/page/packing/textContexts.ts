/** The contexts of a byte: the last one, two and three bytes, the word so far, and the last three marks between words. */
export const CONTEXTS = 5;

/** The length from which on all repetitions count as the same. */
export const LONGEST = 15;

/** Compares the next byte of a text with earlier ones, by what comes before them. */
export interface TextContexts {
  /** A hash of each context. */
  readonly hashes: Int32Array;
  readonly add: (byte: number) => void;
  readonly last: () => number;
  /** The byte that comes next if the text goes on repeating itself. */
  readonly expected: () => number;
  /** For how many bytes it has been repeating itself, up to `LONGEST`. */
  readonly repeated: () => number;
  readonly endRepetition: () => void;
}

export function hash(a: number, b: number): number {
  const product = Math.imul(a ^ Math.imul(b, 0x2c1b3c6d), 0x297a2d39);
  return product ^ (product >>> 15);
}

/** Matches the bytes of names and numbers. */
const isInWord = (byte: number): boolean =>
  (byte > 96 && byte < 123) ||
  (byte > 63 && byte < 91) ||
  (byte > 47 && byte < 58) ||
  byte === 36 ||
  byte === 95 ||
  byte > 127;

/** Repetitions begin at most a megabyte ago. */
const MASK = (1 << 20) - 1;

/** Follows a text. A repetition begins after five bytes that also occur earlier. */
export function createTextContexts(): TextContexts {
  const text = new Uint8Array(MASK + 1);
  /** The place after five bytes, by their hash. */
  const places = new Int32Array(1 << 16);
  const hashes = new Int32Array(CONTEXTS);
  let [size, repeating, repeated] = [0, 0, 0];
  let [lastFour, fifth, word, marks] = [0, 0, 0, 0];

  function repeat(): void {
    const key = hash(lastFour, fifth) >>> 16;
    repeating = repeated > 0 ? repeating + 1 : (places[key] ?? 0);
    if (repeating > 0) repeated += 1;
    places[key] = size;
  }

  return {
    hashes,
    add: (byte) => {
      text[size & MASK] = byte;
      size += 1;
      fifth = lastFour >>> 24;
      lastFour = (lastFour << 8) | byte;
      const isWord = isInWord(byte);
      word = isWord ? hash(word, byte) : 0;
      if (!isWord) marks = ((marks << 8) | byte) & 0xffffff;
      hashes[0] = hash(byte, 1);
      hashes[1] = hash(lastFour & 0xffff, 2);
      hashes[2] = hash(lastFour & 0xffffff, 3);
      hashes[3] = hash(hash(word, byte), 4);
      hashes[4] = hash(marks, 5);
      repeat();
    },
    last: () => lastFour & 255,
    expected: () => text[repeating & MASK] ?? 0,
    repeated: () => (repeated < LONGEST ? repeated : LONGEST),
    endRepetition: () => {
      repeated = 0;
    },
  };
}
