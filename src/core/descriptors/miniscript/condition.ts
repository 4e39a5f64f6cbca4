import type { HashName, Miniscript } from './fragment.ts';
import { fold } from './tree.ts';

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
  fold<K, Condition<K> | undefined>(root, ({ fragment }, subs) => {
    const [x, y, z] = subs;
    switch (fragment.kind) {
      case '0':
        return undefined;
      case 'pk_k':
      case 'pk_h':
        return signatureUnless(isSigned, fragment.key);
      case 'multi':
      case 'multi_a':
        return multisigCondition(fragment, isSigned);
      case 'older':
      case 'after':
        return isMet(fragment.kind, fragment.lock) ? NOTHING : undefined;
      case 'hash': {
        const { name, hash } = fragment;
        return hasPreimage(name, hash) ? NOTHING : { kind: 'preimage', name, hash, least: 0, most: 0, size: 1 };
      }
      case 'and_v':
      case 'and_b':
        return some(2, [x, y]);
      case 'or_b':
      case 'or_c':
      case 'or_d':
      case 'or_i':
        return some(1, [x, y]);
      case 'andor':
        return some(1, [some(2, [x, y]), z]);
      case 'thresh':
        return some(fragment.required, subs);
      default:
        return 'sub' in fragment ? x : NOTHING;
    }
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
