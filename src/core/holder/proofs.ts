import { bytesKey } from '../bytes/compare.ts';
import { withSecretKey } from '../crypto/concealed.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { hash160 } from '../crypto/hash.ts';
import { unlessRefused } from '../errors.ts';
import { deriveChild, type ExtendedKey } from '../keys/bip32.ts';
import { ACCOUNT_DEPTH, formatOrigin, HARDENED, isHardened, type KeyOrigin } from '../keys/path.ts';
import { type KnownKey, NO_PROVIDER, type SigningProvider } from '../signing/signingProvider.ts';
import { mayLeadToScanKey } from '../silentPayments/keys.ts';
import { type ClaimedKey, namesKey } from './claims.ts';
import { type HeldKey, isExtended, type PrivateExtendedKey, SINGLE_KEYS } from './heldKey.ts';
import { fullPath, namedPath, pathsBelow, seedName } from './keyPaths.ts';

/** A claimed key that a key at hand derives, with its place. */
interface KeyProof {
  readonly publicKey: Uint8Array;
  readonly origin: KeyOrigin;
  readonly seed: string;
  readonly path: readonly number[];
  /** True if the path begins at a master key. */
  readonly isWhole: boolean;
}

/** Tells what keys at hand prove of the claims in a PSBT. */
export interface Prover {
  /**
   * Derives what the claims of maps name, by the position of the map: first the claims that name a key at hand, then the first
   * claim of each map, then the second, so that junk cannot starve others.
   */
  readonly add: (maps: readonly (readonly ClaimedKey[])[]) => void;
  readonly prove: (claim: ClaimedKey) => KeyProof | undefined;
  /** Returns another key than the claimed one, if a key at hand has it at the claimed origin. */
  readonly contradict: (claim: ClaimedKey) => Uint8Array | undefined;
  /** The positions of maps with claims that were not derived since there are too many. */
  readonly cutMaps: () => readonly number[];
  /** Signs with the proven keys. They never prove that a path is one that a restore finds: the PSBT chooses it. */
  readonly provider: () => SigningProvider;
  /**
   * The keys that may give shares of silent payments, which are products with points that a PSBT chooses: those of a scan
   * key would show all payments to its address.
   */
  readonly sharing: () => SigningProvider;
}

/** Steps that may always be derived; a few more for each input and output. Each costs a multiplication. */
const LEAST_STEPS = 200;
export const STEPS_OF_MAP = 3;

/** A key with its secret that a wallet of the holder derives already: its place need not be derived again. */
export interface DerivedPair extends KnownKey {
  readonly origin: KeyOrigin;
}

/** The steps from a key at hand to a chain of a wallet. */
export interface SearchedChain {
  readonly held: HeldKey;
  readonly path: readonly number[];
}

type LeafKey = Pick<ExtendedKey, 'publicKey' | 'secretKey'>;

interface SigningPair {
  readonly pair: KnownKey;
  readonly scans: boolean;
}

export function createProver({
  keys,
  derived,
  searched,
  steps,
  ecc,
}: {
  readonly keys: readonly HeldKey[];
  readonly derived: readonly DerivedPair[];
  /** Chains that were searched at all indexes that are taken from claims: other indexes are too many. */
  readonly searched: readonly SearchedChain[];
  /** Beside those that may always be derived: a number for each map. */
  readonly steps: number;
  readonly ecc: Ecc;
}): Prover {
  const roots = keys.filter(isExtended).map((held) => createRoot(held, { derived, searched, steps, ecc }));
  const singles = new Map(
    keys.flatMap((held) => (isExtended(held) ? [] : [[xName(held.key.publicKey), held] as const])),
  );
  const proofs = new Map<string, KeyProof | undefined>();
  const others = new Map<string, Uint8Array>();
  const cutMaps = new Set<number>();
  const signing: SigningPair[] = [];
  const judge = (claim: ClaimedKey, map: number): void => {
    const name = claimName(claim);
    if (proofs.has(name)) return;
    const single = singles.get(xName(claim.publicKey));
    proofs.set(name, single && singleProof(single, claim.origin));
    for (const root of roots) {
      const { proof, other, isCut } = root(claim);
      if (isCut) cutMaps.add(map);
      if (other) others.set(name, other);
      if (proof) {
        proofs.set(name, proof.key);
        signing.push(...proof.signing);
      }
    }
  };
  return {
    add: (maps) => {
      const turns = maps.flatMap((claims, map) =>
        claims.map((claim, turn) => ({ map, claim, turn, isNamed: keys.some((key) => names(key, claim)) })),
      );
      turns.sort((a, b) => Number(b.isNamed) - Number(a.isNamed) || a.turn - b.turn);
      for (const { claim, map } of turns) judge(claim, map);
    },
    prove: (claim) => proofs.get(claimName(claim)),
    contradict: (claim) => (proofs.get(claimName(claim)) ? undefined : others.get(claimName(claim))),
    cutMaps: () => [...cutMaps].sort((a, b) => a - b),
    provider: () => providerOf(signing.map(({ pair }) => pair)),
    sharing: () => providerOf(signing.flatMap(({ pair, scans }) => (scans ? [] : [pair]))),
  };
}

const names = (held: HeldKey, { origin }: ClaimedKey): boolean =>
  isExtended(held) && namedPath(held, origin) !== undefined;

/** What one extended key at hand says of a claim. */
interface RootVerdict {
  readonly proof?: { readonly key: KeyProof; readonly signing: readonly SigningPair[] };
  /** The key that it has at the claimed origin, if that is another. */
  readonly other?: Uint8Array;
  readonly isCut?: boolean;
}

function createRoot(
  held: HeldKey & { readonly key: PrivateExtendedKey },
  {
    derived,
    searched,
    steps,
    ecc,
  }: {
    readonly derived: readonly DerivedPair[];
    readonly searched: readonly SearchedChain[];
    readonly steps: number;
    readonly ecc: Ecc;
  },
): (claim: ClaimedKey) => RootVerdict {
  const known = new Map(
    derived.flatMap((pair) => {
      const path = namedPath(held, pair.origin);
      return path ? [[path.join('/'), pair] as const] : [];
    }),
  );
  const chains = new Set(searched.flatMap((chain) => (chain.held === held ? [chain.path.join('/')] : [])));
  const derive = createDerive(held.key, { known, chains, steps: LEAST_STEPS + steps, ecc });
  return (claim) => {
    const named = namedPath(held, claim.origin)?.join();
    const tried: { readonly isNamed: boolean; readonly key: ReturnType<typeof derive> }[] = [];
    for (const path of [...pathsBelow(held, claim.origin), ...unmarkedPath(held, claim.origin)]) {
      const key = derive(path);
      if (typeof key === 'object' && namesKey(claim, key.publicKey))
        return { proof: proofOf(held, { key, path, claim }) };
      tried.push({ isNamed: path.join() === named, key });
    }
    const other = tried.find(({ isNamed, key }) => isNamed && typeof key === 'object')?.key;
    return {
      ...(typeof other === 'object' && { other: other.publicKey }),
      // A path that is only guessed from last steps may lie in a chain of another account, where no claim was searched.
      isCut: tried.some(({ isNamed, key }) => key === 'cut' || (key === 'unsearched' && isNamed)),
    };
  };
}

/** Some wallets write the hardened steps of an account without their marks. */
function unmarkedPath(
  held: HeldKey & { readonly key: PrivateExtendedKey },
  origin: KeyOrigin,
): readonly (readonly number[])[] {
  const path = namedPath(held, origin);
  if (!path || held.key.depth > 0 || path.length !== ACCOUNT_DEPTH + 2 || path.some(isHardened)) return [];
  return [path.map((step, i) => (i < ACCOUNT_DEPTH ? step + HARDENED : step))];
}

function proofOf(
  held: HeldKey & { readonly key: PrivateExtendedKey },
  {
    key: { publicKey, secretKey },
    path,
    claim,
  }: { readonly key: LeafKey; readonly path: readonly number[]; readonly claim: ClaimedKey },
): NonNullable<RootVerdict['proof']> {
  const key = { publicKey, origin: claim.origin, seed: seedName(held), ...fullPath(held, path) };
  if (!secretKey) return { key, signing: [] };
  return { key, signing: [{ pair: withSecretKey({ publicKey }, secretKey), scans: mayLeadToScanKey(held.key, path) }] };
}

const claimName = ({ publicKey, origin }: ClaimedKey): string => `${bytesKey(publicKey)} ${formatOrigin(origin)}`;

/** The name of a key of 33 or 65 bytes, or x-only, by its x. */
export const xName = (publicKey: Uint8Array): string =>
  publicKey.length === 32 ? bytesKey(publicKey) : bytesKey(publicKey, 1, 33);

const singleProof = ({ key }: HeldKey, origin: KeyOrigin): KeyProof => ({
  publicKey: key.publicKey,
  origin,
  seed: SINGLE_KEYS,
  path: [],
  isWhole: true,
});

function providerOf(keys: readonly KnownKey[]): SigningProvider {
  const byHash = new Map(keys.map((key) => [bytesKey(hash160(key.publicKey)), key]));
  const byX = new Map(keys.map((key) => [bytesKey(key.publicKey, 1), key]));
  return {
    ...NO_PROVIDER,
    key: (hash) => byHash.get(bytesKey(hash)),
    xOnlyKey: (publicKey) => byX.get(bytesKey(publicKey)),
    publicKey: (hash) => byHash.get(bytesKey(hash))?.publicKey,
  };
}

/** Derives shared steps once, and at most `steps` in all. */
function createDerive(
  root: PrivateExtendedKey,
  {
    known,
    chains,
    steps,
    ecc,
  }: {
    readonly known: ReadonlyMap<string, LeafKey>;
    readonly chains: ReadonlySet<string>;
    readonly steps: number;
    readonly ecc: Ecc;
  },
): (path: readonly number[]) => LeafKey | 'cut' | 'unsearched' | undefined {
  const derived = new Map<string, ExtendedKey | undefined>([['', root]]);
  let budget = steps;
  const derive = (path: readonly number[]): ExtendedKey | 'cut' | undefined => {
    const name = path.join('/');
    if (derived.has(name)) return derived.get(name);
    const parent = derive(path.slice(0, -1));
    if (typeof parent !== 'object') return parent;
    if (budget <= 0) return 'cut';
    budget -= 1;
    const key = unlessRefused(() => deriveChild(parent, path.at(-1) ?? 0, { ecc }));
    derived.set(name, key);
    return key;
  };
  return (path) => {
    const leaf = known.get(path.join('/'));
    if (leaf) return leaf;
    const isSearched = chains.has(path.slice(0, -1).join('/')) && !isHardened(path.at(-1) ?? 0);
    return isSearched ? 'unsearched' : derive(path);
  };
}
