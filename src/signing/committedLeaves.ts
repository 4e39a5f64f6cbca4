import { bytesKey, concatBytes, equalBytes } from '../bytes/compare.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { merkleRootOf, parseControlBlock, tapLeafHash, tapTweakHash } from '../script/tapTree.ts';
import type { TaprootSignatureData } from './signatureData.ts';

/** An internal key and a root that control blocks lead to, with the parity that they state and the leaves below it. */
interface Commitment {
  readonly internalKey: Uint8Array;
  readonly root: Uint8Array;
  readonly parity: 0 | 1;
  readonly leafHashes: Set<string>;
}

/**
 * An output key commits to one internal key and one root, so that all leaves of an honest PSBT lead to the same. Each
 * other pair that is tried costs a multiplication.
 */
const MAX_TRIED = 4;

/**
 * Finds the leaves that an output commits to, by their control blocks.
 *
 * - `outputKey`: x-only, 32 bytes
 *
 * @returns the names (`bytesKey`) of their leaf hashes
 * @see BIP341 "Script validation rules"
 */
export function committedLeaves(
  { leafScripts }: Pick<TaprootSignatureData, 'leafScripts'>,
  outputKey: Uint8Array,
  ecc: Pick<Ecc, 'tweakPublicKey'>,
): ReadonlySet<string> {
  const commitments = new Map<string, Commitment>();
  for (const { script, leafVersion, controlBlock } of leafScripts.values()) {
    const block = parseControlBlock(controlBlock);
    if (block?.leafVersion !== leafVersion) continue;
    const { internalKey, parity, path } = block;
    const leafHash = tapLeafHash(script, leafVersion);
    const root = merkleRootOf(leafHash, path);
    const key = bytesKey(concatBytes(Uint8Array.of(parity), internalKey, root));
    const found = commitments.get(key) ?? { internalKey, root, parity, leafHashes: new Set() };
    found.leafHashes.add(bytesKey(leafHash));
    commitments.set(key, found);
  }
  const byLeaves = [...commitments.values()].sort((a, b) => b.leafHashes.size - a.leafHashes.size);
  const isOfOutput = ({ internalKey, root, parity }: Commitment): boolean => {
    const tweaked = ecc.tweakPublicKey(internalKey, tapTweakHash(internalKey, root));
    return tweaked?.parity === parity && equalBytes(tweaked.publicKey, outputKey);
  };
  return byLeaves.slice(0, MAX_TRIED).find(isOfOutput)?.leafHashes ?? new Set();
}
