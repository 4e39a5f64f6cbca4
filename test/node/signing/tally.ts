import { decodeTransaction, formatHex, isStrictDer, parseHex, type Transaction } from '../../support/library.ts';
import { itemsOf } from './items.ts';
import type { Coin } from './prevtxs.ts';

/** Counts of what was compared, for people and for lower bounds. */

export interface Reply {
  readonly result: SigningResult | null;
  readonly error: { readonly code: number; readonly message: string } | null;
}

interface SigningResult {
  readonly hex: string;
  readonly complete: boolean;
  readonly errors?: readonly { readonly vout: number; readonly txid: string; readonly error: string }[];
}

export type Counts = Map<string, number>;
export const add = (counts: Counts, what: string): unknown => counts.set(what, (counts.get(what) ?? 0) + 1);
export const sum = (counts: Counts): number => [...counts.values()].reduce((total, count) => total + count, 0);
const rows = (title: string, counts: Counts): string =>
  [title, ...[...counts].sort(([, a], [, b]) => b - a).map(([what, count]) => `${count}\t${what}`)].join('\n');

export interface Tally {
  /** Answers that are equal: complete, incomplete, refused. */
  readonly same: Counts;
  /** What is wrong with inputs, and with calls. */
  readonly inputErrors: Counts;
  readonly callErrors: Counts;
  /** Kinds of the locks of inputs that are valid. */
  readonly opened: Counts;
  /** Sizes of signatures that were made, hash type included. */
  readonly sizes: Counts;
  readonly skipped: Counts;
}

export const newTally = (): Tally => ({
  same: new Map(),
  inputErrors: new Map(),
  callErrors: new Map(),
  opened: new Map(),
  sizes: new Map(),
  skipped: new Map(),
});

/** An error's text without what was quoted from the request. */
const shortened = (message: string): string =>
  message
    .replace(/^.* (is not a valid sighash parameter)/s, '… $1')
    .replace(/^(Unknown named parameter|Previous output scriptPubKey mismatch|Missing amount for).*/s, '$1 …')
    .replace(/ ?\(not .*\)$/s, ' …');

export function countReply(tally: Tally, { result, error }: Reply): void {
  add(tally.same, error ? 'refused' : result?.complete ? 'complete' : 'incomplete');
  if (error) add(tally.callErrors, `${error.code} ${shortened(error.message) || '(help)'}`);
  for (const { error: text } of result?.errors ?? []) add(tally.inputErrors, text);
}

/** Counts the signatures that came into a transaction, and which of the coins it can now spend. */
export function countSignatures(tally: Tally, before: string, reply: Reply, coins: readonly Coin[]): void {
  const { result } = reply;
  if (!result) return;
  for (const signature of signaturesIn(result.hex)) {
    if (!before.includes(formatHex(signature))) add(tally.sizes, String(signature.length));
  }
  const failed = new Set(result.errors?.map(({ txid, vout }) => `${txid}:${vout}`));
  decode(result.hex).inputs.forEach(({ outpoint }, i) => {
    const name = `${formatHex(outpoint.txid.slice().reverse())}:${outpoint.vout}`;
    if (!failed.has(name)) add(tally.opened, coins[i]?.lock.kind ?? '?');
  });
}

const decode = (hex: string): Transaction => decodeTransaction(parseHex(hex), { mweb: true });
const signaturesIn = (hex: string): readonly Uint8Array[] => decode(hex).inputs.flatMap(itemsOf).filter(isStrictDer);

export function tallyText({ same, inputErrors, callErrors, opened, sizes, skipped }: Tally): string {
  return [
    rows(`signing: ${sum(same)} answers equal byte for byte`, same),
    rows(`${sum(sizes)} signatures made, by size`, sizes),
    rows(`${sum(opened)} inputs valid`, opened),
    rows(`${sum(inputErrors)} inputs not valid`, inputErrors),
    rows(`${sum(callErrors)} calls refused`, callErrors),
    rows(`${sum(skipped)} skipped`, skipped),
  ].join('\n');
}
