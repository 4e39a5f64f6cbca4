import { bytesKey, equalBytes } from '../bytes/compare.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { hash160 } from '../crypto/hash.ts';
import { createDeriver, type Derived } from '../descriptors/derive.ts';
import type { Descriptor } from '../descriptors/types.ts';
import { formatOrigin, formatPath, isHardened } from '../keys/path.ts';
import type { PsbtOutput } from '../psbt/format/types.ts';
import { keysNamedIn } from '../psbt/namedKeys.ts';
import { payToWitness } from '../script/build.ts';
import { isOutputKey, tapTreeRoot } from '../script/tapTree.ts';
import { classifyScript } from '../script/template.ts';
import { matchingScripts, unwrap } from '../script/unwrap.ts';
import {
  type ClaimedKey,
  claimedIndex,
  findOtherChain,
  isBesideKeys,
  isUnnamed,
  type RangedKey,
  withChain,
} from './claimedPlaces.ts';
import { type DescriptorSearch, descriptorName, type VerifiedOwner } from './ownership.ts';
import type { OwnKeys } from './wallets.ts';

interface Evidence {
  /** Of the wallets whose coins are spent. */
  readonly spent: DescriptorSearch['places'];
  readonly spentDescriptors: readonly {
    readonly single: Descriptor;
    readonly ranged: readonly RangedKey[];
    readonly name: string;
  }[];
  readonly places: DescriptorSearch['places'];
  readonly own: OwnKeys;
  /** True if each coin that a key at hand signs for takes that key alone. */
  readonly spendsOneKey: boolean;
  readonly ecc: Ecc;
}

export interface OutputClaims {
  readonly scriptPubKey: Uint8Array;
  readonly claimedKeys: readonly ClaimedKey[];
}

/** Says what is false about an output's claims. */
export type Refute = (output: PsbtOutput, claims: OutputClaims) => string | undefined;

/** Further outputs are judged by what needs no derivation: one refutation refuses the PSBT. */
const MOST_REFUTED = 20;

export function createRefutations({ spent, spentDescriptors, places, own, spendsOneKey, ecc }: Evidence): {
  readonly refute: Refute;
  /** Judges by the wallets of the coins being spent alone. */
  readonly refuteByWallet: Refute;
  /** Judges origins alone, of outputs that pay no script of the claimed keys. */
  readonly refuteOrigins: (claims: OutputClaims) => string | undefined;
  readonly findOwnKey: (claims: OutputClaims) => ClaimedKey | undefined;
} {
  const descriptorKeys = keysOfPlaces(spent);
  const written = new Map(places.flatMap(writtenKeys));
  const derivedFor = ({ publicKey, origin }: ClaimedKey): Uint8Array | undefined =>
    own.holdsKey?.(publicKey) ? publicKey : own.publicKeyAt?.(origin);
  const refutedAtPlace = (claim: ClaimedKey, scriptPubKey: Uint8Array): string | undefined => {
    const ofKey = descriptorKeys.ofKey(claim);
    if (ofKey && paysToKey(scriptPubKey, claim.publicKey, ecc)) return undefined;
    const place = ofKey ?? descriptorKeys.ofOrigin(claim);
    return place && `${descriptorName(place)} has another script at index ${place.index}`;
  };
  const chains = spentDescriptors.map((spent) => ({ ...spent, derive: createChainDeriver(spent.single, ecc) }));
  let refuted = 0;
  /** A file may lack a chain of its wallet, where a script is made like those of its own chains. */
  const refutedOnChain = (claim: ClaimedKey, scriptPubKey: Uint8Array): string | undefined => {
    let refuting: string | undefined;
    for (const { ranged, name, derive } of chains) {
      const other = findOtherChain(ranged, claim);
      if (!other) continue;
      const { scriptPubKeys, keys } = derive(other.chain, claimedIndex(claim));
      if (scriptPubKeys.some((script) => equalBytes(script, scriptPubKey))) return undefined;
      const isOfWallet = other.isNamed || keys.some(({ publicKey }) => isSameKey(publicKey, claim.publicKey));
      if (isOfWallet) refuting ??= `${name} has another script on chain ${other.chain} at index ${claimedIndex(claim)}`;
    }
    return refuting;
  };
  const refutedBeside = (claim: ClaimedKey, scriptPubKey: Uint8Array): string | undefined => {
    if (paysToKey(scriptPubKey, claim.publicKey, ecc)) return undefined;
    const beside = spentDescriptors.find(({ ranged }) => isBesideKeys(ranged, claim));
    return beside && `${beside.name} has no script at ${formatOrigin(claim.origin)}`;
  };
  const refuteByWallet: Refute = (_, { scriptPubKey, claimedKeys }) => {
    const refutation =
      findFirst(claimedKeys, (claim) => refutedAtPlace(claim, scriptPubKey)) ??
      findFirst(claimedKeys, (claim) => refutedBeside(claim, scriptPubKey)) ??
      // Takes a derivation for each place.
      (refuted < MOST_REFUTED ? findFirst(claimedKeys, (claim) => refutedOnChain(claim, scriptPubKey)) : undefined);
    if (refutation !== undefined) refuted += 1;
    return refutation;
  };
  const refute: Refute = (output, claims) => {
    const { scriptPubKey, claimedKeys } = claims;
    const isInScript = keysIn(scriptPubKey, output, ecc);
    const refutedByKey = (claim: ClaimedKey, derived: Uint8Array | undefined): string | undefined => {
      if (!derived) return undefined;
      const named = `your key at ${formatOrigin(claim.origin)}`;
      if (!isSameKey(derived, claim.publicKey)) return otherKeyAt(claim);
      const isInside = isInScript(claim.publicKey);
      if (isInside === false) return `${named} is not in its script`;
      const isUnlike = isInside === undefined && spendsOneKey;
      return isUnlike ? `it does not pay to ${named} alone, as the coins being spent do` : undefined;
    };
    /** Applies even to keys that are not at hand. */
    const refutedByRecords = (claim: ClaimedKey): string | undefined => {
      const isOutside = isInScript(claim.publicKey) === false;
      return isOutside ? `the key of ${formatOrigin(claim.origin)} is not in its script` : undefined;
    };
    // The cheapest first.
    return (
      refuteByWallet(output, claims) ??
      findFirst(claimedKeys, (claim) => refutedByKey(claim, written.get(formatOrigin(claim.origin)))) ??
      findFirst(claimedKeys, (claim) => refutedByKey(claim, derivedFor(claim))) ??
      findFirst(claimedKeys, refutedByRecords)
    );
  };
  const findOwnKey = ({ scriptPubKey, claimedKeys }: OutputClaims): ClaimedKey | undefined =>
    claimedKeys.find((claim) => {
      const derived = derivedFor(claim);
      return derived && isSameKey(derived, claim.publicKey) && paysToKey(scriptPubKey, claim.publicKey, ecc);
    });
  const refuteOrigins = ({ scriptPubKey, claimedKeys }: OutputClaims): string | undefined =>
    findFirst(claimedKeys, (claim) => {
      const derived = written.get(formatOrigin(claim.origin)) ?? derivedFor(claim);
      return derived && !isSameKey(derived, claim.publicKey) ? otherKeyAt(claim) : refutedAtPlace(claim, scriptPubKey);
    });
  return { refute, refuteByWallet, refuteOrigins, findOwnKey };
}

const otherKeyAt = ({ origin }: ClaimedKey): string => `your key at ${formatOrigin(origin)} is another one`;

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

/** A claimed key may be x-only. */
const isSameKey = (publicKey: Uint8Array, claimed: Uint8Array): boolean =>
  equalBytes(publicKey.slice(-claimed.length), claimed);

function findFirst<T>(claims: readonly ClaimedKey[], find: (claim: ClaimedKey) => T | undefined): T | undefined {
  for (const claim of claims) {
    const result = find(claim);
    if (result !== undefined) return result;
  }
  return undefined;
}

type Place = DescriptorSearch['places'][number];

const writtenKeys = ({ derived }: Place): readonly (readonly [string, Uint8Array])[] =>
  derived.keys.flatMap(({ publicKey, origin, secretKey }) =>
    secretKey && !isUnnamed(origin) ? [[formatOrigin(origin), publicKey]] : [],
  );

function keysOfPlaces(places: readonly Place[]): {
  readonly ofKey: (claim: ClaimedKey) => VerifiedOwner | undefined;
  readonly ofOrigin: (claim: ClaimedKey) => VerifiedOwner | undefined;
} {
  const byKey = new Map<string, VerifiedOwner>();
  const byOrigin = new Map<string, VerifiedOwner>();
  const byPath = new Map<string, VerifiedOwner>();
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

export function paysToKey(scriptPubKey: Uint8Array, publicKey: Uint8Array, ecc: Ecc): boolean {
  const template = classifyScript(scriptPubKey);
  switch (template.type) {
    case 'pubkey':
      return equalBytes(template.pubkey, publicKey);
    case 'pubkeyhash':
      return equalBytes(template.hash, hash160(publicKey));
    case 'scripthash':
      return equalBytes(template.hash, hash160(payToWitness(0, hash160(publicKey))));
    case 'witness_v0_keyhash':
      return equalBytes(template.program, hash160(publicKey));
    case 'witness_v1_taproot':
      return isOutputKey(template.program, { internalKey: publicKey.slice(-32), merkleRoot: undefined }, ecc);
    default:
      return false;
  }
}

/** `undefined` if the output's records do not show the script. */
function keysIn(
  scriptPubKey: Uint8Array,
  output: PsbtOutput,
  ecc: Ecc,
): (publicKey: Uint8Array) => boolean | undefined {
  let recordedKeys: ((publicKey: Uint8Array) => boolean | undefined) | 'hidden' | undefined;
  return (publicKey) => {
    if (paysToKey(scriptPubKey, publicKey, ecc)) return true;
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
