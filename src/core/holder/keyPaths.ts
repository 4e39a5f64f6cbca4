import { equalBytes } from '../bytes/compare.ts';
import { formatHex } from '../bytes/hex.ts';
import { keyFingerprint } from '../keys/bip32.ts';
import type { KeyOrigin } from '../keys/path.ts';
import { isUnnamed, mayBeginAt } from './claims.ts';
import { type HeldKey, isExtended, type PrivateExtendedKey, SINGLE_KEYS } from './heldKey.ts';

type HeldExtendedKey = Omit<HeldKey, 'key'> & { readonly key: PrivateExtendedKey };

const behind = (path: readonly number[], start: readonly number[]): readonly number[] | undefined =>
  path.length >= start.length && start.every((step, i) => step === path[i]) ? path.slice(start.length) : undefined;

/** Returns the steps below a key at hand that an origin names by fingerprint: of the key, or of its master as it is written. */
export function namedPath({ key, origin: own }: HeldExtendedKey, origin: KeyOrigin): readonly number[] | undefined {
  if (equalBytes(origin.fingerprint, keyFingerprint(key))) return origin.path;
  const isBelow = own !== undefined && !isUnnamed(own) && equalBytes(origin.fingerprint, own.fingerprint);
  return isBelow ? behind(origin.path, own.path) : undefined;
}

/**
 * Lists the steps below a key at hand that may lead to an origin, named or not: from the key itself, from its master, or
 * from a master that the origin does not name, through the key's own step. Only deriving the key proves any.
 */
export function pathsBelow(held: HeldExtendedKey, origin: KeyOrigin): readonly (readonly number[])[] {
  const { key, origin: own } = held;
  const { depth, childNumber } = key;
  const { path } = origin;
  const fromOwn = own && isUnnamed(origin) ? behind(path, own.path) : undefined;
  const fromMaster = depth > 0 && path[depth - 1] === childNumber ? path.slice(depth) : undefined;
  const paths = [
    namedPath(held, origin),
    mayBeginAt(keyFingerprint(key), origin) ? path : undefined,
    fromOwn,
    fromMaster,
  ].flatMap((steps) => (steps ? [steps] : []));
  return [...new Map(paths.map((steps) => [steps.join(), steps])).values()];
}

/** The place of a key below one at hand: from its master if that is known, else from the key at hand. */
export function fullPath(
  { key, origin }: HeldExtendedKey,
  below: readonly number[],
): { readonly path: readonly number[]; readonly isWhole: boolean } {
  if (key.depth === 0) return { path: below, isWhole: true };
  return origin ? { path: [...origin.path, ...below], isWhole: true } : { path: below, isWhole: false };
}

/** Names the seed of a key at hand: keys below one master are of one seed. */
export function seedName(held: HeldKey): string {
  const { origin } = held;
  if (!isExtended(held)) return SINGLE_KEYS;
  return formatHex(origin && !isUnnamed(origin) ? origin.fingerprint : keyFingerprint(held.key));
}
