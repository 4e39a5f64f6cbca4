import { byteName } from '../../bytes/compare.ts';
import type { Ecc } from '../../crypto/ecc.ts';
import { createDeriver, isRanged, singlePaths } from '../../descriptors/derive.ts';
import type { Descriptor } from '../../descriptors/types.ts';
import type { KeyOrigin } from '../../keys/origin.ts';
import { HARDENED } from '../../keys/path.ts';
import type { Psbt, PsbtInput, PsbtOutput } from '../types.ts';
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
const indexesOf = (map: PsbtInput | PsbtOutput): ReadonlySet<number> =>
  new Set(claimedKeys(map).map(({ origin }) => (origin.path.at(-1) ?? 0) % HARDENED));

/** The indexes at which keys of a PSBT claim to be, and the first hundred where an input does not claim any. */
export function claimedIndexes({ inputs, outputs }: Psbt): readonly number[] {
  const isSilent = inputs.some((input) => claimedKeys(input).length === 0);
  const indexes = new Set<number>(isSilent ? FIRST_INDEXES : []);
  for (const map of [...inputs, ...outputs]) {
    for (const index of [...indexesOf(map)].slice(0, MAX_INDEXES_OF_MAP)) indexes.add(index);
    if (indexes.size >= MAX_INDEXES) break;
  }
  return [...indexes];
}

/** Finds an input or output whose keys claim more indexes than are searched. */
export function manyIndexes(
  map: PsbtInput | PsbtOutput,
  named: string,
): readonly Pick<Observation, 'check' | 'text'>[] {
  const { size } = indexesOf(map);
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
  const indexes = claimedIndexes(psbt);
  const chains = descriptors.flatMap((whole, descriptor) =>
    singlePaths(whole).map((single, position) => ({ single, descriptor, position })),
  );
  for (const { single, ...place } of chains) {
    const derive = createDeriver(single, ecc);
    for (const index of isRanged(single) ? indexes : [0]) {
      for (const script of derive(index).scriptPubKeys) {
        const name = byteName(script);
        if (!owners.has(name)) owners.set(name, { ...place, index });
      }
    }
  }
  return (scriptPubKey) => owners.get(byteName(scriptPubKey));
}
