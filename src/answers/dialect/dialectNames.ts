import type { GenerationName, IfWithin, Lifetime } from '../../core/generations.ts';

/** Each dialect, with the one whose rules it keeps unless it changes them. */
export const BASES = {
  documented: 'core-31',
  'core-0.21': undefined,
  'litecoin-0.21': 'core-0.21',
  'core-29': 'core-0.21',
  'core-30': 'core-29',
  'core-31': 'core-30',
  'core-32': 'core-31',
} as const;

/** The name of a dialect. */
export type DialectName = keyof typeof BASES;

/** Another name of a dialect: `core` is the newest release. */
export type DialectAlias = keyof typeof DIALECT_ALIASES;

export const DIALECT_ALIASES = { core: 'core-31' } as const satisfies Readonly<Record<string, DialectName>>;

export const canonicalDialect = <T extends string>(name: T): T | DialectName =>
  Object.hasOwn(DIALECT_ALIASES, name) ? DIALECT_ALIASES[name as DialectAlias] : name;

/** The dialects that have a parameter or a member: by default, all. */
export interface DialectTraits extends Lifetime {
  readonly onlyInDialect?: DialectName;
  /** A dialect that has it before `since`. */
  readonly alsoInDialect?: DialectName;
}

type Generation<D extends DialectName> = D extends GenerationName ? D : Exclude<(typeof BASES)[D], undefined>;

/** `V` if the dialect, or one of these dialects, has what has these traits. */
export type IfInDialect<T, D extends DialectName, V> = [DialectName] extends [D]
  ? V
  : D extends unknown
    ? T extends { readonly alsoInDialect: D }
      ? V
      : D extends Only<T>
        ? IfWithin<T, Generation<D>, V>
        : never
    : never;

type Only<T> = T extends { readonly onlyInDialect: infer D } ? D : unknown;

/** Declares which dialects have a method or a parameter. */
export const lasting = <X extends object, const T extends DialectTraits>(declared: X, traits: T): X & T => ({
  ...declared,
  ...traits,
});

/** The traits of what only dialects with PSBTs of version 2 have. */
export const PSBT_2 = { since: 'core-32', alsoInDialect: 'documented' } as const satisfies DialectTraits;
