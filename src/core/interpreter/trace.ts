import { assertShape } from '../bytes/knownOptions.ts';
import type { TraceResult } from './traceEvents.ts';
import { createTracer, type OnTraceEvent } from './tracer.ts';
import { runInput, type VerifyInputInput } from './verifyTransaction.ts';

/**
 * Runs the scripts of an input as `verifyInput` does, and reports each step to `onEvent` while it runs; nothing is kept. Returns
 * how it ended, which is what `verifyInput` returns. Once `onEvent` returns `false`, no more is reported, and the verification
 * goes on. A tapscript that holds an OP_SUCCESS or does not parse is decided before its first step.
 * @throws as `verifyInput`, and what `onEvent` throws
 * @see Core `VerifyScript`, `EvalScript`
 *
 * @example
 * ```ts
 * import { traceInput } from 'countersign/interpreter';
 * import { OP, encodeScript } from 'countersign/script';
 * import { decodeTransaction } from 'countersign/tx';
 * import { parseHex } from 'countersign/bytes';
 *
 * // Its scriptSig is OP_2.
 * const tx = decodeTransaction(parseHex(`0200000001${'11'.repeat(32)}000000000152ffffffff0100000000000000000000000000`));
 * const prevouts = [{ value: 0n, scriptPubKey: encodeScript([1, 'OP_EQUAL']) }];
 * const seen = [];
 * const traced = traceInput({ tx, inputIndex: 0, prevouts }, (event) => {
 *   if (event.kind === 'step') seen.push(event.opcode);
 * });
 * traced.outcome.kind; // invalid
 * traced.decidedBy?.opcode === OP.EQUAL; // true
 * seen.length; // 3
 * ```
 */
export function traceInput(options: VerifyInputInput, onEvent: OnTraceEvent): TraceResult {
  assertShape('onEvent', typeof onEvent === 'function', 'a function that takes the events');
  const tracer = createTracer(onEvent);
  return tracer.result(runInput(options, tracer.watch));
}
