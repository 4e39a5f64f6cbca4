/**
 * The generations of Core, oldest first. Code reads a difference by the name of its rule, in a file named after rules,
 * never by the name of a generation. The rules of dialects are in `answers/dialect`.
 */
export const GENERATIONS = ['core-0.21', 'core-29', 'core-30', 'core-31', 'core-32'] as const;

/** The rules of the library where it answers as no node. */
export const NEWEST = 'core-32';

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

/** The generations that have something: by default, from the oldest to the newest. */
export interface Lifetime {
  readonly since?: GenerationName;
  readonly until?: GenerationName;
}

type From<L extends readonly unknown[], S> = L extends readonly [infer G, ...infer R]
  ? G extends S
    ? L[number]
    : From<R, S>
  : never;
type UpTo<L extends readonly unknown[], U> = L extends readonly [...infer R, infer G]
  ? G extends U
    ? L[number]
    : UpTo<R, U>
  : never;
type Since = { readonly [G in GenerationName]: From<typeof GENERATIONS, G> };
type Until = { readonly [G in GenerationName]: UpTo<typeof GENERATIONS, G> };

/** `V` if the generation is within the lifetime `T`. */
export type IfWithin<T, G extends GenerationName, V> = G extends (
  T extends { readonly since: infer S extends GenerationName }
    ? Since[S]
    : unknown
)
  ? G extends (T extends { readonly until: infer U extends GenerationName } ? Until[U] : unknown)
    ? V
    : never
  : never;

export function isWithin(generation: GenerationName, { since = generation, until = generation }: Lifetime): boolean {
  const place = GENERATIONS.indexOf(generation);
  return GENERATIONS.indexOf(since) <= place && place <= GENERATIONS.indexOf(until);
}
