import type { Miniscript } from './fragment.ts';
import { fold } from './tree.ts';

export interface SignatureRange {
  readonly least: number;
  readonly most: number;
}

/** Counts only satisfactions whose locks are met. */
export const signatureRange = <K>(
  root: Miniscript<K>,
  isMet: (kind: 'older' | 'after', lock: number) => boolean,
): SignatureRange | undefined =>
  fold<K, SignatureRange | undefined>(root, ({ fragment }, subs) => {
    const [x, y, z] = subs;
    switch (fragment.kind) {
      case '0':
        return undefined;
      case 'pk_k':
      case 'pk_h':
        return { least: 1, most: 1 };
      case 'multi':
      case 'multi_a':
        return { least: fragment.required, most: fragment.required };
      case 'older':
      case 'after':
        return isMet(fragment.kind, fragment.lock) ? NOTHING : undefined;
      case 'and_v':
      case 'and_b':
        return sum(x, y);
      case 'or_b':
      case 'or_c':
      case 'or_d':
      case 'or_i':
        return either(x, y);
      case 'andor':
        return either(sum(x, y), z);
      case 'thresh':
        return some(fragment.required, subs);
      default:
        return 'sub' in fragment ? x : NOTHING;
    }
  });

const NOTHING: SignatureRange = { least: 0, most: 0 };

function sum(a: SignatureRange | undefined, b: SignatureRange | undefined): SignatureRange | undefined {
  return a && b && { least: a.least + b.least, most: a.most + b.most };
}

function either(a: SignatureRange | undefined, b: SignatureRange | undefined): SignatureRange | undefined {
  if (!a || !b) return a ?? b;
  return { least: Math.min(a.least, b.least), most: Math.max(a.most, b.most) };
}

function some(required: number, subs: readonly (SignatureRange | undefined)[]): SignatureRange | undefined {
  const ranges = subs.flatMap((range) => range ?? []);
  if (ranges.length < required) return undefined;
  const add = (counts: readonly number[]): number => counts.slice(0, required).reduce((total, n) => total + n, 0);
  return {
    least: add(ranges.map(({ least }) => least).sort((a, b) => a - b)),
    most: add(ranges.map(({ most }) => most).sort((a, b) => b - a)),
  };
}
