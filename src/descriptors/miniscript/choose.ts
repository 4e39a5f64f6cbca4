/** How ways through a script are put together. `impossible` is for where there is none; joined, it stays so. */
export interface Ways<T> {
  readonly nothing: T;
  readonly impossible: T;
  readonly isPossible: (way: T) => boolean;
  readonly join: (a: T, b: T) => T;
  readonly either: (a: T, b: T) => T;
}

/**
 * The best ways to have j of the parts true and the others false, by j, up to as many as can be true. Takes time by
 * the parts, and by the square of those that can be true.
 *
 * - `parts`: in the order in which they are joined
 */
export function choose<T>(parts: readonly { readonly no: T; readonly yes: T }[], ways: Ways<T>): readonly T[] {
  const { nothing, impossible, isPossible, join, either } = ways;
  let best: readonly T[] = [nothing];
  let fixed = nothing; // What has come since, of which there was nothing to choose.
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
