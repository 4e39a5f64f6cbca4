import { bytesKey } from '../bytes/compare.ts';
import { hash160 } from '../crypto/hash.ts';
import type { Aggregate } from '../descriptors/deriveKey.ts';
import type { HashName } from '../descriptors/miniscript/index.ts';
import type { LeafScript, TaprootSpend } from '../descriptors/taprootSpend.ts';
import type { KeyOrigin } from '../keys/path.ts';
import type { TapTreeLeaf } from '../script/tapTree.ts';

/** Something that an input still needs, as far as the signer can determine. */
export type Missing =
  | { readonly kind: 'coin' }
  | { readonly kind: 'amount' }
  /** For taproot: the coins that other inputs spend, with their amounts. */
  | { readonly kind: 'other-coins' }
  | { readonly kind: 'private-key'; readonly publicKey: Uint8Array }
  /** The public key of this hash. */
  | { readonly kind: 'key'; readonly hash: Uint8Array }
  /** Segwit does not accept this uncompressed key. */
  | { readonly kind: 'compressed-key'; readonly publicKey: Uint8Array }
  | { readonly kind: 'output-key'; readonly outputKey: Uint8Array }
  /** The private key of an x-only key in a leaf. */
  | { readonly kind: 'leaf-key'; readonly publicKey: Uint8Array }
  | { readonly kind: 'redeem-script'; readonly hash: Uint8Array }
  | { readonly kind: 'witness-script'; readonly program: Uint8Array }
  | { readonly kind: 'preimage'; readonly name: HashName; readonly hash: Uint8Array }
  | { readonly kind: 'lock'; readonly of: 'older' | 'after'; readonly lock: number };

export interface KnownSignature {
  readonly publicKey: Uint8Array;
  readonly signature: Uint8Array;
}

export interface KeyWithOrigin {
  readonly publicKey: Uint8Array;
  readonly origin: KeyOrigin;
}

interface TapKey extends KeyWithOrigin {
  /** By `bytesKey`. */
  readonly leafHashes: Map<string, Uint8Array>;
}

interface LeafSignature extends KnownSignature {
  readonly leafHash: Uint8Array;
}

/** The name of a MuSig2 contribution; the aggregate key is after its tweaks. @see BIP373 */
export interface Musig2Signer {
  readonly participantPubkey: Uint8Array;
  readonly aggregatePubkey: Uint8Array;
  readonly leafHash?: Uint8Array | undefined;
}

/** Stands for the leaf on the key path. */
export const NO_LEAF: Uint8Array = new Uint8Array(32);

export function signerName({ participantPubkey, aggregatePubkey, leafHash = NO_LEAF }: Musig2Signer): string {
  return bytesKey(participantPubkey) + bytesKey(aggregatePubkey) + bytesKey(leafHash);
}

export interface TaprootSignatureData {
  keySignature?: Uint8Array | undefined;
  internalKey?: Uint8Array;
  merkleRoot?: Uint8Array;
  tree?: readonly TapTreeLeaf[];
  /** By leaf and control block. */
  readonly leafScripts: Map<string, LeafScript>;
  /** By key and leaf hash. */
  readonly signatures: Map<string, LeafSignature>;
  /** By x-only key. */
  readonly keys: Map<string, TapKey>;
  /** By the HASH160 of 32 bytes. */
  readonly keyIndex: KeyIndex;
  /** By aggregate key. */
  readonly aggregates: Map<string, Aggregate>;
  /** Computed when there were `ofAggregates` aggregates. */
  participants?: { readonly ofAggregates: number; readonly known: readonly KeyWithOrigin[] };
  /** By `signerName`. */
  readonly pubNonces: ReadonlyMap<string, { readonly pubNonce: Uint8Array }>;
  readonly partialSigs: ReadonlyMap<string, { readonly partialSig: Uint8Array }>;
}

/** The data of one input or output, to which solving adds. @see Core `SignatureData` */
export interface SignatureData {
  /** By public key. */
  readonly signatures: Map<string, KnownSignature>;
  readonly keys: Map<string, { readonly publicKey: Uint8Array; readonly origin: KeyOrigin }>;
  readonly publicKeys: Map<string, Uint8Array>;
  readonly keyIndex: KeyIndex;
  /** Empty if unknown: to a node, the empty script is always known. */
  redeemScript: Uint8Array;
  witnessScript: Uint8Array;
  /** By `preimageName`. */
  readonly preimages: Map<string, Uint8Array>;
  readonly taproot: TaprootSignatureData;
  readonly missing: Missing[];
  readonly signed: Uint8Array[];
}

const EMPTY = new Uint8Array(0);

export function createSignatureData(
  initial: Partial<SignatureData> = {},
  {
    pubNonces = new Map(),
    partialSigs = new Map(),
  }: Partial<Pick<TaprootSignatureData, 'pubNonces' | 'partialSigs'>> = {},
): SignatureData {
  return {
    signatures: new Map(),
    keys: new Map(),
    publicKeys: new Map(),
    keyIndex: createKeyIndex(),
    redeemScript: EMPTY,
    witnessScript: EMPTY,
    preimages: new Map(),
    taproot: {
      leafScripts: new Map(),
      signatures: new Map(),
      keys: new Map(),
      keyIndex: createKeyIndex(),
      aggregates: new Map(),
      pubNonces,
      partialSigs,
    },
    missing: [],
    signed: [],
    ...initial,
  };
}

/** Drops the signatures that do not count, but keeps their ECDSA public keys. */
export function forgetSignatures(
  { signatures, publicKeys, taproot }: SignatureData,
  counts: (signature: Uint8Array) => boolean,
): void {
  for (const [name, { publicKey, signature }] of signatures) {
    if (counts(signature)) continue;
    publicKeys.set(name, publicKey);
    signatures.delete(name);
  }
  for (const [name, { signature }] of taproot.signatures) if (!counts(signature)) taproot.signatures.delete(name);
  if (taproot.keySignature && !counts(taproot.keySignature)) taproot.keySignature = undefined;
}

export function keyOfHash(
  { signatures, keys, publicKeys, keyIndex }: SignatureData,
  hash: Uint8Array,
): Uint8Array | undefined {
  return keyIndex(hash, signatures.size + keys.size + publicKeys.size, () => [
    ...[...signatures.values(), ...keys.values()].map(({ publicKey }) => publicKey),
    ...publicKeys.values(),
  ]);
}

export function tapKeyOfHash({ keys, keyIndex }: TaprootSignatureData, hash: Uint8Array): Uint8Array | undefined {
  return keyIndex(hash, keys.size, () => [...keys.values()].map(({ publicKey }) => publicKey));
}

/** Hashes keys late and once: it reads `keys` again only if `count` has changed. */
type KeyIndex = (hash: Uint8Array, count: number, keys: () => readonly Uint8Array[]) => Uint8Array | undefined;

function createKeyIndex(): KeyIndex {
  const hashed = new Set<string>();
  const byHash = new Map<string, Uint8Array>();
  let counted = 0;
  return (hash, count, keys) => {
    for (const key of counted === count ? [] : keys()) {
      const name = bytesKey(key);
      if (!hashed.has(name)) byHash.set(bytesKey(hash160(key)), key);
      hashed.add(name);
    }
    counted = count;
    return byHash.get(bytesKey(hash));
  };
}

export function preimageName(name: HashName, hash: Uint8Array): string {
  return `${name}:${bytesKey(hash)}`;
}

/** Keeps a known internal key and root. @see Core `TaprootSpendData::Merge` */
export function addTaprootSpend(
  taproot: TaprootSignatureData,
  { internalKey, merkleRoot, leafScripts, tree }: Omit<TaprootSpend, 'outputKey'>,
): void {
  taproot.internalKey ??= internalKey;
  if (merkleRoot) taproot.merkleRoot ??= merkleRoot;
  if (tree.length > 0) taproot.tree = tree;
  for (const leaf of leafScripts) addLeafScript(taproot, leaf);
}

export function addLeafScript({ leafScripts }: TaprootSignatureData, leaf: LeafScript): void {
  const name = `${leaf.leafVersion}:${bytesKey(leaf.script)}:${bytesKey(leaf.controlBlock)}`;
  if (!leafScripts.has(name)) leafScripts.set(name, leaf);
}

/** Adds a leaf's key, or without a leaf the internal key. A known key gains the leaf. */
export function addTapKey(
  { keys }: TaprootSignatureData,
  { publicKey, origin }: KeyWithOrigin,
  leafHash?: Uint8Array,
): void {
  const name = bytesKey(publicKey);
  const key = keys.get(name) ?? { publicKey, origin, leafHashes: new Map<string, Uint8Array>() };
  keys.set(name, key);
  if (leafHash) key.leafHashes.set(bytesKey(leafHash), leafHash);
}
