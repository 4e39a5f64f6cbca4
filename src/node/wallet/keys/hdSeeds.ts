import { bytesKey, equalBytes } from '../../../core/bytes/compare.ts';
import { formatHex } from '../../../core/bytes/hex.ts';
import type { Ecc } from '../../../core/crypto/ecc.ts';
import { childDeriver, derivePath, type ExtendedKey, masterKey } from '../../../core/keys/bip32.ts';
import { HARDENED } from '../../../core/keys/path.ts';
import { SIDES, type Side } from './activeDescriptors.ts';
import type { Derivations, ScriptsAt } from './derivations.ts';
import { findSecret, type Vault } from './vault.ts';

export interface SeedKeys {
  readonly side: Side;
  readonly first: number;
  readonly publicKeys: readonly Uint8Array[];
}

/** Public keys that a locked wallet could not derive. */
export interface NotedKeys extends SeedKeys {
  /** The public key of the seed. */
  readonly seed: Uint8Array;
}

/** A seed of a 0.21 wallet. The vault keeps it as a private key. */
export interface SeedTerms {
  readonly publicKey: Uint8Array;
  /** Of the BIP32 master key. */
  readonly fingerprint: Uint8Array;
  /** True if the wallet has the key that finds payments in Litecoin's extension block. */
  readonly hasScanKey: boolean;
}

export interface Seed extends SeedTerms {
  /** Indexes whose keys the wallet has. @see Bitcoin Core 0.21 `CHDChain::nExternalChainCounter` */
  readonly counts: Record<Side, number>;
}

/** The place `m/0'/side'/index'` below a seed. */
export interface SeedPlace {
  readonly seed: Seed;
  readonly side: Side;
  readonly index: number;
}

export interface HdSeeds {
  readonly add: (terms: SeedTerms, keys: readonly SeedKeys[]) => Seed;
  /** Adds public keys from the journal for a locked wallet; their seed may come later. */
  readonly addKeys: (noted: NotedKeys) => void;
  /** Returns `undefined` if the wallet is locked and the journal lacks the key. */
  readonly publicKeyAt: (place: SeedPlace) => Uint8Array | undefined;
  /** Returns `undefined` while locked. */
  readonly secretKeyAt: (place: SeedPlace) => Uint8Array | undefined;
  /** Returns `undefined` while locked, or without a scan key. */
  readonly deriveScanKey: (seed: Seed) => Uint8Array | undefined;
  /** Forgets the private key of the last chain. Every call that derives ends with it. */
  readonly forget: () => void;
  readonly allKeys: () => readonly NotedKeys[];
  /** Returns the public keys that an encrypted wallet derived since the last call. */
  readonly takeNoted: () => readonly NotedKeys[];
}

interface SeedParts {
  readonly ecc: Ecc;
  readonly derivations: Derivations;
}

/** @see Bitcoin Core 0.21 `DeriveNewChildKey` */
const SIDE_STEPS: Readonly<Record<Side, number>> = { external: HARDENED, internal: HARDENED + 1 };
/** @see Litecoin Core `LegacyScriptPubKeyMan::LoadMWEBKeychain` */
const SCAN_PATH: readonly number[] = [HARDENED, HARDENED + 100, HARDENED];

export const seedPath = ({ side, index }: SeedPlace): readonly number[] => [
  HARDENED,
  SIDE_STEPS[side],
  HARDENED + index,
];

/** `keys` may exceed the counts. */
interface KnownSeed extends Seed {
  readonly keys: Readonly<Record<Side, Uint8Array[]>>;
  readonly keysAt: Readonly<Record<Side, ScriptsAt>>;
}

export function createHdSeeds(vault: Vault, { ecc, derivations }: SeedParts): HdSeeds {
  const seeds = new Map<string, KnownSeed>();
  let early: readonly NotedKeys[] = [];
  const noted = createNotes();
  const chains = createChains(vault, ecc);
  const findSeed = ({ publicKey }: Seed): KnownSeed | undefined => seeds.get(bytesKey(publicKey));
  const derive = (place: SeedPlace, { keysAt }: KnownSeed): Uint8Array | undefined => {
    if (!vault.master) return keysAt[place.side](place.index)[0];
    const publicKey = chains.keyAt(place)?.publicKey;
    if (publicKey) noted.add(place, publicKey);
    return publicKey;
  };
  return {
    add: (terms, keys) => {
      const seed: KnownSeed = {
        ...terms,
        counts: { external: 0, internal: 0 },
        keys: { external: [], internal: [] },
        keysAt: cachedChains(terms, derivations, (place) => chains.keyAt(place)?.publicKey),
      };
      seeds.set(bytesKey(terms.publicKey), seed);
      const noted = early.filter((each) => equalBytes(each.seed, terms.publicKey));
      early = early.filter((each) => !noted.includes(each));
      for (const each of [...keys, ...noted]) keep(seed, each);
      return seed;
    },
    addKeys: (run) => {
      const seed = seeds.get(bytesKey(run.seed));
      if (seed) keep(seed, run);
      else early = [...early, run];
    },
    publicKeyAt: (place) => {
      const seed = findSeed(place.seed);
      const at = seed?.keys[place.side];
      if (!seed || !at) return undefined;
      const publicKey = at[place.index] ?? (findSecret(vault, seed.publicKey) && derive(place, seed));
      if (publicKey) at[place.index] = publicKey;
      return publicKey;
    },
    secretKeyAt: (place) => chains.keyAt(place)?.secretKey,
    deriveScanKey: ({ publicKey, hasScanKey }) => {
      const secret = hasScanKey || vault.master ? findSecret(vault, publicKey) : undefined;
      return secret && derivePath(masterKey(secret, ecc), SCAN_PATH, ecc).secretKey;
    },
    forget: chains.forget,
    allKeys: () =>
      [...seeds.values()].flatMap(({ publicKey: seed, keys, counts }) =>
        SIDES.map((side) => ({ seed, side, first: 0, publicKeys: keys[side].slice(0, counts[side]) })),
      ),
    takeNoted: noted.take,
  };
}

function keep({ keys }: KnownSeed, { side, first, publicKeys }: SeedKeys): void {
  for (const [i, publicKey] of publicKeys.entries()) keys[side][first + i] = publicKey;
}

/** Caches the public keys of a seed that is not encrypted. */
function cachedChains(
  terms: SeedTerms,
  { cacheScripts }: Derivations,
  derive: (place: SeedPlace) => Uint8Array | undefined,
): KnownSeed['keysAt'] {
  const seed = { ...terms, counts: { external: 0, internal: 0 } };
  const cached = (side: Side): ScriptsAt =>
    cacheScripts(`seed(${formatHex(terms.publicKey)})/${side}`, (index) => {
      const publicKey = derive({ seed, side, index });
      return publicKey ? [publicKey] : [];
    });
  return { external: cached('external'), internal: cached('internal') };
}

interface Notes {
  readonly add: (place: SeedPlace, publicKey: Uint8Array) => void;
  readonly take: () => readonly NotedKeys[];
}

function createNotes(): Notes {
  let runs: (NotedKeys & { readonly publicKeys: Uint8Array[] })[] = [];
  return {
    add: ({ seed, side, index }, publicKey) => {
      const last = runs.at(-1);
      const continues = last?.seed === seed.publicKey && last.side === side;
      if (continues && last.first + last.publicKeys.length === index) last.publicKeys.push(publicKey);
      else runs.push({ seed: seed.publicKey, side, first: index, publicKeys: [publicKey] });
    },
    take: () => {
      const taken = runs;
      runs = [];
      return taken;
    },
  };
}

interface Chains {
  readonly keyAt: (place: SeedPlace) => ExtendedKey | undefined;
  readonly forget: () => void;
}

/** Keeps the last chain: most calls derive many keys of one. */
function createChains(vault: Vault, ecc: Ecc): Chains {
  let last: { readonly name: string; readonly keyAt: (child: number) => ExtendedKey } | undefined;
  const deriveChain = ({ seed, side }: SeedPlace, secret: Uint8Array): ((child: number) => ExtendedKey) => {
    const name = `${bytesKey(seed.publicKey)} ${side}`;
    if (last?.name === name) return last.keyAt;
    const derive = childDeriver(derivePath(masterKey(secret, ecc), [HARDENED, SIDE_STEPS[side]], ecc), ecc);
    last = { name, keyAt: (child) => derive(child).key };
    return last.keyAt;
  };
  return {
    keyAt: (place) => {
      const secret = findSecret(vault, place.seed.publicKey);
      return secret && deriveChain(place, secret)(HARDENED + place.index);
    },
    forget: () => {
      last = undefined;
    },
  };
}
