export type { SignatureChecker, SigVersion, TaprootCheck } from './checker.ts';
export {
  completeFlags,
  MANDATORY_FLAGS,
  parseScriptFlags,
  SCRIPT_FLAGS,
  type ScriptFlag,
  type ScriptFlags,
  STANDARD_FLAGS,
} from './flags.ts';
export {
  type ScriptError,
  type ScriptFailure,
  type ScriptOutcome,
  type ScriptRole,
  scriptErrorBefore31,
  scriptErrorText,
} from './result.ts';
export { type TransactionCheckerInput, transactionChecker } from './transactionChecker.ts';
export { type VerifyScriptInput, verifyScript } from './verifyScript.ts';
export {
  type TransactionOutcome,
  type VerifyInputInput,
  type VerifyOptions,
  verifyInput,
  verifyTransaction,
} from './verifyTransaction.ts';
