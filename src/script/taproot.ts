import { encode, varBytes } from '../bytes/codec.ts';
import { compareBytes, concatBytes } from '../bytes/compare.ts';
import { taggedHash } from '../crypto/hash.ts';

/** The leaf version of tapscript. @see BIP342 */
export const TAPSCRIPT_LEAF_VERSION = 0xc0;
/** What the last witness item of a taproot spend starts with if it is an annex. @see BIP341 */
export const ANNEX_TAG = 0x50;

const CONTROL_BASE_SIZE = 33;
const CONTROL_NODE_SIZE = 32;
const MAX_TREE_DEPTH = 128;

declare const leafHashBrand: unique symbol;

/** What names a leaf of a taproot tree, 32 bytes. Made by `tapLeafHash`. */
export type TapLeafHash = Uint8Array & { readonly [leafHashBrand]: true };

const hashLeaf = /* @__PURE__ */ taggedHash('TapLeaf');
const hashBranch = /* @__PURE__ */ taggedHash('TapBranch');
const hashTweak = /* @__PURE__ */ taggedHash('TapTweak');

/** The hash of a leaf. @see BIP341 "Script validation rules" */
export function tapLeafHash(script: Uint8Array, leafVersion: number = TAPSCRIPT_LEAF_VERSION): TapLeafHash {
  return hashLeaf(Uint8Array.of(leafVersion), encode(varBytes, script)) as TapLeafHash;
}

/** The hash of a node with these two children, in either order. @see BIP341 "Script validation rules" */
export function tapBranchHash(a: Uint8Array, b: Uint8Array): Uint8Array {
  return compareBytes(a, b) < 0 ? hashBranch(a, b) : hashBranch(b, a);
}

/**
 * The tweak that turns an internal key into an output key.
 *
 * - `internalKey`: x-only, 32 bytes
 * - `merkleRoot`: 32 bytes; left out where there is no script
 *
 * @see BIP341 "Script validation rules"
 */
export function tapTweakHash(internalKey: Uint8Array, merkleRoot?: Uint8Array): Uint8Array {
  return merkleRoot ? hashTweak(internalKey, merkleRoot) : hashTweak(internalKey);
}

/** What shows that a script is a leaf of an output's tree. */
export interface ControlBlock {
  readonly leafVersion: number;
  /** 1 where the output key's point has an odd y. */
  readonly parity: 0 | 1;
  /** X-only, 32 bytes. */
  readonly internalKey: Uint8Array;
  /** The hashes beside the path from the leaf to the root, 32 bytes each. */
  readonly path: readonly Uint8Array[];
}

/** Reads a control block; `undefined` unless its size is 33 + 32 times at most 128. @see BIP341 */
export function parseControlBlock(bytes: Uint8Array): ControlBlock | undefined {
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

/** Writes a control block. @see BIP341 "Script validation rules" */
export function encodeControlBlock({ leafVersion, parity, internalKey, path }: ControlBlock): Uint8Array {
  return concatBytes(Uint8Array.of(leafVersion | parity), internalKey, ...path);
}

/** A leaf of a tree, with the number of branches above it. */
export interface TapTreeLeaf {
  readonly depth: number;
  readonly leafVersion: number;
  readonly script: Uint8Array;
}

/** A subtree while a tree is put together, and where its leaves begin: they end where the next subtree's begin. */
interface TapNode {
  readonly depth: number;
  readonly hash: Uint8Array;
  readonly first: number;
}

/**
 * Puts a tree together from its leaves in depth-first order, which must make one whole binary tree.
 * @returns the root, and per leaf the hashes beside its path to the root, as control blocks list them
 * @see BIP341 "Constructing and spending Taproot outputs"
 */
export function buildTapTree(leaves: readonly TapTreeLeaf[]): {
  merkleRoot: Uint8Array | undefined;
  paths: readonly (readonly Uint8Array[])[];
} {
  const paths = leaves.map((): Uint8Array[] => []);
  const merkleRoot = foldTapTree(leaves, (left, right, end) => {
    for (const path of paths.slice(left.first, right.first)) path.push(right.hash);
    for (const path of paths.slice(right.first, end)) path.push(left.hash);
  });
  return { merkleRoot, paths };
}

/** The root of such a tree, for who needs no paths, which may take 4 kB a leaf. */
export function tapTreeRoot(leaves: readonly TapTreeLeaf[]): Uint8Array | undefined {
  return foldTapTree(leaves, () => undefined);
}

/** `onBranch` gets both children of a branch, and where the leaves of the right one end. */
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

/** The root of the tree that a leaf is in. */
export function merkleRootOf(leafHash: TapLeafHash, path: readonly Uint8Array[]): Uint8Array {
  return path.reduce<Uint8Array>(tapBranchHash, leafHash);
}
