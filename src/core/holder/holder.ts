import { assertKnownOptions, type OptionNames } from '../bytes/knownOptions.ts';
import type { Ecc } from '../crypto/ecc.ts';
import type { SingleKey } from '../descriptors/joinPaths.ts';
import type { Descriptor } from '../descriptors/types.ts';
import { unlessRefused } from '../errors.ts';
import { derivePath, keyFingerprint } from '../keys/bip32.ts';
import type { KeyOrigin } from '../keys/path.ts';
import type { Network } from '../network/networks.ts';
import { assertHolderParts } from './assertParts.ts';
import { type HeldKey, heldKeyName, isExtended, isSameExtendedKey, isSamePoint } from './heldKey.ts';
import { createHeldWallets, type FindRoots, type HeldWallet, type OfferedWallet } from './heldWallets.ts';
import { namedPath, pathsBelow } from './keyPaths.ts';
import { type SilentWallet, silentWalletsOf } from './silentWallets.ts';

/**
 * Whose PSBTs are reviewed: the only place that says what is the signer's. There are two roots of trust: private keys that
 * the person gave as keys, and wallets that such a key registered. Without any key, wallets are taken for the signer's
 * because they are listed, and every text says that this is not proven.
 */
export interface Holder {
  readonly network: Network;
  readonly ecc: Ecc;
  readonly keys: readonly HeldKey[];
  readonly wallets: readonly HeldWallet[];
  /** As they were offered, with any private keys, which sign. */
  readonly written: readonly Descriptor[];
  /** Computed at the first use. */
  readonly silent: () => readonly SilentWallet[];
  /** What change to a wallet that no key registered is: a warning, or refused, as always once another is registered. Test networks allow it. */
  readonly unregistered: 'warn' | 'refuse';
}

/** What a holder is made of. */
export interface HolderParts extends Pick<Holder, 'network' | 'ecc'>, Partial<Pick<Holder, 'unregistered'>> {
  readonly keys?: readonly HeldKey[];
  readonly wallets?: readonly OfferedWallet[];
  /** Default: account 0 of each master key. */
  readonly silent?: readonly SilentWallet[];
}

const HOLDER_PARTS: OptionNames<HolderParts> = {
  network: 'needed',
  ecc: 'needed',
  keys: true,
  wallets: true,
  silent: true,
  unregistered: true,
};

/**
 * Creates what reviews take as the signer's. `createHolder(account.holds)` has that of an account.
 * @throws `argument/invalid`
 *
 * @example
 * ```ts
 * import { createHolder, networks, nobleEcc } from 'countersign';
 * import { heldKeyOf } from 'countersign/holder';
 * import { masterKey } from 'countersign/keys';
 *
 * const key = heldKeyOf(masterKey(new Uint8Array(32).fill(7)));
 * const holder = createHolder({ network: networks.regtest, ecc: nobleEcc, keys: key ? [key] : [] });
 * holder.keys.length; // 1
 * ```
 */
export function createHolder(parts: HolderParts): Holder {
  assertKnownOptions(parts, HOLDER_PARTS);
  assertHolderParts(parts);
  const { network, ecc, keys: given = [], wallets = [], silent, unregistered = 'warn' } = parts;
  const keys = [...new Map(given.map((key) => [heldKeyName(key), key])).values()];
  const findRoots = rootFinder(keys, ecc);
  return {
    network,
    ecc,
    keys,
    wallets: createHeldWallets(wallets, { network, findRoots, hasKeys: keys.length > 0 }),
    written: wallets.map(({ descriptor }) => descriptor),
    silent: silent ? () => silent : once(() => silentWalletsOf(keys, network, ecc)),
    unregistered,
  };
}

function once<T>(compute: () => T): () => T {
  let value: { readonly of: T } | undefined;
  return () => {
    value ??= { of: compute() };
    return value.of;
  };
}

export const hasKeys = ({ keys }: Pick<Holder, 'keys'>): boolean => keys.length > 0;

/** Tells whether a registration at hand proves that the person registers wallets. */
export const hasRegistrations = ({ wallets }: Pick<Holder, 'wallets'>): boolean =>
  wallets.some(({ root }) => root === 'registered');

/** Proves the key of an expression by deriving it from the keys at hand. */
function rootFinder(keys: readonly HeldKey[], ecc: Ecc): FindRoots {
  return (key) =>
    keys.flatMap((held) => {
      const path = stepsTo(key, held, ecc);
      return path ? [{ held, path }] : [];
    });
}

/** Returns the steps from a key at hand to that of an expression. */
function stepsTo(key: SingleKey, held: HeldKey, ecc: Ecc): readonly number[] | undefined {
  const publicKey = key.kind === 'fixed' ? key.publicKey : key.key.publicKey;
  if (!isExtended(held)) return isSamePoint(publicKey, held.key.publicKey) ? [] : undefined;
  if (key.kind === 'extended' && isSameExtendedKey(key.key, held.key)) return [];
  const origin = key.origin ?? { fingerprint: keyFingerprint({ publicKey }), path: [] };
  return pathsBelow(held, origin).find((path) => {
    const derived = unlessRefused(() => derivePath(held.key, path, { ecc }));
    if (!derived) return false;
    return key.kind === 'fixed' ? isSamePoint(publicKey, derived.publicKey) : isSameExtendedKey(key.key, derived);
  });
}

/** Returns the key that a key at hand has at an origin, if the origin names it. */
export function keyAtOrigin(
  { keys, ecc }: Pick<Holder, 'keys' | 'ecc'>,
  origin: KeyOrigin,
): ReturnType<typeof derivePath> | undefined {
  for (const held of keys.filter(isExtended)) {
    const path = namedPath(held, origin);
    const derived = path && unlessRefused(() => derivePath(held.key, path, { ecc }));
    if (derived) return derived;
  }
  return undefined;
}
