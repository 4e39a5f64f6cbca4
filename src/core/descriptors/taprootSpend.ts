import { compareBySize, compareBytes } from '../bytes/compare.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { buildTapTree, encodeControlBlock, type TapTreeLeaf, tapTweakHash } from '../script/tapTree.ts';
import { refuse } from './refuse.ts';

/** A script with the control block that proves it is in the tree. */
export interface LeafScript {
  readonly script: Uint8Array;
  readonly leafVersion: number;
  readonly controlBlock: Uint8Array;
}

/** Orders leaves as Core does. @see Bitcoin Core `TaprootSpendData` */
export function compareLeaves(a: LeafScript, b: LeafScript): number {
  return (
    compareBytes(a.script, b.script) || a.leafVersion - b.leafVersion || compareBySize(a.controlBlock, b.controlBlock)
  );
}

/** The spend data of a taproot output. @see Bitcoin Core `TaprootBuilder` */
export interface TaprootSpend {
  /** X-only, like `internalKey`. */
  readonly outputKey: Uint8Array;
  readonly internalKey: Uint8Array;
  readonly merkleRoot?: Uint8Array;
  readonly leafScripts: readonly LeafScript[];
  /** Right branch first, as Core serializes leaves. */
  readonly tree: readonly TapTreeLeaf[];
}

/**
 * Expects leaves in depth-first order that form one complete binary tree.
 * @throws `descriptor/invalid` if the internal key is not the x of a point
 * @see BIP341 "Constructing and spending Taproot outputs"
 */
export function taprootSpend(internalKey: Uint8Array, tree: readonly TapTreeLeaf[], ecc: Ecc): TaprootSpend {
  const { merkleRoot, paths } = buildTapTree(tree);
  const output = ecc.tweakPublicKey(internalKey, tapTweakHash(internalKey, merkleRoot));
  if (!output) return refuse('The internal key is not on the curve');
  const leafScripts = tree.map(({ script, leafVersion }, i) => {
    const block = { leafVersion, parity: output.parity, internalKey, path: paths[i] ?? [] };
    return { script, leafVersion, controlBlock: encodeControlBlock(block) };
  });
  return {
    outputKey: output.publicKey,
    internalKey,
    ...(merkleRoot && { merkleRoot }),
    leafScripts,
    tree: [...tree].reverse(),
  };
}
