import { equalBytes } from '../bytes/compare.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { isZero } from '../crypto/scalar.ts';
import { decodeMiniscript } from '../descriptors/miniscript/index.ts';
import type { PsbtInput, PsbtOutput } from '../psbt/format/types.ts';
import { findSilentSpend } from '../psbt/silentPayments/spends.ts';
import { instructions } from '../script/instructions.ts';
import { isOpSuccess } from '../script/opcodeRules.ts';
import { OP_CODESEPARATOR } from '../script/opcodes.ts';
import {
  computeMerkleRoot,
  isOutputKey,
  parseControlBlock,
  TAPSCRIPT_LEAF_VERSION,
  tapLeafHash,
} from '../script/tapTree.ts';
import { parseWitnessProgram, type ScriptTemplate } from '../script/template.ts';
import { matchingScripts, unwrap } from '../script/unwrap.ts';
import type { LeafOddity } from './finding.ts';

export interface UnwrappedRecords {
  readonly template: ScriptTemplate;
  /** The innermost known script, which `template` describes. */
  readonly script: Uint8Array;
  /** True for a witness program, whose coin a witness UTXO may show; within P2SH, only version 0. @see BIP141, BIP174 */
  readonly isWitness: boolean;
  /** True if signatures for the coin commit to its amount: those of witness version 0 and of taproot. @see BIP143, BIP341 */
  readonly isAmountSigned: boolean;
  readonly isMismatch: boolean;
}

export function unwrapRecords(
  scriptPubKey: Uint8Array,
  { redeemScript, witnessScript }: Pick<PsbtInput & PsbtOutput, 'redeemScript' | 'witnessScript'>,
): UnwrappedRecords {
  const unwrapped = unwrap(scriptPubKey, matchingScripts({ redeemScript, witnessScript }));
  const { outer, inner, template, script } = unwrapped;
  const isRedeemWrong = outer.type === 'scripthash' && redeemScript !== undefined && !unwrapped.redeemScript;
  const isWitnessWrong =
    inner.type === 'witness_v0_scripthash' && witnessScript !== undefined && !unwrapped.witnessScript;
  const isVersion0 = inner.type.startsWith('witness_v0_');
  return {
    template,
    script,
    isWitness: parseWitnessProgram(scriptPubKey) !== undefined || isVersion0,
    isAmountSigned: isVersion0 || outer.type === 'witness_v1_taproot',
    isMismatch: isRedeemWrong || isWitnessWrong,
  };
}

const SINGLE_KEY: ReadonlySet<ScriptTemplate['type']> = new Set<ScriptTemplate['type']>([
  'pubkey',
  'pubkeyhash',
  'witness_v0_keyhash',
]);

/** Excludes taproot, whose key path may have leaves beside it. */
export const takesSingleKey = ({ type }: ScriptTemplate): boolean => SINGLE_KEY.has(type);

/**
 * Tells whether an output key commits to its input's records: each leaf by its control block, internal key and Merkle
 * root with or without leaves, a spend key by its tweak.
 */
export function isTaprootConsistent(outputKey: Uint8Array, input: PsbtInput, ecc: Ecc): boolean {
  const { tapInternalKey, tapMerkleRoot, tapLeafScripts = [] } = input;
  const root = tapMerkleRoot && !isZero(tapMerkleRoot) ? tapMerkleRoot : undefined;
  const areLeavesGood = tapLeafScripts.every(({ controlBlock, script, leafVersion }) => {
    const block = parseControlBlock(controlBlock);
    if (block?.leafVersion !== leafVersion) return false;
    const merkleRoot = computeMerkleRoot(tapLeafHash(script, leafVersion), block.path);
    const isNamed =
      equalBytes(root ?? merkleRoot, merkleRoot) && equalBytes(tapInternalKey ?? block.internalKey, block.internalKey);
    return isNamed && isOutputKey(outputKey, { ...block, merkleRoot }, ecc);
  });
  const isDecided = tapLeafScripts.length > 0 || !tapInternalKey;
  const isTweakGood = !input.spSpendBip32Derivations || findSilentSpend(input, outputKey, ecc) !== undefined;
  return (
    areLeavesGood &&
    isTweakGood &&
    (isDecided || isOutputKey(outputKey, { internalKey: tapInternalKey, merkleRoot: root }, ecc))
  );
}

/** Neither standard templates nor miniscripts, without unusual leaves. */
export interface UnreadScripts {
  readonly script?: Uint8Array;
  readonly leaves: readonly Uint8Array[];
}

/** Scripts that name keys only by their hash count as read. */
export function unreadScripts(
  { template, script, isWitness }: Pick<UnwrappedRecords, 'template' | 'script' | 'isWitness'>,
  { tapLeafScripts = [] }: PsbtInput,
): UnreadScripts {
  const leaves = template.type === 'witness_v1_taproot' ? tapLeafScripts : [];
  const isRead = template.type !== 'nonstandard' || (isWitness && isMiniscript(script, 'wsh'));
  const unread = leaves.filter((leaf) => {
    return leafOddity(leaf.script, leaf.leafVersion) === undefined && !isMiniscript(leaf.script, 'tapscript');
  });
  return { ...(!isRead && { script }), leaves: unread.map((leaf) => leaf.script) };
}

const isMiniscript = (script: Uint8Array, context: 'wsh' | 'tapscript'): boolean =>
  decodeMiniscript(script, (hash) => hash, context) !== undefined;

/** Describes a leaf that is not plain tapscript. */
export function leafOddity(script: Uint8Array, leafVersion: number): LeafOddity | undefined {
  if (leafVersion !== TAPSCRIPT_LEAF_VERSION) return 'version';
  for (const instruction of instructions(script)) {
    if (!instruction) return 'unparsed';
    if (isOpSuccess(instruction.opcode)) return 'op-success';
    if (instruction.opcode === OP_CODESEPARATOR) return 'code-separator';
  }
  return undefined;
}
