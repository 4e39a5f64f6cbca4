import { bytesKey, equalBytes } from '../bytes/compare.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { createDeriver, type Derived } from '../descriptors/derive.ts';
import type { Descriptor } from '../descriptors/types.ts';
import { formatOrigin, formatPath, isHardened } from '../keys/path.ts';
import type { PsbtOutput } from '../psbt/format/types.ts';
import { keysNamedIn } from '../script/keysIn.ts';
import { isOutputKey, tapTreeRoot } from '../script/tapTree.ts';
import { matchingScripts, unwrap } from '../script/unwrap.ts';
import { keyScriptKind } from './accounts.ts';
import {
  type ClaimedKey,
  claimedIndex,
  findOtherChain,
  isBesideKeys,
  isUnnamed,
  namesKey,
  rangedKeysIn,
  withChain,
} from './claims.ts';
import type { HeldWallet } from './heldWallets.ts';
import type { HeldPsbt } from './owner.ts';
import type { WalletPlace } from './search.ts';

interface Evidence {
  readonly held: HeldPsbt;
  /** The wallets whose word counts: spent ones, and those with a root. */
  readonly wallets: ReadonlySet<HeldWallet>;
  /** True if each coin of the holder is spent by one key alone. */
  readonly spendsOneKey: boolean;
}

interface OutputClaims {
  readonly scriptPubKey: Uint8Array;
  readonly claimedKeys: readonly ClaimedKey[];
}

/** What is false about an output's claim to be the holder's. Origins are texts: `[73c5da0a/84h/0h/0h/1/0]`. */
export type Refutation =
  /** A key at hand has another key at the origin, its key there is not in the script, or the script does not pay to it alone. */
  | { readonly reason: 'other-key' | 'key-outside' | 'not-alone'; readonly origin: string }
  /** The wallet has another script at the place; `chain` if its file does not list that chain. */
  | { readonly reason: 'other-script'; readonly wallet: string; readonly chain?: number; readonly index: number }
  /** The origin is beside the chains of the wallet. */
  | { readonly reason: 'no-script'; readonly wallet: string; readonly origin: string };

type Refute = (output: PsbtOutput, claims: OutputClaims) => Refutation | undefined;

/** Each takes the keys of a wallet to derive; one refutation refuses the PSBT. */
const MOST_DERIVATIONS = 200;

export interface Refutations {
  readonly refute: Refute;
  /** Judges origins alone, of outputs that pay no script of the claimed keys. */
  readonly refuteOrigins: (claims: OutputClaims) => Refutation | undefined;
  /** Tells whether claims were left out because there are too many. */
  readonly isCut: () => boolean;
}

export function createRefutations({ held, wallets, spendsOneKey }: Evidence): Refutations {
  const { proofs, search, holder } = held;
  const { ecc } = holder;
  const places = search.places.filter(({ wallet }) => wallets.has(wallet));
  const keysOfWallets = keysOfPlaces(places);
  const refutedAtPlace = (claim: ClaimedKey, scriptPubKey: Uint8Array): Refutation | undefined => {
    const ofKey = keysOfWallets.ofKey(claim);
    if (ofKey && keyScriptKind(scriptPubKey, claim.publicKey, ecc)) return undefined;
    const place = ofKey ?? keysOfWallets.ofOrigin(claim);
    return place && { reason: 'other-script', wallet: place.wallet.title, index: place.index };
  };
  const chains = [...wallets].flatMap(({ chains: singles, title }) =>
    singles.map((single) => ({ title, ranged: rangedKeysIn(single), derive: createChainDeriver(single, ecc) })),
  );
  let derivations = 0;
  /** A file may lack a chain of its wallet, where a script is made like those of its own chains. */
  const refutedOnChain = (claim: ClaimedKey, scriptPubKey: Uint8Array): Refutation | undefined => {
    let refuting: Refutation | undefined;
    for (const { ranged, title, derive } of chains) {
      const other = findOtherChain(ranged, claim);
      if (!other) continue;
      derivations += 1;
      if (derivations > MOST_DERIVATIONS) return refuting;
      const index = claimedIndex(claim);
      const { scriptPubKeys, keys } = derive(other.chain, index);
      if (scriptPubKeys.some((script) => equalBytes(script, scriptPubKey))) return undefined;
      const isOfWallet = other.isNamed || keys.some(({ publicKey }) => namesKey(claim, publicKey));
      if (isOfWallet) refuting ??= { reason: 'other-script', wallet: title, chain: other.chain, index };
    }
    return refuting;
  };
  const refutedBeside = (claim: ClaimedKey, scriptPubKey: Uint8Array): Refutation | undefined => {
    if (keyScriptKind(scriptPubKey, claim.publicKey, ecc)) return undefined;
    const beside = chains.find(({ ranged }) => isBesideKeys(ranged, claim));
    return beside && { reason: 'no-script', wallet: beside.title, origin: formatOrigin(claim.origin) };
  };
  const refute: Refute = (output, { scriptPubKey, claimedKeys }) => {
    const isInScript = keysIn(scriptPubKey, output, ecc);
    const refutedByKey = (claim: ClaimedKey): Refutation | undefined => {
      if (isContradicted(claim, held)) return otherKeyAt(claim);
      const proof = proofs.prove(claim);
      if (!proof) return undefined;
      const origin = formatOrigin(claim.origin);
      const isInside = isInScript(claim.publicKey);
      if (isInside === false) return { reason: 'key-outside', origin };
      return isInside === undefined && spendsOneKey ? { reason: 'not-alone', origin } : undefined;
    };
    // The cheapest first.
    return (
      findFirst(claimedKeys, refutedByKey) ??
      findFirst(claimedKeys, (claim) => refutedAtPlace(claim, scriptPubKey)) ??
      findFirst(claimedKeys, (claim) => refutedBeside(claim, scriptPubKey)) ??
      findFirst(claimedKeys, (claim) => refutedOnChain(claim, scriptPubKey))
    );
  };
  const refuteOrigins = ({ scriptPubKey, claimedKeys }: OutputClaims): Refutation | undefined =>
    findFirst(claimedKeys, (claim) =>
      isContradicted(claim, held) ? otherKeyAt(claim) : refutedAtPlace(claim, scriptPubKey),
    );
  return { refute, refuteOrigins, isCut: () => derivations > MOST_DERIVATIONS };
}

/**
 * Tells whether a key at hand has another key at a claimed origin. A key that is the holder's at another place is a wallet's
 * mistake, such as hardened steps that it writes without marks.
 */
export const isContradicted = (claim: ClaimedKey, { proofs, isMine }: HeldPsbt): boolean =>
  proofs.contradict(claim) !== undefined && !isMine(claim.publicKey);

const otherKeyAt = ({ origin }: ClaimedKey): Refutation => ({ reason: 'other-key', origin: formatOrigin(origin) });

/** Derives at a chain and an index. */
function createChainDeriver(single: Descriptor, ecc: Ecc): (chain: number, index: number) => Derived {
  const derivers = new Map<number, (index: number) => Derived>();
  return (chain, index) => {
    const derive = derivers.get(chain) ?? cachedDeriver(withChain(single, chain), ecc);
    derivers.set(chain, derive);
    return derive(index);
  };
}

function cachedDeriver(single: Descriptor, ecc: Ecc): (index: number) => Derived {
  const derive = createDeriver(single, { ecc });
  const results = new Map<number, Derived>();
  return (index) => {
    const derived = results.get(index) ?? derive(index);
    results.set(index, derived);
    return derived;
  };
}

function findFirst<T>(claims: readonly ClaimedKey[], find: (claim: ClaimedKey) => T | undefined): T | undefined {
  for (const claim of claims) {
    const result = find(claim);
    if (result !== undefined) return result;
  }
  return undefined;
}

function keysOfPlaces(places: readonly WalletPlace[]): {
  readonly ofKey: (claim: ClaimedKey) => WalletPlace | undefined;
  readonly ofOrigin: (claim: ClaimedKey) => WalletPlace | undefined;
} {
  const byKey = new Map<string, WalletPlace>();
  const byOrigin = new Map<string, WalletPlace>();
  const byPath = new Map<string, WalletPlace>();
  for (const place of places) {
    for (const { publicKey, origin } of place.derived.keys) {
      byKey.set(bytesKey(publicKey), place).set(bytesKey(publicKey, 1, 33), place);
      if (isUnnamed(origin)) continue;
      byOrigin.set(formatOrigin(origin), place);
      byPath.set(formatPath(origin.path), place);
    }
  }
  return {
    ofKey: ({ publicKey }) => byKey.get(bytesKey(publicKey)),
    // Wallets that do not know the master key write zeros, below the account's path.
    ofOrigin: ({ origin }) =>
      isUnnamed(origin) && origin.path.some(isHardened)
        ? byPath.get(formatPath(origin.path))
        : byOrigin.get(formatOrigin(origin)),
  };
}

/** `undefined` if the output's records do not show the script. */
function keysIn(
  scriptPubKey: Uint8Array,
  output: PsbtOutput,
  ecc: Ecc,
): (publicKey: Uint8Array) => boolean | undefined {
  let recordedKeys: ((publicKey: Uint8Array) => boolean | undefined) | 'hidden' | undefined;
  return (publicKey) => {
    if (keyScriptKind(scriptPubKey, publicKey, ecc)) return true;
    recordedKeys ??= shownKeys(scriptPubKey, output, ecc) ?? 'hidden';
    return recordedKeys === 'hidden' ? undefined : recordedKeys(publicKey);
  };
}

function shownKeys(
  scriptPubKey: Uint8Array,
  output: PsbtOutput,
  ecc: Ecc,
): ((publicKey: Uint8Array) => boolean | undefined) | undefined {
  const { template, script } = unwrap(scriptPubKey, matchingScripts(output));
  if (template.type === 'scripthash' || template.type === 'witness_v0_scripthash') return undefined;
  if (template.type !== 'witness_v1_taproot') return keysNamedIn(script);
  const { tapInternalKey, tapTree = [], musig2Participants = [] } = output;
  const merkleRoot = tapTree.length > 0 ? tapTreeRoot(tapTree) : undefined;
  if (!tapInternalKey) return undefined;
  if (!isOutputKey(template.program, { internalKey: tapInternalKey, merkleRoot }, ecc)) return undefined;
  const participants = musig2Participants.flatMap((aggregate) => aggregate.participants);
  const keys = new Set([tapInternalKey, ...participants].map((key) => bytesKey(key.slice(-32))));
  const leaves = tapTree.map((leaf) => keysNamedIn(leaf.script));
  return (publicKey) => {
    const xOnly = publicKey.slice(-32);
    // An internal key may aggregate keys that no record lists.
    return keys.has(bytesKey(xOnly)) || leaves.some((names) => names(xOnly)) || undefined;
  };
}
