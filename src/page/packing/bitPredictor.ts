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

/** Three weights of each input are added: by the byte so far, by the length of the repetition, and by the last byte. */
const BY_LENGTH = 256;
const BY_LAST = BY_LENGTH + LONGEST + 1;
const CHOICES = BY_LAST + 8 * 256;

const WEIGHT_RATE = 0.002;
const REPETITION_RATE = 0.05;

export function createBitPredictor(): BitPredictor {
  const text = createTextContexts();
  const histories = createHistories();
  const repetitions = Float64Array.from({ length: LONGEST + 1 }, (_, length) => (length > 0 ? 1 + length / 10 : 0));
  const inputs = new Float64Array(INPUTS).fill(1);
  const weights = new Float64Array(CHOICES * INPUTS).fill(0.1);
  /** The byte and its half so far, each after a leading 1. */
  let [byte, half, bits] = [1, 1, 0];
  let [bySoFar, byLength, byLast] = [0, 0, 0];
  let [probability, length, repeatedBit] = [0.5, 0, 0];

  /** Predicts the bit of a repetition, or notices that it has ended. */
  function predictRepetition(): void {
    length = text.repeated();
    if (length === 0) return;
    const expected = text.expected() | 256;
    if (expected >> (8 - bits) === byte) {
      repeatedBit = (expected >> (7 - bits)) & 1;
    } else {
      text.endRepetition();
      length = 0;
    }
  }

  function learnRepetition(bit: number): void {
    const logit = repetitions[length] ?? 0;
    const isRepeated = bit === repeatedBit ? 1 : 0;
    repetitions[length] = logit + (isRepeated - probabilityOf(logit)) * REPETITION_RATE;
  }

  histories.find(text.hashes, byte);
  return {
    predict: () => {
      histories.predict(half, inputs);
      predictRepetition();
      const logit = repetitions[length] ?? 0;
      inputs[REPETITION] = repeatedBit === 1 ? logit : -logit;
      bySoFar = byte * INPUTS;
      byLength = (BY_LENGTH + length) * INPUTS;
      byLast = (BY_LAST + 8 * text.last() + bits) * INPUTS;
      let sum = 0;
      for (let i = 0; i < INPUTS; i += 1) {
        const weight = (weights[bySoFar + i] ?? 0) + (weights[byLength + i] ?? 0) + (weights[byLast + i] ?? 0);
        sum += weight * (inputs[i] ?? 0);
      }
      probability = probabilityOf(sum);
      return probability;
    },
    learn: (bit) => {
      const change = (bit - probability) * WEIGHT_RATE;
      for (let i = 0; i < INPUTS; i += 1) {
        const step = change * (inputs[i] ?? 0);
        weights[bySoFar + i] = (weights[bySoFar + i] ?? 0) + step;
        weights[byLength + i] = (weights[byLength + i] ?? 0) + step;
        weights[byLast + i] = (weights[byLast + i] ?? 0) + step;
      }
      histories.learn(bit);
      if (length > 0) learnRepetition(bit);
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
