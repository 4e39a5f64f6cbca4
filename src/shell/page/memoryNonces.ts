import type { NonceStore } from '../../core/psbt/roles/musig2Stored.ts';
import { refuse } from './refusals.ts';

/** Keeps the nonces of MuSig2 in memory alone: they are lost with the page. */
export interface MemoryNonces extends NonceStore {
  readonly wipe: () => void;
}

export function createMemoryNonces(random: (size: number) => Uint8Array): MemoryNonces {
  const kept = new Map<string, Uint8Array | 'used'>();
  // Another session is another place, where none of these is opened.
  const place = random(32);
  return {
    put: (name, seal) => {
      if (kept.has(name)) refuse('A nonce of this name was kept before');
      kept.set(name, seal(place));
    },
    has: (name) => kept.get(name) instanceof Uint8Array,
    take: (name) => {
      const sealed = kept.get(name);
      if (!(sealed instanceof Uint8Array)) return sealed ?? 'missing';
      kept.set(name, 'used');
      return { sealed, place };
    },
    wipe: () => {
      for (const sealed of kept.values()) if (sealed instanceof Uint8Array) sealed.fill(0);
      kept.clear();
    },
  };
}
