import { formatHex } from '../../core/bytes/hex.ts';
import { traceInput } from '../../core/interpreter/trace.ts';
import type { TraceEvent, TraceResult } from '../../core/interpreter/traceEvents.ts';
import type { VerifyInputInput } from '../../core/interpreter/verifyTransaction.ts';
import { opcodeName } from '../../core/script/opcodeNames.ts';
import { OP_PUSHDATA4 } from '../../core/script/opcodes.ts';
import { createExplainer } from './explainSpend.ts';
import { failureReason } from './failureReasons.ts';
import { stepsShown, type TraceTextOptions } from './traceText.ts';

/**
 * Writes the trace of an input for programs: an object on each line, as `traceInput` reports them, with bytes in hex and the names
 * of opcodes; the last line, of kind `result`, says how it ended, with the reason of a failure and the sentence of `explainSpend`.
 * Of the steps after `maxSteps` it has only a failing one; `shownSteps` says so.
 * @throws `argument/invalid`; as `verifyInput`
 *
 * @example
 * ```ts
 * import { decodeTransaction, parseHex } from 'countersign';
 * import { formatTraceJson } from 'countersign/trace';
 *
 * const tx = decodeTransaction(parseHex(`0200000001${'11'.repeat(32)}000000000151ffffffff0100000000000000000000000000`));
 * const prevouts = [{ value: 0n, scriptPubKey: parseHex('69') }];
 * const lines = formatTraceJson({ tx, inputIndex: 0, prevouts }).trimEnd().split('\n');
 * JSON.parse(lines.at(-1) ?? '').reason.error; // EVAL_FALSE
 * ```
 */
export function formatTraceJson(options: VerifyInputInput, textOptions: TraceTextOptions = {}): string {
  let text = '';
  writeTraceJson(options, textOptions, (line) => {
    text += line;
  });
  return text;
}

/** Writes as `formatTraceJson` does, line by line while the scripts run, and returns how they ended. */
export function writeTraceJson(
  options: VerifyInputInput,
  textOptions: TraceTextOptions,
  write: (line: string) => void,
): TraceResult {
  const maxSteps = stepsShown(textOptions);
  const explainer = createExplainer(options);
  const put = (value: object): void => write(`${JSON.stringify(value, showBytes)}\n`);
  const result = traceInput(options, (event) => {
    explainer.note(event);
    if (event.kind !== 'step' || event.step < maxSteps || event.error) put({ ...event, ...nameOf(event) });
  });
  const { outcome, steps } = result;
  put({
    kind: 'result',
    ...result,
    ...(outcome.kind === 'invalid' && { reason: failureReason(outcome.error) }),
    explanation: explainer.sentence(result),
    ...(steps > maxSteps && { shownSteps: maxSteps }),
  });
  return result;
}

const showBytes = (_: string, value: unknown): unknown => (value instanceof Uint8Array ? formatHex(value) : value);

const nameOf = (event: TraceEvent): { readonly name?: string } =>
  event.kind === 'step' && event.opcode > OP_PUSHDATA4 ? { name: opcodeName(event.opcode) } : {};
