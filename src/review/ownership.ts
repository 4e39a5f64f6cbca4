import { bytesKey } from '../bytes/compare.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { createDeriver, isRanged, singlePaths } from '../descriptors/derive.ts';
import { keyExpressions } from '../descriptors/keyExpressions.ts';
import type { Descriptor, KeyExpression } from '../descriptors/types.ts';
import type { KeyOrigin } from '../keys/origin.ts';
import { HARDENED } from '../keys/path.ts';
import type { Psbt, PsbtInput, PsbtOutput } from '../psbt/format/types.ts';
import { type Observation, when } from './policy.ts';

/** Where in which descriptor a scriptPubKey was found, by deriving it. */
export interface VerifiedOwner {
  /** Which of the descriptors that were given. */
  readonly descriptor: number;
  /** Which of those that a multipath descriptor stands for; 0 for others. */
  readonly position: number;
  /** 0 where there is no wildcard. */
  readonly index: number;
}

/** A key that a PSBT names for an input or output, with where it says that it comes from. Nobody has checked that. */
export interface ClaimedKey {
  /** 33 or 65 bytes, or x-only. */
  readonly publicKey: Uint8Array;
  readonly origin: KeyOrigin;
}

/** The keys that a map names. */
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
/** Where to look for the keys of an input that says nothing. */
const FIRST_INDEXES: readonly number[] = /* @__PURE__ */ Array.from({ length: 100 }, (_, index) => index);

/** The indexes at which the keys of one input or output claim to be. */
const indexesOf = (claims: readonly ClaimedKey[]): ReadonlySet<number> => new Set(claims.map(indexOf));

const indexOf = ({ origin: { path } }: ClaimedKey): number => (path.at(-1) ?? 0) % HARDENED;

/** The steps before the index that keys claim, by index; or that they may be anywhere. */
type Places = ReadonlyMap<number, readonly (readonly number[])[] | 'anywhere'>;

/**
 * Reads where the keys of a PSBT claim to be.
 * @returns the indexes at which keys of a descriptor may be: those that are claimed behind the steps that it ends with,
 * and the first hundred where an input does not claim any
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

/** The steps of a key expression before its wildcard; those of all participants for an aggregate key. */
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
    return `${named} names keys at ${size} indexes, of which ${MAX_INDEXES_OF_MAP} are searched: it may be yours without being shown as yours.`;
  });
}

/** Finds who owns a script. */
export type FindOwner = (scriptPubKey: Uint8Array) => VerifiedOwner | undefined;

/**
 * Derives descriptors at all indexes that a PSBT claims, wherever it claims them: what one input leaves out, another
 * gives away.
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
