import { compareBytes, equalBytes } from '../../../core/bytes/compare.ts';
import { hasWitness } from '../../../core/tx/codec.ts';
import { wtxid } from '../../../core/tx/txid.ts';
import type { Transaction } from '../../../core/tx/types.ts';
import { transactionSize } from '../../../core/tx/weight.ts';
import type { WalletTx } from './walletTx.ts';

type Copies = Pick<WalletTx, 'tx' | 'alternates'>;

/**
 * Keeps a copy with another witness and chooses the canonical one: the mined one, else the lightest with a witness.
 * @returns the copies, or `undefined` if they stay as they are
 * @see Bitcoin Core `CWalletTx::Update`
 */
export function withCopy(wtx: WalletTx, copy: Transaction, isMinedNow: boolean): Copies | undefined {
  const { tx, alternates, state } = wtx;
  const existing = [tx, ...alternates].find((other) => hasSameWitness(other, copy));
  if (existing && alternates.length === 0) return undefined;
  const copies: Copies = { tx, alternates: existing ? alternates : [...alternates, copy] };
  return isMinedNow ? withChosen(copies, existing ?? copy) : chosenCopies({ ...copies, state });
}

/** @see Bitcoin Core `CWalletTx::RecomputeCanonical` */
export function chosenCopies({ tx, alternates, state }: Copies & Pick<WalletTx, 'state'>): Copies {
  if (alternates.length === 0 || state.kind === 'confirmed') return { tx, alternates };
  const best = alternates.reduce((lightest, copy) => (compareCopies(copy, lightest) < 0 ? copy : lightest), tx);
  return withChosen({ tx, alternates }, best);
}

function withChosen({ tx, alternates }: Copies, chosen: Transaction): Copies {
  if (chosen === tx) return { tx, alternates };
  return { tx: chosen, alternates: [tx, ...alternates].filter((copy) => copy !== chosen) };
}

const compareCopies = (a: Transaction, b: Transaction): number =>
  Number(hasWitness(b)) - Number(hasWitness(a)) ||
  transactionSize(a).weight - transactionSize(b).weight ||
  compareBytes(wtxid(a), wtxid(b));

/** Compares transactions with the same txid. */
function hasSameWitness(a: Transaction, b: Transaction): boolean {
  if (a === b) return true;
  return a.inputs.every(({ witness }, i) => {
    const other = b.inputs[i]?.witness ?? [];
    return witness.length === other.length && witness.every((item, j) => equalBytes(item, other[j] ?? EMPTY));
  });
}

const EMPTY = new Uint8Array(0);
