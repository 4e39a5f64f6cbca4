/** The operations on ways to satisfy or dissatisfy a script. `impossible` joined with anything stays impossible. */
export interface Ways<T> {
  readonly nothing: T;
  readonly impossible: T;
  readonly isPossible: (way: T) => boolean;
  readonly join: (a: T, b: T) => T;
  readonly either: (a: T, b: T) => T;
}

/**
 * Finds the best way to satisfy exactly j parts and dissatisfy the others, for each j from 0 to the number of parts that
 * can be satisfied. Takes time linear in the parts and quadratic in those that can be satisfied.
 *
 * - `parts`: in the order in which they are joined
 *
 * @returns the best ways, indexed by j
 */
export function choose<T>(parts: readonly { readonly no: T; readonly yes: T }[], ways: Ways<T>): readonly T[] {
  const { nothing, impossible, isPossible, join, either } = ways;
  let best: readonly T[] = [nothing];
  let fixed = nothing; // The parts since the last choice, which can only be dissatisfied.
  for (const { no, yes } of parts) {
    if (!isPossible(yes)) {
      fixed = join(fixed, no);
      continue;
    }
    const before = best.map((way) => join(way, fixed));
    fixed = nothing;
    best = Array.from({ length: before.length + 1 }, (_, count) =>
      either(join(before[count] ?? impossible, no), join(before[count - 1] ?? impossible, yes)),
    );
  }
  return best.map((way) => join(way, fixed));
}
