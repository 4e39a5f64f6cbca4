import { bytesKey, concatBytes, equalBytes } from '../bytes/compare.ts';
import {
  computeMerkleRoot,
  isOutputKey,
  parseControlBlock,
  type TapLeafHash,
  type TweakEcc,
  tapLeafHash,
  tapTweakHash,
} from '../script/tapTree.ts';
import type { TaprootSignatureData } from './signatureData.ts';

interface TaprootCommitment {
  readonly internalKey: Uint8Array;
  readonly merkleRoot: Uint8Array;
  /** By `bytesKey`. */
  readonly leafHashes: ReadonlySet<string>;
}

interface Claim extends TaprootCommitment {
  readonly parity: 0 | 1;
  readonly leafHashes: Set<string>;
}

/**
 * All leaves of an honest PSBT lead to the same pair of key and root. Trying another pair costs a point multiplication.
 */
const MAX_TRIED = 4;

function findCommitment(
  { leafScripts }: Pick<TaprootSignatureData, 'leafScripts'>,
  outputKey: Uint8Array,
  ecc: TweakEcc,
): TaprootCommitment | undefined {
  const claims = new Map<string, Claim>();
  for (const { script, leafVersion, controlBlock } of leafScripts.values()) {
    const block = parseControlBlock(controlBlock);
    if (block?.leafVersion !== leafVersion) continue;
    const { internalKey, parity, path } = block;
    const leafHash = tapLeafHash(script, leafVersion);
    const merkleRoot = computeMerkleRoot(leafHash, path);
    const key = bytesKey(concatBytes(Uint8Array.of(parity), internalKey, merkleRoot));
    const claim = claims.get(key) ?? { internalKey, merkleRoot, parity, leafHashes: new Set() };
    claim.leafHashes.add(bytesKey(leafHash));
    claims.set(key, claim);
  }
  const byLeaves = [...claims.values()].sort((a, b) => b.leafHashes.size - a.leafHashes.size);
  return byLeaves.slice(0, MAX_TRIED).find((claim) => isOutputKey(outputKey, claim, ecc));
}

export function commitsToLeaf(
  taproot: Pick<TaprootSignatureData, 'leafScripts'>,
  outputKey: Uint8Array,
  ecc: TweakEcc,
): (leafHash: TapLeafHash) => boolean {
  let leafHashes: ReadonlySet<string> | undefined;
  return (leafHash) => {
    leafHashes ??= findCommitment(taproot, outputKey, ecc)?.leafHashes ?? new Set();
    return leafHashes.has(bytesKey(leafHash));
  };
}

export interface InternalKey {
  readonly publicKey: Uint8Array;
  /** The key that the coin commits to, which must equal the tweaked `publicKey`. */
  readonly outputKey: Uint8Array;
  readonly taproot: Pick<TaprootSignatureData, 'leafScripts' | 'merkleRoot'>;
}

/**
 * Uses the recorded root, else the one that control blocks prove, else none: a wrong root in a record does no harm.
 * Without a result, no signature would be valid for the coin.
 * @see BIP341 "Constructing and spending Taproot outputs"; BIP371 "PSBT_IN_TAP_MERKLE_ROOT"
 */
export function outputTweak({ publicKey, outputKey, taproot }: InternalKey, ecc: TweakEcc): Uint8Array | undefined {
  const { merkleRoot } = taproot;
  if (isOutputKey(outputKey, { internalKey: publicKey, merkleRoot }, ecc)) return tapTweakHash(publicKey, merkleRoot);
  const committed = findCommitment(taproot, outputKey, ecc);
  if (committed)
    return equalBytes(committed.internalKey, publicKey) ? tapTweakHash(publicKey, committed.merkleRoot) : undefined;
  const isPlain = merkleRoot && isOutputKey(outputKey, { internalKey: publicKey, merkleRoot: undefined }, ecc);
  return isPlain ? tapTweakHash(publicKey, undefined) : undefined;
}
