import { bytesKey } from '../../../core/bytes/compare.ts';
import { formatHex, parseHex } from '../../../core/bytes/hex.ts';
import type { Ecc } from '../../../core/crypto/ecc.ts';
import { childDeriver, derivePath, type ExtendedKey, masterKey } from '../../../core/keys/bip32.ts';
import { HARDENED } from '../../../core/keys/path.ts';
import { jsonCodec } from '../../store/codecs.ts';
import type { RecordCodec, Table } from '../../store/tables.ts';
import type { Side } from './activeDescriptors.ts';
import { ownSecret, type Vault } from './vault.ts';

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
  readonly counts: Readonly<Record<Side, number>>;
}

/** The place `m/0'/side'/index'` below a seed. */
export interface SeedPlace {
  /** The public key of the seed. */
  readonly seed: Uint8Array;
  readonly side: Side;
  readonly index: number;
}

export const seedCodec: RecordCodec<Seed> = jsonCodec(
  ({ publicKey, fingerprint, ...rest }: Seed) => ({
    publicKey: formatHex(publicKey),
    fingerprint: formatHex(fingerprint),
    ...rest,
  }),
  ({ publicKey, fingerprint, ...rest }) => ({
    publicKey: parseHex(publicKey),
    fingerprint: parseHex(fingerprint),
    ...rest,
  }),
);

export interface HdSeeds {
  readonly add: (terms: SeedTerms) => void;
  readonly find: (publicKey: Uint8Array) => Seed | undefined;
  readonly all: () => Iterable<Seed>;
  readonly setCount: (place: SeedPlace, count: number) => void;
  /** Returns `undefined` while locked. */
  readonly keyAt: (place: SeedPlace) => ExtendedKey | undefined;
  /** Returns `undefined` while locked, or without a scan key. */
  readonly deriveScanKey: (seed: Seed) => Uint8Array | undefined;
  /** Forgets the private key of the last chain. Every call that derives ends with it. */
  readonly forget: () => void;
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

export function createHdSeeds(vault: Vault, seeds: Table<string, Seed>, ecc: Ecc): HdSeeds {
  const find = (publicKey: Uint8Array): Seed | undefined => seeds.get(bytesKey(publicKey));
  return {
    add: (terms) => {
      seeds.set(bytesKey(terms.publicKey), { ...terms, counts: { external: 0, internal: 0 } });
    },
    find,
    all: () => Array.from(seeds.entries(), ([, seed]) => seed),
    setCount: ({ seed, side }, count) => {
      const before = find(seed);
      if (before) seeds.set(bytesKey(seed), { ...before, counts: { ...before.counts, [side]: count } });
    },
    deriveScanKey: ({ publicKey, hasScanKey }) => {
      const secret = hasScanKey || vault.master ? ownSecret(vault, publicKey) : undefined;
      return secret && derivePath(masterKey(secret, { ecc }), SCAN_PATH, { ecc }).secretKey;
    },
    ...createChains(vault, ecc),
  };
}

/** Keeps the last chain: most calls derive many keys of one. */
function createChains(vault: Vault, ecc: Ecc): Pick<HdSeeds, 'keyAt' | 'forget'> {
  let last: { readonly name: string; readonly keyAt: (child: number) => ExtendedKey } | undefined;
  const deriveChain = ({ seed, side }: SeedPlace, secret: Uint8Array): ((child: number) => ExtendedKey) => {
    const name = `${bytesKey(seed)} ${side}`;
    if (last?.name === name) return last.keyAt;
    const derive = childDeriver(derivePath(masterKey(secret, { ecc }), [HARDENED, SIDE_STEPS[side]], { ecc }), ecc);
    last = { name, keyAt: (child) => derive(child).key };
    return last.keyAt;
  };
  return {
    keyAt: (place) => {
      const secret = ownSecret(vault, place.seed);
      return secret && deriveChain(place, secret)(HARDENED + place.index);
    },
    forget: () => {
      last = undefined;
    },
  };
}
