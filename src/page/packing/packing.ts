// Arithmetic coding: a text becomes a number, the shorter the better its bits are predicted.
import { createBitPredictor } from './bitPredictor.ts';

/** The numbers that begin with the bits so far, of which 32 bits are in view. */
interface Interval {
  /** Predicts the next bit, and returns the last number that stands for a 1; those after it stand for a 0. */
  readonly split: () => number;
  /** Keeps the numbers of the next bit, and moves on by each leading byte that all of them share. */
  readonly keep: (bit: number, split: number, onMove: (byte: number) => void) => void;
  readonly high: () => number;
}

function createInterval(): Interval {
  const predictor = createBitPredictor();
  let [low, high] = [0, 0xffffffff];
  return {
    split: () => low + Math.floor((high - low) * predictor.predict()),
    keep: (bit, split, onMove) => {
      if (bit === 1) high = split;
      else low = split + 1;
      predictor.learn(bit);
      while (low >>> 24 === high >>> 24) {
        onMove(low >>> 24);
        low = (low << 8) >>> 0;
        high = ((high << 8) | 255) >>> 0;
      }
    },
    high: () => high,
  };
}

/** Compresses bytes. */
export function pack(bytes: Uint8Array): Uint8Array {
  const { split, keep, high } = createInterval();
  const packed: number[] = [];
  const write = (byte: number): unknown => packed.push(byte);
  for (const byte of bytes) {
    for (let i = 7; i >= 0; i -= 1) keep((byte >> i) & 1, split(), write);
  }
  // This and the zeros that an unpacker reads after it are a number between `low` and `high`.
  write(high() >>> 24);
  return Uint8Array.from(packed);
}

/** Reads the result of `pack`: each call of the function returns the next byte, and after the last one arbitrary bytes. */
export function createUnpacker(packed: Uint8Array): () => number {
  const { split, keep } = createInterval();
  let [view, read] = [0, 0];

  function move(): void {
    view = ((view << 8) | (packed[read] ?? 0)) >>> 0;
    read += 1;
  }

  for (let i = 0; i < 4; i += 1) move();
  return () => {
    let byte = 1;
    while (byte < 256) {
      const last = split();
      const bit = view <= last ? 1 : 0;
      keep(bit, last, move);
      byte = (byte << 1) | bit;
    }
    return byte & 255;
  };
}
