import { compareBySize, compareBytes } from '../bytes/compare.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { buildTapTree, encodeControlBlock, type TapTreeLeaf, tapTweakHash } from '../script/taproot.ts';
import { refuse } from './fault.ts';

/** A script that an output can be spent with, and what shows that it is in the output's tree. */
export interface LeafScript {
  readonly script: Uint8Array;
  readonly leafVersion: number;
  readonly controlBlock: Uint8Array;
}

/** Orders leaves as Core keeps them: by script, then the shorter control block first. @see Bitcoin Core `TaprootSpendData` */
export function compareLeaves(a: LeafScript, b: LeafScript): number {
  return (
    compareBytes(a.script, b.script) || a.leafVersion - b.leafVersion || compareBySize(a.controlBlock, b.controlBlock)
  );
}

/** How a taproot output can be spent. @see Bitcoin Core `TaprootSpendData`, `TaprootBuilder` */
export interface TaprootSpend {
  /** X-only, 32 bytes, like `internalKey`. */
  readonly outputKey: Uint8Array;
  readonly internalKey: Uint8Array;
  /** Left out where there are no scripts. */
  readonly merkleRoot?: Uint8Array;
  readonly leafScripts: readonly LeafScript[];
  /** The leaves in depth-first order, the right branch first: as nodes write them. */
  readonly tree: readonly TapTreeLeaf[];
}

/**
 * Puts an internal key and a tree of scripts together.
 *
 * - `tree`: leaves in depth-first order that make one whole binary tree; none for a key alone
 *
 * @throws `descriptor/invalid` where the internal key is no point
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
