import type { Ecc } from '../../../core/crypto/ecc.ts';
import { createDeriver, type Derived } from '../../../core/descriptors/derive.ts';
import { createKeyDeriver, underivable } from '../../../core/descriptors/deriveKey.ts';
import { keyExpressions, withKeys } from '../../../core/descriptors/keyExpressions.ts';
import type { Descriptor, ExtendedKeyExpression, FixedKey, KeyExpression } from '../../../core/descriptors/types.ts';
import { keyFingerprint } from '../../../core/keys/bip32.ts';
import { HARDENED } from '../../../core/keys/path.ts';
import { hasSecret } from './descriptorKeys.ts';

/** At consecutive indexes. */
export interface HardenedRun {
  /** Text of the normalized descriptor. */
  readonly descriptor: string;
  readonly first: number;
  /** By index, then in the order of the text. */
  readonly publicKeys: readonly (readonly Uint8Array[])[];
}

/**
 * The public keys behind hardened wildcards. Only private keys derive them, so the journal holds them for locked
 * wallets.
 * @see Bitcoin Core `DescriptorCache::m_derived_xpubs`
 */
export interface HardenedKeys {
  /** Adds public keys from the journal; the wallet may get their descriptor later. */
  readonly add: (run: HardenedRun) => void;
  readonly has: (text: string, index: number) => boolean;
  /**
   * Derives the missing keys from `lowest` up to `end`, exclusive. `descriptor` includes private keys.
   * @returns false if private keys are missing, and nothing was derived
   */
  readonly extend: (
    text: string,
    range: { readonly lowest: number; readonly end: number },
    descriptor: () => Descriptor,
  ) => boolean;
  /** Derives without private keys. @throws BtcError `descriptor/underivable` for missing keys */
  readonly deriveAt: (text: string, descriptor: Descriptor, index: number) => Derived;
  /** Returns the keys derived since the last call, for the journal. */
  readonly takeNoted: () => readonly HardenedRun[];
}

type KeysByIndex = Map<number, readonly Uint8Array[]>;

export function createHardenedKeys(ecc: Ecc): HardenedKeys {
  const all = new Map<string, KeysByIndex>();
  let noted: HardenedRun[] = [];

  const add = ({ descriptor, first, publicKeys }: HardenedRun): void => {
    const byIndex: KeysByIndex = all.get(descriptor) ?? new Map();
    for (const [i, keys] of publicKeys.entries()) byIndex.set(first + i, keys);
    all.set(descriptor, byIndex);
  };
  return {
    add,
    has: (text, index) => all.get(text)?.has(index) ?? false,
    extend: (text, range, descriptor) => {
      const missing = missingIn(all.get(text) ?? new Map(), range);
      if (missing.length === 0) return true;
      const keys = hardenedKeysIn(descriptor());
      if (!keys.every(hasSecret)) return false;
      const derivers = keys.map((key) => createKeyDeriver(key, ecc));
      const keysAt = (index: number): readonly Uint8Array[] => {
        const derived = { keys: new Map(), aggregates: new Map(), scripts: [] };
        return derivers.map((derive) => derive(index, derived));
      };
      for (const { from, to } of missing) {
        const publicKeys = Array.from({ length: to - from }, (_, i) => keysAt(from + i));
        const run = { descriptor: text, first: from, publicKeys };
        add(run);
        noted.push(run);
      }
      return true;
    },
    deriveAt: (text, descriptor, index) => {
      const keys = all.get(text)?.get(index);
      if (!keys) throw underivable();
      return createDeriver(withPublicKeys(descriptor, keys, index), ecc)(index);
    },
    takeNoted: () => {
      const taken = noted;
      noted = [];
      return taken;
    },
  };
}

export const hasHardenedWildcard = (descriptor: Descriptor): boolean => hardenedKeysIn(descriptor).length > 0;

const isHardenedKey = (key: KeyExpression): key is ExtendedKeyExpression =>
  key.kind === 'extended' && key.wildcard === 'hardened';

function hardenedKeysIn(descriptor: Descriptor): readonly ExtendedKeyExpression[] {
  const hardenedIn = (key: KeyExpression): readonly ExtendedKeyExpression[] => {
    if (key.kind === 'musig') return key.participants.flatMap(hardenedIn);
    return isHardenedKey(key) ? [key] : [];
  };
  return keyExpressions(descriptor).flatMap(hardenedIn);
}

/** Returns the missing indexes at both ends of a range; there are no gaps between. */
function missingIn(
  byIndex: KeysByIndex,
  { lowest, end }: { readonly lowest: number; readonly end: number },
): readonly { readonly from: number; readonly to: number }[] {
  let from = end;
  while (from > lowest && !byIndex.has(from - 1)) from -= 1;
  let to = lowest;
  while (to < from && !byIndex.has(to)) to += 1;
  return [
    { from: lowest, to },
    { from, to: end },
  ].filter((range) => range.from < range.to);
}

function withPublicKeys(descriptor: Descriptor, publicKeys: readonly Uint8Array[], index: number): Descriptor {
  const remaining = publicKeys.values();
  const replace = (key: KeyExpression): KeyExpression => {
    if (key.kind === 'musig') return { ...key, participants: key.participants.map(replace) };
    if (!isHardenedKey(key)) return key;
    const { value } = remaining.next();
    if (!value) throw underivable();
    return fixedAt(key, value, index);
  };
  return withKeys(descriptor, replace);
}

function fixedAt({ key, origin, path, mark }: ExtendedKeyExpression, publicKey: Uint8Array, index: number): FixedKey {
  const fingerprint = origin?.fingerprint ?? keyFingerprint(key);
  const steps = [...(origin?.path ?? []), ...path.flat(), index + HARDENED];
  return { kind: 'fixed', publicKey, isXOnly: false, mark, origin: { fingerprint, path: steps } };
}
