/**
 * The generations of Core, oldest first. Code reads a difference by the name of its rule, in a file named after rules,
 * never by the name of a generation. The rules of dialects are in `answers/dialect`.
 */
export const GENERATIONS = ['core-0.21', 'core-31'] as const;

export type GenerationName = (typeof GENERATIONS)[number];

export type ByGeneration<T> = Readonly<Record<GenerationName, T>>;

/** Completes the rules: what a generation does not state, it keeps from the one before. */
export function byGeneration<T extends object>(
  changes: { readonly 'core-0.21': T } & { readonly [N in GenerationName]?: Partial<T> },
): ByGeneration<T> {
  const rows: Partial<Record<GenerationName, T>> = {};
  let rules = changes['core-0.21'];
  for (const name of GENERATIONS) {
    rules = { ...rules, ...changes[name] };
    rows[name] = rules;
  }
  return rows as ByGeneration<T>;
}

export const isSince = (generation: GenerationName, since: GenerationName): boolean =>
  GENERATIONS.indexOf(generation) >= GENERATIONS.indexOf(since);
