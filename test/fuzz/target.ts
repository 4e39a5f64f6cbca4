import { BtcError, RpcError } from '../../src/core/errors.ts';
import type { Source } from './source.ts';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** A case: bytes, text, or JSON. */
export type Input = Uint8Array | Json;

/** One decoder, parser or role under test. */
export interface Target<I extends Input = Input> {
  readonly name: string;
  /** Makes a case, mostly a good one that is changed in some places. */
  readonly generate: (source: Source) => I;
  /** Checks everything that must hold for a case. Throws for a finding, whatever it throws. */
  readonly run: (input: I) => void | Promise<void>;
  /** Whether any bytes or texts are cases, and their cost grows with their size: the campaign compares inputs of one size with those of four times as much. */
  readonly isMeasured: boolean;
  /** The milliseconds of the processor that a case may take; default 2000. */
  readonly slowest?: number;
  /** Releases what cases have left behind, before memory is measured. */
  readonly reset?: () => void;
}

type Parts<I extends Input> = Omit<Target<I>, 'name' | 'isMeasured'>;

/** A broken law: what the case shows to be wrong. */
export class Violation extends Error {
  override readonly name = 'Violation';
}

/** Creates a target whose cases are bytes. */
export const bytesTarget = (name: string, { run, ...parts }: Parts<Uint8Array>): Target => ({
  ...parts,
  name,
  isMeasured: true,
  run: (input) => {
    if (!(input instanceof Uint8Array)) throw new TypeError(`${name} takes bytes`);
    return run(input);
  },
});

/** Creates a target whose cases are texts. */
export const textTarget = (name: string, { run, ...parts }: Parts<string>): Target => ({
  ...parts,
  name,
  isMeasured: true,
  run: (input) => {
    if (typeof input !== 'string') throw new TypeError(`${name} takes texts`);
    return run(input);
  },
});

/** Creates a target whose cases are bytes of a form that others do not have. */
export const formedTarget = (name: string, parts: Parts<Uint8Array>): Target => ({
  ...bytesTarget(name, parts),
  isMeasured: false,
});

/** Creates a target whose cases are JSON values, which `run` must take whatever their shape is. */
export const jsonTarget = (name: string, { run, ...parts }: Parts<Json>): Target => ({
  ...parts,
  name,
  isMeasured: false,
  run: (input) => {
    if (input instanceof Uint8Array) throw new TypeError(`${name} takes JSON`);
    return run(input);
  },
});

/** The law of messages: one line that begins with a capital letter and is not longer than people read. */
const SENTENCE = /^(?:\p{Lu}|[/.\d"'(])[^\p{Cc}\u2028\u2029]{4,399}$/u;

function checkRefusal(error: BtcError, codes: readonly string[]): void {
  if (!codes.some((code) => (code.endsWith('/') ? error.code.startsWith(code) : error.code === code))) {
    throw new Violation(`The code ${error.code} is not documented here: ${error.message}`, { cause: error });
  }
  if (!SENTENCE.test(error.message)) throw new Violation(`The message is no sentence: ${error.message}`);
}

/** The outcome of a call: its result, or its refusal. */
export type Outcome<T> = { readonly result: T; readonly refusal?: undefined } | { readonly refusal: BtcError };

/**
 * Runs a call that may refuse.
 *
 * - `codes`: the documented error codes, or their beginnings up to a `/`
 * @throws Violation for a code that is not documented; any error that is not a `BtcError`
 */
export function outcomeOf<T>(codes: readonly string[], call: () => T): Outcome<T> {
  try {
    return { result: call() };
  } catch (error) {
    if (!(error instanceof BtcError)) throw error;
    checkRefusal(error, codes);
    return { refusal: error };
  }
}

/** Like {@link outcomeOf}; returns the result, or undefined for a refusal. */
export function attempt<T>(codes: readonly string[], call: () => T): T | undefined {
  const outcome = outcomeOf(codes, call);
  return outcome.refusal ? undefined : outcome.result;
}

/** Runs a method that may refuse as a node does. @returns its result, or the error's code and message */
export function rpcOutcome<T>(
  call: () => T,
): { readonly result: T } | { readonly code: number; readonly message: string } {
  try {
    return { result: call() };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return { code: error.code, message: error.message };
  }
}

/** Requires two texts to be equal. */
export function same(found: string | undefined, wanted: string | undefined, law: string): void {
  if (found !== wanted) throw new Violation(`${law}: ${shown(found, wanted)} is not ${shown(wanted, found)}`);
}

/** Requires two byte strings to be equal. */
export function sameBytes(found: Uint8Array, wanted: Uint8Array, law: string): void {
  if (Buffer.compare(found, wanted) !== 0) same(textOf(found), textOf(wanted), law);
}

/** Requires something to hold. */
export function holds(condition: boolean, law: string): asserts condition {
  if (!condition) throw new Violation(law);
}

/** Returns the part of a text around the place where it differs from another. */
function shown(text: string | undefined, other: string | undefined): string {
  if (text === undefined) return 'nothing';
  const at = [...text].findIndex((letter, i) => letter !== other?.[i]);
  return text.length <= 200 ? text : `…${text.slice(Math.max(0, at - 80), at + 120)}…`;
}

const plain = (value: unknown): unknown => {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.length).toString('hex');
  if (Array.isArray(value)) return value.map(plain);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(
    members.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, member]) => [name, plain(member)]),
  );
};

/** Formats plain data for comparison: bytes as hex, and members sorted by name. */
export const textOf = (value: unknown): string => JSON.stringify(plain(value));
