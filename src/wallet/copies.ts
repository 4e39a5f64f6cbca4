import { compareBytes, equalBytes } from '../bytes/compare.ts';
import { hasWitness } from '../tx/codec.ts';
import { wtxid } from '../tx/txid.ts';
import type { Transaction } from '../tx/types.ts';
import { transactionSize } from '../tx/weight.ts';
import type { WalletTx } from './walletState.ts';

/** Copies of a transaction with other witnesses: they share the txid, which leaves witnesses out. */

/**
 * Keeps a copy of a recorded transaction and chooses the one that stands for it: the one that was mined, otherwise the
 * lightest that has a witness.
 *
 * - `isMinedNow`: whether this very copy takes the record into the chain
 *
 * @see Bitcoin Core 31.99 `CWalletTx::Update`
 */
export function noteCopy(one: WalletTx, copy: Transaction, isMinedNow: boolean): void {
  const known = [one.tx, ...one.alternates].find((other) => hasSameWitness(other, copy));
  if (known && one.alternates.length === 0) return;
  if (!known) one.alternates = [...one.alternates, copy];
  if (isMinedNow) choose(one, known ?? copy);
  else chooseCopy(one);
}

/** Chooses the copy that stands for a transaction outside the chain. @see Bitcoin Core 31.99 `CWalletTx::RecomputeCanonical` */
export function chooseCopy(one: WalletTx): void {
  if (one.alternates.length === 0 || one.state.kind === 'confirmed') return;
  choose(
    one,
    one.alternates.reduce((best, copy) => (compareCopies(copy, best) < 0 ? copy : best), one.tx),
  );
}

function choose(one: WalletTx, chosen: Transaction): void {
  if (chosen === one.tx) return;
  one.alternates = [one.tx, ...one.alternates].filter((copy) => copy !== chosen);
  one.tx = chosen;
}

/** Orders copies: those with a witness first, then by weight, then by the bytes of their ids. */
const compareCopies = (a: Transaction, b: Transaction): number =>
  Number(hasWitness(b)) - Number(hasWitness(a)) ||
  transactionSize(a).weight - transactionSize(b).weight ||
  compareBytes(wtxid(a), wtxid(b));

/** Whether two transactions of one txid have the same witnesses. */
function hasSameWitness(a: Transaction, b: Transaction): boolean {
  if (a === b) return true;
  return a.inputs.every(({ witness }, i) => {
    const other = b.inputs[i]?.witness ?? [];
    return witness.length === other.length && witness.every((item, j) => equalBytes(item, other[j] ?? EMPTY));
  });
}

const EMPTY = new Uint8Array(0);
