export type { SignatureChecker, SigVersion, TaprootCheck } from './checker.ts';
export { MANDATORY_FLAGS, parseScriptFlags, type ScriptFlag, type ScriptFlags, STANDARD_FLAGS } from './flags.ts';
export {
  type ScriptError,
  type ScriptFailure,
  type ScriptOutcome,
  type ScriptRole,
  scriptErrorText,
} from './result.ts';
export { traceInput } from './trace.ts';
export type {
  StackChange,
  TraceCheck,
  TraceDecision,
  TraceEnd,
  TraceEvent,
  TraceKeyPath,
  TraceLeaf,
  TracePlace,
  TraceProgram,
  TraceResult,
  TraceScript,
  TraceStep,
} from './traceEvents.ts';
export type { OnTraceEvent } from './tracer.ts';
export { type TransactionCheckerInput, transactionChecker } from './transactionChecker.ts';
export { type VerifyScriptInput, verifyScript } from './verifyScript.ts';
export {
  type TransactionOutcome,
  type VerifyInputInput,
  type VerifyTransactionOptions,
  verifyInput,
  verifyTransaction,
} from './verifyTransaction.ts';
