import { concatBytes } from '../../core/bytes/compare.ts';
import { sha256d } from '../../core/crypto/hash.ts';

/** Levels, leaves first. Without leaves, there is no root. */
export type MerkleTree = readonly (readonly Uint8Array[])[];

export function buildMerkleTree(leaves: readonly Uint8Array[]): MerkleTree {
  const levels = [leaves];
  for (let level = leaves; level.length > 1; ) {
    const next: Uint8Array[] = [];
    for (let i = 0; i < level.length; i += 2) {
      const [left = new Uint8Array(32), right = left] = [level[i], level[i + 1]];
      next.push(sha256d(concatBytes(left, right)));
    }
    levels.push(next);
    level = next;
  }
  return levels;
}

/** @see Bitcoin Core `ComputeMerkleRoot` */
export const treeRoot = (tree: MerkleTree): Uint8Array => tree.at(-1)?.[0] ?? new Uint8Array(32);
