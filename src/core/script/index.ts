export { formatAsm } from './asm.ts';
export { encodeScript, type ScriptPart } from './encodeScript.ts';
export {
  hasValidOps,
  type Instruction,
  instructionAt,
  isPushOnly,
  isUnspendable,
} from './instructions.ts';
export { OP, type Opcodes, opcodeName } from './opcodeNames.ts';
export { isOpSuccess } from './opcodeRules.ts';
export {
  isEcdsaSighashType,
  isStrictDer,
  isStrictSignature,
  sighashName,
} from './signatureEncoding.ts';
export {
  buildTapTree,
  type ControlBlock,
  encodeControlBlock,
  parseControlBlock,
  TAPSCRIPT_LEAF_VERSION,
  type TapLeafHash,
  type TapTreeLeaf,
  tapBranchHash,
  tapLeafHash,
  tapTweakHash,
  UNSPENDABLE_KEY,
} from './tapTree.ts';
export {
  CURRENT_TEMPLATES,
  classifyScript,
  hasPubkeyShape,
  isPayToScriptHash,
  parseWitnessProgram,
  type ScriptTemplate,
  type TemplateRules,
} from './template.ts';
