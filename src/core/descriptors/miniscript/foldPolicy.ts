import type { HashName, Miniscript } from './fragment.ts';
import { fold } from './tree.ts';

/** The caller's meanings of the parts of a policy. One of no parts is never satisfied, and none of them always. */
export interface PolicyMeaning<K, T> {
  readonly key: (key: K) => T;
  readonly preimage: (name: HashName, hash: Uint8Array) => T;
  readonly lock: (kind: 'older' | 'after', lock: number) => T;
  /** So many of the parts. */
  readonly some: (required: number, parts: readonly T[]) => T;
}

/** Reads a script as what spends it: keys, preimages, locks, and so many of several, as rust-miniscript's `lift` does. */
export const foldPolicy = <K, T>(root: Miniscript<K>, { key, preimage, lock, some }: PolicyMeaning<K, T>): T =>
  fold<K, T>(root, ({ fragment }, subs) => {
    switch (fragment.kind) {
      case '0':
        return some(1, []);
      case '1':
        return some(0, []);
      case 'pk_k':
      case 'pk_h':
        return key(fragment.key);
      case 'multi':
      case 'multi_a':
        return some(fragment.required, fragment.keys.map(key));
      case 'older':
      case 'after':
        return lock(fragment.kind, fragment.lock);
      case 'hash':
        return preimage(fragment.name, fragment.hash);
      case 'and_v':
      case 'and_b':
        return some(2, subs);
      case 'or_b':
      case 'or_c':
      case 'or_d':
      case 'or_i':
        return some(1, subs);
      case 'andor':
        return some(1, [some(2, subs.slice(0, 2)), ...subs.slice(2)]);
      case 'thresh':
        return some(fragment.required, subs);
      default:
        return some(1, subs);
    }
  });
