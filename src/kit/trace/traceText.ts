import { formatHex } from '../../core/bytes/hex.ts';
import { assertKnownOptions, assertShape, type OptionNames } from '../../core/bytes/knownOptions.ts';
import { traceInput } from '../../core/interpreter/trace.ts';
import type {
  StackChange,
  TraceCheck,
  TraceEvent,
  TraceLeaf,
  TracePlace,
  TraceResult,
  TraceScript,
  TraceStep,
} from '../../core/interpreter/traceEvents.ts';
import { spentBy, type VerifyInputInput } from '../../core/interpreter/verifyTransaction.ts';
import { lockAgeText } from '../../core/report/ageText.ts';
import { formatParagraphs, type Paragraph } from '../../core/report/textLines.ts';
import { hashTypeName } from '../../core/review/hashTypes.ts';
import { isDataPush } from '../../core/script/instructions.ts';
import { opcodeName } from '../../core/script/opcodeNames.ts';
import { OP_0, OP_1, OP_1NEGATE, OP_16, OP_IF, OP_NOTIF } from '../../core/script/opcodes.ts';
import { getRelativeLock } from '../../core/tx/relativeLock.ts';
import { createExplainer } from './explainSpend.ts';
import { failureReason } from './failureReasons.ts';

/** How much of a trace is written. */
export interface TraceTextOptions {
  /** After so many steps only the last ones follow. Default: 1000. */
  readonly maxSteps?: number;
}

const OPTIONS: OptionNames<TraceTextOptions> = { maxSteps: true };
const MAX_STEPS = 1000;
/** Events that are shown of the end. */
const LAST = 12;

/**
 * Writes the trace of an input as text of 80 columns: what the output demands, each step with what it changed, and how it ended:
 * of a failure the step, Core's error, what it means and what to do. All that others wrote is shown in hex.
 * @throws `argument/invalid`; as `verifyInput`
 *
 * @example
 * ```ts
 * import { decodeTransaction, parseHex } from 'countersign';
 * import { formatTrace } from 'countersign/trace';
 *
 * const tx = decodeTransaction(parseHex(`0200000001${'11'.repeat(32)}000000000151ffffffff0100000000000000000000000000`));
 * const prevouts = [{ value: 0n, scriptPubKey: parseHex('69') }];
 * formatTrace({ tx, inputIndex: 0, prevouts }).includes('EVAL_FALSE'); // true
 * ```
 */
export function formatTrace(options: VerifyInputInput, textOptions: TraceTextOptions = {}): string {
  let text = '';
  const { ending } = writeSteps(options, textOptions, (lines) => {
    text += lines;
  });
  return text + formatEnding(ending);
}

/** Returns how many steps are shown. @throws `argument/invalid` */
export function stepsShown(options: TraceTextOptions): number {
  assertKnownOptions(options, OPTIONS);
  const { maxSteps = MAX_STEPS } = options;
  assertShape('maxSteps', typeof maxSteps === 'number' && maxSteps >= 0, 'a number from 0');
  return maxSteps;
}

/** A text of the end, and what stands before its first line. */
export type EndingParagraph = Pick<Paragraph, 'start' | 'text'>;

export interface WrittenTrace {
  readonly result: TraceResult;
  readonly ending: readonly [sentence: EndingParagraph, ...EndingParagraph[]];
}

/** Writes the steps as `formatTrace` does, line by line while the scripts run, and returns how they ended. */
export function writeSteps(
  options: VerifyInputInput,
  textOptions: TraceTextOptions,
  write: (lines: string) => void,
): WrittenTrace {
  const maxSteps = stepsShown(textOptions);
  const explainer = createExplainer(options);
  const put = (lines: readonly string[]): void => write(lines.map((line) => `${line}\n`).join(''));
  let last: TraceEvent[] = [];
  let left = 0;
  let failed: number | undefined;
  put(HEAD);
  const result = traceInput(options, (event) => {
    explainer.note(event);
    if (event.kind === 'step' && event.error) failed = event.step;
    if (event.kind !== 'step' || event.step < maxSteps) {
      if (left === 0) {
        put(eventLines(event));
        return;
      }
    }
    left += 1;
    last.push(event);
    if (last.length > 2 * LAST) last = last.slice(-LAST);
  });
  const shown = left > LAST ? last.slice(-LAST) : last;
  const hidden = result.steps - maxSteps - shown.filter(({ kind }) => kind === 'step').length;
  if (left > shown.length) put([`  ... ${hidden} steps are left out ...`]);
  for (const event of shown) put(eventLines(event));
  const sentence = { start: '', text: explainer.sentence(result) };
  return { result, ending: [sentence, ...endingOf(result, failed), ...locksOf(result, options)] };
}

/** Says what a lock was compared with. */
function locksOf({ outcome }: TraceResult, options: VerifyInputInput): readonly EndingParagraph[] {
  if (outcome.kind === 'valid' || outcome.error !== 'UNSATISFIED_LOCKTIME') return [];
  const { tx } = options;
  const { input } = spentBy(options);
  const lock = getRelativeLock(tx, input);
  const age = lock ? ` (${lockAgeText(lock)})` : '';
  const text = `nLockTime ${tx.locktime}, version ${tx.version}, and nSequence ${input.sequence}${age} of this input`;
  return [{ start: 'It has: ', text }];
}

/** Words the end of a trace below its steps. */
export const formatEnding = (ending: readonly EndingParagraph[]): string =>
  ['', ...formatParagraphs(ending, false)].map((line) => `${line}\n`).join('');

const HEAD = ['step  byte  instruction (. in a branch that does not run)  what it changed'];

function eventLines(event: TraceEvent): readonly string[] {
  switch (event.kind) {
    case 'script':
      return scriptLines(event);
    case 'step':
      return [stepLine(event), ...event.checks.flatMap(checkLines), ...budgetLines(event), ...errorLines(event)];
    case 'end':
      return [`      left on the stack: ${itemsText(event.stack, 55)}`];
    case 'program':
      return [
        '',
        `witness program of version ${event.version}`,
        ...formatParagraphs([{ start: '      ', text: formatHex(event.program) }], false),
      ];
    case 'leaf':
      return leafLines(event);
    case 'key-path':
      return ['key path of taproot', ...checkLines(event.check)];
    default:
      return event satisfies never;
  }
}

const SIG_VERSIONS = { base: 'original rules', 'witness-v0': 'segwit version 0', tapscript: 'tapscript' } as const;

function scriptLines({ script, sigVersion, bytes, stack, sigOps, budget }: TraceScript): readonly string[] {
  const limits = budget === undefined ? `sigops ${sigOps}` : `budget ${budget}`;
  return [
    '',
    `${script}: ${bytes.length} bytes, ${SIG_VERSIONS[sigVersion]}, ${limits}`,
    ...(stack.length > 0 ? [`      on the stack: ${itemsText(stack, 60)}`] : []),
  ];
}

function leafLines({ leafVersion, leafHash, internalKey, path, isCommitted, annex }: TraceLeaf): readonly string[] {
  const depth = path.length === 0 ? 'the only leaf' : `a leaf at depth ${path.length}`;
  const annexed = annex ? `, with an annex of ${annex.length} bytes` : '';
  return [
    `${depth}, version 0x${leafVersion.toString(16)}${annexed}`,
    `      leaf hash ${formatHex(leafHash)}`,
    `      internal  ${formatHex(internalKey)}`,
    ...path.map((hash) => `      path      ${formatHex(hash)}`),
    `      ${isCommitted ? 'the output commits to it' : 'the output does not commit to it'}`,
  ];
}

/** Shortens an item, but keeps both its ends. */
function itemText(item: Uint8Array): string {
  if (item.length === 0) return '<>';
  if (item.length <= 12) return formatHex(item);
  return `${formatHex(item.subarray(0, 6))}..${formatHex(item.subarray(-3))}`;
}

/** Lists items with the top last; those below what fits are counted. */
function itemsText(items: readonly Uint8Array[], width: number): string {
  if (items.length === 0) return 'nothing';
  const texts: string[] = [];
  let used = 0;
  for (let i = items.length - 1; i >= 0; i -= 1) {
    const text = itemText(items[i] ?? new Uint8Array());
    used += text.length + 1;
    if (used > width - 12 && texts.length > 0) return `(${i + 1} more) ${texts.join(' ')}`;
    texts.unshift(text);
  }
  return texts.join(' ');
}

/** Deeper conditionals are not indented further. */
const MOST_INDENTS = 6;
const CHANGE_COLUMN = 40;

/** Names an instruction: a push by its data. */
const instructionText = ({ opcode, data }: Pick<TraceStep, 'opcode' | 'data'>): string =>
  data && data.length > 0 ? itemText(data) : placeName({ opcode });

/** Names also the numbers as opcodes, apart from the pushes beside them. */
function placeName({ opcode }: { readonly opcode: number }): string {
  if (opcode === OP_0) return 'OP_0';
  if (opcode === OP_1NEGATE) return 'OP_1NEGATE';
  if (opcode >= OP_1 && opcode <= OP_16) return `OP_${opcodeName(opcode)}`;
  return isDataPush({ opcode, dataStart: 0, end: 0 }) ? 'a push' : opcodeName(opcode);
}

function stepLine(step: TraceStep): string {
  const { offset, isExecuted, conditions, opcode } = step;
  const isOpening = opcode === OP_IF || opcode === OP_NOTIF;
  const indent = '  '.repeat(Math.min(MOST_INDENTS, Math.max(0, conditions.depth - (isOpening ? 1 : 0))));
  const start = `${String(step.step).padStart(4)} ${String(offset).padStart(5)} ${isExecuted ? ' ' : '.'} ${indent}${instructionText(step)}`;
  const change = changeText(step);
  return change === '' ? start : `${start.padEnd(CHANGE_COLUMN)} ${change}`;
}

function changeText({ stack, altstack }: TraceStep): string {
  const alt = stackText(altstack, 12);
  return [stackText(stack, 38 - alt.length), alt === '' ? '' : `alt ${alt}`].filter(Boolean).join('; ');
}

function stackText({ popped, pushed }: StackChange, width: number): string {
  const parts = [popped > 0 ? `-${popped}` : '', pushed.length > 0 ? `+ ${itemsText(pushed, width)}` : ''];
  return parts.filter(Boolean).join(' ');
}

function checkLines({ signature, publicKey, hashType, digest, verdict }: TraceCheck): readonly string[] {
  const type = hashType === undefined ? '' : ` ${hashTypeName(hashType)}`;
  const signed = signature.length === 0 ? 'no signature' : `signature ${itemText(signature)}${type}`;
  const result = typeof verdict === 'string' ? verdict : verdict ? 'valid' : 'not valid';
  return [
    `      ${signed}: ${result}`,
    `      key    ${itemText(publicKey)}`,
    ...(digest ? [`      digest ${formatHex(digest)}`] : []),
  ];
}

const budgetLines = ({ checks, budget }: TraceStep): readonly string[] =>
  checks.length > 0 && budget !== undefined ? [`      budget ${budget} left`] : [];

const errorLines = ({ error }: TraceStep): readonly string[] => (error ? [`      fails: ${error}`] : []);

function endingOf(
  { outcome, failedIn, decidedBy, steps }: TraceResult,
  failed: number | undefined,
): readonly EndingParagraph[] {
  const decided = decidedBy ? [{ start: '', text: decisionText(decidedBy) }] : [];
  if (outcome.kind === 'valid') return [{ start: '', text: `Valid after ${steps} steps.` }, ...decided];
  const { at } = outcome;
  const place = at
    ? `${failed === undefined ? '' : `at step ${failed}, `}at ${placeName(at)}, byte ${at.offset} of the ${at.script}`
    : `in the ${failedIn}, not at an instruction`;
  const { error, text, bip, meaning, advice } = failureReason(outcome.error);
  return [
    { start: '', text: `Fails ${place}.` },
    { start: `${error}: `, text: `${text}${bip === undefined ? '' : ` (BIP${bip})`}` },
    { start: 'It means: ', text: meaning },
    { start: 'What helps: ', text: advice },
    ...decided,
  ];
}

function decisionText({ step, script, offset, opcode, result }: TracePlace & { readonly result: boolean }): string {
  const isConditional = opcode === OP_IF || opcode === OP_NOTIF;
  const found = isConditional
    ? `found a ${result ? 'true' : 'false'} item, and ${result === (opcode === OP_IF) ? 'took' : 'left out'} its first branch`
    : 'came out false';
  return `Decided by step ${step}: ${opcodeName(opcode)} at byte ${offset} of the ${script} ${found}.`;
}
