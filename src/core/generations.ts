/**
 * The generations of Core whose answers are known, in their order: Core 0.21 with legacy wallets, and Core 31 with taproot,
 * miniscript, PSBT version 2 and descriptor wallets.
 *
 * Their differences stand in the files named after rules, each beside the code that reads it. Code reads a rule by its name,
 * never the name of the generation. What one dialect does differently from its generation stands in `answers/dialect/dialect.ts`.
 */
export const GENERATIONS = ['core-0.21', 'core-31'] as const;

/** The name of a generation. */
export type GenerationName = (typeof GENERATIONS)[number];

/** The rules of one subject, by generation. */
export type ByGeneration<T> = Readonly<Record<GenerationName, T>>;

/** Completes rules that say what each generation changes: one without an entry, or without a rule in it, keeps the one before. */
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

/** Tells whether a generation has what came with `since`. */
export const isSince = (generation: GenerationName, since: GenerationName): boolean =>
  GENERATIONS.indexOf(generation) >= GENERATIONS.indexOf(since);
