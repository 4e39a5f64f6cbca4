import { expect } from 'vitest';
import { consensusVerifier } from '../../src/core/crypto/ecdsa.ts';
import {
  nobleEcc,
  type ScriptOutcome,
  type StackChange,
  type TraceCheck,
  type TraceEvent,
  type TraceResult,
  traceInput,
  type VerifyInputInput,
  verifyInput,
} from './library.ts';

export interface Traced extends TraceResult {
  readonly events: readonly TraceEvent[];
}

/** Keeps all events of a trace. */
export function traced(options: VerifyInputInput): Traced {
  const events: TraceEvent[] = [];
  const result = traceInput(options, (event) => {
    events.push(event);
  });
  return { ...result, events };
}

const apply = (stack: readonly Uint8Array[], { popped, pushed }: StackChange): readonly Uint8Array[] => {
  expect(popped).toBeLessThanOrEqual(stack.length);
  return [...stack.slice(0, stack.length - popped), ...pushed];
};

/** Verifies a signature with the digest that a trace shows; `undefined` if it shows none. */
function recheck({ rules, signature, publicKey, digest }: TraceCheck, ecc = nobleEcc): boolean | undefined {
  if (!digest) return undefined;
  return rules === 'base' || rules === 'witness-v0'
    ? consensusVerifier(ecc)(signature.slice(0, -1), digest, publicKey)
    : ecc.verifySchnorr(signature.slice(0, 64), digest, publicKey);
}

interface Stacks {
  readonly stack: readonly Uint8Array[];
  readonly altstack: readonly Uint8Array[];
}

/** Applies an event to the stacks, and compares both where the event says what they are. */
function follow({ stack, altstack }: Stacks, event: TraceEvent): Stacks {
  switch (event.kind) {
    case 'script':
      if (event.script === 'scriptPubKey' && event.sigVersion === 'base') expect(event.stack).toEqual(stack);
      return { stack: event.stack, altstack: [] };
    case 'step':
      return { stack: apply(stack, event.stack), altstack: apply(altstack, event.altstack) };
    case 'end':
      expect(event.stack).toEqual(stack);
      return { stack, altstack };
    default:
      return { stack, altstack };
  }
}

const checksOf = (event: TraceEvent): readonly TraceCheck[] =>
  event.kind === 'step' ? event.checks : event.kind === 'key-path' ? [event.check] : [];

/** Replays the changes of a trace, which must give the stacks that the scripts left, and verifies the checks again. */
function replay({ events, steps }: Traced, ecc: VerifyInputInput['ecc']): void {
  events.reduce(follow, { stack: [], altstack: [] });
  for (const check of events.flatMap(checksOf)) {
    const again = recheck(check, ecc);
    if (again !== undefined) expect(check.verdict === true).toBe(again);
  }
  const numbers = events.flatMap((event) => (event.kind === 'step' ? [event.step] : []));
  expect(numbers).toEqual(Array.from({ length: steps }, (_, i) => i));
}

/** Finds the steps that failed: none but the last may. */
function assertLastFails({ events, outcome }: Traced): void {
  for (const event of events) {
    if (event.kind !== 'step' || !event.error) continue;
    expect(event).toBe(events.at(-1));
    const { script, offset, opcode } = event;
    expect(outcome).toEqual({ kind: 'invalid', error: event.error, at: { script, offset, opcode } });
  }
}

/** Tells whether a tapscript was decided before its first step, by an OP_SUCCESS or where it does not parse. */
const isBeforeSteps = ({ events }: Traced): boolean => {
  const last = events.at(-1);
  return last?.kind === 'leaf' && last.isCommitted;
};

/** Verifies an input, and refuses a trace that ends otherwise, or whose last step is not the failing one. */
export function verifyTraced(options: VerifyInputInput): ScriptOutcome {
  const outcome = verifyInput(options);
  const trace = traced(options);
  expect(trace.outcome).toEqual(outcome);
  expect(trace.failedIn === undefined).toBe(outcome.kind === 'valid');
  if (outcome.kind === 'invalid' && outcome.at) {
    const last = trace.events.at(-1);
    if (!isBeforeSteps(trace)) expect(last).toMatchObject({ kind: 'step', error: outcome.error });
    expect(trace.failedIn).toBe(outcome.at.script);
  }
  assertLastFails(trace);
  replay(trace, options.ecc);
  return outcome;
}
