/** A reproducible source of random choices. */
export interface Dice {
  /** Returns an integer from 0, below `limit`. */
  readonly below: (limit: number) => number;
  /** Returns true with this probability. */
  readonly chance: (probability: number) => boolean;
  readonly pick: <T>(choices: readonly T[]) => T;
  /** Returns 1 to `most` of the choices in random order; empty only without choices. */
  readonly some: <T>(choices: readonly T[], most: number) => T[];
  /** Returns one of the choices, by weight. */
  readonly weighed: <T>(choices: readonly (readonly [number, T])[]) => T;
}

/** Creates dice from a 32-bit seed. @see "mulberry32", a generator that is good enough for tests */
export function makeDice(seed: number): Dice {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x6d2b_79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  const pick = <T>(choices: readonly T[]): T => {
    if (choices.length === 0) throw new Error('nothing to choose from');
    return choices[below(choices.length)] as T;
  };
  return {
    below,
    chance: (probability) => next() < probability,
    pick,
    some: (choices, most) => {
      const remaining = [...choices];
      const count = Math.min(remaining.length, 1 + below(most));
      return Array.from({ length: count }, () => remaining.splice(below(remaining.length), 1)).flat();
    },
    weighed: (choices) => {
      let at = next() * choices.reduce((sum, [weight]) => sum + weight, 0);
      const found = choices.find(([weight]) => {
        at -= weight;
        return at < 0;
      });
      return (found ?? pick(choices))[1];
    },
  };
}
