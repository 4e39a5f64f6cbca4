import { bytesKey } from '../bytes/compare.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { createDeriver, isRanged, singlePaths } from '../descriptors/derive.ts';
import { keyExpressions } from '../descriptors/keyExpressions.ts';
import type { Descriptor, KeyExpression } from '../descriptors/types.ts';
import { HARDENED, type KeyOrigin } from '../keys/path.ts';
import type { Psbt, PsbtInput, PsbtOutput } from '../psbt/format/types.ts';
import { type Observation, when } from './policy.ts';

/** The place at which a given descriptor derives a scriptPubKey. */
export interface VerifiedOwner {
  /** Index into the given descriptors. */
  readonly descriptor: number;
  /** Index into the descriptors that a multipath descriptor expands to; 0 for others. */
  readonly position: number;
  /** The derivation index; 0 without a wildcard. */
  readonly index: number;
}

/** A key that a PSBT names for an input or output, with its claimed, unverified origin. */
export interface ClaimedKey {
  /** 33 or 65 bytes, or x-only. */
  readonly publicKey: Uint8Array;
  readonly origin: KeyOrigin;
}

/** Lists the keys that a map names. */
export function claimedKeys({
  bip32Derivations = [],
  tapBip32Derivations = [],
}: PsbtInput | PsbtOutput): readonly ClaimedKey[] {
  return [...bip32Derivations, ...tapBip32Derivations].map(({ pubkey, fingerprint, path }) => ({
    publicKey: pubkey,
    origin: { fingerprint, path },
  }));
}

/** More indexes than an honest PSBT names for one input or output. */
const MAX_INDEXES_OF_MAP = 8;
/** More than the inputs and outputs that fit into a block. */
const MAX_INDEXES = 50_000;
/** The indexes to search for the keys of an input that claims none. */
const FIRST_INDEXES: readonly number[] = /* @__PURE__ */ Array.from({ length: 100 }, (_, index) => index);

/** Returns the indexes that the keys of one input or output claim. */
const indexesOf = (claims: readonly ClaimedKey[]): ReadonlySet<number> => new Set(claims.map(indexOf));

const indexOf = ({ origin: { path } }: ClaimedKey): number => (path.at(-1) ?? 0) % HARDENED;

/** By claimed index, the steps before it, or `anywhere` if any are possible. */
type Places = ReadonlyMap<number, readonly (readonly number[])[] | 'anywhere'>;

/**
 * Collects the indexes that the keys of a PSBT claim.
 * @returns a function of a single-path descriptor, which lists the indexes to derive: those claimed behind the steps
 * with which its key expressions end, and the first hundred if any input claims none
 */
export function claimedIndexes(psbt: Psbt): (single: Descriptor) => readonly number[] {
  const places = placesOf(psbt);
  return (single) => {
    const ends = keyExpressions(single).flatMap(rangedSteps);
    const isHere = (before: readonly number[]): boolean => ends.some((steps) => endsWith(before, steps));
    return [...places].flatMap(([index, claimed]) => (claimed === 'anywhere' || claimed.some(isHere) ? [index] : []));
  };
}

function placesOf({ inputs, outputs }: Psbt): Places {
  const maps = [...inputs, ...outputs].map(claimedKeys);
  const isSilent = maps.slice(0, inputs.length).some(({ length }) => length === 0);
  const places = new Map<number, (readonly number[])[] | 'anywhere'>();
  for (const index of isSilent ? FIRST_INDEXES : []) places.set(index, 'anywhere');
  for (const claims of maps) {
    const indexes = [...indexesOf(claims)].slice(0, MAX_INDEXES_OF_MAP);
    for (const index of indexes) if (!places.has(index)) places.set(index, []);
    if (places.size >= MAX_INDEXES) break;
  }
  for (const claim of maps.flat()) {
    const claimed = places.get(indexOf(claim));
    if (claimed !== undefined && claimed !== 'anywhere') claimed.push(claim.origin.path.slice(0, -1));
  }
  return places;
}

/** Returns the steps of a key expression before its wildcard; for an aggregate key, those of all participants too. */
function rangedSteps(key: KeyExpression): readonly (readonly number[])[] {
  if (key.kind === 'fixed') return [];
  const own = key.wildcard === 'none' ? [] : [key.path.filter((step) => typeof step === 'number')];
  return key.kind === 'musig' ? [...own, ...key.participants.flatMap(rangedSteps)] : own;
}

function endsWith(path: readonly number[], steps: readonly number[]): boolean {
  const start = path.length - steps.length;
  return start >= 0 && steps.every((step, i) => path[start + i] === step);
}

/** Finds an input or output whose keys claim more indexes than are searched. */
export function manyIndexes(
  map: PsbtInput | PsbtOutput,
  named: string,
): readonly Pick<Observation, 'check' | 'text'>[] {
  const { size } = indexesOf(claimedKeys(map));
  return when(size > MAX_INDEXES_OF_MAP, 'indexes-many', () => {
    return `${named} names keys at ${size} indexes, of which the review searches ${MAX_INDEXES_OF_MAP}: it may be yours without being shown as yours.`;
  });
}

/** Finds the descriptor that derives a script. */
export type FindOwner = (scriptPubKey: Uint8Array) => VerifiedOwner | undefined;

/**
 * Derives descriptors at all indexes that a PSBT claims for any input or output: an index that one input omits, another
 * may reveal.
 */
export function createFindOwner(psbt: Psbt, descriptors: readonly Descriptor[], ecc: Ecc): FindOwner {
  const owners = new Map<string, VerifiedOwner>();
  const indexesFor = claimedIndexes(psbt);
  const chains = descriptors.flatMap((whole, descriptor) =>
    singlePaths(whole).map((single, position) => ({ single, descriptor, position })),
  );
  for (const { single, ...place } of chains) {
    const derive = createDeriver(single, ecc);
    for (const index of isRanged(single) ? indexesFor(single) : [0]) {
      for (const script of derive(index).scriptPubKeys) {
        const key = bytesKey(script);
        if (!owners.has(key)) owners.set(key, { ...place, index });
      }
    }
  }
  return (scriptPubKey) => owners.get(bytesKey(scriptPubKey));
}
