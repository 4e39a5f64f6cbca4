import { bytesKey } from '../bytes/compare.ts';
import { formatHex } from '../bytes/hex.ts';
import { hash160 } from '../crypto/hash.ts';
import { formatOrigin, type KeyOrigin } from '../keys/path.ts';
import { claimedCoin } from '../psbt/format/inputCoin.ts';
import type { Psbt } from '../psbt/format/types.ts';
import { taprootOutputKey } from '../psbt/requests.ts';
import type { SessionInput } from '../psbt/session.ts';
import { findSilentSpend } from '../psbt/silentPayments/spends.ts';
import {
  createDescriptorProvider,
  createSigningProvider,
  joinProviders,
  type SigningProvider,
} from '../signing/signingProvider.ts';
import { CURRENT_RULES } from '../signing/signingRules.ts';
import { type AccountPlace, accountPlace, isSearched, keyScriptKind, loneKey } from './accounts.ts';
import { type ClaimedKey, claimedKeys, isUnnamed } from './claims.ts';
import { isExtended, SINGLE_KEYS } from './heldKey.ts';
import type { HeldWallet, WalletRoot } from './heldWallets.ts';
import { type Holder, hasKeys } from './holder.ts';
import { fullPath, seedName } from './keyPaths.ts';
import { createProver, type DerivedPair, type Prover, type SearchedChain, STEPS_OF_MAP, xName } from './proofs.ts';
import { createFindPlaces, type FindPlaces, searchWallets, type WalletPlace, type WalletSearch } from './search.ts';
import type { SilentWallet } from './silentWallets.ts';

/** What makes a coin or an output the signer's: a key at hand, a registration, that its wallet is listed, or nothing. */
export type Root = 'key' | WalletRoot;

/** Whose a coin or an output is. */
export type Owner =
  /** One key of the holder alone spends it. */
  | { readonly kind: 'account'; readonly root: 'key' | 'listed'; readonly place: AccountPlace; readonly title?: string }
  /** A wallet at hand derives it. */
  | { readonly kind: 'wallet'; readonly root: WalletRoot; readonly wallet: HeldWallet; readonly place: WalletPlace }
  /** A key at hand can sign for it, among others', and no wallet at hand derives it. */
  | { readonly kind: 'key'; readonly root: 'key' }
  /** A silent payment to the holder. */
  | { readonly kind: 'silent'; readonly root: 'key' | 'listed'; readonly wallet: SilentWallet }
  | { readonly kind: 'none'; readonly root: 'none' };

const NOBODY: Owner = { kind: 'none', root: 'none' };

/** A holder's view of one PSBT: what it can sign, and what it proves. */
export interface HeldPsbt {
  readonly holder: Holder;
  readonly search: WalletSearch;
  readonly findPlaces: FindPlaces;
  readonly proofs: Pick<Prover, 'prove' | 'contradict' | 'cutMaps'>;
  /** Signs with every private key, also of those in wallets whose file is not the holder's own. */
  readonly provider: SigningProvider;
  /** As in `Prover`. */
  readonly sharing: SigningProvider;
  /** Tells whether a key of 33 or 65 bytes, or x-only, is the holder's own. */
  readonly isMine: (publicKey: Uint8Array) => boolean;
  /** Returns the key that a wallet at hand derives at an origin, and how texts call that wallet. */
  readonly keyAt: (origin: KeyOrigin) => { readonly publicKey: Uint8Array; readonly title: string } | undefined;
  /** Tells whether a private key for a public one is at hand. */
  readonly canSign: (publicKey: Uint8Array) => boolean;
}

export function holdPsbt(holder: Holder, psbt: Psbt): HeldPsbt {
  const { ecc, keys, written } = holder;
  const claims = [...psbt.inputs, ...psbt.outputs].map(claimedKeys);
  // A coin that a claim proves to be of one key needs no search.
  const early = createProver({ keys, derived: [], searched: [], steps: STEPS_OF_MAP * claims.length, ecc });
  let isEarly = false;
  const isKnown = (index: number, scriptPubKey: Uint8Array): boolean => {
    if (!isEarly) early.add(claims);
    isEarly = true;
    return (claims[index] ?? []).some((claim) => {
      const proof = early.prove(claim);
      return proof !== undefined && keyScriptKind(scriptPubKey, proof.publicKey, ecc) !== undefined;
    });
  };
  const search = searchWallets(psbt, holder, isKnown);
  const findPlaces = createFindPlaces(search);
  const pairs = search.places.flatMap(ownPairs);
  const prover = isEarly
    ? early
    : createProver({
        keys,
        derived: pairs,
        searched: holder.wallets.flatMap(ownChains),
        steps: STEPS_OF_MAP * claims.length,
        ecc,
      });
  const maps = claims.map((claimed, map) => [
    ...(map < psbt.inputs.length ? describedKeys(psbt, map, findPlaces) : []),
    ...claimed,
  ]);
  prover.add(maps);
  const singles = keys.flatMap((held) =>
    isExtended(held) ? [] : [{ secretKey: held.key.secretKey, isCompressed: held.key.publicKey.length === 33 }],
  );
  const given = createSigningProvider({ keys: singles, scripts: [] }, { rules: CURRENT_RULES, ecc });
  const derived = createDescriptorProvider(
    search.places.map((place) => place.derived),
    { written },
  );
  const provider = [given, prover.provider()].reduce(joinProviders, derived);
  const mine = new Set([
    ...keys.map(({ key }) => xName(key.publicKey)),
    ...pairs.map(({ publicKey }) => xName(publicKey)),
    ...maps
      .flat()
      .flatMap((claim) => prover.prove(claim)?.publicKey ?? [])
      .map(xName),
  ]);
  return {
    holder,
    search,
    findPlaces,
    proofs: prover,
    provider,
    sharing: [given, prover.sharing()].reduce(joinProviders, derived),
    isMine: (publicKey) => mine.has(xName(publicKey)),
    keyAt: keysByOrigin(search),
    canSign: (publicKey) =>
      (publicKey.length === 32 ? provider.xOnlyKey(publicKey) : provider.key(hash160(publicKey))) !== undefined,
  };
}

function keysByOrigin({ places }: WalletSearch): HeldPsbt['keyAt'] {
  const byOrigin = new Map(
    places.flatMap(({ derived, wallet: { title } }) =>
      derived.keys.flatMap(({ origin, publicKey }) =>
        isUnnamed(origin) ? [] : [[formatOrigin(origin), { publicKey, title }] as const],
      ),
    ),
  );
  return (origin) => byOrigin.get(formatOrigin(origin));
}

/** Lists the keys that wallets have for the coin, so that the PSBT need not name them. */
function describedKeys(psbt: Psbt, index: number, findPlaces: FindPlaces): readonly ClaimedKey[] {
  const coin = claimedCoin(psbt, index);
  return coin ? findPlaces(coin.scriptPubKey).flatMap(({ derived }) => derived.keys) : [];
}

/** The pairs of wallets of one key at hand, whose only key is the holder's. */
function ownPairs({ wallet, derived }: WalletPlace): readonly DerivedPair[] {
  const [key] = derived.keys;
  if (!wallet.oneKey?.root || !key) return [];
  return key.secretKey ? [{ ...key, secretKey: key.secretKey }] : [];
}

/** The chains whose pairs `ownPairs` knows. */
function ownChains({ oneKey, chains }: HeldWallet): readonly SearchedChain[] {
  const { root } = oneKey ?? {};
  if (!root) return [];
  return chains.flatMap((chain) => {
    const key = loneKey(chain);
    if (key?.kind !== 'extended' || !key.key.secretKey || key.wildcard !== 'unhardened') return [];
    return [{ held: root.held, path: [...root.path, ...key.path.flat()] }];
  });
}

/** Finds the owner of a coin, which the keys of `signers` may sign for. */
export function coinOwner(held: HeldPsbt, sessionInput: SessionInput, signers: readonly Uint8Array[]): Owner {
  const { session, input, index } = sessionInput;
  const coin = session.coins[index]?.coin;
  if (!coin) return NOBODY;
  const owner = scriptOwner(held, coin.scriptPubKey, claimedKeys(input));
  if (owner.kind !== 'none' && isHolders(owner)) return owner;
  const silent = silentOwner(held, sessionInput);
  if (silent) return silent;
  return signers.some(held.isMine) ? { kind: 'key', root: 'key' } : owner;
}

/** @see BIP376 */
function silentOwner({ holder }: HeldPsbt, { session, input, index }: SessionInput): Owner | undefined {
  const outputKey = taprootOutputKey(session.coins[index]?.coin.scriptPubKey);
  const spend = outputKey && findSilentSpend(input, outputKey, session.ecc);
  const wallet =
    spend &&
    holder.silent().find(({ receiver }) => bytesKey(receiver.address().spendKey, 1) === bytesKey(spend.internalKey));
  return wallet && { kind: 'silent', root: hasKeys(holder) ? 'key' : 'listed', wallet };
}

/** Tells whether a coin of an owner is the holder's. A wallet file alone makes none: one of its keys must be at hand. */
export function isHolders(owner: Owner): boolean {
  if (owner.kind !== 'wallet') return owner.kind !== 'none';
  return owner.root !== 'none' || owner.wallet.mine.size > 0;
}

/** Finds the owner of a script, whose records claim keys. */
export function scriptOwner(held: HeldPsbt, scriptPubKey: Uint8Array, claims: readonly ClaimedKey[]): Owner {
  const places = held.findPlaces(scriptPubKey);
  const accounts = accountsOf(held, { scriptPubKey, claims, places });
  const wallets = places.map(
    (place): Owner => ({ kind: 'wallet', root: place.wallet.root, wallet: place.wallet, place }),
  );
  const withRoot = (root: WalletRoot): Owner | undefined => wallets.find((owner) => owner.root === root);
  return (
    accounts.find(({ place }) => isSearched(place)) ??
    withRoot('registered') ??
    accounts[0] ??
    withRoot('listed') ??
    withRoot('none') ??
    NOBODY
  );
}

type Account = Extract<Owner, { kind: 'account' }>;

/** Lists the places of keys, each of which alone spends the script. */
function accountsOf(
  { holder, proofs }: HeldPsbt,
  {
    scriptPubKey,
    claims,
    places,
  }: {
    readonly scriptPubKey: Uint8Array;
    readonly claims: readonly ClaimedKey[];
    readonly places: readonly WalletPlace[];
  },
): readonly Account[] {
  const { network, ecc } = holder;
  const at = (
    publicKey: Uint8Array,
    place: { readonly seed: string; readonly path: readonly number[]; readonly isWhole: boolean },
    title?: string,
  ): readonly Account[] => {
    const kind = keyScriptKind(scriptPubKey, publicKey, ecc);
    if (!kind) return [];
    const root = hasKeys(holder) ? ('key' as const) : ('listed' as const);
    return [
      { kind: 'account', root, place: accountPlace(place, kind, network), ...(title !== undefined && { title }) },
    ];
  };
  const ofPlaces = places.flatMap((place) => {
    const seat = seatOf(place);
    return seat ? at(seat.publicKey, seat, place.wallet.title) : [];
  });
  if (ofPlaces.length > 0) return ofPlaces;
  const ofClaims = claims.flatMap((claim) => {
    const proof = proofs.prove(claim);
    return proof ? at(proof.publicKey, proof) : [];
  });
  if (ofClaims.length > 0) return ofClaims;
  return holder.keys
    .filter((key) => !isExtended(key))
    .flatMap(({ key }) => at(key.publicKey, { seed: SINGLE_KEYS, path: [], isWhole: true }));
}

/** The place of the only key of a wallet: below a key at hand, or as a listed wallet writes it. */
function seatOf({ wallet: { oneKey }, derived }: WalletPlace) {
  const [key] = derived.keys;
  if (!oneKey || !key) return undefined;
  const { written, root } = oneKey;
  const { publicKey, origin } = key;
  if (root) {
    const { held, path } = root;
    if (!isExtended(held)) return { publicKey, seed: SINGLE_KEYS, path: [], isWhole: true };
    const steps = origin.path.slice(written.origin?.path.length ?? 0);
    return { publicKey, seed: seedName(held), ...fullPath(held, [...path, ...steps]) };
  }
  return { publicKey, seed: formatHex(origin.fingerprint), path: origin.path, isWhole: isWholeOrigin(written) };
}

/** Tells whether a written key says its path from the master. */
const isWholeOrigin = (key: NonNullable<HeldWallet['oneKey']>['written']): boolean =>
  key.origin !== undefined || (key.kind === 'extended' && key.key.depth === 0);
