import { formatHex } from '../../core/bytes/hex.ts';
import type { TraceEvent, TraceResult } from '../../core/interpreter/traceEvents.ts';
import { opcodeName } from '../../core/script/opcodeNames.ts';
import { type FailureReason, failureReason } from './failureReasons.ts';

/** A value as JSON shows it: bytes in hex. */
type Shown<T> = T extends Uint8Array
  ? string
  : T extends readonly (infer I)[]
    ? readonly Shown<I>[]
    : T extends object
      ? { readonly [K in keyof T]: Shown<T[K]> }
      : T;

/** An event of a trace with its bytes in hex; the names of opcodes, like Core's asm, but for data pushes. */
export type TraceEventJson = Shown<TraceEvent> & { readonly name?: string };

/** How a trace ended, with the reason of a failure in words. */
export type TraceResultJson = Shown<TraceResult> & { readonly kind: 'result'; readonly reason?: FailureReason };

const LAST_PUSH = 0x4e;

/**
 * Writes an event as plain data for JSON.
 *
 * @example
 * ```ts
 * import { traceEventToJson } from 'countersign/trace';
 *
 * JSON.stringify(traceEventToJson({ kind: 'program', version: 0, program: new Uint8Array(2) })); // {"kind":"program","version":0,"program":"0000"}
 * ```
 */
export function traceEventToJson(event: TraceEvent): TraceEventJson {
  const shown = show(event) as Shown<TraceEvent>;
  return event.kind === 'step' && event.opcode > LAST_PUSH ? { ...shown, name: opcodeName(event.opcode) } : shown;
}

/**
 * Writes the result of a trace as plain data for JSON.
 *
 * @example
 * ```ts
 * import { traceResultToJson } from 'countersign/trace';
 *
 * traceResultToJson({ outcome: { kind: 'invalid', error: 'EVAL_FALSE' }, steps: 1 }).reason?.error; // EVAL_FALSE
 * ```
 */
export function traceResultToJson(result: TraceResult): TraceResultJson {
  const { outcome } = result;
  const reason = outcome.kind === 'invalid' ? { reason: failureReason(outcome.error) } : {};
  return { kind: 'result', ...(show(result) as Shown<TraceResult>), ...reason };
}

/** Leaves out what is undefined. No event is deep. */
function show(value: unknown): unknown {
  if (value instanceof Uint8Array) return formatHex(value);
  if (Array.isArray(value)) return value.map(show);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => (member === undefined ? [] : [[name, show(member)]])),
  );
}
