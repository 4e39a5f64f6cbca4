export { formatAsm } from './asm.ts';
export {
  hasValidOps,
  type Instruction,
  instructionAt,
  isPushOnly,
  isUnspendable,
} from './instructions.ts';
export { isOpSuccess, OP, opcodeName } from './opcodes.ts';
export {
  isStrictDer,
  isStrictSignature,
  sighashName,
} from './signatureEncoding.ts';
export {
  CURRENT_TEMPLATES,
  classifyScript,
  hasPubkeyShape,
  isPayToScriptHash,
  type ScriptTemplate,
  type TemplateRules,
  witnessProgramOf,
} from './template.ts';
