import { equalBytes } from '../bytes/compare.ts';
import { isZero } from '../crypto/scalar.ts';
import { isRanged } from '../descriptors/derive.ts';
import { keyExpressions, withKeys } from '../descriptors/keyExpressions.ts';
import type { Descriptor, KeyExpression } from '../descriptors/types.ts';
import { keyFingerprint } from '../keys/bip32.ts';
import { HARDENED, isHardened, type KeyOrigin } from '../keys/path.ts';
import type { Psbt, PsbtInput, PsbtOutput } from '../psbt/format/types.ts';

/** A key that a PSBT names for an input or output; its origin is unverified. */
export interface ClaimedKey {
  /** 33 or 65 bytes, or x-only. */
  readonly publicKey: Uint8Array;
  readonly origin: KeyOrigin;
}

export function claimedKeys({
  bip32Derivations = [],
  tapBip32Derivations = [],
  spSpendBip32Derivations = [],
}: PsbtInput & PsbtOutput): readonly ClaimedKey[] {
  const spendKeys = spSpendBip32Derivations.map(({ spendKey, ...origin }) => ({ pubkey: spendKey, ...origin }));
  return [...bip32Derivations, ...tapBip32Derivations, ...spendKeys].map(({ pubkey, fingerprint, path }) => ({
    publicKey: pubkey,
    origin: { fingerprint, path },
  }));
}

/** Tells whether a claim names a key of 33 or 65 bytes; the claimed one may be x-only. */
export const namesKey = ({ publicKey: claimed }: Pick<ClaimedKey, 'publicKey'>, publicKey: Uint8Array): boolean =>
  equalBytes(claimed, claimed.length === 32 ? publicKey.subarray(1, 33) : publicKey);

/** Returns the last step of a claimed path, hardened or not. */
export const claimedIndex = ({ origin: { path } }: ClaimedKey): number => (path.at(-1) ?? 0) % HARDENED;

/** More than an honest PSBT names. */
export const MAX_INDEXES_OF_MAP = 8;
/** Claims searched beside one for each input and output. */
const SPARE_CLAIMS = 200;
/** Descriptors of which one claim can be true, as of several kinds of scripts of a key without an origin. */
const ALIKE_CHAINS = 8;
/** Indexes of descriptors searched beside those. */
const SPARE_CHAINS = 20_000;

export interface ClaimedPlaces {
  /** For each single-path descriptor; 0 without a wildcard. */
  readonly indexes: readonly (readonly number[])[];
  /** Inputs, then outputs, with claims left out because all maps together have too many. */
  readonly cutMaps: readonly number[];
}

/**
 * Chooses the indexes at which to derive descriptors: those of claims that can be true. The PSBT's size bounds the work, however
 * many descriptors there are: one claim of each input and output is searched in a few of them, and a fixed number of others.
 */
export function claimedPlaces({ inputs, outputs }: Psbt, singles: readonly Descriptor[]): ClaimedPlaces {
  const maps = [...inputs, ...outputs].map(claimedKeys);
  const chains = singles.map((single) => ({
    keys: rangedKeysIn(single),
    indexes: new Set(isRanged(single) ? [] : [0]),
  }));
  const missing = (claim: ClaimedKey): readonly Set<number>[] =>
    chains.flatMap(({ keys, indexes }) =>
      !indexes.has(claimedIndex(claim)) && keys.some((key) => canBeAt(key, claim.origin)) ? [indexes] : [],
    );
  const turns = maps.flatMap((claimed, map) =>
    firstIndexes(claimed)
      .filter((claim) => missing(claim).length > 0)
      .map((claim, turn) => ({ map, claim, turn })),
  );
  const cutMaps = new Set<number>();
  let claims = maps.length + SPARE_CLAIMS;
  let places = ALIKE_CHAINS * maps.length + SPARE_CHAINS;
  for (const { map, claim } of turns.sort((a, b) => a.turn - b.turn)) {
    const lacking = missing(claim);
    if (lacking.length === 0) continue;
    if (claims > 0 && lacking.length <= places) {
      for (const indexes of lacking) indexes.add(claimedIndex(claim));
      places -= lacking.length;
    } else cutMaps.add(map);
    claims -= 1;
  }
  return { indexes: chains.map(({ indexes }) => [...indexes]), cutMaps: [...cutMaps].sort((a, b) => a - b) };
}

function firstIndexes(claims: readonly ClaimedKey[]): readonly ClaimedKey[] {
  const searched = new Set([...new Set(claims.map(claimedIndex))].slice(0, MAX_INDEXES_OF_MAP));
  return claims.filter((claim) => searched.has(claimedIndex(claim)));
}

/** A key whose last step is a wildcard. */
export interface RangedKey {
  /** From the written key to the wildcard. */
  readonly steps: readonly number[];
  /** `fingerprint` is that of the key itself. */
  readonly written?: { readonly origin: KeyOrigin; readonly fingerprint: Uint8Array };
}

export const rangedKeysIn = (single: Descriptor): readonly RangedKey[] => keyExpressions(single).flatMap(rangedKeys);

/** Includes the participants of an aggregate. */
function rangedKeys(key: KeyExpression): readonly RangedKey[] {
  if (key.kind === 'fixed') return [];
  const participants = key.kind === 'musig' ? key.participants.flatMap(rangedKeys) : [];
  if (key.wildcard === 'none') return participants;
  const steps = key.path.filter((step) => typeof step === 'number');
  const origin = key.kind === 'extended' ? key.origin : undefined;
  if (key.kind === 'musig' || !origin) return [{ steps }, ...participants];
  return [{ steps, written: { origin, fingerprint: keyFingerprint(key.key) } }];
}

/**
 * Tells whether a claimed origin can be that of a key. A written origin must match in its whole path, but not in its
 * fingerprint, which some wallets leave zero. Wallets that know only the key begin the path at it, under its
 * fingerprint or zero, and after any hardened steps, which they cannot derive.
 */
function canBeAt({ steps, written }: RangedKey, claimed: KeyOrigin): boolean {
  const { path } = claimed;
  const parents = path.slice(0, -1);
  const watched = steps.slice(steps.map(isHardened).lastIndexOf(true) + 1);
  if (path.length > 0 && watched.length < steps.length && isSamePath(parents, watched)) return true;
  const above = parents.length - steps.length;
  if (path.length === 0 || above < 0 || !isSamePath(parents.slice(above), steps)) return false;
  if (!written) return true;
  const { origin } = written;
  if (above === 0 && mayBeginAt(written.fingerprint, claimed)) return true;
  return isSamePath(parents.slice(0, above), origin.path);
}

export interface OtherChain {
  readonly chain: number;
  /** False if only the key itself can tell whose it is. */
  readonly isNamed: boolean;
}

/** Finds the chain that a claim names, if the claim is that of a key but for this step. */
export function findOtherChain(ranged: readonly RangedKey[], { origin }: ClaimedKey): OtherChain | undefined {
  const [chain = HARDENED, index = HARDENED] = origin.path.slice(-2);
  if (isHardened(chain) || isHardened(index)) return undefined;
  const keys = ranged.filter(
    (key) => key.steps.length > 0 && key.steps.at(-1) !== chain && canBeAt(onChain(key, chain), origin),
  );
  return keys.length > 0 ? { chain, isNamed: keys.some((key) => isNamedBy(key, origin)) } : undefined;
}

/** Puts another chain in the place of the descriptor's own. */
export const withChain = (single: Descriptor, chain: number): Descriptor =>
  withKeys(single, (key) =>
    key.kind === 'fixed' || key.wildcard === 'none' ? key : { ...key, path: [...key.path.slice(0, -1), chain] },
  );

const onChain = (key: RangedKey, chain: number): RangedKey => ({ ...key, steps: [...key.steps.slice(0, -1), chain] });

const isNamedBy = ({ written }: RangedKey, { fingerprint }: KeyOrigin): boolean =>
  written !== undefined &&
  [written.origin.fingerprint, written.fingerprint].some((one) => equalBytes(one, fingerprint));

/** Tells whether a claim is below a key, by its name, but at a place that the key cannot have on any chain. */
export const isBesideKeys = (ranged: readonly RangedKey[], { origin }: ClaimedKey): boolean =>
  ranged.some((key) => {
    const above = key.written?.origin.path ?? [];
    const isBelow = isNamedBy(key, origin) && isSamePath(origin.path.slice(0, above.length), above);
    const [chain = HARDENED, index = HARDENED] = origin.path.slice(-2);
    const canBe = canBeAt(key, origin) || (key.steps.length > 0 && canBeAt(onChain(key, chain), origin));
    return isBelow && origin.path.length > above.length && (!canBe || isHardened(chain) || isHardened(index));
  });

const isSamePath = (a: KeyOrigin['path'], b: KeyOrigin['path']): boolean =>
  a.length === b.length && a.every((step, i) => step === b[i]);

/** Watching wallets write zeros for an unknown origin. */
export const isUnnamed = ({ fingerprint }: KeyOrigin): boolean => isZero(fingerprint);

/** Only deriving the key proves that the path begins at it. */
export const mayBeginAt = (fingerprint: Uint8Array, claimed: KeyOrigin): boolean =>
  isUnnamed(claimed) || equalBytes(claimed.fingerprint, fingerprint);
