export { type AsmOptions, formatAsm } from './asm.ts';
export { encodeScript, type ScriptPart } from './encodeScript.ts';
export { OP, type Opcodes } from './opcodeNames.ts';
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
} from './tapTree.ts';
export { classifyScript, type ScriptTemplate, type TemplateRules } from './template.ts';
