import { assertBytes } from '../bytes/assertBytes.ts';
import { encode, varBytes } from '../bytes/codec.ts';
import { compareBytes, concatBytes, equalBytes } from '../bytes/compare.ts';
import { parseHex } from '../bytes/hex.ts';
import { assertList, assertShape, isObject } from '../bytes/knownOptions.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { taggedHash } from '../crypto/hash.ts';

/** The leaf version of tapscript. @see BIP342 */
export const TAPSCRIPT_LEAF_VERSION = 0xc0;
/** The first byte of an annex, which is the last of two or more witness items. @see BIP341 */
export const ANNEX_TAG = 0x50;

/** BIP341's H, whose private key nobody has, leaves only the leaves. */
export const UNSPENDABLE_KEY: Uint8Array = /* @__PURE__ */ parseHex(
  '50929b74c1a04954b78b4b6035e97a5e078a5a0f28ec96d547bfee9ace803ac0',
);

/** Tells whether no one can know the private key of a key, 33 or 65 bytes or x-only: BIP341's point. */
export const isUnspendableKey = (publicKey: Uint8Array): boolean =>
  equalBytes(publicKey.length === 32 ? publicKey : publicKey.subarray(1, 33), UNSPENDABLE_KEY);

const CONTROL_BASE_SIZE = 33;
const CONTROL_NODE_SIZE = 32;
/** @see Core `TAPROOT_CONTROL_MAX_NODE_COUNT` */
export const MAX_TREE_DEPTH = 128;

declare const leafHashBrand: unique symbol;

/** The hash of a leaf of a taproot script tree. */
export type TapLeafHash = Uint8Array & { readonly [leafHashBrand]: true };

const hashLeaf = /* @__PURE__ */ taggedHash('TapLeaf');
const hashBranch = /* @__PURE__ */ taggedHash('TapBranch');
const hashTweak = /* @__PURE__ */ taggedHash('TapTweak');

/** Hashes a leaf. @see BIP341 "Script validation rules" */
export function tapLeafHash(script: Uint8Array, leafVersion: number = TAPSCRIPT_LEAF_VERSION): TapLeafHash {
  return hashLeaf(Uint8Array.of(leafVersion), encode(varBytes, script)) as TapLeafHash;
}

/** Hashes a branch with two children, in either order. */
export function tapBranchHash(a: Uint8Array, b: Uint8Array): Uint8Array {
  return compareBytes(a, b) < 0 ? hashBranch(a, b) : hashBranch(b, a);
}

/**
 * Computes the tweak that turns an x-only internal key into an output key; `merkleRoot` is omitted without a script
 * tree.
 */
export function tapTweakHash(internalKey: Uint8Array, merkleRoot?: Uint8Array): Uint8Array {
  return merkleRoot ? hashTweak(internalKey, merkleRoot) : hashTweak(internalKey);
}

/** The proof that a script is a leaf of an output's script tree. @see BIP341 */
export interface ControlBlock {
  readonly leafVersion: number;
  /** 1 if the output key has an odd y. */
  readonly parity: 0 | 1;
  /** X-only. */
  readonly internalKey: Uint8Array;
  /** The sibling hashes from the leaf to the root. */
  readonly path: readonly Uint8Array[];
}

/** Parses a control block; `undefined` unless its size is 33 + 32m bytes, with m from 0 to 128. */
export function parseControlBlock(bytes: Uint8Array): ControlBlock | undefined {
  assertBytes('control block', bytes);
  const depth = (bytes.length - CONTROL_BASE_SIZE) / CONTROL_NODE_SIZE;
  if (!Number.isInteger(depth) || depth < 0 || depth > MAX_TREE_DEPTH) return undefined;
  const first = bytes[0] ?? 0;
  const path = Array.from({ length: depth }, (_, i) => {
    const start = CONTROL_BASE_SIZE + i * CONTROL_NODE_SIZE;
    return bytes.slice(start, start + CONTROL_NODE_SIZE);
  });
  return {
    leafVersion: first & 0xfe,
    parity: (first & 1) as 0 | 1,
    internalKey: bytes.slice(1, CONTROL_BASE_SIZE),
    path,
  };
}

export interface TaprootWitness {
  readonly annex: Uint8Array | undefined;
  readonly leaf: { readonly script: Uint8Array; readonly controlBlock: Uint8Array } | undefined;
  /** The initial stack of the leaf; on the key path, the signature. */
  readonly items: readonly Uint8Array[];
}

/** Reads a witness as taproot does, whatever output it spends. */
export function splitTaprootWitness(witness: readonly Uint8Array[]): TaprootWitness {
  const last = witness.length > 1 ? witness.at(-1) : undefined;
  const annex = last?.[0] === ANNEX_TAG ? last : undefined;
  const items = annex ? witness.slice(0, -1) : witness;
  const [script, controlBlock] = items.length > 1 ? items.slice(-2) : [];
  if (!script || !controlBlock) return { annex, leaf: undefined, items };
  return { annex, leaf: { script, controlBlock }, items: items.slice(0, -2) };
}

/** Encodes a control block. */
export function encodeControlBlock(block: ControlBlock): Uint8Array {
  assertShape(
    'block',
    isObject(block) && Array.isArray(block.path),
    'a control block, as parseControlBlock returns it',
  );
  const { leafVersion, parity, internalKey, path } = block;
  return concatBytes(Uint8Array.of(leafVersion | parity), internalKey, ...path);
}

/** A leaf of a script tree; `depth` is the number of branches above it. */
export interface TapTreeLeaf {
  readonly depth: number;
  readonly leafVersion: number;
  readonly script: Uint8Array;
}

interface TapNode {
  readonly depth: number;
  readonly hash: Uint8Array;
  readonly first: number;
}

/**
 * Builds one complete binary tree from its leaves in depth-first order.
 * @returns the root, and for each leaf its path of sibling hashes, as in control blocks
 * @see BIP341 "Constructing and spending Taproot outputs"
 */
export function buildTapTree(leaves: readonly TapTreeLeaf[]): {
  merkleRoot: Uint8Array | undefined;
  paths: readonly (readonly Uint8Array[])[];
} {
  assertList('leaves', leaves);
  const paths = leaves.map((): Uint8Array[] => []);
  const merkleRoot = foldTapTree(leaves, (left, right, end) => {
    for (const path of paths.slice(left.first, right.first)) path.push(right.hash);
    for (const path of paths.slice(right.first, end)) path.push(left.hash);
  });
  return { merkleRoot, paths };
}

/** Leaves out the paths, which can take 4 kB per leaf. */
export function tapTreeRoot(leaves: readonly TapTreeLeaf[]): Uint8Array | undefined {
  return foldTapTree(leaves, () => undefined);
}

/** Calls `onBranch` with both children of each branch, and the end of the right one's leaves. */
function foldTapTree(
  leaves: readonly TapTreeLeaf[],
  onBranch: (left: TapNode, right: TapNode, end: number) => void,
): Uint8Array | undefined {
  const open: TapNode[] = [];
  for (const [first, { depth, leafVersion, script }] of leaves.entries()) {
    let node: TapNode = { depth, hash: tapLeafHash(script, leafVersion), first };
    for (let left = open.at(-1); left?.depth === node.depth; left = open.at(-1)) {
      open.pop();
      onBranch(left, node, first + 1);
      node = { depth: node.depth - 1, hash: tapBranchHash(left.hash, node.hash), first: left.first };
    }
    open.push(node);
  }
  return open[0]?.hash;
}

export function computeMerkleRoot(leafHash: TapLeafHash, path: readonly Uint8Array[]): Uint8Array {
  return path.reduce<Uint8Array>(tapBranchHash, leafHash);
}

/**
 * Tells whether leaves of these depths, in depth-first order, make one whole binary tree.
 * @see BIP371 PSBT_OUT_TAP_TREE; Core `TaprootBuilder`
 */
export function isCompleteTree(depths: readonly number[]): boolean {
  // open[d]: a finished subtree at depth d waits for its sibling on the right.
  const open: boolean[] = [];
  for (const depth of depths) {
    if (depth + 1 < open.length) return false;
    let at = depth;
    while (open.length > at && open[at]) {
      open.length = at;
      if (at === 0) return false;
      at -= 1;
    }
    while (open.length < at) open.push(false);
    open[at] = true;
  }
  return open.length === 1 && open[0] === true;
}

export type TweakEcc = Pick<Ecc, 'tweakPublicKey'>;

interface TweakedKey {
  readonly internalKey: Uint8Array;
  readonly merkleRoot: Uint8Array | undefined;
  /** Default: either. */
  readonly parity?: 0 | 1;
}

/** Tells whether an internal key tweaks to the output key. @see BIP341 "Script validation rules" */
export function isOutputKey(
  outputKey: Uint8Array,
  { internalKey, merkleRoot, parity }: TweakedKey,
  ecc: TweakEcc,
): boolean {
  const tweaked = ecc.tweakPublicKey(internalKey, tapTweakHash(internalKey, merkleRoot));
  return (
    tweaked !== undefined && tweaked.parity === (parity ?? tweaked.parity) && equalBytes(tweaked.publicKey, outputKey)
  );
}
