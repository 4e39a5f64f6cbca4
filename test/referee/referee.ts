import { isDeepStrictEqual } from 'node:util';
import { BtcError } from '../support/library.ts';
import { BITCOINFUZZ_TARGETS } from './bitcoinfuzzTargets.ts';
import { FormError, type Json, listOf, membersOf, textOf } from './given.ts';
import { type Answer, OWN_TARGETS } from './ownTargets.ts';

export const TARGETS: ReadonlyMap<string, Answer> = new Map(Object.entries({ ...OWN_TARGETS, ...BITCOINFUZZ_TARGETS }));

/** The outcome of a case: what the target answers, or why it refuses the input. */
type Outcome = { readonly result: Json } | { readonly error: string; readonly message: string };

/** Answers an input. @throws FormError for an unknown target, or an input of another form */
function outcomeOf(target: string, input: Json): Outcome {
  const answer = TARGETS.get(target);
  if (!answer) throw new FormError(`there is no target ${target}: choose from ${[...TARGETS.keys()].join(', ')}`);
  try {
    return { result: answer(input) };
  } catch (error) {
    if (!(error instanceof BtcError)) throw error;
    return { error: error.code, message: error.message };
  }
}

/** A case of a file. */
interface Case {
  readonly name: string;
  readonly target: string;
  readonly input: Json;
  /** Of an object, only the members that stand here are compared. */
  readonly expected?: Json;
  /** `true` for any refusal, or the beginning of its code. */
  readonly error?: true | string;
}

function caseOf(value: Json, number: number, common: string | undefined): Case {
  const { name = `case ${number}`, target = common ?? null, input, expected, error } = membersOf(value);
  if (input === undefined) throw new FormError(`case ${number} has no input`);
  const own = { name: textOf(name, 'name'), target: textOf(target, `the target of case ${number}`), input };
  if (error === true || typeof error === 'string') return { ...own, error };
  if (expected === undefined) throw new FormError(`case ${number} has neither "expected" nor "error"`);
  return { ...own, expected };
}

/** Reads the cases of a file: a list, or an object with the target of all and their list. @throws FormError */
export function casesIn(text: string): readonly Case[] {
  const value = JSON.parse(text) as Json;
  const whole = Array.isArray(value) ? { cases: value as Json } : membersOf(value);
  const { target, cases } = whole as Readonly<Record<string, Json>>;
  const common = target === undefined ? undefined : textOf(target, 'target');
  return listOf(cases, 'cases').map((one, i) => caseOf(one, i + 1, common));
}

function isExpected(found: Json, wanted: Json): boolean {
  const isObject = typeof wanted === 'object' && wanted !== null && !Array.isArray(wanted);
  if (!isObject || typeof found !== 'object' || found === null || Array.isArray(found)) {
    return isDeepStrictEqual(found, wanted);
  }
  const [members, own] = [membersOf(wanted), membersOf(found)];
  return Object.entries(members).every(([name, value]) => isDeepStrictEqual(own[name], value));
}

const shown = (value: unknown): string => {
  const text = JSON.stringify(value);
  return text.length > 400 ? `${text.slice(0, 400)}…` : text;
};

/** Compares a case. @returns what differs; undefined if nothing does */
export function differenceOf({ target, input, expected, error }: Case): string | undefined {
  const outcome = outcomeOf(target, input);
  if ('error' in outcome) {
    const isWanted = error === true || (error !== undefined && outcome.error.startsWith(error));
    return isWanted
      ? undefined
      : `expected ${error ? `the error ${error}` : shown(expected)}, refused: ${outcome.error}, ${outcome.message}`;
  }
  if (error !== undefined || expected === undefined) return `expected a refusal, answered ${shown(outcome.result)}`;
  return isExpected(outcome.result, expected)
    ? undefined
    : `expected ${shown(expected)}, answered ${shown(outcome.result)}`;
}

/** Answers one line of `--jsonl`. Never throws: a bug of ours is an error, too. */
export function answerLine(line: string): string {
  let id: Json = null;
  try {
    const request = membersOf(JSON.parse(line) as Json);
    id = request['id'] ?? null;
    return JSON.stringify({ id, ...outcomeOf(textOf(request['target'], 'target'), request['input'] ?? null) });
  } catch (error) {
    const isForm = error instanceof FormError || error instanceof SyntaxError;
    const message = error instanceof Error ? error.message : String(error);
    return JSON.stringify({ id, error: isForm ? 'form' : 'internal', message });
  }
}
