import { foldPolicy } from './foldPolicy.ts';
import type { HashName, Miniscript } from './fragment.ts';

/** Satisfies a script: a signature, a preimage, or so many of several conditions; nothing if that number is 0. */
export type Condition<K> = (
  | { readonly kind: 'signature'; readonly key: K }
  | { readonly kind: 'preimage'; readonly name: HashName; readonly hash: Uint8Array }
  | { readonly kind: 'some'; readonly required: number; readonly of: readonly Condition<K>[] }
) & {
  /** Signatures of the cheapest and of the dearest way. */
  readonly least: number;
  readonly most: number;
  /** Signatures and preimages that it names. */
  readonly size: number;
};

export interface Holdings<K> {
  readonly isMet: (kind: 'older' | 'after', lock: number) => boolean;
  readonly isSigned: (key: K) => boolean;
  readonly hasPreimage: (name: HashName, hash: Uint8Array) => boolean;
}

/**
 * Returns what a script needs beside what is there, without the ways that a lock closes; `undefined` if these are all.
 */
export const findCondition = <K>(
  root: Miniscript<K>,
  { isMet, isSigned, hasPreimage }: Holdings<K>,
): Condition<K> | undefined =>
  foldPolicy<K, Condition<K> | undefined>(root, {
    key: (key) => signatureUnless(isSigned, key),
    preimage: (name, hash) =>
      hasPreimage(name, hash) ? NOTHING : { kind: 'preimage', name, hash, least: 0, most: 0, size: 1 },
    lock: (kind, lock) => (isMet(kind, lock) ? NOTHING : undefined),
    some,
  });

export function multisigCondition<K>(
  { required, keys }: { readonly required: number; readonly keys: readonly K[] },
  isSigned: Holdings<K>['isSigned'],
): Condition<K> | undefined {
  return some(
    required,
    keys.map((key) => signatureUnless(isSigned, key)),
  );
}

export const isNothing = <K>(condition: Condition<K>): boolean => condition.size === 0;

/** Lists the keys of a condition in the order of the script, with repetitions. A condition can be as deep as its script is long. */
export function conditionKeys<K>(condition: Condition<K>): readonly K[] {
  const keys: K[] = [];
  const pending = [condition];
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (next.kind === 'signature') keys.push(next.key);
    if (next.kind === 'some') for (const one of [...next.of].reverse()) pending.push(one);
  }
  return keys;
}

const NOTHING = { kind: 'some', required: 0, of: [], least: 0, most: 0, size: 0 } as const;

const signatureUnless = <K>(isSigned: Holdings<K>['isSigned'], key: K): Condition<K> =>
  isSigned(key) ? NOTHING : { kind: 'signature', key, least: 1, most: 1, size: 1 };

function some<K>(required: number, conditions: readonly (Condition<K> | undefined)[]): Condition<K> | undefined {
  const possible = conditions.flatMap((condition) => condition ?? []);
  const of = possible.filter((condition) => !isNothing(condition));
  const left = required - (possible.length - of.length);
  if (left <= 0) return NOTHING;
  if (of.length < left) return undefined;
  const [only] = of;
  if (only && of.length === 1) return only;
  const add = (counts: readonly number[]): number => counts.slice(0, left).reduce((total, n) => total + n, 0);
  return {
    kind: 'some',
    required: left,
    of,
    least: add(of.map(({ least }) => least).sort((a, b) => a - b)),
    most: add(of.map(({ most }) => most).sort((a, b) => b - a)),
    size: of.reduce((total, { size }) => total + size, 0),
  };
}
