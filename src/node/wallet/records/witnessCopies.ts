import { compareBytes, equalBytes } from '../../../core/bytes/compare.ts';
import { hasWitness } from '../../../core/tx/codec.ts';
import { wtxid } from '../../../core/tx/txid.ts';
import type { Transaction } from '../../../core/tx/types.ts';
import { transactionSize } from '../../../core/tx/weight.ts';
import type { WalletTx } from './walletState.ts';

/**
 * Keeps a copy with another witness and chooses the canonical one: the mined one, else the lightest with a witness.
 * @see Bitcoin Core `CWalletTx::Update`
 */
export function noteCopy(wtx: WalletTx, copy: Transaction, isMinedNow: boolean): void {
  const existing = [wtx.tx, ...wtx.alternates].find((other) => hasSameWitness(other, copy));
  if (existing && wtx.alternates.length === 0) return;
  if (!existing) wtx.alternates = [...wtx.alternates, copy];
  if (isMinedNow) choose(wtx, existing ?? copy);
  else chooseCopy(wtx);
}

/** @see Bitcoin Core `CWalletTx::RecomputeCanonical` */
export function chooseCopy(wtx: WalletTx): void {
  if (wtx.alternates.length === 0 || wtx.state.kind === 'confirmed') return;
  choose(
    wtx,
    wtx.alternates.reduce((best, copy) => (compareCopies(copy, best) < 0 ? copy : best), wtx.tx),
  );
}

function choose(wtx: WalletTx, chosen: Transaction): void {
  if (chosen === wtx.tx) return;
  wtx.alternates = [wtx.tx, ...wtx.alternates].filter((copy) => copy !== chosen);
  wtx.tx = chosen;
}

const compareCopies = (a: Transaction, b: Transaction): number =>
  Number(hasWitness(b)) - Number(hasWitness(a)) ||
  transactionSize(a).weight - transactionSize(b).weight ||
  compareBytes(wtxid(a), wtxid(b));

/** Compares transactions with the same txid. */
export function hasSameWitness(a: Transaction, b: Transaction): boolean {
  if (a === b) return true;
  return a.inputs.every(({ witness }, i) => {
    const other = b.inputs[i]?.witness ?? [];
    return witness.length === other.length && witness.every((item, j) => equalBytes(item, other[j] ?? EMPTY));
  });
}

const EMPTY = new Uint8Array(0);
