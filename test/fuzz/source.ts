/** Random choices of one case. The same seed, name and number give the same choices. */
export interface Source {
  /** Returns a whole number from 0 to below `below`. */
  readonly next: (below: number) => number;
  /** Is true once in `times`. */
  readonly once: (times: number) => boolean;
  readonly pick: <T>(items: readonly T[]) => T;
  readonly bytes: (size: number) => Uint8Array;
}

/** A source that one object reuses for all cases, since making one for each would take longer than most cases. */
export interface SeededSource extends Source {
  /** Starts the choices of case number `index`. */
  readonly begin: (index: number) => void;
}

const MIX = 0x9e37_79b9;

/** Hashes the name of a stream of cases to 32 bits. */
function hashName(name: string): number {
  let hash = 0x811c_9dc5;
  for (let i = 0; i < name.length; i += 1) hash = Math.imul(hash ^ name.charCodeAt(i), 0x0100_0193);
  return hash >>> 0;
}

/** Creates the source of a stream of cases: the generator sfc32, begun anew for each case. */
export function createSource(seed: number, name: string): SeededSource {
  const stream = hashName(name);
  let [a, b, c, counter] = [0, 0, 0, 0];
  const word = (): number => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return sum >>> 0;
  };
  const next = (below: number): number => Math.floor((word() / 0x1_0000_0000) * below);
  return {
    begin: (index) => {
      [a, b, c, counter] = [seed | 0, stream | 0, Math.imul(index + 1, MIX), index | 0];
      for (let i = 0; i < 12; i += 1) word();
    },
    next,
    once: (times) => next(times) === 0,
    pick: <T>(items: readonly T[]): T => {
      const item = items[next(items.length)];
      if (item === undefined) throw new Error('There is nothing to choose from');
      return item;
    },
    bytes: (size) => {
      const bytes = new Uint8Array(size);
      for (let i = 0; i < size; i += 1) bytes[i] = word() >>> 24;
      return bytes;
    },
  };
}
