export { explainSpend } from './explainSpend.ts';
export { type FailureReason, failureReason } from './failureReasons.ts';
export { formatTraceJson } from './traceJson.ts';
export { formatTrace, type TraceTextOptions } from './traceText.ts';
