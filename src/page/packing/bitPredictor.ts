// Predicts the bits of a text from those before them, by context mixing: each context that a bit shares with earlier ones
// predicts it, and their predictions are added up with weights. Both are learned, as in logistic regression. A packer and an
// unpacker must compute the same numbers, in any engine, so nothing is used whose last digit is left to engines.
import { createHistories } from './histories.ts';
import { probabilityOf } from './probability.ts';
import { CONTEXTS, createTextContexts, LONGEST } from './textContexts.ts';

/** Learns from the bits of a text, the highest of each byte first. */
export interface BitPredictor {
  /** Returns the probability that the next bit is 1: more than 0, less than 1. */
  readonly predict: () => number;
  /** Learns the next bit, 0 or 1, after `predict`. */
  readonly learn: (bit: number) => void;
}

/** The logits of the contexts, that of a repetition, and 1. */
const INPUTS = CONTEXTS + 2;
const REPETITION = CONTEXTS;

/** Adds up predictions, with weights that it learns. */
interface Mixer {
  readonly inputs: Float64Array;
  /** Returns the sum. `byte`: its bits so far, after a leading 1; `last`: the byte before; `bits`: how many are known. */
  readonly mix: (byte: number, last: number, bits: number) => number;
  readonly adjust: (error: number) => void;
}

const WEIGHT_RATE = 0.003;

/** Makes a mixer. The weight of an input is the sum of two: by the bits so far, and by the last byte and the bit's place. */
function createMixer(): Mixer {
  const inputs = new Float64Array(INPUTS).fill(1);
  const weights = new Float64Array((256 + 256 * 8) * INPUTS).fill(0.15);
  let [bySoFar, byLast] = [0, 0];
  return {
    inputs,
    mix: (byte, last, bits) => {
      bySoFar = byte * INPUTS;
      byLast = (256 + 8 * last + bits) * INPUTS;
      let sum = 0;
      for (let i = 0; i < INPUTS; i += 1) {
        sum += ((weights[bySoFar + i] ?? 0) + (weights[byLast + i] ?? 0)) * (inputs[i] ?? 0);
      }
      return sum;
    },
    adjust: (error) => {
      for (let i = 0; i < INPUTS; i += 1) {
        const step = error * WEIGHT_RATE * (inputs[i] ?? 0);
        weights[bySoFar + i] = (weights[bySoFar + i] ?? 0) + step;
        weights[byLast + i] = (weights[byLast + i] ?? 0) + step;
      }
    },
  };
}

const REPETITION_RATE = 0.05;
/** Bits that were foreseen teach little. They are nearly half of all. */
const LEAST_ERROR = 0.005;

export function createBitPredictor(): BitPredictor {
  const text = createTextContexts();
  const histories = createHistories();
  const { inputs, mix, adjust } = createMixer();
  /** The logits of repetitions by their lengths. */
  const repetitions = Float64Array.from({ length: LONGEST + 1 }, (_, length) => (length > 0 ? 1 + length / 10 : 0));
  /** This byte and this half of it so far, each after a leading 1, and how many bits of it are known. */
  let [byte, half, bits] = [1, 1, 0];
  let [probability, length, repeatedBit] = [0.5, 0, 0];

  /** Predicts that a repetition goes on, unless this byte has ended it. */
  function predictRepetition(): void {
    const expected = text.expected() | 256;
    if (expected >> (8 - bits) !== byte) text.endRepetition();
    length = text.repeated();
    repeatedBit = (expected >> (7 - bits)) & 1;
    const logit = repetitions[length] ?? 0;
    inputs[REPETITION] = repeatedBit === 1 ? logit : -logit;
  }

  function adjustRepetition(bit: number): void {
    const logit = repetitions[length] ?? 0;
    const isRepeated = bit === repeatedBit ? 1 : 0;
    repetitions[length] = logit + (isRepeated - probabilityOf(logit)) * REPETITION_RATE;
  }

  histories.find(text.hashes, byte);
  return {
    predict: () => {
      histories.predict(half, inputs);
      predictRepetition();
      probability = probabilityOf(mix(byte, text.last(), bits));
      return probability;
    },
    learn: (bit) => {
      const error = bit - probability;
      if (error > LEAST_ERROR || error < -LEAST_ERROR) {
        adjust(error);
        histories.adjust(bit);
      }
      histories.append(bit);
      if (length > 0) adjustRepetition(bit);
      byte = (byte << 1) | bit;
      half = (half << 1) | bit;
      bits += 1;
      if (bits === 8) {
        text.add(byte & 255);
        [byte, bits] = [1, 0];
      }
      if (bits % 4 === 0) {
        half = 1;
        histories.find(text.hashes, byte);
      }
    },
  };
}
