import { decodeTransaction, formatHex, isStrictDer, parseHex, type Transaction } from '../../support/library.ts';
import { itemsOf } from './items.ts';
import type { Coin } from './prevtxs.ts';

/** Counts of compared replies, for the log and for minimum checks. */

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
  /** Equal replies: complete, incomplete, refused. */
  readonly same: Counts;
  /** Errors of inputs, by text. */
  readonly inputErrors: Counts;
  /** Errors of calls, by code and text. */
  readonly callErrors: Counts;
  /** Valid inputs, by kind of lock. */
  readonly opened: Counts;
  /** Signatures made, by size with the sighash type. */
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

/** Removes from an error text what it quotes from the request. */
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

/** Counts the new signatures of a transaction, and its valid inputs. */
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
    rows(`signing: ${sum(same)} replies equal byte for byte`, same),
    rows(`${sum(sizes)} signatures made, by size`, sizes),
    rows(`${sum(opened)} inputs valid`, opened),
    rows(`${sum(inputErrors)} inputs not valid`, inputErrors),
    rows(`${sum(callErrors)} calls refused`, callErrors),
    rows(`${sum(skipped)} skipped`, skipped),
  ].join('\n');
}
