import { concatBytes } from '../../../core/bytes/compare.ts';
import type { Ecc } from '../../../core/crypto/ecc.ts';
import { createDeriver, type Derived } from '../../../core/descriptors/derive.ts';
import { createKeyDeriver, underivable } from '../../../core/descriptors/deriveKey.ts';
import { keyExpressions, withKeys } from '../../../core/descriptors/keyExpressions.ts';
import type { Descriptor, ExtendedKeyExpression, FixedKey, KeyExpression } from '../../../core/descriptors/types.ts';
import { keyFingerprint } from '../../../core/keys/bip32.ts';
import { HARDENED } from '../../../core/keys/path.ts';
import { orderKey } from '../../store/orderKey.ts';
import type { RecordCodec, Table } from '../../store/tables.ts';
import { hasSecret } from './descriptorKeys.ts';

/**
 * The public keys behind hardened wildcards, which only private keys derive.
 * @see Bitcoin Core `DescriptorCache::m_derived_xpubs`
 */
export interface HardenedKeys {
  /** `number`: of the descriptor. */
  readonly has: (number: number, index: number) => boolean;
  /**
   * Derives the missing keys from `lowest` up to `end`, exclusive. `descriptor` includes private keys.
   * @returns false if private keys are missing, and nothing was derived
   */
  readonly extend: (
    number: number,
    range: { readonly lowest: number; readonly end: number },
    descriptor: () => Descriptor,
  ) => boolean;
  /** Derives without private keys. @throws BtcError `descriptor/underivable` for missing keys */
  readonly deriveAt: (number: number, descriptor: Descriptor, index: number) => Derived;
}

const KEY_SIZE = 33;

/** The keys in the order of the descriptor's text, one after the other. */
export const publicKeysCodec: RecordCodec<readonly Uint8Array[]> = {
  encode: (keys) => concatBytes(...keys),
  decode: (bytes) =>
    Array.from({ length: bytes.length / KEY_SIZE }, (_, i) => bytes.slice(KEY_SIZE * i, KEY_SIZE * (i + 1))),
};

/** `table`: by the {@link orderKey} of a descriptor's number and that of the index. */
export function createHardenedKeys(table: Table<string, readonly Uint8Array[]>, ecc: Ecc): HardenedKeys {
  const placeKey = (number: number, index: number): string => orderKey(number) + orderKey(index);
  const has: HardenedKeys['has'] = (number, index) => table.has(placeKey(number, index));
  return {
    has,
    extend: (number, range, descriptor) => {
      const missing = missingIn((index) => has(number, index), range);
      if (missing.length === 0) return true;
      const keys = hardenedKeysIn(descriptor());
      if (!keys.every(hasSecret)) return false;
      const derivers = keys.map((key) => createKeyDeriver(key, ecc));
      for (const { from, to } of missing) {
        for (let index = from; index < to; index += 1) {
          const derived = { keys: new Map(), aggregates: new Map(), scripts: [] };
          table.set(
            placeKey(number, index),
            derivers.map((derive) => derive(index, derived)),
          );
        }
      }
      return true;
    },
    deriveAt: (number, descriptor, index) => {
      const keys = table.get(placeKey(number, index));
      if (!keys) throw underivable();
      return createDeriver(withPublicKeys(descriptor, keys, index), { ecc })(index);
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
  has: (index: number) => boolean,
  { lowest, end }: { readonly lowest: number; readonly end: number },
): readonly { readonly from: number; readonly to: number }[] {
  let from = end;
  while (from > lowest && !has(from - 1)) from -= 1;
  let to = lowest;
  while (to < from && !has(to)) to += 1;
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
