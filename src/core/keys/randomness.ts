/** Values that should be random, such as the rolls of a die. */
export interface Draws {
  /** From 0 to `base - 1`. */
  readonly values: ArrayLike<number>;
  /** More than 2. */
  readonly base: number;
  /** Names the values in the reason: `rolls`. */
  readonly unit: string;
}

/** Of honest draws, each of the three rules refuses fewer than one in ten million. */
const MOST_REFUSED = Math.log2(1e-7);

/**
 * Says what honest draws practically never show: too many of one value, too few values, or a pattern, where too many values
 * follow by one step from those at some distance before (all periods, counting up or down, both with mistakes).
 * @returns the reason, which shows none of the values; `undefined` for draws that may be random
 */
export function findPattern({ values, base, unit }: Draws): string | undefined {
  const count = values.length;
  const counts = countsOf(count, base, (at) => values[at] ?? 0);
  const most = Math.max(...counts);
  if (oddsOfMost(most, count, base) < MOST_REFUSED) return `${most} of ${count} ${unit} are the same`;
  const kinds = counts.filter((times) => times > 0).length;
  if (oddsOfKinds(kinds, count, base) < MOST_REFUSED)
    return `only ${kinds} of ${base} values occur in ${count} ${unit}`;
  const mostInPattern = MOST_REFUSED - Math.log2(count);
  for (let distance = 1; distance < count; distance += 1) {
    const stepAt = (at: number): number => ((values[at + distance] ?? 0) - (values[at] ?? 0) + base) % base;
    const steps = Math.max(...countsOf(count - distance, base, stepAt));
    if (oddsOfMost(steps, count - distance, base) < mostInPattern) {
      return `${steps} of ${count} ${unit} follow from the one ${distance} before`;
    }
  }
  return undefined;
}

function countsOf(count: number, base: number, valueAt: (at: number) => number): number[] {
  const counts = new Array<number>(base).fill(0);
  for (let at = 0; at < count; at += 1) {
    const value = valueAt(at);
    counts[value] = (counts[value] ?? 0) + 1;
  }
  return counts;
}

/**
 * Bounds the chance that one of the values comes so often, as a logarithm to base 2. A die need not be fair: up to twice its share,
 * no value is too frequent.
 * @see Chernoff's bound of the binomial distribution
 */
function oddsOfMost(most: number, count: number, base: number): number {
  const share = most / count;
  if (!(share * base > 2)) return 0;
  const others = share < 1 ? (1 - share) * Math.log2((1 - share) / (1 - 1 / base)) : 0;
  return Math.log2(base) - count * (share * Math.log2(share * base) + others);
}

/** Bounds the chance that only so many of the values come, as a logarithm to base 2: by the sum over all such choices. */
function oddsOfKinds(kinds: number, count: number, base: number): number {
  let choices = 0;
  for (let i = 0; i < kinds; i += 1) choices += Math.log2((base - i) / (i + 1));
  return choices + count * Math.log2(kinds / base);
}
