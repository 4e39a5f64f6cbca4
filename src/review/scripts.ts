import { equalBytes } from '../bytes/compare.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { isZero } from '../crypto/scalar.ts';
import type { PsbtInput, PsbtOutput } from '../psbt/format/types.ts';
import { instructions } from '../script/instructions.ts';
import { isOpSuccess, OP } from '../script/opcodes.ts';
import {
  merkleRootOf,
  parseControlBlock,
  TAPSCRIPT_LEAF_VERSION,
  tapLeafHash,
  tapTweakHash,
} from '../script/tapTree.ts';
import type { ScriptTemplate } from '../script/template.ts';
import { matchingScripts, unwrap } from '../script/unwrap.ts';

/** What a scriptPubKey comes down to, once its scripts are known. */
export interface UnwrappedRecords {
  /** The innermost script that is known, as a template. */
  readonly template: ScriptTemplate;
  /** Of a version that signatures are known of. In P2SH, only version 0 is. @see BIP341 "Script validation rules" */
  readonly isWitness: boolean;
  /** A script that was given does not fit. */
  readonly isMismatch: boolean;
}

/** Takes a scriptPubKey apart with the scripts of a PSBT's map, and tells if they are the ones that it commits to. */
export function unwrapRecords(
  scriptPubKey: Uint8Array,
  { redeemScript, witnessScript }: Pick<PsbtInput & PsbtOutput, 'redeemScript' | 'witnessScript'>,
): UnwrappedRecords {
  const found = unwrap(scriptPubKey, matchingScripts({ redeemScript, witnessScript }));
  const { outer, inner, template } = found;
  const isRedeemWrong = outer.type === 'scripthash' && redeemScript !== undefined && !found.redeemScript;
  const isWitnessWrong = inner.type === 'witness_v0_scripthash' && witnessScript !== undefined && !found.witnessScript;
  return {
    template,
    isWitness: inner.type.startsWith('witness_v0_') || outer.type === 'witness_v1_taproot',
    isMismatch: isRedeemWrong || isWitnessWrong,
  };
}

/**
 * Whether what a PSBT says of a taproot coin is what its output key commits to: every leaf by its control block, and the
 * internal key and root that are named, with the leaves or by themselves.
 */
export function isTaprootConsistent(outputKey: Uint8Array, input: PsbtInput, ecc: Ecc): boolean {
  const { tapInternalKey, tapMerkleRoot, tapLeafScripts = [] } = input;
  const root = tapMerkleRoot && !isZero(tapMerkleRoot) ? tapMerkleRoot : undefined;
  const areLeavesGood = tapLeafScripts.every(({ controlBlock, script, leafVersion }) => {
    const block = parseControlBlock(controlBlock);
    if (block?.leafVersion !== leafVersion) return false;
    const merkleRoot = merkleRootOf(tapLeafHash(script, leafVersion), block.path);
    const isNamed =
      equalBytes(root ?? merkleRoot, merkleRoot) && equalBytes(tapInternalKey ?? block.internalKey, block.internalKey);
    return isNamed && isOutputKeyOf(outputKey, block.internalKey, merkleRoot, ecc, block.parity);
  });
  const isDecided = tapLeafScripts.length > 0 || !tapInternalKey;
  return areLeavesGood && (isDecided || isOutputKeyOf(outputKey, tapInternalKey, root, ecc));
}

/** Whether an output key is an internal key with the tweak of a root. @see BIP341 "Script validation rules" */
export function isOutputKeyOf(
  outputKey: Uint8Array,
  internalKey: Uint8Array,
  merkleRoot: Uint8Array | undefined,
  ecc: Ecc,
  parity?: 0 | 1,
): boolean {
  const tweaked = ecc.tweakPublicKey(internalKey, tapTweakHash(internalKey, merkleRoot));
  if (!tweaked || !equalBytes(tweaked.publicKey, outputKey)) return false;
  return parity === undefined || parity === tweaked.parity;
}

/** What makes a leaf other than plain tapscript, in words. */
export function leafOddity(script: Uint8Array, leafVersion: number): string | undefined {
  if (leafVersion !== TAPSCRIPT_LEAF_VERSION) return 'is of a version that nobody has given a meaning';
  for (const instruction of instructions(script)) {
    if (!instruction) return 'does not parse';
    if (isOpSuccess(instruction.opcode)) return 'holds an OP_SUCCESS, which anyone can spend';
    if (instruction.opcode === OP.CODESEPARATOR) return 'holds an OP_CODESEPARATOR';
  }
  return undefined;
}
