import { probabilityOf } from './probability.ts';
import { CONTEXTS, hash } from './textContexts.ts';

/** Predicts a bit by the bits that followed the same contexts before. */
export interface Histories {
  /** Finds the histories of half of a byte. `before`: the byte so far, after a leading 1. */
  readonly find: (contexts: Int32Array, before: number) => void;
  /** Writes a logit for each context. `before`: the half so far, after a leading 1. */
  readonly predict: (before: number, logits: Float64Array) => void;
  /** Adjusts the logits to the bit that came. */
  readonly adjust: (bit: number) => void;
  /** Appends the bit to the histories of its contexts. */
  readonly append: (bit: number) => void;
}

/** Each context has 2^21 places, of which 16 next to each other, 32 bytes of memory, serve half of a byte. */
const PLACE_BITS = 21;
const PLACE_MASK = ((1 << PLACE_BITS) - 1) & ~15;

/** A history is a 1 and the last 11 bits after it, or fewer. */
const HISTORY_BITS = 12;
const LEADING_BIT = 1 << (HISTORY_BITS - 1);

const RATE = 0.05;

/** Returns the logits of the histories of each context. Before more is learned, the latest bits count most. */
function firstLogits(): Float64Array {
  const logits = new Float64Array(CONTEXTS << HISTORY_BITS);
  for (let i = 0; i < logits.length; i += 1) {
    const history = i & ((1 << HISTORY_BITS) - 1);
    if (history > 1) logits[i] = 0.8 * (logits[i - history + (history >> 1)] ?? 0) + (history & 1 ? 0.3 : -0.3);
  }
  return logits;
}

export function createHistories(): Histories {
  const histories = new Uint16Array(CONTEXTS << PLACE_BITS).fill(1);
  const logits = firstLogits();
  const firstPlaces = new Int32Array(CONTEXTS);
  const places = new Int32Array(CONTEXTS);
  const predicting = new Int32Array(CONTEXTS);
  return {
    find: (contexts, before) => {
      for (let i = 0; i < CONTEXTS; i += 1) {
        firstPlaces[i] = (i << PLACE_BITS) | (hash(contexts[i] ?? 0, before) & PLACE_MASK);
      }
    },
    predict: (before, into) => {
      for (let i = 0; i < CONTEXTS; i += 1) {
        const place = (firstPlaces[i] ?? 0) | before;
        const at = (i << HISTORY_BITS) | (histories[place] ?? 1);
        places[i] = place;
        predicting[i] = at;
        into[i] = logits[at] ?? 0;
      }
    },
    adjust: (bit) => {
      for (let i = 0; i < CONTEXTS; i += 1) {
        const at = predicting[i] ?? 0;
        const logit = logits[at] ?? 0;
        logits[at] = logit + (bit - probabilityOf(logit)) * RATE;
      }
    },
    append: (bit) => {
      for (let i = 0; i < CONTEXTS; i += 1) {
        const place = places[i] ?? 0;
        const history = histories[place] ?? 1;
        const longer = (history << 1) | bit;
        histories[place] = history < LEADING_BIT ? longer : (longer & (LEADING_BIT - 1)) | LEADING_BIT;
      }
    },
  };
}
