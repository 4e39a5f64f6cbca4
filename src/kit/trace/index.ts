export { explainSpend } from './explainSpend.ts';
export { type FailureReason, failureReason } from './failureReasons.ts';
export { type TraceEventJson, type TraceResultJson, traceEventToJson, traceResultToJson } from './traceJson.ts';
export { formatTrace, type TraceTextOptions } from './traceText.ts';
