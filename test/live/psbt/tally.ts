import { add, type Counts, sum } from '../signing/tally.ts';
import type { Call } from './requests.ts';

/** Counts of compared replies, for the log and for minimum checks. */

export interface Reply {
  readonly result: unknown;
  readonly error: { readonly code: number; readonly message: string } | null;
}

export interface Tally {
  /** Equal replies, by method. */
  readonly same: Counts;
  readonly results: Counts;
  /** Errors, by code and text. */
  readonly errors: Counts;
  /** The next role that `analyzepsbt` names, and the outcomes of `finalizepsbt`. */
  readonly stages: Counts;
  readonly skipped: Counts;
}

export const newTally = (): Tally => ({
  same: new Map(),
  results: new Map(),
  errors: new Map(),
  stages: new Map(),
  skipped: new Map(),
});

/** Removes from an error text what it quotes from the request. */
function shortened({ code, message }: NonNullable<Reply['error']>, method: string): string {
  if (code === -1 && message.startsWith(`${method} `)) return '(help)';
  return message
    .replace(/'.*'/gs, "'…'")
    .replace(/\(not .*\)$/s, '(not …)')
    .replace(/^(Unknown named parameter|Key path value|key|Fingerprint) .*?( is .*)?$/s, '$1 …$2')
    .replace(/^.*( is not a valid descriptor function)$/s, '…$1')
    .replace(/(address: ).*/s, '$1…')
    .replace(/(?<!P)[0-9]+/g, 'N');
}

export function countReply(tally: Tally, { method }: Call, { result, error }: Reply): void {
  add(tally.same, method);
  if (error) {
    add(tally.errors, `${error.code} ${shortened(error, method)}`);
    return;
  }
  add(tally.results, method);
  const { next, error: fault, complete, hex } = Object(result) as Record<string, unknown>;
  if (next !== undefined) add(tally.stages, `analyzed: ${fault ? 'invalid' : String(next)}`);
  if (complete !== undefined)
    add(tally.stages, `finalized: ${complete ? (hex ? 'extracted' : 'complete') : 'incomplete'}`);
}

const rows = (title: string, counts: Counts): string =>
  [title, ...[...counts].sort(([, a], [, b]) => b - a).map(([what, count]) => `${count}\t${what}`)].join('\n');

export function tallyText({ same, results, errors, stages, skipped }: Tally): string {
  const methods = new Map(
    [...same].map(([method, count]) => [`${method}, ${results.get(method) ?? 0} of them results`, count]),
  );
  return [
    rows(`psbt: ${sum(same)} replies equal byte for byte`, methods),
    rows(`${sum(stages)} PSBTs analyzed or finalized`, stages),
    rows(`${sum(errors)} calls refused`, errors),
    rows(`${sum(skipped)} skipped or equal except for a secret`, skipped),
  ].join('\n');
}
