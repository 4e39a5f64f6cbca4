import { open, placeByHeight } from './recordIndex.ts';
import { noteSettled } from './settledAmounts.ts';
import type { Amounts, Wallet, WalletTx } from './walletState.ts';

/** What the index knows of a record. */
interface Indexed {
  /** True if it may hold coins. */
  readonly isOpen: boolean;
  /** Its coins if it is settled. */
  readonly sums: Amounts | undefined;
}

/** Adds a record that was kept, without looking at its transaction. The records come in the order of arrival. */
export function restoreRecord(wallet: Wallet, record: WalletTx, { isOpen, sums }: Indexed): void {
  const { records, ordered, index, spenders } = wallet;
  const { key, state, isCoinbase } = record;
  records.set(key, record);
  ordered.push(record);
  for (const outpoint of record.spends) {
    const names = spenders.get(outpoint);
    if (names) names.add(key);
    else spenders.set(outpoint, new Set([key]));
  }
  placeByHeight(index, record);
  if (isOpen) open(index, key);
  if (!sums) index.settled.others.add(record);
  else if (state.kind === 'confirmed') {
    const kind = isCoinbase ? 'coinbase' : 'payment';
    noteSettled(index.settled, key, { kind, height: state.block.height, amounts: sums });
  }
}

/** Ends the restoring of records: the index knows all scripts of the wallet. */
export function endRestoring({ records, index, legacy, descriptors }: Wallet): void {
  index.hasNewlyUsed = false;
  index.touched.clear();
  // An empty wallet asks for the scripts when it gets its first record.
  index.isStale = records.size === 0;
  if (index.isStale) return;
  legacy?.takeAdded(0);
  descriptors?.forgetAdded();
}
